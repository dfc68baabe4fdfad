import { describe, expect, it } from 'vitest';
import { type DemoFrame, DemoReader } from '../../../../src/recording/container/demo/demo-reader.ts';
import { endsWithEof } from '../../../../src/wire/codec/huffman.ts';
import { hasCorpus } from '../../../support/corpus.ts';
import { damaged } from '../../../support/demo-damage.ts';
import { recordedDemo } from '../../../support/demos.ts';
import { read } from '../../../support/samples.ts';

const demos = [
  { name: 'version 4', bytes: read('vanilla-dm1.demo') },
  { name: 'version 6', bytes: read('ddnet-race-player.demo') },
];

interface Skipping {
  readonly messages: boolean;
  readonly ticks: boolean;
}

function framesOf(bytes: Uint8Array, skips: Skipping, piece = bytes.length): readonly string[] {
  const reader = new DemoReader();
  reader.skipsMessages = skips.messages;
  reader.skipsTicks = skips.ticks;
  const frames: string[] = [];
  const add = (from: Iterable<DemoFrame>) => {
    for (const { kind, tick, offset, keyframe, diagnostic, bytes, start, end } of from) {
      if (kind === 'message' && skips.messages) {
        // Only one that may be damaged is read.
        if (endsWithEof(bytes, start, end)) throw new Error(`message at ${offset}`);
        continue;
      }
      if (kind === 'map') continue;
      const isKeyframe = kind === 'tick' && keyframe;
      frames.push(JSON.stringify({ kind, tick, offset, isKeyframe, diagnostic }));
    }
  };
  for (let at = 0; at < bytes.length; at += piece) add(reader.feed(bytes.subarray(at, at + piece)));
  add(reader.finish());
  return frames;
}

const isSkipped = (frame: string, { messages, ticks }: Skipping) => {
  const { kind, isKeyframe } = JSON.parse(frame);
  return (kind === 'message' && messages) || (kind === 'tick' && !isKeyframe && ticks);
};

describe.each(demos)('skipping in a demo with $name', ({ bytes }) => leavesOutNothingElse(() => bytes));

describe.skipIf(!hasCorpus)('skipping in a demo with long messages (needs ../shared)', () =>
  leavesOutNothingElse(() => recordedDemo('06-07-mixed-ddnet20-coverage-server.demo')!),
);

function leavesOutNothingElse(recorded: () => Uint8Array): void {
  it.each([
    { messages: true, ticks: false },
    { messages: false, ticks: true },
    { messages: true, ticks: true },
  ])('leaves out nothing else: messages $messages, ticks $ticks', (skips) => {
    const none = { messages: false, ticks: false };
    const bytes = recorded();
    const files = [bytes, ...Array.from({ length: 5 }, (_, seed) => damaged(bytes, 1000, seed).bytes)];
    for (const file of files) {
      const expected = framesOf(file, none).filter((frame) => !isSkipped(frame, skips));
      expect(framesOf(file, skips)).toEqual(expected);
      expect(framesOf(file, skips, 4099)).toEqual(expected);
    }
  });
}
