import type { Material } from './material.ts';
import type { Random } from './random.ts';
import type { Note, Target } from './target.ts';
import { capture } from './targets/capture.ts';
import { client } from './targets/client.ts';
import { codec } from './targets/codec.ts';
import { command } from './targets/command.ts';
import { demo } from './targets/demo.ts';
import { demoCheck, log } from './targets/explain.ts';
import { hostile } from './targets/hostile.ts';
import { large } from './targets/large.ts';
import { packet } from './targets/packet.ts';
import { payload, recognised } from './targets/payload.ts';
import { repeated } from './targets/repeated.ts';
import { hex, json } from './targets/text.ts';
import { verdicts } from './targets/verdicts.ts';
import { written } from './targets/written.ts';

export const targets: readonly Target[] = [
  codec,
  payload,
  recognised,
  packet,
  hex,
  json,
  demo,
  capture,
  client,
  hostile,
  command,
  large,
  demoCheck,
  log,
  written,
  repeated,
  verdicts,
];

/** Each target as often as its share. */
const drawing = targets.flatMap((target) => new Array<Target>(target.share).fill(target));

/** Makes an input from these random choices and runs it; returns its target. */
export function runInput(
  random: Random,
  material: Material,
  note: Note,
  only?: string,
): { readonly target: Target; readonly done: ReturnType<Target['run']> } {
  const drawn = random.pick(drawing);
  const target = targets.find(({ name }) => name === only) ?? drawn;
  return { target, done: target.run(random, material, note) };
}
