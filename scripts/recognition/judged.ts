import type { Io, Sink } from '../../commands/lib/platform/io.ts';

/** The command line of the checkout that is judged. */
export type Main = (argv: readonly string[], io: Io) => Promise<number>;

/** What the command line prints of bytes on standard input. */
export async function said(main: Main, bytes: Uint8Array, args: readonly string[]) {
  let [text, output] = ['', ''];
  const sink = (write: (data: string | Uint8Array) => void): Sink =>
    ({
      isTerminal: false,
      columns: undefined,
      colors: 0,
      write: async (data: string | Uint8Array) => write(data),
    }) as never;
  const textOf = (data: string | Uint8Array) => (typeof data === 'string' ? data : new TextDecoder().decode(data));
  const io = {
    env: {},
    stdout: sink((data) => {
      output += textOf(data);
    }),
    stderr: sink((data) => {
      text += textOf(data);
    }),
    stdinIsTerminal: false,
    stdinIsPiped: true,
    separator: '/',
    isQuiet: false,
    exists: () => false,
    isFolder: () => false,
    isLink: () => false,
    size: () => 0,
    cores: async () => 1,
    open: async function* () {
      yield bytes.slice();
    },
  } as never as Io;
  const status = await main(args, io);
  return { status, output, text };
}

/** A small generator of random numbers with a seed, from 0 to below 1. */
export function mulberry32(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

export function flippedBit(bytes: Uint8Array, random: () => number): Uint8Array {
  const bit = Math.floor(random() * 8 * bytes.length);
  const flipped = bytes.slice();
  flipped[bit >> 3]! ^= 1 << (bit & 7);
  return flipped;
}
