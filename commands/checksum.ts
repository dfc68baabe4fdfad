import { ChecksumResults, type FailedChecksum } from '../src/explain/checksum-results.ts';
import { isInRange } from '../src/protocol/ticks.ts';
import { type AnnouncedChecksum, AnnouncedChecksums, type ChecksumCounts } from '../src/recording/checksums.ts';
import { isPlayerDemo } from '../src/recording/demo-content.ts';
import { type HealthFacts, healthState, isUnplayable, joinFacts, unreadableState } from '../src/recording/health.ts';
import { type DiagnosticEntry, isLoss, type RecordingEntry, type SnapshotEntry } from '../src/recording/record.ts';
import type { DatagramCounts } from '../src/recording/replay.ts';
import { type ConnectionStream, isConnection, matchesClient } from '../src/recording/stream.ts';
import type { Snapshot } from '../src/snapshot/snapshot.ts';
import { type FileCheck, maxFindings } from '../src/view/ci/reports.ts';
import {
  checksumsLine,
  renderCaptureChecksums,
  renderChecksumRow,
  renderFailure,
} from '../src/view/table/capture-checksum.ts';
import { diagnosticLine } from '../src/view/text/diagnostic-messages.ts';
import { escaped, escapeText, jsonText, printable, unescapeText } from '../src/view/text/escape.ts';
import { widthOf } from '../src/view/text/layout.ts';
import { count, thousands } from '../src/view/text/number.ts';
import { failureTitle } from '../src/view/text/recording-phrases.ts';
import { plainTheme } from '../src/view/text/theme.ts';
import { CommandError, diagnosticStatus, exit, inputError, usageError, withoutName } from './lib/errors.ts';
import { withClient, withTicks } from './lib/input/chosen.ts';
import { withUncertainty } from './lib/input/describe-input.ts';
import { filesOf } from './lib/input/folders.ts';
import { loadOpened, readStatedBase } from './lib/input/load.ts';
import {
  type Opened,
  openAt,
  openInput,
  readText,
  refuseMeaningless,
  requireOneFile,
  splitPosition,
} from './lib/input/open.ts';
import type { Io } from './lib/io.ts';
import { printNote, printProblem } from './lib/note.ts';
import {
  annotations,
  anyInput,
  base,
  common,
  expectedChecksum,
  flag,
  type Given,
  printing,
  ticks,
} from './lib/options.ts';
import { OutputWriter, type Writer } from './lib/output/writer.ts';
import { type FileResult, filesCommand, jsonOf, type Run, reportChecks } from './lib/run/files.ts';
import { isComparedInParts, openReplay, readRecording } from './lib/run/recording.ts';

export const definition = {
  arguments: {
    '[file...]': "captures, demos, folders, snapshots, or deltas with --base; '-' or nothing for standard input",
  },
  options: {
    list: flag('--list', 'demos: print the checksum of each snapshot, as a list for -c', {
      refusal: ({ to, summary }) =>
        to === 'text' && !summary ? undefined : '--list prints text: leave out -t and --summary',
    }),
    summary: flag('--summary', 'one row per file, also for a single capture; with -t ndjson a line per file'),
    messages: flag('--messages', 'demos: also read the messages, as info does'),
    check: flag('-c, --check', 'read lists printed by this command and check the files in them'),
    expect: expectedChecksum('exit 1 if a checksum differs'),
    ...anyInput,
    base: base("the base of deltas, or 'empty'"),
    include: common.include,
    follow: common.follow,
    ticks,
    ...printing(['text', 'ndjson', 'json', 'junit']),
    annotations,
    strict: common.strict,
    jobs: common.jobs,
  },
  help: `
Checksums of a capture are compared with the announced ones: a mismatch exits 1,
damage 3; a snapshot without its base or a part counts only with --strict. Of
demos only those that a server recorded for one player announce any. Damage
inside a demo's messages is found with --messages.

Examples:
  tw-snap checksum server.pcap
  tw-snap checksum demos -t json
  tw-snap checksum match.demo --list > list && tw-snap checksum -c list`,
};

/** `fileWidth`: the columns of the longest name of a file. */
type ChecksumOptions = Given<(typeof definition)['options']> & { readonly fileWidth?: number };

const isObject = ({ to, summary }: ChecksumOptions) => to === 'json' || (to === 'ndjson' && summary === true);

/** Whether the checksum of each snapshot of a demo is a line. */
const hasLines = ({ to, summary, list, verbose }: ChecksumOptions) =>
  !summary && (to === 'ndjson' || (to === 'text' && (list === true || verbose === true)));

interface ChecksumFile extends Run<ChecksumOptions> {
  readonly writer: Writer;
  readonly findings: string[];
}

const openFile = (run: Run<ChecksumOptions>, writer: Writer): ChecksumFile => ({ ...run, writer, findings: [] });

/** Prints a note on standard error and returns its exit status. */
async function note(status: number, message: string, one: ChecksumFile): Promise<number> {
  if (status > exit.fine) addFinding(message, one);
  await printProblem(printable(message), one.io);
  return status;
}

function addFinding(message: string, { findings }: ChecksumFile): void {
  if (findings.length < maxFindings) findings.push(message);
}

interface Checksum {
  readonly file: string;
  /** The tick, for a snapshot of a recording that was read as a whole. */
  readonly tick?: number;
  readonly kind: string;
  readonly items: number;
  readonly crc: number;
}

async function checksumSnapshot(
  file: string,
  opened: Opened,
  one: ChecksumFile,
): Promise<{ readonly sum: Checksum; readonly status: number }> {
  const base = await readStatedBase(one.options.base, one.input);
  const loaded = await loadOpened(opened, one.input, base);
  const name = escapeText(loaded.name);
  const { kind, body, result, diagnostics } = loaded.payload;
  if (diagnostics.error) throw inputError(`${name}: ${diagnosticLine(diagnostics.error)}`);
  if (kind === 'delta' && !result) throw inputError(`${name}: this is a delta; its checksum needs the base (--base)`);
  const snapshot = result ?? (body as Snapshot);
  const sum = { file, kind, items: snapshot.count, crc: snapshot.checksum() };
  return { sum, status: withUncertainty(exit.fine, loaded, base) };
}

const nameOf = ({ file, tick }: Checksum) => (tick === undefined ? file : `${file}@${tick}`);

/** A name as lists contain it: spaces at its ends are escaped, too, since other spaces separate it from the checksum. */
const listedName = (name: string) => escapeText(name).replace(/^\s|\s$/gu, escaped);

function checksumLine(sum: Checksum, { options, multipleFiles }: ChecksumFile): string {
  const { file, tick, kind, items, crc } = sum;
  if (options.to !== 'ndjson') return `${String(crc).padStart(11)}  ${listedName(nameOf(sum))}\n`;
  const named = tick === undefined || multipleFiles ? { file } : {};
  return `${jsonText({ record: 'snapshot', ...named, tick, kind, items, crc })}\n`;
}

async function checkExpected(sum: Checksum, one: ChecksumFile): Promise<number> {
  const { expect } = one.options;
  if (expect === undefined || expect === sum.crc) return exit.fine;
  return note(exit.finding, `${nameOf(sum)}: the checksum is ${sum.crc}; expected ${expect}`, one);
}

interface SnapshotCounts {
  readonly snapshots: number;
  readonly full: number;
  readonly deltas: number;
  /** The messages of a demo; null if they were not read. */
  readonly messages?: number | null;
  /** The results for checksums that its messages announce. */
  readonly matched?: number;
  readonly mismatched?: number;
}

interface Outcome {
  readonly status: number;
  /** What is printed for people in place of a row. */
  readonly text?: string;
  readonly result: string;
  readonly name: string;
  /** What is an object of JSON. */
  readonly counts: SnapshotCounts | ChecksumCounts | Omit<Checksum, 'file'>;
  /** What the row of the file names below itself. */
  readonly failures?: readonly FailedChecksum[];
  /** Undefined for single snapshots. */
  readonly health?: HealthFacts;
}

function textOf({ snapshots, full, deltas, messages, matched = 0, mismatched = 0 }: SnapshotCounts): string {
  const text = `${count(snapshots, 'snapshot')}: ${thousands(full)} full, ${count(deltas, 'delta')}`;
  if (messages === undefined) return text;
  const withMessages = `${text}; ${messages === null ? 'messages not read' : count(messages, 'message')}`;
  if (matched + mismatched === 0) return withMessages;
  const wrong = mismatched > 0 ? `, ${thousands(mismatched)} mismatched` : '';
  return `${withMessages}; ${thousands(matched + mismatched)} announced: ${thousands(matched)} match${wrong}`;
}

/** Reads a recording: its snapshots that the options select, and all other records. @returns the exit status so far */
async function readChecked(
  opened: Opened,
  one: ChecksumFile,
  onSnapshot: (entry: SnapshotEntry) => Promise<void>,
  onOther: (entry: RecordingEntry) => void = () => {},
) {
  const { input, writer } = one;
  const range = opened.ticks;
  let status: number = exit.fine;
  const facts = { unread: 0, isUnplayable: false };
  const onDiagnostic = async ({ diagnostic }: DiagnosticEntry) => {
    const own = diagnosticStatus(diagnostic, input.strict);
    if (diagnostic.severity === 'error') facts.unread++;
    facts.isUnplayable ||= isUnplayable(diagnostic);
    status = Math.max(status, await note(own, `${escapeText(opened.name)}: ${diagnosticLine(diagnostic)}`, one));
  };
  const messages = areMessagesAsked(opened, one);
  const replay = openReplay(opened, input, { messages, announcements: true, ticks: false });
  const { failure } = await readRecording(opened, input, replay, {
    add(entry) {
      if (entry.record === 'snapshot') return range && !isInRange(entry.tick, range) ? undefined : onSnapshot(entry);
      // A connection counts its unreadable packets itself.
      if (entry.record === 'diagnostic') return entry.direction ? undefined : onDiagnostic(entry);
      return onOther(entry);
    },
    afterPiece: () => writer.flush(),
  });
  if (failure) facts.unread++;
  return { status, facts, replay, failure };
}

/** Captures are read with all their messages in any case. */
const areMessagesAsked = ({ format }: Opened, { options }: ChecksumFile) =>
  options.messages === true && format?.hasTicks === true;

const maxWrong = 10;

/**
 * The checksums of a recording: those of a demo as lines, those of a capture compared with the announced ones. The readable part is
 * concluded before a failure is reported.
 */
async function checksumRecording(opened: Opened, one: ChecksumFile): Promise<Outcome> {
  const { options, writer, multipleFiles, printing } = one;
  const results = new ChecksumResults();
  const announced = new AnnouncedChecksums();
  const wrong: AnnouncedChecksum[] = [];
  const counts = { full: 0, deltas: 0, messages: areMessagesAsked(opened, one) ? 0 : null };
  let hasAnnouncements = false;
  /** Problems of a growing file are shown immediately. */
  const showAtOnce = async (failure: FailedChecksum) => {
    if (!options.follow || options.summary || options.to !== 'text') return;
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
    if (!hasLines(options)) return;
    if (!isOfConnection) await writer.write(checksumLine(checksumOf(opened, entry), one));
    else if (options.to === 'ndjson' && entry.kind !== 'empty')
      await writer.write(
        `${jsonText({ record: 'snapshot', ...(multipleFiles ? { file: opened.name } : {}), ...lineOf(entry) })}\n`,
      );
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
  const { status, facts, replay, failure } = await readChecked(opened, one, onSnapshot, onOther);
  const streams = replay.streams.filter(isConnection);
  const outcome =
    streams.length > 0 || opened.format!.hasPackets
      ? await concludeCapture(opened, results, streams, replay.datagrams?.dropped, one)
      : await concludeDemo(opened, counts, announced, wrong, one);
  const failed = failure ? await note(failure.status, failure.message, one) : exit.fine;
  const { mismatched, missing_base, missing_part, damaged } = results.total;
  const own = streams.filter((connection) => matchesClient(connection, opened.client));
  const undecodable = own.reduce((sum, one) => sum + one.undecodable, replay.datagrams?.dropped.undecodable ?? 0);
  const health = {
    unread: facts.unread + damaged + undecodable,
    isUnplayable: facts.isUnplayable,
    mismatched: mismatched + announced.mismatched,
    missing: missing_base + missing_part,
  };
  return { ...outcome, health, status: Math.max(status, outcome.status, failed) };
}

async function concludeDemo(
  { name }: Opened,
  { full, deltas, messages }: Pick<Required<SnapshotCounts>, 'full' | 'deltas' | 'messages'>,
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
  const compared = matched + mismatched > 0 ? { matched, mismatched } : {};
  const counts = { snapshots: full + deltas, full, deltas, messages, ...compared };
  return { status, ...concluded(name, counts, one.options) };
}

function concluded(name: string, counts: SnapshotCounts, options: ChecksumOptions): Omit<Outcome, 'status'> {
  return { result: textOf(counts), name, counts, ...(hasLines(options) ? { text: '' } : {}) };
}

const fileOf = ({ path }: Pick<Opened, 'path'>) => (path === '-' ? undefined : path);

/** If a smaller share of a capture's snapshots matches, the checksums are not significant. */
const minMatchedShare = 0.1;

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
  const isTable = options.to === 'text' && !options.summary && !multipleFiles;
  if (dropped && dropped.undecodable > 0) status = exit.unreadable;
  const warn = (text: string) => note(status, `${escapeText(opened.name)}: ${text}`, one);
  for (const connection of streams) {
    const { client, undecodable, setAsidePackets } = connection;
    if (!matchesClient(connection, opened.client)) continue;
    if (undecodable > 0) status = exit.unreadable;
    if (isTable && results.connections.some(({ stream }) => stream === connection)) continue;
    if (undecodable > 0) await warn(`${count(undecodable, 'packet')} of ${client} can't be read to the end`);
    if (setAsidePackets > 0)
      await warn(`${count(setAsidePackets, 'packet')} of ${client} set aside: the games drop them`);
  }
  if (dropped && dropped.connections > 0) {
    const text = `${count(dropped.connections, 'connection')} with ${count(dropped.packets, 'packet')} are not listed`;
    await warn(`${text}: too many`);
  }
  if (total.matched < minMatchedShare * total.snapshots) {
    await warn(`only ${thousands(total.matched)} of ${count(total.snapshots, 'snapshot')} could be rebuilt and match`);
  }
  for (const failure of results.failures.slice(0, maxFindings)) addFinding(failureTitle(failure, plainTheme), one);
  const { failures } = results;
  const outcome = { status, result: checksumsLine(total, plainTheme), name: opened.name, counts: total, failures };
  if (!isTable) return outcome;
  return { ...outcome, text: printing.fit(renderCaptureChecksums(results, fileOf(opened), printing, input.follow)) };
}

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

async function checksumsOfRecording(
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

async function checksumFile(file: string, one: ChecksumFile): Promise<Outcome> {
  const { options, input, writer, io } = one;
  const opened = await openAt(file, input);
  refuseMeaningless([opened], input);
  if (options.messages && !opened.format?.hasTicks && !one.multipleFiles) {
    if (!opened.format) throw usageError(`${opened.name}: --messages is for demos; this is a single payload`);
    // Scripts state the option for whatever they are run.
    await printNote(`${escapeText(opened.name)}: --messages has no effect: messages of captures are always read`, io);
  }
  if (opened.format && options.base !== undefined) {
    throw usageError(`${opened.name}: --base is for single deltas; a recording has its own`);
  }
  if (opened.format && !opened.position) {
    if (options.expect !== undefined) throw usageError('--expect is for single snapshots, as FILE@MOMENT is');
    if (options.list && opened.format.hasPackets)
      throw usageError('--list is for demos; -t ndjson lists the snapshots of a capture');
    return checksumRecording(await withTicks(opened, options.ticks, input), one);
  }
  const { sum, status } = await checksumSnapshot(file, opened, one);
  const { kind, items, crc } = sum;
  const result = `checksum ${crc}, ${count(items, 'item')}`;
  const deltas = Number(kind === 'delta');
  if (options.summary)
    return { status, ...concluded(file, { snapshots: 1, full: 1 - deltas, deltas }, options), result };
  if (!isObject(options) && options.to !== 'junit') await writer.write(checksumLine(sum, one));
  const checked = Math.max(status, await checkExpected(sum, one));
  return { status: checked, result, name: file, counts: { kind, items, crc }, text: '' };
}

interface CheckedPart {
  readonly status: number;
  readonly counts: SnapshotCounts;
  readonly health: HealthFacts;
  readonly findings: readonly string[];
}

const files = filesCommand<ChecksumOptions, Run<ChecksumOptions>, FileResult, CheckedPart>({
  name: 'checksum',
  prepare: (run) => run,
  async read(file, run, writer) {
    const one = openFile(run, writer);
    const { options } = run;
    try {
      return resultOf(file, await checksumFile(file, one), one.findings, run);
    } catch (error) {
      if (!(error instanceof CommandError)) throw error;
      const status = await note(error.status, error.message, one);
      const check = checkOf(file, { status, result: '' }, one.findings);
      if (status === exit.usage) return { status, check };
      const json = { file, health: unreadableState, error: withoutName(file, error.message) };
      return { status, check, ...(isObject(options) && { text: jsonOf(json, run) }) };
    }
  },
  parts: {
    // Checksums that a demo announces are compared with the snapshots before them. Options that a recording refuses, and ticks that it
    // does not have, are found when it is read as one.
    division({ messages, base, ticks }) {
      if ((base ?? ticks) !== undefined) return undefined;
      return { minBytes: 64 << 20, skipsMessages: messages !== true, accepts: isComparedInParts };
    },
    async read(opened, run, writer) {
      const one = openFile(run, writer);
      const { status, counts, health } = await checksumRecording(opened, one);
      return { status, counts: counts as SnapshotCounts, health: health!, findings: one.findings };
    },
    join(file, parts, run) {
      const status = Math.max(...parts.map((part) => part.status));
      const counts = parts.map((part) => part.counts).reduce(sumOf);
      const findings = parts.flatMap((part) => part.findings).slice(0, maxFindings);
      const health = parts.map((part) => part.health).reduce(joinFacts);
      return resultOf(file, { status, ...concluded(file, counts, run.options), health }, findings, run);
    },
  },
});

export const { makeJob } = files;

const sumOf = (one: SnapshotCounts, next: SnapshotCounts): SnapshotCounts => ({
  snapshots: one.snapshots + next.snapshots,
  full: one.full + next.full,
  deltas: one.deltas + next.deltas,
  messages: one.messages === null ? null : one.messages! + next.messages!,
});

function resultOf(file: string, outcome: Outcome, findings: readonly string[], run: Run<ChecksumOptions>): FileResult {
  const { status, name, counts, health, result, failures } = outcome;
  const own = { status, check: checkOf(file, outcome, findings) };
  const state = health && healthState(health);
  if (isObject(run.options))
    return { ...own, text: jsonOf({ file: name, ...(state && { health: state }), ...counts }, run) };
  if (run.options.to !== 'text') return own;
  const row = () =>
    renderChecksumRow({ name, state, text: result, failures }, { ...run.printing, fileWidth: run.options.fileWidth! });
  return { ...own, text: outcome.text ?? run.printing.fit(row()) };
}

function checkOf(file: string, { status, result }: Pick<Outcome, 'status' | 'result'>, findings: readonly string[]) {
  return { file, status, summary: result, findings: findings.map((one) => withoutName(escapeText(file), one)) };
}

export async function run(args: readonly string[], options: ChecksumOptions, io: Io): Promise<number> {
  const named = await filesOf(args, options, io);
  requireOneFile(options, named.files);
  if (options.check) {
    const writer = new OutputWriter(options, io);
    const checks: FileCheck[] = [];
    const run = await files.prepare(options, named.multipleFiles, io);
    const status = await checkLists(named.files, openFile(run, writer), checks);
    if (options.to === 'json') await writer.write(writer.isEmpty ? '[]\n' : ']\n');
    await reportChecks('checksum', checks, options, writer, io);
    await writer.end(status);
    return status;
  }
  const fileWidth = Math.max(...named.files.map((file) => widthOf(escapeText(file))));
  return files.run(named, { ...options, fileWidth }, io);
}

/** A file with the expected checksums by name: the file's own or `FILE@TICK`. */
interface ListedFile {
  readonly path: string;
  readonly entries: ReadonlyMap<string, number>;
}

const maxListBytes = 64 << 20;

/** Compares files with lists of `CRC  FILE` or `CRC  FILE@TICK`; each recording is read once. Returns the exit status. */
async function checkLists(lists: readonly string[], one: ChecksumFile, checks: FileCheck[]): Promise<number> {
  let status: number = exit.fine;
  for (const list of lists) {
    for (const file of await readList(list, one)) status = Math.max(status, await checkFile(file, one, checks));
  }
  return status;
}

async function checkFile({ path, entries }: ListedFile, one: ChecksumFile, checks: FileCheck[]): Promise<number> {
  const left = new Map(entries);
  let status: number = exit.fine;
  const check = async (sum: Checksum) => {
    const name = nameOf(sum);
    const expected = left.get(name);
    if (expected === undefined) return;
    left.delete(name);
    status = Math.max(status, await printVerdict(name, expected, sum, one, checks));
  };
  try {
    const read = await checksumsOf(path, one, check);
    status = Math.max(status, read);
  } catch (error) {
    if (!(error instanceof CommandError)) throw error;
    status = Math.max(status, await note(error.status, error.message, one));
  }
  for (const [name, expected] of left) {
    status = Math.max(status, await printVerdict(name, expected, undefined, one, checks));
  }
  return status;
}

async function checksumsOf(
  name: string,
  one: ChecksumFile,
  onChecksum: (sum: Checksum) => Promise<void>,
): Promise<number> {
  const opened = await openAt(name, one.input);
  if (opened.format && !opened.position)
    return checksumsOfRecording(await withClient(opened, one.input), one, onChecksum);
  const { sum, status } = await checksumSnapshot(name, opened, one);
  await onChecksum(sum);
  return status;
}

async function printVerdict(
  name: string,
  expected: number,
  found: Checksum | undefined,
  { options, writer }: ChecksumFile,
  checks: FileCheck[],
): Promise<number> {
  const ok = found && found.crc === expected;
  const verdict = found ? (ok ? 'ok' : `FAILED: the checksum is ${found.crc}, not ${expected}`) : 'not found';
  const json = { file: name, kind: found?.kind, items: found?.items, crc: found?.crc, expected, ok: ok ?? null };
  const status = ok ? exit.fine : found ? exit.finding : exit.unreadable;
  if (options.to === 'text') await writer.write(`${escapeText(name)}: ${verdict}\n`);
  if (options.to === 'ndjson') await writer.write(`${jsonText({ record: 'check', ...json })}\n`);
  if (options.to === 'json') await writer.write(`${checks.length === 0 ? '[' : ',\n '}${jsonText(json)}`);
  checks.push({ file: name, status, summary: verdict, findings: [] });
  return status;
}

/** The name that a list contains. In a list that `checksum` did not write, a backslash may be a backslash. */
function nameIn(written: string, io: Io): string {
  const name = unescapeText(written);
  const isThere = (one: string) => io.exists(one) || io.exists(splitPosition(one, io).path ?? one);
  return name === written || isThere(name) || !isThere(written) ? name : written;
}

/** Reads lines of `CRC  NAME`; the entries of each recording are grouped, so that it is read only once. */
async function readList(path: string, { io }: ChecksumFile): Promise<ListedFile[]> {
  const opened = await openInput(path, { io });
  const { name } = opened;
  const lines = (await readText(opened, maxListBytes)).split('\n');
  const files = new Map<string, Map<string, number>>();
  for (const [i, line] of lines.entries()) {
    if (line.trim() === '') continue;
    const [, sum, written] = /^\s*(-?\d+)\s+(\S.*?)\r?$/.exec(line) ?? [];
    if (sum === undefined || written === undefined) {
      throw usageError(`${name}: line ${i + 1} is not a checksum and the name of a file, as --list prints them`);
    }
    const file = nameIn(written, io);
    const holder = splitPosition(file, io).path ?? file;
    const entries = files.get(holder) ?? new Map<string, number>();
    files.set(holder, entries.set(file, Number(sum) | 0));
  }
  // A check that compares nothing must not look like a successful one.
  if (files.size === 0) throw inputError(`${name}: the list is empty: expected lines of a checksum and a file`);
  return [...files].map(([holder, entries]) => ({ path: holder, entries }));
}
