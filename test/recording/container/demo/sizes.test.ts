import { expect, it } from 'vitest';
import { type DemoFrame, DemoReader } from '../../../../src/recording/container/demo/demo-reader.ts';
import { DemoWriter } from '../../../../src/recording/container/demo/demo-writer.ts';
import { read } from '../../../support/samples.ts';

/** The kinds of frames of `count` snapshots whose data end too early, after a keyframe; `tail` are the last bytes. */
function kindsOf(count: number, ...tail: number[]): string[] {
  const original = new DemoReader();
  for (const { kind } of original.feed(read('ddnet-race-player.demo'))) if (kind === 'map') break;
  const writer = new DemoWriter(6);
  const whole = writer.encode(Int32Array.of(8, 1, 0, (4 << 16) | 1, 1)).slice();
  writer.tick(100, true);
  writer.chunk('snapshot', whole);
  for (let i = 0; i < count; i++) {
    writer.tick(102 + 2 * i, false);
    writer.chunk('snapshot', whole.subarray(0, whole.length - 3));
  }
  const reader = DemoReader.startingAt(original.header!, -1, 0);
  const kinds: string[] = [];
  const add = (frames: Iterable<DemoFrame>) => {
    for (const { kind, diagnostic } of frames) kinds.push(kind === 'diagnostic' ? diagnostic!.code : kind);
  };
  add(reader.feed(writer.flush()));
  add(reader.feed(Uint8Array.from(tail)));
  add(reader.finish());
  return kinds.filter((kind) => kind !== 'tick');
}

it('sizes that lead from chunk to chunk to the last byte are right, though the data of chunks end too early', () => {
  expect(kindsOf(6)).toEqual(new Array(7).fill('snapshot'));
  // A chunk of no kind follows; or too few chunks, which may be a coincidence.
  expect(kindsOf(6, 0x01, 0x00)).toEqual(['snapshot', 'no_keyframe_left']);
  expect(kindsOf(3)).toEqual(['snapshot', 'no_keyframe_left']);
});
