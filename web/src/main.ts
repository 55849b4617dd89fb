import "./look.css";
import { mount } from "svelte";
import App from "./App.svelte";
import { loadWords } from "./words.svelte";

await loadWords();
const target = document.getElementById("app");
if (target) mount(App, { target });
if ("serviceWorker" in navigator && import.meta.env.PROD) void navigator.serviceWorker.register("/sw.js");
