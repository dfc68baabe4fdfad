import type { Tick } from '../../../src/recording/snapshot-search.ts';
import type { Io } from '../io.ts';

/** A part of a recording that a path names: `FILE@TICK` its snapshot at a tick, `FILE#N` the packet with Wireshark's number N. */
export type Position = { readonly tick: Tick } | { readonly packet: number };

/** A path and the position it names. A file that really has such a name comes first. */
export function splitPosition(
  path: string | undefined,
  io: Pick<Io, 'exists'>,
): { readonly path: string | undefined; readonly position: Position | undefined } {
  const match = /^(.*)(?:@(\d+|first|last)|#(\d+))$/s.exec(path ?? '');
  if (!match || io.exists(path!)) return { path, position: undefined };
  const [, file, tick, packet] = match;
  return { path: file === '' ? '-' : file, position: packet ? { packet: Number(packet) } : { tick: tickOf(tick!)! } };
}

/** As a path has it: `@first`, `#12`. */
export const positionText = (position: Position) => ('tick' in position ? `@${position.tick}` : `#${position.packet}`);

/** A tick as it is written; undefined where it is none. */
export function tickOf(text: string): Tick | undefined {
  if (text === 'first' || text === 'last') return text;
  return /^\d+$/.test(text) ? Number(text) : undefined;
}
