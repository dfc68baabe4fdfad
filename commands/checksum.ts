import { ChecksumResults, type FailedChecksum, failedFinding } from '../src/explain/checksum-results.ts';
import type { Message } from '../src/packet/message.ts';
import { isInRange } from '../src/protocol/ticks.ts';
import { type AnnouncedChecksum, AnnouncedChecksums } from '../src/recording/checksums.ts';
import {
  countFinding,
  diagnosticFinding,
  type Finding,
  Findings,
  finding,
  healthOf,
  oddityFindings,
} from '../src/recording/findings.ts';
import { ItemCheck } from '../src/recording/item-values.ts';
import { Oddities } from '../src/recording/oddities.ts';
import type { DiagnosticEntry, SnapshotEntry } from '../src/recording/record.ts';
import type { Replay } from '../src/recording/replay.ts';
import { isConnection, matchesClient } from '../src/recording/stream.ts';
import {
  type Checksum,
  checksumOf,
  checksumValues,
  type FileChecksums,
  lineValues,
  type SnapshotCounts,
} from '../src/result/checksum.ts';
import { valuesOf } from '../src/result/fields.ts';
import { unreadableFields } from '../src/result/shared.ts';
import type { Snapshot } from '../src/snapshot/snapshot.ts';
import { diagnosticLine } from '../src/text/diagnostic-messages.ts';
import { escaped, escapeText, jsonText, printable } from '../src/text/escape.ts';
import { widthOf } from '../src/text/layout.ts';
import { count, thousands } from '../src/text/number.ts';
import { oddityText } from '../src/text/recording-phrases.ts';
import { plainTheme } from '../src/text/theme.ts';
import { checkStatus, type FileCheck, maxFindings } from '../src/view/ci/reports.ts';
import { findingText, warningsText } from '../src/view/findings.ts';
import {
  checksumHeading,
  checksumsLine,
  renderCaptureChecksums,
  renderChecksumRow,
  renderFailure,
} from '../src/view/table/capture-checksum.ts';
import { CommandError, exit, inputError, usageError, withoutName } from './lib/errors.ts';
import { loadOpened, readStatedBase } from './lib/input/bases.ts';
import { withTicks } from './lib/input/chosen.ts';
import { filesOf } from './lib/input/folders.ts';
import { withUncertainty } from './lib/input/load.ts';
import { isPart, type Opened, openAt, refuseMeaningless, splitPosition } from './lib/input/open.ts';
import { isComparedInParts, openReplay, readRecording } from './lib/input/read-recording.ts';
import type { Io } from './lib/io.ts';
import { printProblem } from './lib/note.ts';
import { annotations, anyInput, base, common, expectedChecksum, flag, type Given, printing } from './lib/options.ts';
import type { Writer } from './lib/output/writer.ts';
import { type FileResult, filesCommand, jsonOf, type Run } from './lib/run/files.ts';
import { failureFinding } from './lib/status.ts';

/*
 * `checksum`: are the snapshots the right ones? What that means depends on the file:
 *
 *   capture                                  sums are announced, and compared: a table of connections, failures with their reason
 *   demo                                     a server's demo for one player announces sums in its messages, others none: counts, `--list`
 *   snapshot, or delta with --base           one line with the sum, compared with `--expect`
 *
 *   run ─▶ files (one, or many among threads) ─▶ checksumRecording ─┬▶ concludeCapture
 *                                              └▶ a single snapshot └▶ concludeDemo
 *
 * Results go to standard output as text, Markdown, NDJSON, JSON or JUnit; problems go to standard error, and into `findings`,
 * from which the exit status follows. `tell` does both, so that no problem is printed and not counted; what a table of
 * results shows anyway is only counted.
 *
 * A failure of reading is told last: what could be read has been concluded by then.
 */

export const definition = {
  arguments: {
    '[file...]': "captures, demos, folders, snapshots, or deltas with --base; '-' or nothing for standard input",
  },
  options: {
    list: flag('--list', 'demos: print the checksum of each snapshot', {
      refusal: ({ to, summary }) =>
        to === 'text' && !summary ? undefined : '--list prints text: leave out -t and --summary',
    }),
    summary: flag('--summary', 'one row per file, also for a single capture; with -t ndjson a line per file'),
    messages: flag('--messages', 'demos: also read the messages, as info does'),
    expect: expectedChecksum('exit 1 if a checksum differs'),
    ...anyInput,
    base: base("the base of deltas, or 'empty'"),
    include: common.include,
    follow: common.follow,
    ticks: common.ticks,
    ...printing(['text', 'markdown', 'ndjson', 'json', 'junit']),
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
  tw-snap checksum match.demo --list > list`,
};

type ChecksumOptions = Given<(typeof definition)['options']> & {
  /** The columns of the longest name of a file. */
  readonly fileWidth?: number;
};

const isForPeople = ({ to }: ChecksumOptions) => to === 'text' || to === 'markdown';

const isObject = ({ to, summary }: ChecksumOptions) => to === 'json' || (to === 'ndjson' && summary === true);

/** Whether the checksum of each snapshot of a demo is a line. */
const hasLines = ({ to, summary, list, verbose }: ChecksumOptions) =>
  !summary && (to === 'ndjson' || (to === 'text' && (list === true || verbose === true)));

interface ChecksumFile extends Run<ChecksumOptions> {
  readonly writer: Writer;
  readonly findings: Findings;
}

const openFile = (run: Run<ChecksumOptions>, writer: Writer): ChecksumFile => ({
  ...run,
  writer,
  findings: new Findings(maxFindings),
});

/** Adds a finding, and prints it on standard error. */
async function tell(name: string, found: Finding, { findings, io }: ChecksumFile): Promise<void> {
  findings.add(found);
  await printProblem(printable(`${escapeText(name)}: ${findingText(found, name)}`), io);
}

/** The same for a file that cannot be read, or not to its end. */
async function tellFailure(file: string, { status, message }: CommandError, output: ChecksumFile): Promise<void> {
  output.findings.add(failureFinding(status, withoutName(escapeText(file), message)));
  await printProblem(printable(message), output.io);
}

const nameOf = (file: string, sum: Checksum) => ('tick' in sum ? `${file}@${sum.tick}` : file);

const tickOf = (sum: Checksum) => ('tick' in sum ? { tick: sum.tick } : {});

/** A name as lists contain it: spaces at its ends are escaped, too, since other spaces separate it from the checksum. */
const listedName = (name: string) => escapeText(name).replace(/^\s|\s$/gu, escaped);

/** Prints a checksum, unless it is part of an object, and compares it with the expected one. */
async function printChecksum(file: string, sum: Checksum, output: ChecksumFile): Promise<void> {
  const { options, writer, multipleFiles } = output;
  const { summary, to, expect } = options;
  const { crc } = sum;
  if (to === 'ndjson' && !summary) {
    const named = multipleFiles || !('tick' in sum) ? file : undefined;
    await writer.write(`${jsonText({ record: 'snapshot', ...lineValues(named, sum) })}\n`);
  }
  if (to === 'text' && !summary) await writer.write(`${String(crc).padStart(11)}  ${listedName(nameOf(file, sum))}\n`);
  if (expect === undefined || expect === crc) return;
  const found = finding('unexpected_checksum', 'wrong', { place: tickOf(sum), args: { crc: crc!, expected: expect } });
  await tell(file, found, output);
}

interface Outcome {
  /** What is printed for people in place of a row. */
  readonly text?: string;
  readonly result: string;
  readonly name: string;
  /** What is an object of JSON. */
  readonly counts: FileChecksums['counts'];
  /** What the row of the file names below itself. */
  readonly failures?: readonly FailedChecksum[];
  /** Whether it is a recording, which has a health. */
  readonly hasHealth?: boolean;
}

function textOf({ snapshots, full, deltas, messages, matched = 0, mismatched = 0 }: SnapshotCounts): string {
  const text = `${count(snapshots, 'snapshot')}: ${thousands(full)} full, ${count(deltas, 'delta')}`;
  if (messages === undefined) return text;
  const withMessages = `${text}; ${messages === null ? 'messages not read' : count(messages, 'message')}`;
  if (matched + mismatched === 0) return withMessages;
  const wrong = mismatched > 0 ? `, ${thousands(mismatched)} mismatched` : '';
  return `${withMessages}; ${thousands(matched + mismatched)} announced: ${thousands(matched)} match${wrong}`;
}

const maxWrong = 10;

/**
 * The checksums of a recording: those of a demo as lines, those of a capture compared with the announced ones. The readable part is
 * concluded before a failure is reported.
 */
async function checksumRecording(opened: Opened, output: ChecksumFile): Promise<Outcome> {
  const { options, input, writer, printing } = output;
  const { name, path, format, ticks: range } = opened;
  const results = new ChecksumResults();
  const announced = new AnnouncedChecksums();
  const wrong: AnnouncedChecksum[] = [];
  const oddities = new Oddities();
  // Captures are read with all their messages in any case.
  const messages = options.messages === true && format!.hasTicks;
  const counts = { full: 0, deltas: 0, messages: messages ? 0 : null };
  let hasAnnouncements = false;
  const isListed = ({ kind, stream }: SnapshotEntry) =>
    hasLines(options) && (stream.client === '' || (options.to === 'ndjson' && kind !== 'empty'));
  const onSnapshot = async (entry: SnapshotEntry) => {
    if (entry.stream.client === '') {
      counts[entry.kind === 'delta' ? 'deltas' : 'full']++;
      announced.onSnapshot(entry);
    } else {
      const failure = results.add(entry);
      // Problems of a growing file are shown immediately.
      if (failure && options.follow && !options.summary && options.to === 'text')
        await writer.write(printing.fit(renderFailure(failure, fileOf(opened), printing)));
    }
    if (isListed(entry)) await printChecksum(path, checksumOf(entry), output);
  };
  const onMessage = (message: Message) => {
    counts.messages = (counts.messages ?? 0) + 1;
    const sum = hasAnnouncements ? announced.onMessage(message) : undefined;
    if (sum && sum.crc !== sum.expected && wrong.length < maxWrong) wrong.push(sum);
  };
  // Only there it counts, and it takes time.
  const items = input.strict ? new ItemCheck() : undefined;
  const onDiagnostic = ({ diagnostic }: DiagnosticEntry) => tell(name, diagnosticFinding(diagnostic), output);
  const replay = openReplay(opened, input, { messages, announcements: true, ticks: false });
  const { failure } = await readRecording(opened, input, replay, {
    add(entry) {
      switch (entry.record) {
        case 'snapshot':
          if (range && !isInRange(entry.tick, range)) return undefined;
          items?.add(entry);
          return onSnapshot(entry);
        case 'diagnostic':
          // A connection counts its unreadable packets itself.
          if (entry.weight) oddities.add(entry);
          return entry.direction || entry.weight ? undefined : onDiagnostic(entry);
        case 'drop':
          return results.drop(entry.stream);
        case 'header':
          hasAnnouncements = entry.stream.announcesChecksums === true;
          if (hasAnnouncements) counts.messages ??= 0;
          return undefined;
        case 'message':
          return onMessage(entry.message);
      }
    },
    afterPiece: () => writer.flush(),
  });
  for (const { diagnostic, count: times } of oddities.all)
    await printProblem(`${escapeText(name)}: ${oddityText(diagnostic, times)}`, output.io);
  for (const each of oddityFindings(oddities)) output.findings.add(each);
  // After damage values may be wrong.
  const isDamaged = output.findings.all.some(({ severity }) => severity === 'unread');
  for (const found of (!isDamaged && items?.findings) || []) await tell(name, found, output);
  const streams = replay.streams.filter(isConnection);
  const outcome =
    streams.length > 0 || format!.hasPackets
      ? await concludeCapture(opened, results, replay, output)
      : await concludeDemo(opened, counts, announced, wrong, output);
  if (failure) await tellFailure(path, failure, output);
  return { ...outcome, hasHealth: true };
}

async function concludeDemo(
  { name }: Opened,
  { full, deltas, messages }: Pick<Required<SnapshotCounts>, 'full' | 'deltas' | 'messages'>,
  { matched, mismatched }: AnnouncedChecksums,
  wrong: readonly AnnouncedChecksum[],
  output: ChecksumFile,
): Promise<Outcome> {
  for (const { tick, crc, expected } of wrong) {
    await tell(name, finding('wrong_snapshot', 'wrong', { place: { tick }, args: { crc, expected } }), output);
  }
  if (wrong.length < mismatched) await tell(name, finding('checksums_differ', 'wrong', { count: mismatched }), output);
  const compared = matched + mismatched > 0 ? { matched, mismatched } : {};
  const counts = { snapshots: full + deltas, full, deltas, messages, ...compared };
  return concluded(name, counts, output.options);
}

function concluded(name: string, counts: SnapshotCounts, options: ChecksumOptions): Outcome {
  return { result: textOf(counts), name, counts, ...(hasLines(options) ? { text: '' } : {}) };
}

const fileOf = ({ path }: Pick<Opened, 'path'>) => (path === '-' ? undefined : path);

/** If a smaller share of a capture's snapshots matches, the checksums are not significant. */
const minMatchedShare = 0.1;

async function concludeCapture(opened: Opened, results: ChecksumResults, replay: Replay, output: ChecksumFile) {
  const { dropped } = replay.datagrams ?? {};
  const { options, input, multipleFiles, printing } = output;
  const { total } = results;
  const isTable = isForPeople(options) && !options.summary && !multipleFiles;
  for (const connection of replay.streams.filter(isConnection)) {
    const { client, undecodable, rejectedPackets } = connection;
    if (!matchesClient(connection, opened.client)) continue;
    const about = { place: { client } };
    const found = [
      ...countFinding('undecodable_packets', 'unread', undecodable, about),
      ...countFinding('packets_rejected', 'note', rejectedPackets, about),
    ];
    // The table of connections has them.
    const isShown = isTable && results.connections.some(({ stream }) => stream === connection);
    for (const each of found) await (isShown ? output.findings.add(each) : tell(opened.name, each, output));
  }
  if (dropped && dropped.connections > 0) {
    const { connections, packets } = dropped;
    await tell(
      opened.name,
      finding('connections_not_listed', 'note', { count: connections, args: { packets } }),
      output,
    );
  }
  if (total.matched < minMatchedShare * total.snapshots) {
    const args = { snapshots: total.snapshots };
    await tell(opened.name, finding('few_checksums_match', 'note', { count: total.matched, args }), output);
  }
  const counted = [
    ...results.failures.slice(0, maxFindings).map(failedFinding),
    ...countFinding('undecodable_packets', 'unread', dropped?.undecodable ?? 0),
    ...countFinding('mismatched_snapshots', 'wrong', total.mismatched),
    ...countFinding('damaged_snapshots', 'unread', total.damaged),
    ...countFinding('missing_snapshots', 'warning', total.missing_base + total.missing_part),
  ];
  for (const each of counted) output.findings.add(each);
  const { failures } = results;
  const outcome = { result: checksumsLine(total, plainTheme), name: opened.name, counts: total, failures };
  if (!isTable) return outcome;
  return { ...outcome, text: printing.fit(renderCaptureChecksums(results, fileOf(opened), printing, input.follow)) };
}

async function checksumFile(file: string, output: ChecksumFile): Promise<Outcome> {
  const { options, input } = output;
  const opened = await openAt(file, input);
  refuseMeaningless([opened], input);
  if (opened.format && options.base !== undefined) {
    throw usageError(`${opened.name}: --base is for single deltas; a recording has its own`);
  }
  if (!opened.format || isPart(opened)) return checksumSnapshot(file, opened, output);
  if (options.expect !== undefined) throw usageError('--expect is for single snapshots, as FILE@MOMENT is');
  if (options.list && opened.format.hasPackets)
    throw usageError('--list is for demos; -t ndjson lists the snapshots of a capture');
  return checksumRecording(await withTicks(opened, options.ticks, input), output);
}

async function checksumSnapshot(file: string, opened: Opened, output: ChecksumFile): Promise<Outcome> {
  const base = await readStatedBase(output.options.base, output.input);
  const loaded = await loadOpened(opened, { ...output.input, base });
  const name = escapeText(loaded.name);
  const { kind, body, result: applied, diagnostics } = loaded.payload;
  if (diagnostics.error) throw inputError(`${name}: ${diagnosticLine(diagnostics.error)}`);
  if (kind === 'delta' && !applied) throw inputError(`${name}: this is a delta; its checksum needs the base (--base)`);
  const snapshot = applied ?? (body as Snapshot);
  const sum = { kind, items: snapshot.count, crc: snapshot.checksum() };
  await printChecksum(file, sum, output);
  const uncertain = withUncertainty(exit.fine, loaded, base);
  if (uncertain > exit.fine)
    output.findings.add(finding('uncertain_reading', uncertain === exit.finding ? 'wrong' : 'unread'));
  const result = `checksum ${sum.crc}, ${count(sum.items, 'item')}`;
  // Its line was printed with the checksum.
  if (!output.options.summary)
    return { result, name: file, counts: sum, ...(output.options.to !== 'markdown' && { text: '' }) };
  const deltas = Number(kind === 'delta');
  return { result, name: file, counts: { snapshots: 1, full: 1 - deltas, deltas } };
}

/** Reads a file; one that can't be read has a result, too. */
async function readFile(file: string, output: ChecksumFile): Promise<FileResult> {
  const { options, findings } = output;
  try {
    return resultOf(file, await checksumFile(file, output), findings, output);
  } catch (error) {
    if (!(error instanceof CommandError)) throw error;
    await tellFailure(file, error, output);
    const own = checked(file, '', findings, output);
    if (error.status === exit.usage || !isObject(options)) return own;
    const json = valuesOf(unreadableFields, { file, reason: withoutName(file, error.message) });
    return { ...own, text: jsonOf(json, output) };
  }
}

interface CheckedPart {
  readonly counts: SnapshotCounts;
  readonly findings: readonly Finding[];
}

const files = filesCommand<ChecksumOptions, Run<ChecksumOptions>, FileResult, CheckedPart>({
  name: 'checksum',
  prepare: (run) => run,
  read: (file, run, writer) => readFile(file, openFile(run, writer)),
  parts: {
    // Checksums that a demo announces are compared with the snapshots before them. Options that a recording refuses, and ticks that it
    // does not have, are found when it is read as one.
    // The values of items are counted over the whole demo.
    division({ messages, base, ticks, strict }) {
      if ((base ?? ticks) !== undefined || strict) return undefined;
      return { minBytes: 64 << 20, skipsMessages: messages !== true, accepts: isComparedInParts };
    },
    async read(opened, run, writer) {
      const output = openFile(run, writer);
      const { counts } = await checksumRecording(opened, output);
      return { counts: counts as SnapshotCounts, findings: output.findings.all };
    },
    join(file, parts, run) {
      const counts = parts.map((part) => part.counts).reduce(sumOf);
      const findings = new Findings(maxFindings);
      for (const found of parts.flatMap((part) => part.findings)) findings.add(found);
      return resultOf(file, { ...concluded(file, counts, run.options), hasHealth: true }, findings, run);
    },
  },
});

export const { makeJob } = files;

const sumOf = (counts: SnapshotCounts, next: SnapshotCounts): SnapshotCounts => ({
  snapshots: counts.snapshots + next.snapshots,
  full: counts.full + next.full,
  deltas: counts.deltas + next.deltas,
  messages: counts.messages === null ? null : counts.messages! + next.messages!,
});

function resultOf(file: string, outcome: Outcome, findings: Findings, run: Run<ChecksumOptions>): FileResult {
  const { name, counts, hasHealth, result, failures = [], text } = outcome;
  const own = checked(file, result, findings, run);
  const state = hasHealth ? healthOf(findings.all) : undefined;
  if (isObject(run.options))
    return { ...own, text: jsonOf(checksumValues({ file: name, health: state, counts }), run) };
  if (!isForPeople(run.options)) return own;
  if (text !== undefined) return { ...own, text };
  const warnings = state === 'healthy' || state === 'incomplete' ? warningsText(findings.all) : undefined;
  const said = warnings === undefined ? result : `${result}, ${warnings}`;
  const row = renderChecksumRow(name, state, said, failures, rowStyle(run));
  return { ...own, text: run.printing.fit(hasHeading(run) ? row : checksumHeading(rowStyle(run)) + row) };
}

const rowStyle = ({ printing, options: { fileWidth = 0 } }: Run<ChecksumOptions>) => ({ ...printing, fileWidth });

/** Whether all files are rows of one table; the connections of a single capture are a table of their own. */
const hasHeading = ({ multipleFiles, options }: Run<ChecksumOptions>) => multipleFiles || options.summary === true;

/** The exit status of a file, and what a report says of it. */
function checked(file: string, summary: string, { all: findings }: Findings, { input }: Run<ChecksumOptions>) {
  const check: FileCheck = { file, summary, findings, isStrict: input.strict };
  return { status: checkStatus(check), check };
}

export async function run(args: readonly string[], options: ChecksumOptions, io: Io): Promise<number> {
  const named = await filesOf(args, options, io);
  // A range of a file has the name of the file.
  const nameIn = (file: string) => {
    const { path = file, position } = splitPosition(file, io);
    return position && 'range' in position ? path : file;
  };
  const fileWidth = Math.max(...named.files.map((file) => widthOf(escapeText(nameIn(file)))));
  const heading = (run: Run<ChecksumOptions>) => (hasHeading(run) ? checksumHeading(rowStyle(run)) : '');
  return files.run(named, { ...options, fileWidth }, io, { heading });
}
