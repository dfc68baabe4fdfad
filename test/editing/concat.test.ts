import { describe, expect, it } from 'vitest';
import { Concat, shiftTicks } from '../../src/editing/concat.ts';
import { LastByteMode } from '../../src/editing/demo-recorder.ts';
import { hasCorpus } from '../support/corpus.ts';
import { recordedDemo } from '../support/demos.ts';
import { type Contents, contentsOf, edited, entriesOf, recording, slices } from '../support/edit.ts';

const sample = () => recordedDemo('vanilla-dm1.demo')!;

function concat(...files: readonly Uint8Array[]): { bytes: Uint8Array; concat: Concat } {
  const mode = new LastByteMode();
  const output = recording(mode);
  const joined = new Concat(output.emit);
  for (const file of files) {
    joined.begin();
    for (const entry of entriesOf(file)) {
      if (entry.record === 'snapshot' || entry.record === 'message') mode.add(entry.payload);
      joined.add(entry);
    }
  }
  return { bytes: output.bytes(), concat: joined };
}

const cut = (from: number, to: number) => slices(sample(), [[{ from, to }]], { carry: false })[0]!;

it('one demo stays as it is, byte for byte', () => {
  expect(Buffer.compare(concat(sample()).bytes, sample())).toBe(0);
});

describe('two parts of a demo', () => {
  const parts = [cut(9000, 9499), cut(9500, 10_000)] as const;

  it('joined in their order are equal to the whole demo: the same ticks with the same items', () => {
    const whole = contentsOf(cut(9000, 10_000));
    const joined = contentsOf(concat(...parts).bytes);
    // The first ends at 9498 and the second begins at 9500: it moves by one tick.
    const moved = (tick: number) => (tick >= 9500 ? tick - 1 : tick);
    expect(joined.ticks).toEqual(whole.ticks.map(moved));
    expect(joined.diagnostics).toEqual([]);
    expect(sums(joined, 9500)).toEqual(sums(whole, 9500));
  });

  it('joined in reverse order: the second follows the first, and every tick in its items is moved', () => {
    const { bytes, concat: how } = concat(parts[1], parts[0]);
    const joined = contentsOf(bytes);
    const [second, first] = [contentsOf(parts[0]), contentsOf(parts[1])];
    const by = first.ticks.at(-1)! + 1 - second.ticks[0]!;
    expect(how.starts).toEqual([first.ticks[0], first.ticks.at(-1)! + 1]);
    expect(joined.ticks).toEqual([...first.ticks, ...second.ticks.map((tick) => tick + by)]);
    expect(joined.diagnostics).toEqual([]);
    for (const [tick, { snapshot }] of second.snapshots) {
      const moved = joined.snapshots.get(tick + by)!.snapshot;
      expect(moved.count).toBe(snapshot.count);
      for (const [i, { type, id, data }] of [...snapshot].entries()) {
        const now = moved.item(i);
        // 0.7: obj_character has tick at 0 and attack_tick at 20, obj_game_data game_start_tick at 0, obj_projectile start_tick at 5.
        const ticks = ({ 10: [0, 20], 6: [0], 2: [5] } as Readonly<Record<number, number[]>>)[type] ?? [];
        const expected = [...data].map((int, at) => (ticks.includes(at) && int > 0 ? int + by : int));
        expect([moved.type(i), moved.id(i), ...now], `tick ${tick}, item ${i}`).toEqual([type, id, ...expected]);
      }
    }
  });

  it('keeps and moves the markers of both', () => {
    const file = hasCorpus ? recordedDemo('07-vanilla-dm1-auto-markers-client.demo')! : sample();
    const { markers, ticks } = { markers: contentsOf(file).header.markers, ticks: contentsOf(file).ticks };
    const { concat: how } = concat(file, file);
    const by = ticks.at(-1)! + 1 - ticks[0]!;
    expect(how.markers).toEqual([...markers, ...markers.map((tick) => tick + by)]);
  });
});

/** Checksums in order; ticks in items are moved by one from `moved` on. */
const sums = ({ snapshots }: Contents, moved: number) =>
  [...snapshots].map(([tick, { snapshot }]) =>
    tick < moved - 1
      ? snapshot.checksum()
      : [...snapshot].filter(({ type }) => ![2, 6, 10].includes(type)).map(({ data }) => [...data]),
  );

it('a demo whose ticks are moved forward and back is the same', () => {
  const [whole, back] = [
    contentsOf(sample()),
    contentsOf(edited(edited(sample(), [shiftTicks(5000)]), [shiftTicks(-5000)])),
  ];
  for (const [tick, { snapshot }] of whole.snapshots) {
    expect(back.snapshots.get(tick)!.snapshot.checksum()).toBe(snapshot.checksum());
  }
});

it('reports why a demo can not follow: another map, another protocol', () => {
  const [file, other] = [sample(), recordedDemo('ddnet-race-player.demo')!];
  const joined = new Concat(() => {});
  const headerOf = (bytes: Uint8Array) => [...entriesOf(bytes)].find((entry) => entry.record === 'header')!;
  joined.begin();
  joined.add(headerOf(file));
  expect(joined.mismatch(headerOf(file))).toBeUndefined();
  expect(joined.mismatch(headerOf(other))).toBe('protocol');
  const header = headerOf(file);
  expect(joined.mismatch({ ...header, header: { ...header.header, mapCrc: 1 } })).toBe('map');
});
