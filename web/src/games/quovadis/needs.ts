/** What a path takes, in words, from what the server counted. */

import type { QuoVadisPath } from "../../api";
import { say } from "../../words.svelte";
import { counted, hall, laurelName } from "./phrases";

export function needOf(path: QuoVadisPath, names: string[]): string {
  if (!path.free) return say("quovadis.need_seat", { room: hall(path.path.slice(-1)) });
  if (path.stays) return say("quovadis.need_nothing_stays", { laurel: laurelName(path.stays) });
  if (path.consents === 0) return say("quovadis.need_nothing");
  if (path.own >= path.consents) return say("quovadis.need_own");
  const n = path.consents - path.own;
  if (path.others.length < n) return say("quovadis.need_more_senators", { n });
  return say("quovadis.need_of", { n, names: counted(path.others, names).join(", ") });
}
