import { inputError, usageError } from '../options/errors.ts';
import { type Input, type Loaded, type LoadedSnapshot, splitPosition } from './inputs.ts';
import { type Opened, open } from './opened.ts';
import { emptySnapshot, wholeSnapshot } from './snapshots.ts';

/** Reads FILE, `FILE@MOMENT`, `FILE#N`, `-` or standard input as one snapshot or delta. */
async function load(path: string, input: Input): Promise<Loaded> {
  // Also as a moment of it alone, `@9938`.
  const isStdin = splitPosition(path, input.io).path === '-';
  if (isStdin && input.opened.some((one) => one.path === '-')) throw usageError('standard input can be read only once');
  const opened = await open(path, input);
  input.opened.push(opened);
  return opened.delta(input);
}

/**
 * Reads a whole snapshot: a file in any encoding, or `empty`. A delta becomes one if its base is known.
 * @throws CommandError if it does not
 */
export async function readSnapshot(path: string, input: Input): Promise<LoadedSnapshot> {
  return path === 'empty' ? emptySnapshot(input) : wholeSnapshot(await load(path, input), input);
}

/** Reads the base of a delta: it is recognised by itself, whatever is stated about the delta. */
export async function readBase(path: string, input: Input): Promise<LoadedSnapshot> {
  const nothing = { format: undefined, encoding: undefined, kind: undefined, nth: undefined, readBase: undefined };
  const opened: Opened[] = [];
  const base = await readSnapshot(path, { ...input, ...nothing, opened, deltas: { isFound: false } });
  input.opened.push(...opened.map((one) => one.with({ isBase: true })));
  return base;
}

/**
 * Reads a delta of this base.
 * @throws CommandError if it is a snapshot
 */
export async function readDelta(path: string, input: Input, base: LoadedSnapshot): Promise<Loaded> {
  const kind = input.kind === 'packet' || input.kind === 'message' ? input.kind : 'delta';
  const delta = await load(path, { ...input, kind, isInside: true, readBase: async () => base });
  if (delta.payload.kind === 'snapshot') throw inputError(`${delta.name}: this is a snapshot; expected a delta`);
  return delta;
}
