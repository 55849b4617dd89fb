/** Short sounds made on the spot: dice on marble, a struck lyre for my turn, a knock for an offer. */

let context: AudioContext | null = null;

/** A browser plays sounds only after a gesture: call this from one. */
export function wakeSound(): void {
  try {
    context ??= new AudioContext();
    void context.resume();
  } catch {
    // A device without sound stays silent.
  }
}

function strike(at: number, pitch: number, length: number, loud: number, shape: OscillatorType): void {
  if (!context) return;
  const tone = context.createOscillator();
  const volume = context.createGain();
  const begin = context.currentTime + at;
  tone.type = shape;
  tone.frequency.setValueAtTime(pitch, begin);
  volume.gain.setValueAtTime(0, begin);
  volume.gain.linearRampToValueAtTime(loud, begin + 0.008);
  volume.gain.exponentialRampToValueAtTime(0.0001, begin + length);
  tone.connect(volume).connect(context.destination);
  tone.start(begin);
  tone.stop(begin + length);
}

/** A click of stone: noise that dies away at once. */
function click(at: number, loud: number): void {
  if (!context) return;
  const size = Math.floor(context.sampleRate * 0.04);
  const buffer = context.createBuffer(1, size, context.sampleRate);
  const samples = buffer.getChannelData(0);
  for (let i = 0; i < size; i++) samples[i] = (Math.random() * 2 - 1) * (1 - i / size) ** 6;
  const noise = context.createBufferSource();
  const tone = context.createBiquadFilter();
  const volume = context.createGain();
  noise.buffer = buffer;
  tone.type = "bandpass";
  tone.frequency.value = 1800 + Math.random() * 1600;
  volume.gain.value = loud;
  noise.connect(tone).connect(volume).connect(context.destination);
  noise.start(context.currentTime + at);
}

export type Sound = "dice" | "turn" | "offer" | "nudge" | "end";

export function sound(which: Sound): void {
  if (!context || context.state !== "running") return;
  switch (which) {
    case "dice":
      for (const at of [0, 0.07, 0.12, 0.2, 0.31]) click(at, 0.5 - at);
      break;
    case "turn":
      [392, 587].forEach((pitch, i) => strike(i * 0.12, pitch, 0.7, 0.16, "triangle"));
      break;
    case "offer":
      [0, 0.14].forEach((at) => strike(at, 210, 0.18, 0.3, "sine"));
      break;
    case "nudge":
      [0, 0.12, 0.24].forEach((at) => strike(at, 880, 0.25, 0.14, "triangle"));
      break;
    case "end":
      [392, 494, 587, 784].forEach((pitch, i) => strike(i * 0.16, pitch, 1.1, 0.14, "triangle"));
      break;
  }
}
