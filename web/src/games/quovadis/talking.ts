/** When people may bargain: while the active seat is to act or to place Caesar, and no choice waits to be confirmed. */

import type { QuoVadisOutlook, QuoVadisView } from "../../api";
import type { Scene } from "../../scene";

export function isTalking({ acts, seat, view, chosen }: Scene<QuoVadisView, QuoVadisOutlook>): boolean {
  return acts !== null && seat !== null && chosen === null && (view.phase === "act" || view.phase === "place-caesar");
}
