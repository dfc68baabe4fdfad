import { ChecksumResults, type FailedChecksum } from '../../src/explain/checksum-results.ts';
import { isInRange } from '../../src/protocol/ticks.ts';
import { type AnnouncedChecksum, AnnouncedChecksums } from '../../src/recording/checksums.ts';
import { isPlayerDemo } from '../../src/recording/demo-content.ts';
import {
  type ConnectionStream,
  type DiagnosticEntry,
  isConnection,
  isLoss,
  matchesClient,
  type RecordingEntry,
  type SnapshotEntry,
} from '../../src/recording/record.ts';
import type { DatagramCounts } from '../../src/recording/replay.ts';
import { maxFindings } from '../../src/view/ci/reports.ts';
import { checksumsLine, renderCaptureChecksums, renderFailure } from '../../src/view/table/capture-checksum.ts';
import { diagnosticLine } from '../../src/view/text/diagnostic-messages.ts';
import { escapeText, jsonText } from '../../src/view/text/escape.ts';
import { count, thousands } from '../../src/view/text/number.ts';
import { failureTitle } from '../../src/view/text/recording-phrases.ts';
import { plainTheme } from '../../src/view/text/theme.ts';
import { diagnosticStatus, exit, usageError } from '../lib/errors.ts';
import type { Opened } from '../lib/input/open.ts';
import { readRecording } from '../lib/run/recording.ts';
import {
  addFinding,
  type Checksum,
  type ChecksumFile,
  checkExpected,
  checksumLine,
  countsOfDemo,
  type DemoCounts,
  note,
  type Outcome,
} from './snapshot.ts';

/** Reads a recording: its snapshots that the options select, and all other records. @returns the exit status so far */
async function readChecked(
  opened: Opened,
  one: ChecksumFile,
  onSnapshot: (entry: SnapshotEntry) => Promise<void>,
  onOther: (entry: RecordingEntry) => void = () => {},
) {
  const { options, input, writer } = one;
  const { ticks } = options;
  let status: number = exit.fine;
  const add = (entry: RecordingEntry) => {
    if (entry.record === 'snapshot') return ticks && !isInRange(entry.tick, ticks) ? undefined : onSnapshot(entry);
    // A connection counts its unreadable packets itself.
    if (entry.record === 'diagnostic') return entry.direction ? undefined : onDiagnostic(entry);
    return onOther(entry);
  };
  const onDiagnostic = async ({ diagnostic }: DiagnosticEntry) => {
    const own = diagnosticStatus(diagnostic, input.strict);
    status = Math.max(status, await note(own, `${escapeText(opened.name)}: ${diagnosticLine(diagnostic)}`, one));
  };
  const messages = areMessagesAsked(opened, one);
  const wanted = { messages, announcements: true, ticks: false, range: ticks };
  const reader = { add, afterPiece: () => writer.flush() };
  const { replay, failure } = await readRecording(opened, input, wanted, () => reader);
  return { status, replay, failure };
}

/** Captures are read with all their messages in any case. */
const areMessagesAsked = ({ format }: Opened, { options }: ChecksumFile) =>
  options.messages === true && format?.hasTicks === true;

/** The maximum number of mismatches that are reported individually. */
const maxWrong = 10;

/**
 * The checksums of a recording: those of a demo as lines, those of a capture compared with the announced ones. The readable part is
 * concluded before a failure is reported.
 */
export async function checksumRecording(opened: Opened, one: ChecksumFile): Promise<Outcome> {
  const { options, writer, multipleFiles, printing } = one;
  const results = new ChecksumResults();
  const announced = new AnnouncedChecksums();
  const wrong: AnnouncedChecksum[] = [];
  const counts = { full: 0, deltas: 0, messages: areMessagesAsked(opened, one) ? 0 : undefined };
  let hasAnnouncements = false;
  const isListed = !options.summary && options.to !== 'junit';
  let found: number = exit.fine;
  /** Problems of a growing file are shown immediately. */
  const showAtOnce = async (failure: FailedChecksum) => {
    if (!options.follow || !isListed || options.to !== 'text') return;
    await writer.write(printing.fit(renderFailure(failure, fileOf(opened), printing)));
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
      await writer.write(`${jsonText({ ...(multipleFiles ? { file: opened.name } : {}), ...lineOf(entry) })}\n`);
      return;
    }
    const sum = checksumOf(opened, entry);
    await writer.write(checksumLine(sum, one));
    found = Math.max(found, await checkExpected(sum, one));
  };
  const onOther = (entry: RecordingEntry) => {
    if (entry.record === 'drop') results.drop(entry.stream);
    if (entry.record === 'header') {
      hasAnnouncements = isPlayerDemo(entry.header);
      if (hasAnnouncements) counts.messages ??= 0;
    }
    if (entry.record !== 'message') return;
    counts.messages = (counts.messages ?? 0) + 1;
    const sum = hasAnnouncements ? announced.onMessage(entry.message) : undefined;
    if (sum && sum.crc !== sum.expected && wrong.length < maxWrong) wrong.push(sum);
  };
  const { status, replay, failure } = await readChecked(opened, one, onSnapshot, onOther);
  const streams = replay.streams.filter(isConnection);
  if (streams.length > 0 && options.expect !== undefined) throw expectRefused();
  const outcome =
    streams.length > 0 || opened.format!.hasPackets
      ? await concludeCapture(opened, results, streams, replay.datagrams?.dropped, one)
      : await concludeDemo(opened, counts, announced, wrong, one);
  const failed = failure ? await note(failure.status, failure.message, one) : exit.fine;
  return { ...outcome, status: Math.max(status, found, outcome.status, failed) };
}

/** Concludes a demo; if its messages announce checksums, it was checked against them. */
async function concludeDemo(
  { name }: Opened,
  counts: DemoCounts,
  { matched, mismatched }: AnnouncedChecksums,
  wrong: readonly AnnouncedChecksum[],
  one: ChecksumFile,
): Promise<Outcome> {
  const status = mismatched > 0 ? exit.finding : exit.fine;
  for (const { tick, crc, expected } of wrong) {
    await note(status, `${escapeText(name)}: tick ${tick}: the checksum is ${crc}; announced ${expected}`, one);
  }
  if (wrong.length < mismatched) {
    await note(status, `${escapeText(name)}: ${thousands(mismatched)} checksums are not the announced ones`, one);
  }
  const summary = countsOfDemo(name, { ...counts, matched, mismatched });
  return { status, counts, resultText: summary.text, summary };
}

/** The name of the file for a command line; undefined for standard input. */
const fileOf = ({ path }: Pick<Opened, 'path'>) => (path === '-' ? undefined : path);

/** If a smaller share of a capture's snapshots matches, the checksums are not significant. */
const minMatchedShare = 0.1;

/** Concludes a capture from its checksums. */
async function concludeCapture(
  opened: Opened,
  results: ChecksumResults,
  streams: readonly ConnectionStream[],
  dropped: DatagramCounts['dropped'] | undefined,
  one: ChecksumFile,
): Promise<Outcome> {
  const { options, input, multipleFiles, printing } = one;
  const { total } = results;
  const isMissing = total.missing_base + total.missing_part > 0;
  let status: number = total.mismatched > 0 || (input.strict && isMissing) ? exit.finding : exit.fine;
  if (total.damaged > 0) status = exit.unreadable;
  const isTable = options.to === 'text' && !options.summary;
  if (dropped && dropped.undecodable > 0) status = exit.unreadable;
  const warn = (text: string) => note(status, `${escapeText(opened.name)}: ${text}`, one);
  for (const connection of streams) {
    const { client, undecodable, setAsidePackets } = connection;
    if (!matchesClient(connection, input.client)) continue;
    if (undecodable > 0) status = exit.unreadable;
    if (isTable && results.connections.some(({ stream }) => stream === connection)) continue;
    if (undecodable > 0) await warn(`${count(undecodable, 'packet')} of ${client} can't be read to the end`);
    if (setAsidePackets > 0)
      await warn(`${count(setAsidePackets, 'packet')} of ${client} set aside: the games drop them`);
  }
  if (dropped && dropped.connections > 0) {
    const text = `${count(dropped.connections, 'connection')} with ${count(dropped.packets, 'packet')} are not listed`;
    await warn(`${text}: there are too many`);
  }
  if (total.matched < minMatchedShare * total.snapshots) {
    await warn(`only ${thousands(total.matched)} of ${count(total.snapshots, 'snapshot')} could be rebuilt and match`);
  }
  for (const failure of results.failures.slice(0, maxFindings)) addFinding(failureTitle(failure, plainTheme), one);
  const text = checksumsLine(total, plainTheme);
  const summary = { file: opened.name, counts: { ...total }, text: checksumsLine(total, printing.theme) };
  if (!isTable) return { status, resultText: text, summary };
  const heading = multipleFiles ? `${printing.theme.strong(escapeText(opened.name))}\n` : '';
  const table = renderCaptureChecksums(results, fileOf(opened), printing, input.follow);
  return { status, resultText: text, summary, text: printing.fit(heading + table) };
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

const checksumOf = ({ path }: Opened, { tick, kind, snapshot }: SnapshotEntry): Checksum => ({
  file: path,
  tick,
  kind,
  items: snapshot!.count,
  crc: snapshot!.checksum(),
});

/** The checksums of a recording by their names in a list. */
export async function checksumsOfRecording(
  opened: Opened,
  one: ChecksumFile,
  onChecksum: (sum: Checksum) => Promise<void>,
): Promise<number> {
  const { status, failure } = await readChecked(opened, one, async (entry) => {
    if (entry.snapshot) await onChecksum(checksumOf(opened, entry));
  });
  if (failure) throw failure;
  return status;
}
