import { describe, expect, it } from 'vitest';
import { hasCorpus } from '../support/corpus.ts';
import { goldenChecksums, readDemoFile, recordedDemos } from '../support/demos.ts';
import { contentsOf, differingTicks, slices } from '../support/edit.ts';

describe('each recorded demo, its middle third', () => {
  it.each(recordedDemos)('$name: every tick has the items that the recording has', ({ name, path }) => {
    const file = readDemoFile(path);
    const whole = contentsOf(file);
    const [first, last] = [whole.ticks[0]!, whole.ticks.at(-1)!];
    const from = first + Math.floor((last - first) / 3);
    const to = first + Math.floor((2 * (last - first)) / 3);
    const part = contentsOf(slices(file, [[{ from, to }]])[0]!);
    // The cut that DDNet made with the wrong sizes now has the right ones; its header of 0.6 remains.
    expect(part.diagnostics).toEqual(name.includes('07-in-06') ? ['content_of_07 at 0'] : []);
    expect(part.ticks).toEqual(whole.ticks.filter((tick) => tick >= from && tick <= to));
    expect(differingTicks(part, whole)).toEqual([]);
    const expected = [...whole.snapshots.keys()].filter((tick) => tick >= from && tick <= to);
    if (expected[0] !== part.ticks[0]) expected.unshift(part.ticks[0]!);
    expect([...part.snapshots.keys()]).toEqual(expected);
    expect(part.snapshots.get(part.ticks[0]!)!.kind).toBe('snapshot');
    expect(part.mapBytes).toBe(whole.mapBytes);
    const { mapCrc, sha256, netVersion, timestamp, version } = whole.header;
    expect(part.header).toMatchObject({ mapCrc, netVersion, timestamp, version, ...(sha256 ? { sha256 } : {}) });
    // The counts of another program.
    const golden = goldenChecksums(path);
    for (const [tick, { snapshot }] of part.snapshots) {
      const sum = golden?.get(tick);
      if (sum) expect([snapshot.count, snapshot.checksum()], `tick ${tick}`).toEqual([sum.items, sum.crc]);
    }
  });

  if (!hasCorpus) it.todo('recordings besides the samples (needs ../shared)');
});
