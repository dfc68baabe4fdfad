import { describe, expect, it } from 'vitest';
import { type SliceOptions, Slicer } from '../../src/editing/slice.ts';
import type { RecordingEntry } from '../../src/recording/replay/record.ts';
import { hasCorpus } from '../support/corpus.ts';
import { recordedDemo } from '../support/demos.ts';
import { contentsOf, differingTicks, entriesOf, slices } from '../support/edit.ts';

const slice = (file: Uint8Array, from: number, to: number, options?: SliceOptions) =>
  contentsOf(slices(file, [[{ from, to }]], options)[0]!);

const sample = () => recordedDemo('vanilla-dm1.demo')!;

it('the whole range of a recording that begins with a tick is the recording, byte for byte', () => {
  const file = sample();
  expect(Buffer.compare(slices(file, [[{ from: 0, to: Infinity }]])[0]!, file)).toBe(0);
});

it('the whole range of a server demo keeps the messages before the first tick', () => {
  const file = recordedDemo('ddnet-race-player.demo')!;
  expect(Buffer.compare(slices(file, [[{ from: 0, to: Infinity }]])[0]!, file)).toBe(0);
});

it('begins at a tick without a snapshot of its own with the snapshot before it', () => {
  const whole = contentsOf(sample());
  const quiet = whole.ticks.find((tick, i) => i > 10 && !whole.snapshots.has(tick))!;
  const part = slice(sample(), quiet, quiet + 20);
  expect(part.ticks[0]).toBe(quiet);
  expect(part.snapshots.get(quiet)!.kind).toBe('snapshot');
  expect(differingTicks(part, whole)).toEqual([]);
});

describe('state messages', () => {
  const restatedIn = (name: string, tick: number, options?: SliceOptions) => {
    const part = slice(recordedDemo(name)!, tick, tick + 50, options);
    return part.messages.filter((message) => message.tick === part.ticks[0]).map((message) => message.name);
  };
  const race = 'ddnet-race-player.demo';

  it('from before the cut follow the first snapshot', () => {
    const whole = contentsOf(recordedDemo(race)!);
    const tick = whole.ticks.at(-60)!;
    const before = whole.messages.filter((message) => message.tick < tick).map(({ name }) => name);
    const restated = restatedIn(race, tick);
    expect(restated).toContain('sv_tuneparams');
    // Each adds to the list of votes, so all are needed, also the very first message.
    const votes = before.filter((name) => name === 'sv_voteoptionlistadd');
    expect(votes).toHaveLength(5);
    expect(restated.filter((name) => name === 'sv_voteoptionlistadd')).toEqual(votes);
  });

  it('are left out with carry: false, except those of the first tick', () => {
    const whole = contentsOf(recordedDemo(race)!);
    const tick = whole.ticks.at(-60)!;
    const own = whole.messages.filter((message) => message.tick === tick).map(({ name }) => name);
    expect(restatedIn(race, tick, { carry: false })).toEqual(own);
    expect(restatedIn(race, tick).length).toBeGreaterThan(own.length);
  });
});

describe('several ranges', () => {
  it('that overlap become separate demos, each as if cut alone', () => {
    const all = [
      { from: 9000, to: 9400 },
      { from: 9100, to: 9500 },
      { from: 11_000, to: 11_100 },
    ];
    const together = slices(
      sample(),
      all.map((range) => [range]),
    );
    for (const [i, range] of all.entries()) {
      expect(Buffer.compare(together[i]!, slices(sample(), [[range]])[0]!), `${range.from}`).toBe(0);
    }
  });

  it('in one demo follow each other, each with a full snapshot at its beginning', () => {
    const ranges = [
      { from: 9000, to: 9100 },
      { from: 9300, to: 9400 },
    ];
    const whole = contentsOf(sample());
    const part = contentsOf(slices(sample(), [ranges])[0]!);
    expect(part.diagnostics).toEqual([]);
    expect(part.ticks).toEqual(whole.ticks.filter((tick) => ranges.some(({ from, to }) => tick >= from && tick <= to)));
    expect(differingTicks(part, whole)).toEqual([]);
    expect(part.snapshots.get(part.ticks.find((tick) => tick >= 9300)!)!.kind).toBe('snapshot');
  });
});

it.skipIf(!hasCorpus)('markers inside are kept, others are not (needs ../shared)', () => {
  const file = recordedDemo('07-vanilla-dm1-auto-markers-client.demo')!;
  const [first, second, third] = contentsOf(file).header.markers as [number, number, number];
  expect(slice(file, first + 1, third - 1).header.markers).toEqual([second]);
});

describe('a keyframe with a tick that is 16,000 too high', () => {
  /** The ticks of the keyframes, each with the position of its 4 bytes. */
  const keyframes = (file: Uint8Array) => {
    const all: { tick: number; at: number }[] = [];
    let at = 0;
    for (const entry of entriesOf(file)) {
      if (entry.record === 'chunk') at = entry.chunk.offset + 1;
      else if (entry.record === 'tick' && entry.keyframe) all.push({ tick: entry.tick, at });
    }
    return all;
  };
  const sliced = (file: Uint8Array, from: number, to: number) => {
    const ticks: number[] = [];
    const emit = (entry: RecordingEntry) => void (entry.record === 'tick' && ticks.push(entry.tick));
    const slicer = new Slicer([{ ranges: [{ from, to }], emit }]);
    for (const entry of entriesOf(file)) slicer.add(entry);
    slicer.finish();
    return { ticks, left: slicer.leftOut.map((range) => [range.from, range.to, range.cause?.code, range.next]) };
  };
  const damaged = () => {
    const file = sample().slice();
    const [, { tick, at }, next] = keyframes(file) as [unknown, { tick: number; at: number }, { tick: number }];
    new DataView(file.buffer).setInt32(at, tick + 16_000);
    return { file, tick, next: next.tick };
  };

  it('is no end of a range: what follows the next keyframe is in the demo, what is left out is reported', () => {
    const { file, tick, next } = damaged();
    const all = contentsOf(sample()).ticks;
    const [first, last] = [all[0]!, all.at(-1)!];
    const { ticks, left } = sliced(file, first, last);
    expect(ticks).toEqual(all.filter((value) => value < tick || value >= next));
    expect(left).toEqual([[all.findLast((value) => value < tick)! + 1, next - 1, 'tick_backwards', next]]);
  });

  it('before or behind a range is reported only if it hides ticks of it', () => {
    const { file, tick, next } = damaged();
    expect(sliced(file, next + 10, next + 100).left).toEqual([]);
    expect(sliced(file, tick - 200, tick - 100).left).toEqual([]);
    expect(sliced(file, tick - 200, tick + 50).left).toMatchObject([
      [expect.any(Number), next - 1, 'tick_backwards', next],
    ]);
  });
});
