/** Whether a key belongs to a field or an open dialog, and so not to the table. */
export function isTyping(event: KeyboardEvent): boolean {
  const target = event.target as HTMLElement | null;
  if (target?.isContentEditable || target?.closest?.("input, textarea, select, dialog")) return true;
  return document.querySelector("dialog[open]") !== null;
}
