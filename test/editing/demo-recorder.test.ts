import { expect, it } from 'vitest';
import { writeDemo } from '../../src/editing/write-demo.ts';
import { DemoWriter } from '../../src/recording/container/demo/demo-writer.ts';
import type { HeaderEntry, MessageEntry, RecordingEntry, SnapshotEntry } from '../../src/recording/replay/record.ts';
import { join } from '../../src/wire/bytes/copy.ts';
import { keyOf } from '../../src/wire/snapshot/key.ts';
import { Snapshot } from '../../src/wire/snapshot/snapshot.ts';
import { contentsOf, entriesOf } from '../support/edit.ts';
import { read } from '../support/samples.ts';

/** A snapshot with one item of an unknown type. */
function snapshotOf(...ints: number[]): Snapshot {
  const snapshot = Snapshot.withRoom(1, ints.length);
  snapshot.data.set(ints, snapshot.offsets[snapshot.append(keyOf(50, 0), ints.length)]);
  return snapshot;
}

it('writes a full snapshot where an item changes its size under its key, which no delta can express', () => {
  const header = [...entriesOf(read('vanilla-dm1.demo'))].find((entry) => entry.record === 'header') as HeaderEntry;
  const { stream } = header;
  const snapshots = [snapshotOf(1, 2, 3), snapshotOf(1, 2, 4), snapshotOf(1, 2, 4, 5), snapshotOf(9, 2, 4, 5)];
  const file = writeDemo((emit) => {
    emit({ ...header, header: { ...header.header, mapSize: 0 } });
    for (const [i, snapshot] of snapshots.entries()) {
      const tick = 100 + 2 * i;
      emit({ record: 'tick', stream, tick, keyframe: false });
      const kind = 'delta';
      emit({
        record: 'snapshot',
        stream,
        tick,
        kind,
        payloadKind: kind,
        encoding: 'huffman',
        snapshot,
      } as SnapshotEntry);
    }
  });
  const { snapshots: written, diagnostics } = contentsOf(file);
  expect(diagnostics).toEqual([]);
  expect([...written].map(([tick, { kind, snapshot }]) => [tick, kind, ...snapshot.item(0)])).toEqual([
    [100, 'snapshot', 1, 2, 3],
    [102, 'delta', 1, 2, 4],
    [104, 'snapshot', 1, 2, 4, 5],
    [106, 'delta', 9, 2, 4, 5],
  ]);
});

it('writes a payload with bytes after its end symbol without them', () => {
  const file = read('vanilla-dm1.demo');
  const entries = [...entriesOf(file)];
  const message = entries.find((entry) => entry.record === 'message') as MessageEntry;
  const payload = new DemoWriter(6).encode(Int32Array.of(6, 1)).slice();
  const bytes = Uint8Array.of(6, 0, 0, 0, 1, 0, 0, 0);
  const twice = join([payload, payload]);
  const header = entries.find((entry) => entry.record === 'header') as HeaderEntry;
  const written = writeDemo([
    { ...header, header: { ...header.header, mapSize: 0 } },
    { record: 'tick', stream: message.stream, tick: 100, keyframe: true },
    { ...message, bytes, payload: twice },
  ]);
  const [again] = [...entriesOf(written)].filter((entry) => entry.record === 'message') as MessageEntry[];
  expect([again?.bytes, written.subarray(-payload.length)]).toEqual([bytes, payload]);
});

it('marks the first tick as a keyframe where a message comes before the snapshot: DDNet refuses a demo without one', () => {
  const entries = [...entriesOf(read('vanilla-dm1.demo'))];
  const first = <Kind extends string>(kind: Kind) => entries.find(({ record }) => record === kind);
  const header = first('header') as HeaderEntry;
  const message = first('message') as MessageEntry;
  const { stream } = header;
  const snapshot = { record: 'snapshot', stream, kind: 'snapshot', encoding: 'huffman', snapshot: snapshotOf(1, 2, 3) };
  const ticks = (keyframe: boolean) => {
    const written = writeDemo([
      { ...header, header: { ...header.header, mapSize: 0 } },
      { record: 'tick', stream, tick: 100, keyframe },
      { ...message, tick: undefined, bytes: Uint8Array.of(6, 0, 0, 0), payload: undefined },
      { ...snapshot, tick: 100 },
      { record: 'tick', stream, tick: 102, keyframe: false },
      { ...message, tick: undefined, bytes: Uint8Array.of(6, 0, 0, 0), payload: undefined },
    ] as RecordingEntry[]);
    return [...entriesOf(written)].flatMap((entry) => (entry.record === 'tick' ? [entry.keyframe] : []));
  };
  expect(ticks(false)).toEqual([true, false]);
  expect(ticks(true)).toEqual([true, false]);
});
