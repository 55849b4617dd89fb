/** Which page is shown. The server answers all these addresses with the same file. */

export const route = $state({ path: location.pathname, search: location.search, hash: location.hash });

function follow(): void {
  route.path = location.pathname;
  route.search = location.search;
  route.hash = location.hash;
}

export function go(address: string, replace = false): void {
  if (replace) history.replaceState(null, "", address);
  else history.pushState(null, "", address);
  follow();
  if (!replace) window.scrollTo(0, 0);
}

addEventListener("popstate", follow);

// Plain links work as links: a click on one of ours stays in the page, everything else is left to the browser.
addEventListener("click", (event) => {
  if (event.defaultPrevented || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey) return;
  const link = (event.target as Element | null)?.closest?.("a");
  if (!link || link.target || link.hasAttribute("download") || link.origin !== location.origin) return;
  if (/^\/(api|pages|verify)/.test(link.pathname)) return;
  // Within the page the browser scrolls to the place and moves the focus by itself.
  if (link.hash && link.pathname === location.pathname && link.search === location.search) return;
  event.preventDefault();
  go(link.pathname + link.search + link.hash);
});
