import "./look.css";
import { mount } from "svelte";
import App from "./App.svelte";
import { renew } from "./notify/push";
import { pageAt } from "./pages";
import { loadWords } from "./words.svelte";

pageAt(location.pathname)?.load().catch(() => undefined); // it is wanted at once; what went wrong is told when it is shown
await loadWords();
const target = document.getElementById("app");
if (target) mount(App, { target });
if ("serviceWorker" in navigator && import.meta.env.PROD) {
  void navigator.serviceWorker.register("/sw.js");
  renew().catch(() => undefined); // what went wrong is tried again at the next visit
}
