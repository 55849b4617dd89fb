/** Which topic of the rules is open beside the game; `HelpHost` shows it. */

export const help = $state<{ topic: string | null }>({ topic: null });

/** Show a topic such as `alea-senatus`. */
export function openHelp(topic: string): void {
  help.topic = topic;
}

export function closeHelp(): void {
  help.topic = null;
}
