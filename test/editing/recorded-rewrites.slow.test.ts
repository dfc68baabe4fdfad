import { describe, expect, it } from 'vitest';
import { hasCorpus } from '../support/corpus.ts';
import { readDemoFile, recordedDemo, recordedDemos } from '../support/demos.ts';
import { contentsOf, differingTicks, edited } from '../support/edit.ts';

/** One ends inside a chunk, one has the wrong sizes: rewriting changes them. */
const exceptions = /unfinished|wrong-sizes/;

describe('a recorded demo that passes through an edit without changes is the same, byte for byte', () => {
  it.each(recordedDemos.filter(({ name }) => !exceptions.test(name)))('$name', ({ path }) => {
    const file = readDemoFile(path);
    expect(Buffer.compare(edited(file, []), file)).toBe(0);
  });

  it.skipIf(!hasCorpus)(
    'except a demo that was copied while being written: its whole chunks remain (needs ../shared)',
    () => {
      const file = recordedDemo('06-ddnet-tutorial-playerdemo-unfinished.demo')!;
      const now = edited(file, []);
      // The file ends after 73 bytes of a chunk of 113.
      expect(now.length).toBe(file.length - 73);
      // The length, four bytes at 152, is 0 until a game stops the recording; what is written has one.
      const [was, has] = [file, now].map((bytes) => Buffer.from(bytes).readInt32BE(152));
      const ticks = [...contentsOf(file).snapshots.keys()];
      expect([was, has]).toEqual([0, Math.floor((ticks.at(-1)! - ticks[0]!) / 50)]);
      const expected = Buffer.from(file.subarray(0, now.length));
      expected.writeInt32BE(has!, 152);
      expect(Buffer.compare(now, expected)).toBe(0);
    },
  );

  it.skipIf(!hasCorpus)(
    'except the replay that DDNet saved with the wrong sizes: the sizes are corrected (needs ../shared)',
    () => {
      const file = recordedDemo('07-ddnet20-replay-wrong-sizes.demo')!;
      const [was, now] = [contentsOf(file), contentsOf(edited(file, []))];
      expect(was.diagnostics).toEqual([expect.stringContaining('sizes_of_06')]);
      expect(now.diagnostics).toEqual([]);
      expect([...now.snapshots.keys()]).toEqual([...was.snapshots.keys()]);
      expect(differingTicks(now, was)).toEqual([]);
    },
  );

  if (!hasCorpus) it.todo('recordings besides the samples (needs ../shared)');
});
