/**
 * Keeps the page's files so that it opens at once, and says so clearly when there is no connection.
 *
 * Files whose names change with their content come from the cache first, pages from the network first. What a newcomer
 * would get wrong: nothing of /api is ever kept; a match that is not live would be a lie.
 */

const KEPT = "rostra-1";
const AT_ONCE = ["offline.html", "offline.css", "icon.svg"].map((name) => `/pages/app/${name}`);
const ASSETS = "/pages/app/assets/";
/** So many hashed files are kept; the oldest, of versions gone by, make place. */
const MOST = 150;

self.addEventListener("install", (event) => {
  event.waitUntil(caches.open(KEPT).then((cache) => cache.addAll(AT_ONCE)).then(() => self.skipWaiting()));
});

self.addEventListener("activate", (event) => {
  event.waitUntil(forgetOthers().then(() => self.clients.claim()));
});

async function forgetOthers() {
  for (const name of await caches.keys()) if (name !== KEPT) await caches.delete(name);
}

self.addEventListener("fetch", (event) => {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  if (request.method !== "GET" || origin !== self.location.origin) return;
  if (request.mode === "navigate") event.respondWith(fetch(request).catch(() => caches.match(AT_ONCE[0])));
  else if (pathname.startsWith(ASSETS)) event.respondWith(fromCache(request));
  else if (AT_ONCE.includes(pathname)) event.respondWith(fetch(request).catch(() => caches.match(request, { ignoreSearch: true })));
});

const MATCH = /^[a-z2-7]{20}$/;

/** From the server, while the page is closed. Browsers want each message shown. */
self.addEventListener("push", (event) => {
  let told = {};
  try {
    told = event.data?.json() ?? {};
  } catch {
    // Then at least that there is something.
  }
  const { title = "Rostra", body = "", tag = "", url = "/" } = told;
  const icon = "/pages/app/icon-192.png";
  event.waitUntil(self.registration.showNotification(title, { body, tag, icon, badge: icon, data: { url } }));
});

self.addEventListener("notificationclick", (event) => {
  const { data, tag } = event.notification;
  event.notification.close();
  event.waitUntil(show(data?.url ?? (MATCH.test(tag) ? `/match/${tag}` : "/")));
});

/** Focus the tab that shows this page of ours, or open one. */
async function show(path) {
  const wanted = new URL(path, self.location.origin);
  if (wanted.origin !== self.location.origin) return;
  const tabs = await self.clients.matchAll({ type: "window", includeUncontrolled: true });
  const found = tabs.find((one) => new URL(one.url).pathname === wanted.pathname);
  if (found) await found.focus();
  else await self.clients.openWindow(wanted.href);
}

async function fromCache(request) {
  const cache = await caches.open(KEPT);
  const found = await cache.match(request);
  if (found) return found;
  const answer = await fetch(request);
  if (answer.ok) {
    await cache.put(request, answer.clone());
    const hashed = (await cache.keys()).filter((one) => new URL(one.url).pathname.startsWith(ASSETS));
    for (const old of hashed.slice(0, Math.max(0, hashed.length - MOST))) await cache.delete(old);
  }
  return answer;
}
