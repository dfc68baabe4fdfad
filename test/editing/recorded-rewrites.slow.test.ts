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
      expect(Buffer.compare(now, file.subarray(0, now.length))).toBe(0);
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
