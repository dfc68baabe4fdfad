import { inputOf } from '../../../commands/lib/input/input-of.ts';
import { atMoment } from '../../../commands/lib/input/moment.ts';
import { type OpenedRecording, open } from '../../../commands/lib/input/opened.ts';
import { isCommandError } from '../../../commands/lib/options/errors.ts';
import { parseMoment } from '../../../src/input/source/position.ts';
import { RecordingHexdump } from '../../../src/output/hexdump/recording-hexdump.ts';
import { renderJson } from '../../../src/output/json/item-json.ts';
import { RecordLines } from '../../../src/output/json/record-json.ts';
import { renderInfo } from '../../../src/output/reports/info.ts';
import { infoValues } from '../../../src/output/results/info.ts';
import { ItemsCsv } from '../../../src/output/tables/table-csv.ts';
import { plainTheme } from '../../../src/output/text/theme.ts';
import { DemoTimeline } from '../../../src/output/timeline/demo-timeline.ts';
import { OpenTrack, TrackReader } from '../../../src/page/report/track.ts';
import { formats } from '../../../src/recording/all-formats.ts';
import { DemoReplay } from '../../../src/recording/demo/demo-replay.ts';
import type { RecordingEntry } from '../../../src/recording/replay/record.ts';
import { RecordingSummary } from '../../../src/recording/summary/recording-summary.ts';
import { unwrap } from '../../../src/wire/payload/encoding-layers.ts';
import { readPayload } from '../../../src/wire/payload/payload.ts';
import type { Snapshot } from '../../../src/wire/snapshot/snapshot.ts';
import { fakeIo } from '../../../test/support/fake-io.ts';
import { recordingStats } from '../../../test/support/recording-stats.ts';
import { check, hashOf, isCsv, isJson, isNdjson, isSum, itemsOf, safe, same, sameAll, sameItems } from '../checks.ts';
import { makeDemo } from '../make/demo.ts';
import type { Random } from '../random.ts';
import type { Target } from '../target.ts';
import { isSnapshotLine, lineText } from './ndjson.ts';
import { addsUp } from './stats.ts';

const demoFormat = formats.find(({ name }) => name === 'demo')!;
const everything = { all: true, item: () => true, message: () => true };

/** Demos: read whole and in pieces, rebuilt in two ways, shown in all views. */
export const demo: Target = {
  name: 'demo',
  share: 60,
  async run(random, material, note) {
    const bytes = makeDemo(random, material.demos, material);
    note('a.demo', bytes);
    const whole = replayed([bytes], rebuiltOtherwise);
    const cut = replayed(random.pieces(bytes));
    sameAll(cut.reported, whole.reported, 'demo: whole and in pieces');
    same(cut.map.join(), whole.map.join(), 'demo: the map, whole and in pieces');
    if (random.oneIn(4)) shown(random, bytes);
    if (random.oneIn(3)) addsUp(recordingStats(bytes, { format: demoFormat }).tally, bytes.length);
    if (random.oneIn(4)) inAnyOrder(random, bytes);
    if (random.oneIn(4)) await found(random, bytes, whole.ticks);
  },
};

interface Replayed {
  readonly reported: readonly string[];
  readonly map: readonly number[];
  readonly ticks: readonly number[];
}

/** All records as text. */
function replayed(
  pieces: Iterable<Uint8Array>,
  inspect?: (record: RecordingEntry, replay: DemoReplay) => void,
): Replayed {
  const replay = new DemoReplay({ messages: true });
  const reported: string[] = [];
  const map: number[] = [];
  const ticks: number[] = [];
  let last: number | undefined;
  const add = (record: RecordingEntry) => {
    inspect?.(record, replay);
    switch (record.record) {
      case 'map':
        map.push(...record.piece);
        break;
      case 'snapshot': {
        const { tick, kind, offset, uncertain, before } = record;
        const [payload, snapshot] = [record.payload!, record.snapshot!];
        const hash = hashOf(snapshot);
        // The snapshots returned before are still the same: a base is never changed.
        check(!before || hashOf(before) === last, 'demo: the snapshot before was changed');
        isSum(snapshot);
        last = hash;
        ticks.push(tick);
        reported.push(`${tick} ${kind} ${offset} ${payload.length} ${uncertain} ${snapshot.checksum()} ${hash}`);
        break;
      }
      case 'message':
        reported.push(`${record.tick} ${record.offset} ${record.bytes.join()}`);
        break;
      case 'header':
        reported.push(JSON.stringify(record.header));
        break;
      default:
        reported.push(JSON.stringify({ ...record, stream: undefined }));
    }
  };
  for (const piece of pieces) for (const record of replay.feed(piece)) add(record);
  for (const record of replay.finish()) add(record);
  return { reported, map, ticks };
}

/** The snapshot of the fast replay, read again from the payload with all positions. */
function rebuiltOtherwise(record: RecordingEntry, { protocol }: DemoReplay): void {
  if (record.record !== 'snapshot') return;
  const { payloadKind: kind, payload, before, snapshot } = record;
  const read = readPayload(unwrap(payload!.slice(), 'huffman'), kind, protocol, before);
  check(!read.diagnostics.error, `demo: rebuilt, but ${read.diagnostics.error?.code}`);
  const other = kind === 'snapshot' ? (read.body as Snapshot) : read.result;
  check(other !== undefined || !before, 'demo: nothing to compare with');
  if (other) sameItems(other, snapshot!, 'demo: replay and payload differ');
}

function shown(random: Random, bytes: Uint8Array): void {
  const style = { theme: plainTheme, width: random.pick([20, 80, 160, 240]), verbose: random.oneIn(2) };
  const replay = new DemoReplay({ messages: true });
  const isWhole = random.oneIn(2);
  const json = new RecordLines({ filter: everything, changes: !isWhole });
  const csv = new ItemsCsv(everything, 'x', true);
  const timeline = new DemoTimeline(style);
  const summary = new RecordingSummary(replay);
  let [lines, rows, text] = ['', csv.heading, ''];
  const add = (record: RecordingEntry) => {
    const line = lineText(json.add(record));
    if (isWhole && record.record === 'snapshot') isSnapshotLine(line, record.snapshot!, replay.protocol);
    lines += line;
    rows += lineText(csv.add(record));
    text += timeline.add(record);
    summary.add(record);
  };
  for (const record of replay.feed(bytes)) add(record);
  for (const record of replay.finish()) add(record);
  isNdjson(lines);
  isCsv(rows);
  safe(text + timeline.finish());
  const info = { file: 'x', bytes: bytes.length, summary };
  const asJson = infoValues(info);
  isJson(renderJson(asJson), asJson);
  safe(renderInfo(info, style));
  const dump = new RecordingHexdump({ ...style, filter: everything, messages: true });
  const parts = new DemoReplay({ parts: true });
  for (const records of [parts.feed(bytes), parts.finish()]) {
    for (const record of records) safe(dump.add(record, true));
  }
  safe(dump.finish());
}

/** The snapshots as a report's page rebuilds them: any of them, in any order. */
function inAnyOrder(random: Random, bytes: Uint8Array): void {
  const replay = new DemoReplay();
  let track: OpenTrack | undefined;
  const hashes: number[] = [];
  const add = (record: RecordingEntry) => {
    if (record.record === 'header') track = new OpenTrack('', record.stream.protocol);
    if (record.record !== 'snapshot') return;
    const { tick, payloadKind: kind, encoding, offset, uncertain, before } = record;
    const base = kind === 'delta' ? hashes.length - 1 : undefined;
    track!.add({ tick, kind, encoding, payload: record.payload!, offset, uncertain, before, base });
    hashes.push(hashOf(record.snapshot!));
  };
  for (const record of replay.feed(bytes)) add(record);
  for (const record of replay.finish()) add(record);
  if (!track || hashes.length === 0) return;
  const reader = new TrackReader(track.track);
  for (let left = 20; left > 0; left--) {
    const index = random.below(hashes.length);
    const snapshot = reader.snapshot(index);
    check(snapshot !== undefined && hashOf(snapshot) === hashes[index], `track: snapshot ${index} is another`);
    isSum(snapshot);
  }
}

/** A tick looked for by way of the keyframes, and from the beginning. */
async function found(random: Random, bytes: Uint8Array, ticks: readonly number[]): Promise<void> {
  const near = (ticks.length > 0 ? random.pick(ticks) : 0) + random.pick([0, 0, 1, -1]);
  const moment = random.oneIn(5) ? random.pick(['first', 'last', 'first+1', 'last-2s']) : String(Math.max(0, near));
  const resultOf = async (canSeek: boolean) => {
    const io = fakeIo({ files: { a: bytes } });
    try {
      const input = await inputOf({}, io);
      const file = await open('a', { ...input, format: 'demo' });
      const opened = canSeek ? file : file.with({ source: file.source.with({ again: undefined }) });
      const { snapshot, before, payload, ...at } = await atMoment(
        opened as OpenedRecording,
        { text: moment, moment: parseMoment(moment) },
        input,
      );
      const { version } = at.stream.protocol;
      return [
        at.tick,
        at.kind,
        version,
        payload.join(),
        snapshot && itemsOf(snapshot),
        at.kind === 'delta' && before && itemsOf(before),
        JSON.stringify(at.doubt),
      ].join();
    } catch (error) {
      if (isCommandError(error)) return error.message;
      throw error;
    }
  };
  same(await resultOf(true), await resultOf(false), `demo: tick ${moment} by its keyframe and from the beginning`);
}
