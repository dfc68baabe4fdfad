import { ChecksumResults } from '../../../src/analysis/explain/checksum-results.ts';
import { RecordingExplainer } from '../../../src/analysis/explain/recording-explainer.ts';
import { renderJson } from '../../../src/output/json/item-json.ts';
import { RecordLines } from '../../../src/output/json/record-json.ts';
import { renderCaptureChecksums } from '../../../src/output/reports/capture-checksum.ts';
import { renderExplained } from '../../../src/output/reports/explain/explanations.ts';
import { renderInfo } from '../../../src/output/reports/info.ts';
import { explainValues } from '../../../src/output/results/explain.ts';
import { infoValues } from '../../../src/output/results/info.ts';
import { ItemsCsv } from '../../../src/output/tables/table-csv.ts';
import { plainTheme } from '../../../src/output/text/theme.ts';
import { CaptureTimeline } from '../../../src/output/timeline/capture-timeline.ts';
import { CaptureAnnotator } from '../../../src/output/wireshark/capture-annotator.ts';
import { formats } from '../../../src/recording/all-formats.ts';
import { CaptureReplay } from '../../../src/recording/capture/capture-replay.ts';
import { NetlogReplay } from '../../../src/recording/capture/netlog-replay.ts';
import { type CaptureFrame, CaptureReader } from '../../../src/recording/container/capture/capture-reader.ts';
import { isCapture, isNetlog } from '../../../src/recording/container/detect.ts';
import type { RecordingEntry } from '../../../src/recording/replay/record.ts';
import type { ConnectionStream } from '../../../src/recording/replay/stream.ts';
import { RecordingSummary } from '../../../src/recording/summary/recording-summary.ts';
import { join } from '../../../src/wire/bytes/copy.ts';
import { messageJson } from '../../../src/wire/packet/message.ts';
import { commentsOf } from '../../../test/support/pcapng-blocks.ts';
import { recordingStats } from '../../../test/support/recording-stats.ts';
import { check, hashOf, isCsv, isJson, isNdjson, isSum, safe, same, sameAll, sameNumbers } from '../checks.ts';
import { makeCapture } from '../make/capture.ts';
import type { Random } from '../random.ts';
import type { Target } from '../target.ts';
import { isSnapshotLine, lineText } from './ndjson.ts';
import { addsUp } from './stats.ts';

const pcap = formats.find(({ name }) => name === 'pcap')!;
const everything = { all: true, item: () => true, message: () => true };

/** Captures and network logs, read whole and in pieces and shown in all views. */
export const capture: Target = {
  name: 'capture',
  share: 70,
  run(random, material, note) {
    const bytes = makeCapture(random, material.conversations, material);
    note('a.pcap', bytes);
    // Input that is neither must be refused by both readers.
    const isLog = !isCapture(bytes) && (isNetlog(bytes) || random.oneIn(2));
    const replayOf = () => (isLog ? new NetlogReplay() : new CaptureReplay());
    sameAll(reported(replayOf(), random.pieces(bytes)), reported(replayOf(), [bytes]), 'capture: whole and in pieces');
    if (random.oneIn(4)) shown(random, replayOf(), bytes);
    if (!isLog && random.oneIn(3)) isAnnotated(random, bytes);
    if (isLog || random.oneIn(2)) return;
    const stats = recordingStats(bytes, { format: pcap });
    addsUp(stats.tally, stats.bytes);
  },
};

type Replay = CaptureReplay | NetlogReplay;

function* records(replay: Replay, pieces: Iterable<Uint8Array>): Generator<RecordingEntry, void> {
  for (const piece of pieces) yield* replay.feed(piece);
  yield* replay.finish();
}

/** All records as text. */
function reported(replay: Replay, pieces: Iterable<Uint8Array>): string[] {
  return Array.from(records(replay, pieces), textOf);
}

function textOf(record: RecordingEntry): string {
  if (!record.stream) return JSON.stringify(record);
  const { client, server, version } = record.stream as ConnectionStream;
  const head = `${record.record} ${record.time} ${record.frame} ${client} ${server} ${version}`;
  switch (record.record) {
    case 'close':
      return `${head} ${record.direction} ${record.reason}`;
    case 'diagnostic':
      return `${head} ${record.direction} ${record.diagnostic.code}`;
    case 'message':
      return `${head} ${record.direction} ${JSON.stringify(messageJson(record.message))}`;
    case 'snapshot': {
      const { tick, base, kind, announced, verdict, parts, snapshot, before } = record;
      if (snapshot) isSum(snapshot);
      const items = [before, snapshot].map((snapshot) => snapshot && hashOf(snapshot));
      return `${head} ${[tick, base, kind, announced, verdict, parts, ...items].join()}`;
    }
    default:
      return head;
  }
}

/**
 * An annotated capture is the same in pieces and whole, has the packets of the capture, and comments that an option can
 * have.
 */
function isAnnotated(random: Random, bytes: Uint8Array): void {
  const values = !random.oneIn(4);
  const whole = annotated([bytes], values);
  sameNumbers(annotated(random.pieces(bytes), values), whole, 'annotate: whole and in pieces');
  same(framesOf(whole), framesOf(bytes), 'annotate: frames');
  // Reads all blocks and options, and refuses those that are not in order.
  check(
    commentsOf(whole).every((all) => all.length <= 8),
    'annotate: comments of a frame',
  );
}

function annotated(pieces: Iterable<Uint8Array>, values: boolean): Uint8Array {
  const annotator = new CaptureAnnotator({ filter: everything, values });
  const replay = new CaptureReplay({ blocks: true, parts: true, messages: false });
  const written: Uint8Array[] = [];
  for (const piece of pieces) {
    for (const entry of replay.feed(piece)) annotator.add(entry);
    written.push(annotator.take());
  }
  for (const entry of replay.finish()) annotator.add(entry);
  written.push(annotator.flush());
  return join(written);
}

/** Times and bytes of all packets. */
function framesOf(bytes: Uint8Array): string {
  const lines: string[] = [];
  const reader = new CaptureReader();
  const add = ({ kind, seconds, nanoseconds, bytes, start, end, missing }: CaptureFrame) => {
    if (kind === 'diagnostic') return;
    lines.push(`${kind} ${seconds} ${nanoseconds} ${missing} ${bytes.subarray(start, end).join(' ')}`);
  };
  for (const frame of reader.feed(bytes)) add(frame);
  for (const frame of reader.finish()) add(frame);
  return lines.join('\n');
}

function shown(random: Random, replay: Replay, bytes: Uint8Array): void {
  const style = { theme: plainTheme, width: random.pick([20, 80, 160, 240]), verbose: random.oneIn(2) };
  const isWhole = random.oneIn(2);
  const json = new RecordLines({ filter: everything, changes: !isWhole });
  const csv = new ItemsCsv(everything, 'x', true);
  const timeline = new CaptureTimeline(style);
  const summary = new RecordingSummary(replay);
  const sums = new ChecksumResults();
  const explainer = new RecordingExplainer();
  let [lines, rows, text] = ['', csv.heading, ''];
  for (const record of records(replay, [bytes])) {
    const line = lineText(json.add(record));
    if (isWhole && record.record === 'snapshot' && record.snapshot) {
      isSnapshotLine(line, record.snapshot, record.stream.protocol);
    }
    lines += line;
    rows += lineText(csv.add(record));
    text += timeline.add(record, true);
    summary.add(record);
    if (record.record === 'snapshot') sums.add(record);
    explainer.add(record);
  }
  isNdjson(lines);
  isCsv(rows);
  safe(text + timeline.finish());
  safe(renderCaptureChecksums(sums, 'x', style));
  const { counts, findings } = explainer;
  const explained = { file: 'x', again: 'x', ...counts, explanations: explainer.explain(), findings };
  safe(renderExplained(explained, style));
  isJson(renderJson(explainValues(explained)));
  const info = { file: 'x', bytes: bytes.length, summary };
  isJson(renderJson(infoValues(info)));
  safe(renderInfo(info, style));
}
