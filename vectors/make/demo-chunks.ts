import type { Vectors } from './vector.ts';

const source = 'CDemoPlayer::ReadChunkHeader in demo.cpp';

/** Heads of the chunks of a demo, by the version of its format. */
export function makeDemoChunks(vectors: Vectors): void {
  const read = (version: number, hex: string, out: object, note?: string) =>
    vectors.valid('demochunk', { version, in: hex }, out, { ...(note && { note }), source });
  for (const version of [3, 4, 5, 6]) {
    read(version, '20', { chunk: 'snapshot', size: 0, header: 1 });
    read(version, '3d', { chunk: 'snapshot', size: 29, header: 1 });
    read(version, '41aa', { chunk: 'message', size: 1, header: 1 });
    read(version, '5e1e', { chunk: 'message', size: 30, header: 2 }, 'a byte of size');
    read(version, '7eff', { chunk: 'delta', size: 255, header: 2 });
    read(version, '7f0001', { chunk: 'delta', size: 256, header: 3 }, 'two bytes of size, the low one first');
    read(version, '3e05', { chunk: 'snapshot', size: 5, header: 2 }, 'a byte more than needed');
    read(version, '3f0500', { chunk: 'snapshot', size: 5, header: 3 }, 'two bytes more than needed');
    read(version, '3f2003', { chunk: 'snapshot', size: 800, header: 3 });
    read(version, 'c000000102', { tick: 'full', keyframe: true, at: 258, header: 5 });
    read(version, '8000000102', { tick: 'full', keyframe: false, at: 258, header: 5 });
    for (const hex of ['', '5e', '7f', '7f00', 'c0', 'c0000001'])
      vectors.invalid('demochunk', { version, in: hex }, { note: 'cut', source });
  }
  for (const version of [3, 4])
    for (const [hex, keyframe, delta] of [
      ['81', false, 1],
      ['bf', false, 63],
      ['a0', false, 32],
      ['c1', true, 1],
    ] as const)
      read(version, hex, { tick: 'delta', keyframe, delta, header: 1 }, 'six bits of ticks');
  for (const version of [5, 6]) {
    for (const [hex, keyframe, delta] of [
      ['a1', false, 1],
      ['bf', false, 31],
      ['a0', false, 0],
      ['e2', true, 2],
    ] as const)
      read(version, hex, { tick: 'delta', keyframe, delta, header: 1 }, 'five bits of ticks');
    read(version, '8100000102', { tick: 'full', keyframe: false, at: 258, header: 5 }, 'bit 0x20 decides');
    read(version, 'df6ffffffe', { tick: 'full', keyframe: true, at: 0x6ffffffe, header: 5 }, 'the last tick');
  }
}
