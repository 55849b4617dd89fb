/** A part of the drawing as a button for mouse, touch and keyboard; or, where it does nothing, as a picture. */

export function spot(label: string, press: (() => void) | null, pressed = false): Record<string, unknown> {
  if (!press) return { role: "img", "aria-label": label };
  return {
    role: "button",
    tabindex: 0,
    "aria-label": label,
    "aria-pressed": pressed,
    onclick: press,
    onkeydown: (event: KeyboardEvent) => {
      if (event.key !== "Enter" && event.key !== " ") return;
      event.preventDefault();
      press();
    },
  };
}
