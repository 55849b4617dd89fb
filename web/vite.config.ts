import { svelte } from "@sveltejs/vite-plugin-svelte";
import { defineConfig } from "vite";

// The page is part of the Python package: it is built into it, and served by it under /pages/app/.
export default defineConfig({
  base: "/pages/app/",
  plugins: [svelte()],
  build: { outDir: "../src/rostra/pages/app", emptyOutDir: true, target: "es2022", assetsInlineLimit: 0 },
  server: { fs: { allow: [".."] }, proxy: { "/api": { target: "http://127.0.0.1:8765", ws: true } } },
});
