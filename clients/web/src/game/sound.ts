import { stored } from "../wallet";

/** Whether the page makes sounds; none unless the player wants them. */
export const sounds = stored("sounds", false);

/** What can be heard. */
export type Sound = "move" | "blow" | "turn";

let context: AudioContext | undefined;

/** play makes a sound out of nothing but arithmetic: a counter put down, a blow, a quiet bell. */
export function play(what: Sound): void {
  if (!sounds.value || typeof AudioContext === "undefined") return;
  context ??= new AudioContext();
  if (context.state === "suspended") void context.resume().catch(() => undefined);
  const at = context.currentTime, out = context.createGain();
  out.connect(context.destination);
  if (what === "turn") {
    for (const [i, pitch] of [660, 990].entries()) tone(context, out, pitch, at + i * 0.09, 0.5);
    fade(out, at, 0.09, 0.6);
    return;
  }
  const noise = context.createBufferSource(), filter = context.createBiquadFilter(),
    length = what === "blow" ? 0.5 : 0.06;
  noise.buffer = hiss(context, length);
  filter.type = "lowpass";
  filter.frequency.setValueAtTime(what === "blow" ? 900 : 2600, at);
  if (what === "blow") filter.frequency.exponentialRampToValueAtTime(70, at + length);
  noise.connect(filter).connect(out);
  fade(out, at, what === "blow" ? 0.35 : 0.16, length);
  noise.start(at);
}

function tone(on: AudioContext, out: AudioNode, pitch: number, at: number, length: number): void {
  const o = on.createOscillator();
  o.frequency.value = pitch;
  o.connect(out);
  o.start(at);
  o.stop(at + length);
}

function fade(out: GainNode, at: number, loud: number, length: number): void {
  out.gain.setValueAtTime(loud, at);
  out.gain.exponentialRampToValueAtTime(0.0001, at + length);
}

function hiss(on: AudioContext, length: number): AudioBuffer {
  const buffer = on.createBuffer(1, Math.ceil(on.sampleRate * length), on.sampleRate), data = buffer.getChannelData(0);
  for (let i = 0; i < data.length; i++) data[i] = Math.random() * 2 - 1;
  return buffer;
}
