import { expect, it } from 'vitest';
import { keep, type RecordingEntry, readDemo } from '../../src/api/index.ts';
import { writeDemo } from '../../src/editing/write-demo.ts';
import type { SnapshotEntry } from '../../src/recording/replay/record.ts';
import { messageFields } from '../../src/wire/packet/message.ts';
import { messageBytes } from '../../src/wire/packet/write.ts';
import { copyOf } from '../../src/wire/snapshot/builder.ts';
import { entriesOf } from '../support/edit.ts';
import { read } from '../support/samples.ts';

const file = read('vanilla-dm1.demo');
const records = [...readDemo(file)];
const snapshotsOf = (all: Iterable<RecordingEntry>) =>
  [...all].filter((entry): entry is RecordingEntry & SnapshotEntry => entry.record === 'snapshot');

it('a demo whose records are written is the same, byte for byte', () => {
  const written = writeDemo((emit) => {
    for (const entry of entriesOf(file)) emit(entry);
  });
  expect(Buffer.compare(written, file)).toBe(0);
  expect(Buffer.compare(writeDemo(records), file)).toBe(0);
});

it('records that arrive later are written, too', async () => {
  expect(Buffer.compare(await writeDemo(readDemo(new Blob([file]))), file)).toBe(0);
});

it.each(['in a new snapshot', 'in place'])('a snapshot that was changed %s is written as it is', (how) => {
  const changed = records.map((entry) => {
    if (entry.record !== 'snapshot' || !entry.snapshot) return entry;
    const snapshot = copyOf(entry.snapshot);
    if (snapshot.count > 0) snapshot.data[snapshot.offsets[1]! - 1]! += entry.tick % 7;
    if (how === 'in a new snapshot') return { ...entry, snapshot };
    const own = keep(entry);
    own.snapshot!.copyFrom(snapshot);
    return own;
  });
  const expected = snapshotsOf(changed).map(({ tick, snapshot }) => [tick, snapshot!.checksum()]);
  const written = new Map(
    snapshotsOf(readDemo(writeDemo(changed))).map(({ tick, snapshot }) => [tick, snapshot!.checksum()]),
  );
  expect(
    expected.some(([tick, sum]) =>
      snapshotsOf(records).some((entry) => entry.tick === tick && entry.snapshot!.checksum() !== sum),
    ),
  ).toBe(true);
  expect(expected.filter(([tick, sum]) => written.get(tick!) !== sum)).toEqual([]);
});

it.each(['bytes', 'message'])('a message with other %s is written with them', (what) => {
  const chat = (text: string) => ({ mode: 1, client_id: 0, target_id: -1, message: text });
  const changed = records.map((entry) => {
    if (entry.record !== 'message' || entry.message.type?.name !== 'sv_chat') return entry;
    if (what === 'bytes') return { ...entry, bytes: messageBytes('0.7', 'sv_chat', chat('new')) };
    const values = entry.message.values.map((value) => (value.name === 'message' ? { ...value, value: 'new' } : value));
    return { ...entry, message: { ...entry.message, values } };
  });
  const texts = [...readDemo(writeDemo(changed))].flatMap((entry) =>
    entry.record === 'message' && entry.message.type?.name === 'sv_chat'
      ? [messageFields(entry.message, () => 0).message]
      : [],
  );
  expect(texts.length).toBeGreaterThan(0);
  expect(new Set(texts)).toEqual(new Set(['new']));
});

it('without the records of ticks, the others have theirs', () => {
  const written = [...readDemo(writeDemo(records.filter(({ record }) => record !== 'tick')))];
  const shown = (all: readonly RecordingEntry[]) =>
    snapshotsOf(all).map(({ tick, snapshot }) => [tick, snapshot!.checksum()]);
  expect(shown(written)).toEqual(shown(records));
  const header = written.find(({ record }) => record === 'header') as RecordingEntry & { record: 'header' };
  const ticks = snapshotsOf(records).map(({ tick }) => tick);
  expect(header.header.length).toBe(Math.floor((ticks.at(-1)! - ticks[0]!) / 50));
});

it('records out of order are refused', () => {
  const [first] = records;
  const second = records.findIndex((entry) => entry.record === 'tick');
  const swapped = [...records];
  [swapped[second + 4], swapped[second + 40]] = [swapped[second + 40]!, swapped[second + 4]!];
  const others = records.filter(({ record }) => record !== 'header' && record !== 'map');
  const map = records.filter(({ record }) => record === 'map');
  expect(() => writeDemo([first!, ...map, ...others.toReversed()])).toThrow(
    /^record \d+, of tick \d+, is out of order: the one before is of tick \d+$/,
  );
  expect(() => writeDemo([...records, first!])).toThrow(/^record \d+, a second header, is out of order/);
  expect(() => writeDemo([first!, ...others, ...map])).toThrow(/^record \d+, a piece of the map, is out of order/);
  expect(() => writeDemo(others)).toThrow('these records are not a demo: the header comes first');
  expect(() => writeDemo(5 as never)).toThrow(TypeError);
});
