/** The transcript as a file. A header proves who may have it, so a plain link would not do. */

import { Refusal } from "../http";
import { me } from "../me.svelte";

export async function download(match: string, seat: number | null): Promise<void> {
  const address = `/api/matches/${match}/transcript${seat === null ? "" : `?seat=${seat}`}`;
  const headers: Record<string, string> = me.now ? { authorization: `Bearer ${me.now.token}` } : {};
  const answer = await fetch(address, { headers }).catch(() => null);
  if (!answer?.ok) throw new Refusal(answer ? "broken" : "offline", "the transcript could not be fetched");
  const link = document.createElement("a");
  link.href = URL.createObjectURL(await answer.blob());
  link.download = `${match}.game`;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}
