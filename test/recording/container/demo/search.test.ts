import { expect, it } from 'vitest';
import { type DemoFrame, DemoReader } from '../../../../src/recording/container/demo/demo-reader.ts';
import { DemoWriter } from '../../../../src/recording/container/demo/demo-writer.ts';
import { read } from '../../../support/samples.ts';

it('takes the last bytes of a message before a snapshot for a marker only if their tick is within days', () => {
  const original = new DemoReader();
  for (const { kind } of original.feed(read('ddnet-race-player.demo'))) if (kind === 'map') break;
  const writer = new DemoWriter(6);
  const snapshot = () => writer.chunk('snapshot', writer.encode(Int32Array.of(8, 1, 0, (4 << 16) | 1, 1)));
  // The head of a message of 65,535 bytes, which the file does not have: the rest is searched for a keyframe.
  const cut = Uint8Array.of(0x5f, 0xff, 0xff);
  // `d2 42 19 15 37` is a full snapshot's marker of tick 0x42191537.
  writer.chunk('message', Uint8Array.of(1, 2, 3, 4, 0xd2, 0x42, 0x19, 0x15, 0x37));
  snapshot();
  writer.tick(200, true);
  snapshot();
  writer.tick(202, false);
  snapshot();
  const reader = DemoReader.startingAt(original.header!, 100, 0);
  const ticks: number[] = [];
  const add = (frames: Iterable<DemoFrame>) => {
    for (const { kind, tick } of frames) if (kind === 'snapshot') ticks.push(tick);
  };
  add(reader.feed(cut));
  add(reader.feed(writer.flush()));
  add(reader.finish());
  expect(ticks).toEqual([200, 202]);
});
