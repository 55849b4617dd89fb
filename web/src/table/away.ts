/** Whether the person before this page looks at it: not while the tab is hidden, nor after minutes without a touch. */

const HIDDEN = 3_000;
const IDLE = 150_000;

/** Report each change; returns how to stop. */
export function watchAway(report: (away: boolean) => void): () => void {
  let away = false;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const set = (now: boolean): void => {
    if (now !== away) report((away = now));
  };
  const touched = (): void => {
    clearTimeout(timer);
    timer = setTimeout(() => set(true), document.hidden ? HIDDEN : IDLE);
    if (!document.hidden) set(false);
  };
  const kinds = ["pointerdown", "pointermove", "keydown", "wheel", "touchstart", "visibilitychange"];
  for (const kind of kinds) document.addEventListener(kind, touched, { passive: true });
  touched();
  return () => {
    clearTimeout(timer);
    for (const kind of kinds) document.removeEventListener(kind, touched);
  };
}
