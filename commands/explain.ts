import { explainDelta } from '../src/analysis/explain/explanation.ts';
import { explainLog, isHarmless, type LoggedError, LogLines, readLogLine } from '../src/analysis/explain/log.ts';
import { DemoCheck, RecordingExplainer } from '../src/analysis/explain/recording-explainer.ts';
import { type Reproduction, reproductionOf } from '../src/analysis/explain/reproduction.ts';
import { snapshotFindings } from '../src/analysis/explain/server-faults.ts';
import { inPieces, readAll } from '../src/input/decompress/pieces.ts';
import { textOf, utf16Of } from '../src/input/pasted/text-encoding.ts';
import { payloadJson, renderJson } from '../src/output/json/item-json.ts';
import { FindingKinds, findingText, warningsText } from '../src/output/phrases/finding-phrases.ts';
import { logPhrases } from '../src/output/phrases/log-phrases.ts';
import { maxFindings } from '../src/output/reports/ci.ts';
import { renderLog } from '../src/output/reports/explain/explanation-text.ts';
import {
  type Explained,
  type ExplainedCheck,
  explainedCheck,
  renderExplained,
  renderReadme,
} from '../src/output/reports/explain/explanations.ts';
import { explainValues, logValues } from '../src/output/results/explain.ts';
import { pathText, shellWord } from '../src/output/text/escape.ts';
import { count } from '../src/output/text/number.ts';
import { logSentences } from '../src/recording/games/log-sentences.ts';
import {
  countFinding,
  diagnosticFinding,
  type Finding,
  Findings,
  finding,
  oddityFindings,
  RecordFindings,
  statusOf,
} from '../src/recording/health/findings.ts';
import { ItemCheck } from '../src/recording/health/odd-values.ts';
import { Oddities } from '../src/recording/health/oddities.ts';
import type { DiagnosticEntry, RecordingEntry } from '../src/recording/replay/record.ts';
import { isConnection, matchesClient } from '../src/recording/replay/stream.ts';
import { join } from '../src/wire/bytes/copy.ts';
import { encode, layersOfInts } from '../src/wire/payload/encoding-layers.ts';
import { payloadOfSnapshot, readPayload } from '../src/wire/payload/payload.ts';
import type { Delta } from '../src/wire/snapshot/delta.ts';
import type { Snapshot } from '../src/wire/snapshot/snapshot.ts';
import { readBase, readDelta } from './lib/input/bases.ts';
import { filesOf } from './lib/input/folders.ts';
import { type LoadedInput, refuseEmpty, refuseMeaningless } from './lib/input/inputs.ts';
import { refuseUnrecognised } from './lib/input/loaded.ts';
import { type Opened, type OpenedRecording, open } from './lib/input/opened.ts';
import { exit, inputError, isCommandError, OutputError, usageError } from './lib/options/errors.ts';
import {
  annotations,
  common,
  expectedChecksum,
  type Given,
  printing,
  recordingInput,
  text,
} from './lib/options/options.ts';
import { failureFinding } from './lib/options/status.ts';
import { print } from './lib/output/printing.ts';
import type { Io } from './lib/platform/io.ts';
import { printError, printProblem } from './lib/platform/note.ts';
import {
  type FileResult,
  type FilesCommand,
  filesCommand,
  jsonOf,
  type Run,
  reportFailureAsJson,
} from './lib/run/files.ts';

export const definition = {
  arguments: {
    '[file...]': "captures, demos, folders, client logs; or a base and a delta; '-' or nothing for standard input",
  },
  options: {
    expect: expectedChecksum('the checksum that was announced for the result of base and delta'),
    ...recordingInput,
    from: common.from,
    nth: common.nth,
    kind: common.kind,
    include: common.include,
    ...printing(['table', 'markdown', 'json', 'ndjson', 'junit']),
    output: text('-o, --output <dir>', 'a folder for a minimal reproduction: base, delta and README', {
      group: 'output',
    }),
    annotations,
    jobs: common.jobs,
  },
  help: `
Exit status: 0 nothing to explain, 1 failures, explained or not, 3 unreadable input
or text that is no log.

Examples:
  tw-snap explain server.pcap
  tw-snap explain faulty.pcap -o case
  tw-snap explain base.snap next.delta --expect 333080975
  tw-snap explain client.log`,
};

type ExplainOptions = Given<(typeof definition)['options']>;

const command: FilesCommand<ExplainOptions, Run<ExplainOptions>, FileResult> = {
  name: 'explain',
  writesFolder: true,
  prepare: (run) => run,
  async read(file, run) {
    const opened = (await open(file, run.input)).whole;
    refuseEmpty(opened);
    refuseMeaningless([opened], run.input);
    return opened.format ? explainRecording(await opened.recording(run.input), run) : explainLogFile(opened, run);
  },
  failed: reportFailureAsJson,
};

const isForPeople = ({ to }: ExplainOptions) => to === 'table' || to === 'markdown';

const explain = filesCommand(command);
export const { makeJob } = explain;

/** The explanations of a file as findings; its status is that of the worst. */
function explainedFindings(status: number, texts: readonly string[]): Finding[] {
  const severity = status === exit.unreadable ? 'unread' : status === exit.finding ? 'wrong' : 'note';
  return texts.map((text) => finding('explained', severity, { args: { text } }));
}

/** @param found everything that is wrong: the exit status comes from it */
function resultOf(
  found: Iterable<Finding>,
  { file, summary, findings: texts }: ExplainedCheck,
  text: () => string,
  json: () => object,
  run: Run<ExplainOptions>,
): FileResult {
  const { to } = run.options;
  const status = statusOf(found, run.input.strict);
  const findings = explainedFindings(status, texts.length > 0 ? texts : [summary]);
  const own = { status, check: { file, summary, findings } };
  if (to === 'junit') return own;
  return { ...own, text: isForPeople(run.options) ? run.printing.fit(text()) : jsonOf(json(), run) };
}

export async function run(args: readonly string[], options: ExplainOptions, io: Io): Promise<number> {
  const named = await filesOf(args, options, io);
  const { files } = named;
  if (options.output !== undefined && files.length > 1 && options.expect === undefined) {
    throw usageError('-o is for a single file, whose reproduction it writes');
  }
  if (options.expect === undefined && !(await isPair(files, io)))
    return explain.run(named, options, io, { isSpaced: isForPeople(options) });
  const [base, delta] = files;
  if (!base || !delta || files.length > 2) throw usageError('--expect requires two files: a base and a delta');
  const pair = filesCommand({
    ...command,
    read: (_, run) => explainPair(base, delta, run),
    failed: async (_, error) => {
      throw error;
    },
  });
  return pair.run({ files: [delta], multipleFiles: false }, options, io);
}

/** Whether two files are a base and its delta: neither is a recording, a log or another text. */
async function isPair(files: readonly string[], io: Io): Promise<boolean> {
  if (files.length !== 2 || files.includes('-') || files.some((file) => file !== 'empty' && io.size(file) === 0))
    return false;
  for (const file of files) {
    if (file === 'empty') continue;
    const { source } = (await open(file, { io })).whole;
    if (source.format) return false;
    const bytes = await readAll(source.pieces, maxBinary);
    if (textOf(bytes) !== undefined && !textOf(bytes)!.trimStart().startsWith('{')) return false;
  }
  return true;
}

async function explainRecording(opened: OpenedRecording, run: Run<ExplainOptions>): Promise<FileResult> {
  const { input, io } = run;
  const { path, name } = opened;
  const explainer = new RecordingExplainer();
  const check = opened.format.hasTicks ? new DemoCheck() : undefined;
  const problems: string[] = [];
  const keep = (problem: string) => {
    if (problems.length < maxFindings) problems.push(problem);
  };
  const report = (problem: string) => {
    keep(problem);
    return printProblem(`${pathText(name)}: ${problem}`, io);
  };
  const items = new ItemCheck();
  const records = new RecordFindings(maxFindings);
  const add = (entry: RecordingEntry) => {
    check?.add(entry);
    explainer.add(entry);
    settle(entry);
    if (entry.record === 'diagnostic' && entry.weight) odd.push(entry);
    if (entry.record === 'snapshot') items.add(entry);
    records.add(entry);
    // A connection counts its unreadable packets itself.
    if (entry.record !== 'diagnostic' || entry.direction || entry.weight) return;
    const found = diagnosticFinding(entry.diagnostic);
    damage.add(found);
    if (statusOf([found], input.strict) === exit.fine) warnings.add(found);
  };
  const damage = new FindingKinds();
  const warnings = new Findings(maxFindings);
  const oddities = new Oddities();
  const odd: DiagnosticEntry[] = [];
  /** What is odd in a packet is known before the packet; a packet that makes no sense has no oddities. */
  const settle = (next?: RecordingEntry) => {
    if (odd.length === 0 || (next?.frame !== undefined && next.frame === odd[0]!.frame)) return;
    for (const entry of odd) if (!explainer.health.isSenseless(entry)) oddities.add(entry);
    odd.length = 0;
  };
  // The packets of a capture show whether compressed ones make sense.
  const reading = await opened.records(input, { parts: true });
  const { failure } = await reading.read({ add });
  settle();
  const { replay } = reading;
  const demo = check?.finish();
  const ranges = demo?.losses.ranges ?? [];
  // What puts ticks in doubt is told with them.
  const told = new Set<string | undefined>(isForPeople(run.options) ? ranges.map(({ cause }) => cause?.code) : []);
  for (const kind of damage.all) {
    const text = findingText(kind, name)!;
    if (statusOf([kind], input.strict) > exit.fine) keep(text);
    if (!told.has(kind.code)) await printProblem(`${pathText(name)}: ${text}`, io);
  }
  for (const each of oddityFindings(oddities)) {
    const text = findingText(each, name)!;
    // What is wrong has a place in the result.
    if (each.severity === 'wrong') keep(text);
    else await report(text);
  }
  const found: Finding[] = [...records.all];
  // After damage values may be wrong.
  const values = statusOf(found) === exit.unreadable ? [] : items.findings;
  for (const finding of values) await printProblem(`${pathText(name)}: ${findingText(finding, name)}`, io);
  found.push(...values);
  for (const finding of [...oddityFindings(oddities), ...values]) warnings.add(finding);
  for (const connection of replay.streams.filter(isConnection)) {
    const { client, undecodable } = connection;
    if (undecodable === 0 || !matchesClient(connection, opened.client)) continue;
    await report(`${count(undecodable, 'packet')} of ${client} can't be read to the end`);
    found.push(...countFinding('undecodable_packets', 'unread', undecodable));
  }
  found.push(...countFinding('undecodable_packets', 'unread', replay.datagrams?.dropped.undecodable ?? 0));
  const explained: Explained = {
    file: name,
    again: path === '-' ? undefined : shellWord(path),
    ...explainer.counts,
    explanations: explainer.explain(),
    findings: explainer.findings,
    demo,
    odd: [...oddities.all],
    problems,
    warnings: warningsText(warnings.all),
  };
  if (failure) {
    await printError(failure.message, io);
    found.push(failureFinding(failure.status, failure.message));
  }
  return conclude(explained, found, run);
}

async function explainPair(base: string, delta: string, run: Run<ExplainOptions>): Promise<FileResult> {
  const { options, input } = run;
  const read = await readBase(base, input);
  const { payload, announced = options.expect } = await readDelta(delta, input, read);
  refuseMeaningless(input.opened, input);
  const { body, types } = payload;
  const expected = options.expect ?? announced;
  if (expected === undefined)
    throw usageError(`${delta}: it announces no checksum; name the expected one: --expect CRC`);
  const explanations = explainDelta({
    protocol: types.protocol,
    tick: 0,
    base: 0,
    before: read.snapshot,
    payload: encode(body as Delta, 'packed'),
    announced: expected,
  });
  const explained: Explained = {
    file: delta,
    again: undefined,
    see: `tw-snap decode ${shellWord(delta)} --base ${shellWord(base)} -p ${types.protocol.version}`,
    snapshots: 1,
    failures: explanations.length,
    unreadable: 0,
    missingBases: 0,
    explanations,
    findings: [],
  };
  return conclude(explained, [], run);
}

/** @param found what is wrong besides what is explained */
async function conclude(
  explained: Explained,
  found: readonly Finding[],
  run: Run<ExplainOptions>,
): Promise<FileResult> {
  const { options, printing, io } = run;
  const { failures, findings, demo } = explained;
  const wrong = countFinding('explained', 'wrong', failures + findings.length + (demo ? 1 : 0));
  if (options.output !== undefined) await writeReproduction(explained, options.output, io);
  const text = () => renderExplained(explained, printing);
  return resultOf([...found, ...wrong], explainedCheck(explained), text, () => explainValues(explained), run);
}

async function writeReproduction(explained: Explained, folder: string, io: Io): Promise<void> {
  const [explanation] = explained.explanations;
  const reproduction = explanation && reproductionOf(explanation);
  if (!reproduction) {
    await printProblem(`${pathText(explained.file)}: no failure to reproduce, nothing written`, io);
    return;
  }
  try {
    await io.makeFolder(folder);
  } catch (error) {
    throw new OutputError(folder, error);
  }
  const files = { ...contentsOf(reproduction), README: renderReadme(explanation, reproduction) };
  for (const [name, data] of Object.entries(files)) await print(data, { output: `${folder}/${name}`, io });
}

function contentsOf({ protocol, base, delta, payload }: Reproduction): Record<string, string | Uint8Array> {
  const baseJson = payloadJson(payloadOfSnapshot(base, protocol));
  const files = { 'base.json': renderJson(baseJson) };
  const read = delta && readPayload(layersOfInts(delta.ints.slice(0, delta.length)), 'delta', protocol, base);
  // JSON contains items, so a delta that ends inside an item is kept as bytes.
  if (!read || read.diagnostics.error) return { ...files, 'delta.packed': payload };
  return { ...files, 'delta.json': renderJson(payloadJson(read)) };
}

/** The maximum number of errors. A client that plays for a whole day logs fewer. */
const maxErrors = 100_000;
/** The maximum number of characters read of a line, since chat lines can be long. */
const maxLine = 4096;
/**
 * A file with control characters and without errors is not read further than this: it is no log, and may have no end.
 */
const maxBinary = 1 << 20;

async function explainLogFile(opened: Opened, run: Run<ExplainOptions>): Promise<FileResult> {
  const { name, source } = opened;
  const errors: LoggedError[] = [];
  const first: Uint8Array[] = [];
  const lines = new LogLines();
  let encoding: string | undefined;
  let number = 0;
  let read = 0;
  let isBinary = false;
  async function* ofLog() {
    for await (const piece of source.pieces) {
      if (read <= maxBinary) first.push(piece.slice());
      if (read === 0) encoding = utf16Of(piece);
      yield piece;
      read += piece.length;
      if (encoding) continue;
      isBinary ||= piece.includes(0) || (read <= maxBinary && piece.some(isControl));
      if (isBinary && errors.length === 0 && read > maxBinary) return;
    }
  }
  for await (const line of linesOf(ofLog(), () => encoding)) {
    number++;
    lines.add(line.slice(0, maxLine));
    const error = errors.length < maxErrors ? readLogLine(line.slice(0, maxLine), number, logSentences) : undefined;
    if (error) errors.push(error);
  }
  const { owner } = lines;
  if (errors.length === 0 && (isBinary || owner === undefined))
    return explainPayload(opened, first, isBinary || number === 0, run);
  const log = explainLog(errors);
  const wrong = errors.filter((error) => !isHarmless(error)).length;
  const summary = wrong > 0 ? `${count(wrong, 'error')} in the log` : 'nothing wrong in the log';
  const check = { file: name, summary, findings: [] };
  const text = () => renderLog(name, log, run.printing, { owner, phrases: logPhrases });
  const found = wrong > 0 ? [finding('explained', 'wrong')] : [];
  return resultOf(found, check, text, () => logValues(name, log), run);
}

/** An input without a client's errors: what can be said of a snapshot by itself, or an error that says what it is. */
async function explainPayload(
  opened: Opened,
  first: readonly Uint8Array[],
  isBinary: boolean,
  run: Run<ExplainOptions>,
): Promise<FileResult> {
  const { name, path } = opened;
  const { input } = run;
  const load = async () => {
    const loaded = await opened.watched(() => inPieces(join(first))).payload(input);
    refuseUnrecognised(loaded, input);
    return loaded;
  };
  const loaded = await load().catch((error: unknown) => {
    if (!isCommandError(error)) throw error;
    return undefined;
  });
  const payload = loaded?.kind === 'payload' ? loaded.payload : undefined;
  const snapshot = payload?.kind === 'snapshot' ? (payload.body as Snapshot) : payload?.result;
  const findings = snapshot ? snapshotFindings(snapshot, payload!.types.protocol) : [];
  if (findings.length > 0) {
    const again = path === '-' ? undefined : shellWord(path);
    const counts = { snapshots: 1, failures: 0, unreadable: 0, missingBases: 0 };
    return conclude({ file: name, again, ...counts, explanations: [], findings }, [], run);
  }
  const kind = loaded && kindOf(loaded);
  const command = 'tw-snap explain BASE DELTA --expect CRC';
  const needs = kind?.endsWith('delta')
    ? `, which needs its base: ${kind === 'delta' ? command : 'tw-snap explain BASE FILE'}`
    : `; a delta is explained with its base: ${command}`;
  if (isBinary) throw inputError(`${name}: this is ${kind ? `a ${kind}` : 'not a demo, capture or log'}${needs}`);
  throw inputError(`${name}: no client errors in this text${kind ? `, and it is read as a ${kind}` : ''}${needs}`);
}

function kindOf(loaded: LoadedInput): string {
  if (loaded.kind === 'payload') return loaded.payload.kind;
  const { kind, messages } = loaded.contents;
  return messages.some(({ delta }) => delta) ? `${kind} with a delta` : kind;
}

/** Whether a byte does not occur in logs, unlike line ends, tabs and the escape character of colours. */
const isControl = (byte: number) => byte < 0x20 && byte !== 0x09 && byte !== 0x0a && byte !== 0x0d && byte !== 0x1b;

/** The lines of a text that arrives in pieces; a longer line is cut. */
async function* linesOf(
  pieces: AsyncIterable<Uint8Array>,
  encodingOf: () => string | undefined,
): AsyncIterable<string> {
  let decoder: InstanceType<typeof TextDecoder> | undefined;
  let rest = '';
  for await (const piece of pieces) {
    decoder ??= new TextDecoder(encodingOf());
    const lines = (rest + decoder.decode(piece, { stream: true })).split('\n');
    rest = (lines.pop() ?? '').slice(0, maxLine);
    yield* lines;
  }
  rest += decoder?.decode() ?? '';
  if (rest !== '') yield rest;
}
