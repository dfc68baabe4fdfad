import type { Tick } from '../../../src/recording/snapshot-search.ts';
import type { Io } from '../io.ts';

/**
 * A position in a recording: `FILE@TICK` is its snapshot at a tick, `FILE#N` the packet with Wireshark's frame number
 * N.
 */
export type Position = { readonly tick: Tick } | { readonly packet: number };

/** Splits a path and the position in it. An existing file with the whole name takes precedence. */
export function splitPosition(
  path: string | undefined,
  io: Pick<Io, 'exists'>,
): { readonly path: string | undefined; readonly position: Position | undefined } {
  const match = /^(.*)(?:@(\d+|first|last)|#(\d+))$/s.exec(path ?? '');
  if (!match || io.exists(path!)) return { path, position: undefined };
  const [, file, tick, packet] = match;
  return { path: file === '' ? '-' : file, position: packet ? { packet: Number(packet) } : { tick: tickOf(tick!)! } };
}

/** The notation in a path: `@first`, `#12`. */
export const positionText = (position: Position) => ('tick' in position ? `@${position.tick}` : `#${position.packet}`);

/** Parses a tick; undefined for any other text. */
export function tickOf(text: string): Tick | undefined {
  if (text === 'first' || text === 'last') return text;
  return /^\d+$/.test(text) ? Number(text) : undefined;
}
