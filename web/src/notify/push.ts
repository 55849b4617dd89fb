/** Push messages to this browser: subscribe, and tell the server where; they come while the page is closed, too. */

import type { AddressMade } from "../api";
import { ask } from "../http";

const STORED = "rostra.push";

interface Here {
  /** The address as the server calls it. */
  address: string;
  endpoint: string;
}

/** What this browser told the server last. */
export function here(): Here | null {
  try {
    return JSON.parse(localStorage.getItem(STORED) ?? "null") as Here | null;
  } catch {
    return null;
  }
}

function remember(found: Here | null): void {
  try {
    if (found) localStorage.setItem(STORED, JSON.stringify(found));
    else localStorage.removeItem(STORED);
  } catch {
    // Then this device is one of the list.
  }
}

export function canPush(): boolean {
  return "serviceWorker" in navigator && "PushManager" in window && "Notification" in window;
}

async function hand(subscription: PushSubscription): Promise<void> {
  const { endpoint, keys } = subscription.toJSON();
  const body = { channel: "push", target: endpoint, keys: { p256dh: keys?.["p256dh"], auth: keys?.["auth"] } };
  const made = await ask<AddressMade>("POST", "/api/me/addresses", body);
  remember({ address: made.address, endpoint: endpoint ?? "" });
}

/** Subscribe with the key of the server; false where the person or the browser does not want it. */
export async function subscribe(key: string): Promise<boolean> {
  if ((await Notification.requestPermission()) !== "granted") return false;
  const worker = await navigator.serviceWorker.ready;
  const old = await worker.pushManager.getSubscription();
  await old?.unsubscribe(); // it may be for another key
  await hand(await worker.pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: key }));
  return true;
}

/** Browsers change a subscription now and then: tell the server, if this one has. */
export async function renew(): Promise<void> {
  const known = here();
  if (!known || !canPush()) return;
  const found = await (await navigator.serviceWorker.ready).pushManager.getSubscription();
  if (found && found.endpoint !== known.endpoint) await hand(found);
}

/** No messages to this browser any more, as when another person uses it from now on. */
export async function drop(): Promise<void> {
  remember(null);
  if (!canPush()) return;
  const worker = await navigator.serviceWorker.getRegistration();
  const found = await worker?.pushManager.getSubscription();
  await found?.unsubscribe();
}
