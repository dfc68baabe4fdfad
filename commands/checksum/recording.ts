import { ChecksumResults, type FailedChecksum } from '../../src/explain/checksum-results.ts';
import { isInRange } from '../../src/protocol/ticks.ts';
import { type AnnouncedChecksum, AnnouncedChecksums } from '../../src/recording/checksum/announced-checksums.ts';
import { isPlayerDemo } from '../../src/recording/demo-kind.ts';
import {
  type DiagnosticEntry,
  type HeaderEntry,
  isConnection,
  isLoss,
  isOfClient,
  type MessageEntry,
  type RecordingEntry,
  type SnapshotEntry,
  type Stream,
} from '../../src/recording/record.ts';
import type { DatagramCounts } from '../../src/recording/replay.ts';
import { renderFailure } from '../../src/view/table/capture-checksum.ts';
import { escapeText, jsonText } from '../../src/view/text/escape.ts';
import { thousands } from '../../src/view/text/number.ts';
import { type CommandError, exit, usageError } from '../lib/errors.ts';
import { type Opened, openReplay } from '../lib/input/open.ts';
import { readRecords } from '../lib/input/read-records.ts';
import { refuseIneffective } from '../lib/input/refuse.ts';
import { outputStyle } from '../lib/output/output.ts';
import { TickCheck } from '../lib/selection.ts';
import { type CheckedCapture, concludeCapture, fileOf } from './capture.ts';
import { type ChecksumContext, type DemoCounts, note, noteDiagnostic, type Outcome } from './context.ts';
import { type Checksum, checkExpected, checksumLine } from './snapshot.ts';
import { countsOfDemo } from './summary.ts';

/** Called for each snapshot of a recording that the options select. */
type OnSnapshot = (entry: SnapshotEntry) => Promise<void>;

/**
 * Reads a recording and returns its exit status so far and its streams. The readable part is processed before a failure
 * is reported.
 */
async function eachSnapshot(
  opened: Opened,
  context: ChecksumContext,
  onSnapshot: OnSnapshot,
  {
    onDrop = () => {},
    onHeader = () => {},
    onMessage = () => {},
  }: {
    onDrop?: (stream: Stream) => void;
    onHeader?: (entry: HeaderEntry) => void;
    onMessage?: (entry: MessageEntry) => void;
  } = {},
): Promise<{
  readonly status: number;
  readonly streams: readonly Stream[];
  readonly dropped: DatagramCounts['dropped'] | undefined;
  readonly failure: CommandError | undefined;
}> {
  const { options, input, stream } = context;
  const { name } = opened;
  const { client } = input;
  const { ticks } = options;
  const messages = areMessagesAsked(opened, context);
  const replay = openReplay(opened, input, { messages, announcements: true, ticks: false });
  let status: number = exit.fine;
  const check = new TickCheck(ticks);
  const isSelected = ({ tick, stream: own }: SnapshotEntry) =>
    (!ticks || isInRange(tick, ticks)) && isOfClient(own, client);
  const add = (entry: RecordingEntry) => {
    if (entry.record === 'snapshot') {
      check.add(entry.tick);
      return isSelected(entry) ? onSnapshot(entry) : undefined;
    }
    if (entry.record === 'header') onHeader(entry);
    if (entry.record === 'message') onMessage(entry);
    if (entry.record === 'drop') onDrop(entry.stream);
    // A connection counts its unreadable packets itself.
    return entry.record === 'diagnostic' && !entry.direction ? onDiagnostic(entry) : undefined;
  };
  const onDiagnostic = async ({ diagnostic }: DiagnosticEntry) => {
    status = Math.max(status, await noteDiagnostic(name, diagnostic, context));
  };
  const { failure } = await readRecords(opened, replay, add, () => stream.flush());
  const { streams } = replay;
  if (!failure) {
    refuseIneffective(name, input, replay);
    check.require(name);
  }
  return { status, streams, dropped: replay.datagrams?.dropped, failure };
}

/** Captures are read with all their messages in any case. */
const areMessagesAsked = ({ format }: Opened, { options }: ChecksumContext) =>
  options.messages === true && format?.hasTicks === true;

/** What was checked of a recording, or of a part of one. */
interface Checked {
  /** The exit status that results from findings about the file and from `--expect`. */
  readonly status: number;
  readonly capture: CheckedCapture;
  readonly demo: {
    readonly counts: DemoCounts;
    readonly announced: AnnouncedChecksums;
    readonly wrong: readonly AnnouncedChecksum[];
  };
  readonly failure: CommandError | undefined;
}

/** The checksums of a recording: those of a demo as lines, those of a capture compared with the announced ones. */
export async function checksumRecording(opened: Opened, context: ChecksumContext): Promise<Outcome> {
  const { status, capture, demo, failure } = await checkRecording(opened, context);
  const isCapture = capture.streams.length > 0 || opened.format!.hasPackets;
  const outcome = isCapture
    ? await concludeCapture(opened, capture, context)
    : await concludeDemo(opened, demo, context);
  const whole = { ...outcome, status: Math.max(status, outcome.status) };
  if (failure) throw Object.assign(failure, { outcome: whole });
  return whole;
}

async function checkRecording(opened: Opened, context: ChecksumContext): Promise<Checked> {
  const { options, stream, isOfSeveral, io } = context;
  const results = new ChecksumResults();
  const announced = new AnnouncedChecksums();
  const counts = { full: 0, deltas: 0, messages: areMessagesAsked(opened, context) ? 0 : undefined };
  let hasAnnouncements = false;
  const isListed = !options.summary && options.to !== 'junit';
  let found: number = exit.fine;
  /** Problems of a growing file are shown immediately. */
  const showAtOnce = async (failure: FailedChecksum) => {
    if (!options.follow || !isListed || options.to !== 'text') return;
    const style = await outputStyle(options, io);
    await stream.write(style.fit(renderFailure(failure, fileOf(opened), style)));
  };
  const onSnapshot = async (entry: SnapshotEntry) => {
    const isOfConnection = entry.stream.client !== '';
    if (isOfConnection) {
      const failure = results.add(entry);
      if (failure) await showAtOnce(failure);
    } else {
      counts[entry.kind === 'delta' ? 'deltas' : 'full']++;
      announced.onSnapshot(entry);
    }
    if (!isListed || (isOfConnection && options.to !== 'ndjson')) return;
    if (isOfConnection) {
      if (options.expect !== undefined) throw expectRefused();
      if (entry.kind === 'empty') return;
      await stream.write(`${jsonText({ ...(isOfSeveral ? { file: opened.name } : {}), ...lineOf(entry) })}\n`);
      return;
    }
    const { tick, kind, snapshot } = entry;
    const sum = { file: opened.path, tick, kind, items: snapshot!.count, crc: snapshot!.checksum() };
    await stream.write(checksumLine(sum, context));
    found = Math.max(found, await checkExpected(sum, context));
  };
  const wrong: AnnouncedChecksum[] = [];
  const { status, streams, dropped, failure } = await eachSnapshot(opened, context, onSnapshot, {
    onDrop: (one) => results.drop(one),
    onHeader: ({ header }) => {
      hasAnnouncements = isPlayerDemo(header);
      if (hasAnnouncements) counts.messages ??= 0;
    },
    onMessage: (entry) => {
      counts.messages = (counts.messages ?? 0) + 1;
      const one = hasAnnouncements ? announced.onMessage(entry.message) : undefined;
      if (one && one.crc !== one.expected && wrong.length < maxWrong) wrong.push(one);
    },
  });
  const connections = streams.filter(isConnection);
  if (connections.length > 0 && options.expect !== undefined) throw expectRefused();
  return {
    status: Math.max(status, found),
    capture: { results, streams: connections, dropped },
    demo: { counts, announced, wrong },
    failure,
  };
}

/** The maximum number of mismatches that are reported individually. */
const maxWrong = 10;

/** Concludes a demo; if its messages announce checksums, it was checked against them. */
async function concludeDemo(
  { name }: Opened,
  { counts, announced: { matched, mismatched }, wrong }: Checked['demo'],
  context: ChecksumContext,
): Promise<Outcome> {
  const status = mismatched > 0 ? exit.finding : exit.fine;
  for (const { tick, crc, expected } of wrong) {
    await note(status, `${escapeText(name)}: tick ${tick}: the checksum is ${crc}; announced ${expected}`, context);
  }
  if (wrong.length < mismatched) {
    await note(status, `${escapeText(name)}: ${thousands(mismatched)} checksums are not the announced ones`, context);
  }
  const summary = countsOfDemo(name, { ...counts, matched, mismatched });
  return { status, counts, resultText: summary.text, ...(context.options.summary ? { summary } : {}) };
}

const expectRefused = () => usageError('--expect is for single snapshots; captures announce their own');

/**
 * `{"frame","client","tick","base","kind","items","crc","expected","ok"}`, with `reason` if it could not be rebuilt.
 */
function lineOf(entry: SnapshotEntry) {
  const { frame, tick, base, kind, snapshot, announced: expected, verdict, stream } = entry;
  const crc = snapshot?.checksum() ?? null;
  const ok = snapshot ? verdict === 'ok' : null;
  const sums = { frame, client: stream.client, tick, base, kind, items: snapshot?.count ?? null, crc, expected, ok };
  return { ...sums, ...(isLoss(verdict) ? { reason: verdict } : {}) };
}

/** The checksums of a recording by their names in a list. */
export async function checksumsOfRecording(
  opened: Opened,
  context: ChecksumContext,
  onChecksum: (sum: Checksum) => Promise<void>,
): Promise<number> {
  const { status, failure } = await eachSnapshot(opened, context, async ({ tick, kind, snapshot }) => {
    if (snapshot) await onChecksum({ file: opened.path, tick, kind, items: snapshot.count, crc: snapshot.checksum() });
  });
  if (failure) throw failure;
  return status;
}
