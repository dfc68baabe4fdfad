import {
  type Explanation,
  failureCount,
  failuresOf,
  type ItemReference,
  itemsOf,
  type Verdict,
} from '../../../analysis/explain/explanation.ts';
import { smallDifference } from '../../../analysis/explain/limits.ts';
import {
  type Course,
  differenceOf,
  isNewerItem,
  type LogExplanation,
  type LogOwner,
  type LogRun,
  unpackCauses,
} from '../../../analysis/explain/log.ts';
import type { DemoFaults } from '../../../analysis/explain/recording-explainer.ts';
import type { FailureNote } from '../../../analysis/explain/run.ts';
import type { StreamFinding } from '../../../analysis/explain/server-faults.ts';
import { areInDoubt, type Losses } from '../../../editing/losses.ts';
import { getOr } from '../../../wire/bytes/get-or.ts';
import { type CauseText, causeName, causeText } from '../../phrases/cause-phrases.ts';
import { diagnosticMessage } from '../../phrases/diagnostic-messages.ts';
import type { LogPhrase } from '../../phrases/log-phrases.ts';
import type { Table } from '../../text/drawn-table.ts';
import { maxInLine, pathText, quotedName, textInLine } from '../../text/escape.ts';
import { withoutColours, wordsIn, wrap } from '../../text/layout.ts';
import { markdownList, markdownRows, markdownText } from '../../text/markdown.ts';
import { address, count, nonZero, thousands } from '../../text/number.ts';
import { printSections } from '../../text/sections.ts';
import type { Theme, ViewStyle } from '../../text/theme.ts';

const maxClients = 5;

/** What is said of failures: a cause that their bytes show, or the best fit and what would decide. */
export interface Said extends CauseText {
  readonly isShown: boolean;
  readonly evidence: string;
  /** What would decide between the fits; empty for what is shown. */
  readonly decides: string;
  readonly items: readonly ItemReference[];
}

export function saidOf(explanation: Explanation): Said[] {
  const { shown, fits, runs } = explanation;
  const notes = failuresOf(explanation);
  const failures = failureCount(explanation);
  const textOf = (verdict: Verdict) => {
    const items = itemsOf(explanation, verdict);
    return { items, ...causeText(verdict, items, runs[0]!.sample.received.protocol) };
  };
  if (shown.length > 0)
    return shown.map((explanation) => ({
      ...textOf(explanation),
      isShown: true,
      evidence: `${sumsText(notes, failures)}; ${fitsText(explanation, notes)}`,
      decides: '',
    }));
  const [best] = fits;
  const nothing = `${count(failures, 'failure')} ${failures === 1 ? 'is' : 'are'} not explained: no sum fits`;
  const text = best ? textOf(best) : { title: nothing, meaning: '', whereToLook: '', items: [] };
  const title = best ? `${text.title}, ${fitsText(best, notes)}` : nothing;
  return [{ ...text, title, isShown: false, evidence: sumsText(notes, failures), decides: decidesText(notes) }];
}

/** `fits 12 of 13`, of those that were tested. */
const fitsText = ({ fits, of }: Verdict, notes: readonly FailureNote[]): string =>
  `fits ${fits} of ${of}${of < notes.length ? ' that were tested' : ''}`;

/** What would decide between the fits. */
function decidesText(notes: readonly FailureNote[]): string {
  const differences = notes.flatMap(({ difference }) => difference ?? []);
  if (notes.length < enoughNotes) return 'a longer capture: more failures in a row, and the full snapshot that follows';
  if (differences.length === 0)
    return 'a capture from the other side: it shows whether the bytes were damaged on the way';
  if (notes.every(({ base }) => base === -1))
    return "the server's log, or a capture of another client: whether items are counted that this client never gets";
  if (differences.every((difference) => Math.abs(difference) < smallDifference))
    return 'failures while more changes: so small a difference fits many items';
  return "the server's log of these ticks: the items of which it takes the checksum, beside those that it sends";
}

const enoughNotes = 3;

export function whereLines({ runs }: Explanation): string[] {
  const byClient = new Map<string, FailureNote[]>();
  for (const { stream, notes, players } of runs) {
    if (!stream) continue;
    const name = players.local === undefined ? undefined : players.nameOf(players.local);
    const client = name ? `${stream.client} ${quotedName(name)}` : stream.client;
    const known = getOr(byClient, client, () => []);
    for (const note of notes) known.push(note);
  }
  return [...byClient].slice(0, maxClients).map(([client, notes]) => {
    const of = (key: 'tick' | 'base' | 'frame') => notes.map((note) => note[key]);
    return [client, range('tick', of('tick')), basesText(of('base')), range('frame', of('frame'))].join('   ');
  });
}

/** `on base 31282`, `on the empty snapshot`, or `on 3 bases` */
function basesText(all: readonly number[]): string {
  const [base, ...rest] = new Set(all);
  if (rest.length > 0) return `on ${1 + rest.length} bases`;
  return base === -1 ? 'on the empty snapshot' : `on base ${base}`;
}

function range(noun: string, values: readonly number[]): string {
  const low = values.reduce((first, second) => Math.min(first, second));
  const high = values.reduce((first, second) => Math.max(first, second));
  return low === high ? `${noun} ${low}` : `${noun}s ${low} to ${high}`;
}

/** `announced − rebuilt = +1,050 in all 5; 2 deltas can't be read to the end` */
/** @param failures the number of all, of which the first are kept */
function sumsText(notes: readonly FailureNote[], failures: number): string {
  const differences = [...new Set(notes.flatMap(({ difference }) => difference ?? []))];
  const unreadable = notes.filter(({ error }) => error).length;
  const read = notes.length - unreadable;
  const all = notes.length < failures ? `the first ${thousands(read)}` : `all ${read}`;
  const where = notes.length === 1 ? '' : read === 1 ? ' in one' : ` in ${all}`;
  const [difference = 0] = differences;
  const sums = differences.length === 1 ? `= ${signed(difference)}${where}` : `has ${differences.length} values`;
  return nonZero(
    [differences.length, `announced − rebuilt ${sums}`],
    [unreadable, `${count(unreadable, 'delta')} can't be read to the end`],
  ).join('; ');
}

export const signed = (value: number): string =>
  value > 0 ? `+${thousands(value)}` : thousands(value).replace(/^-/, '−');

export function findingText({ cause, subject, size, stream, count: packets, firstTick, frames }: StreamFinding) {
  const sizes = { bytes: size, found: size, limit: size, base: size, compressed: size };
  const numbers = { type: Number(subject), packets, ...sizes };
  // Of one snapshot by itself it is not known whether its checksum is right.
  const fits = firstTick < 0 && !frames ? 1 : 0;
  const about = typeof subject === 'string' ? subject : '';
  return causeText(
    { cause, numbers, about, field: undefined, areAlternatives: false, fits, isShown: true },
    [],
    stream.protocol,
  );
}

export function findingPlace({ stream, frames, firstTick, lastTick, count: times, frame }: StreamFinding): string {
  const place = frames
    ? [framesText(frames, times)]
    : firstTick < 0
      ? []
      : [
          range('tick', [firstTick, lastTick]),
          count(times, 'snapshot'),
          ...nonZero([frame, `first in frame ${frame}`]),
        ];
  return [...(stream.client === '' ? [] : [stream.client]), ...place].join('   ');
}

const maxFramesNamed = 8;

/** `frames 28, 31 and 9 more` */
function framesText(frames: readonly number[], all: number): string {
  const named = frames.slice(0, maxFramesNamed);
  const more = all - named.length;
  return `${all === 1 ? 'frame' : 'frames'} ${named.join(', ')}${more > 0 ? ` and ${thousands(more)} more` : ''}`;
}

/** `2 ranges of ticks lost, 54 deltas with wrong sizes` */
export function demoSummary({ losses, wrongSizes, isOtherMap, unplayable }: DemoFaults): string[] {
  return nonZero(
    [losses.count, isCut(losses) ? 'cut short' : rangesOf(losses)],
    [losses.messages, `${count(losses.messages, 'message')} lost`],
    [wrongSizes, `${count(wrongSizes, 'delta')} with wrong sizes`],
    [isOtherMap ? 1 : 0, 'the map not the one of the header'],
    [unplayable.length, 'not played by the games'],
  );
}

/** The faults of a demo, one text for each kind; `areLosses` is set if it is about lost ticks, which can be listed; `isFinal` if
 * `repair` cannot help. */
export function demoTexts({ losses, wrongSizes, isOtherMap, unplayable, isRepairable }: DemoFaults) {
  const texts: (CauseText & { readonly areLosses?: boolean; readonly isFinal?: boolean })[] = [];
  if (wrongSizes > 0) {
    texts.push({
      title: `${count(wrongSizes, 'delta')} of this demo, whose snapshots are of 0.7, have the item sizes of 0.6`,
      meaning: 'a player reads them with a shift, or refuses them',
      whereToLook:
        'the program that wrote it: DDNet writes player demos of 0.7 clients with the header and sizes of 0.6, and replays and cuts of 0.7 demos with its sizes since 2026-03',
    });
  }
  const [first] = losses.ranges;
  if (first && isCut(losses)) {
    const at = first.cause ? `, at 0x${address(first.cause.offset)}` : '';
    texts.push({
      title: `the demo is cut short${at}`,
      meaning: 'everything before it is intact',
      whereToLook: 'a game that was killed while it recorded, a full disk, a transfer that was broken off',
    });
  } else if (first) {
    texts.push({
      title: `bytes ${areInDoubt(losses) ? 'may be' : 'are'} damaged: ${rangesOf(losses)}`,
      areLosses: true,
      meaning: doubtMeanings[first.cause?.code ?? ''] ?? spoiled,
      whereToLook: 'what wrote or transferred the file; nothing in a demo is a checksum of its bytes',
    });
  }
  const whereToLook = 'what wrote or transferred the file';
  if (losses.messages > 0) {
    const title = `${count(losses.messages, 'message')} cannot be read`;
    texts.push({ title, meaning: 'their bytes are damaged', whereToLook });
  }
  if (isOtherMap) {
    const meaning =
      "the map's crc or its sha256 is not the one of the header: the map is damaged, the header is, or the map was exchanged. The games play the demo only where the right map is at hand; repair leaves a wrong map out";
    texts.push({ title: 'the map in the file is not the one that the header names', meaning, whereToLook });
  }
  for (const diagnostic of unplayable) {
    const meaning =
      'this is what the demo player of the game does with these bytes; this program may read more of them';
    texts.push({ title: `the games do not play it: ${diagnosticMessage(diagnostic)}`, meaning, whereToLook });
  }
  return texts.map((text) => ({ ...text, isFinal: !isRepairable }));
}

const spoiled = 'what is damaged, and the differences to it up to the next full snapshot, cannot be trusted';

/** What announced checksums show. */
const doubtMeanings: Readonly<Record<string, string>> = {
  other_tick: 'a tick marker is wrong, and all that count on from it: the snapshots are right, but at other ticks',
  other_checksum: 'a part of the file is missing: what follows is made from another snapshot than its own',
  snapshot_missing: 'a snapshot is missing, and what follows is made from the one before it',
};

const rangesOf = (losses: Losses) =>
  `${count(losses.count, 'range')} of ticks ${areInDoubt(losses) ? 'in doubt' : 'lost'}`;

const isCut = ({ ranges: [first, ...rest] }: Losses) =>
  first !== undefined &&
  rest.length === 0 &&
  first.next === undefined &&
  (first.cause?.code === 'truncated_chunk' || first.cause?.code === 'truncated_map');

const courses: Readonly<Record<Course, string>> = {
  single: 'one error alone',
  constant: 'the same in all',
  follows_base: 'it follows the base',
  follows_tick: 'it follows the tick',
  drifts: 'it drifts, as the sum of something that moves',
  varies: 'it has no order',
};

/** What is known of a log besides its errors. */
interface LogContext {
  /** Whose log it is, if its lines have the form of one. */
  readonly owner?: LogOwner | undefined;
  readonly phrases?: Readonly<Record<string, LogPhrase>>;
}

export function renderLog(
  file: string,
  log: LogExplanation,
  style: ViewStyle,
  { owner, phrases = {} }: LogContext = {},
): string {
  const { theme } = style;
  const { runs, unpackErrors, invalid, missingBases, dropped, sentences } = log;
  const droppedOf = (what: 'message' | 'item') =>
    dropped.reduce((sum, line) => sum + (line.what === what ? line.count : 0), 0);
  const errors = runs.reduce((sum, run) => sum + run.errors.length, 0);
  const unpack = [...unpackErrors.values()].reduce((sum, times) => sum + times, 0);
  const parts = nonZero(
    [errors, count(errors, 'wrong checksum')],
    [unpack, `${count(unpack, 'delta')} that could not be unpacked`],
    [invalid, count(invalid, 'invalid snapshot')],
    [missingBases, `${count(missingBases, 'base')} the client no longer had`],
    [droppedOf('message'), `${count(droppedOf('message'), 'message')} that the client dropped`],
    [droppedOf('item'), `${count(droppedOf('item'), 'item')} that the client dropped`],
    [sentences.length, `${count(sentences.length, 'sentence')} of the game`],
  );
  const blocks: Table[] = runs.map((run) => runBlock(run, theme));
  for (const [code, times] of unpackErrors) {
    const named = code === 0 ? '' : ` (error ${code})`;
    const title = `${theme.error('✗')} a delta could not be unpacked, ${count(times, 'time')}${named}`;
    blocks.push(blockOf({ title: [title], copied: causeRows(unpackCauses(code)) }));
  }
  for (const line of dropped) blocks.push(droppedBlock(line, theme));
  for (const sentence of sentences) blocks.push(sentenceBlock(sentence, phrases[sentence.code], theme));
  if (missingBases > 0) {
    const times = count(missingBases, 'time');
    const title = `${theme.warning('!')} the server used a base that the client did not have, ${times}`;
    const meaning = 'loss, or a snapshot that the client had dropped; it asks for a full one';
    blocks.push(blockOf({ title: [title], copied: [['meaning', meaning]] }));
  }
  const nothing = owner
    ? `a ${owner}'s log; nothing about snapshots, demos or connections that fail in it`
    : 'nothing to explain';
  const title = [pathText(file), parts.join(', ') || nothing] as const;
  return printSections([{ title, isOneLine: true }, ...blocks.map((table) => ({ table }))], style);
}

const placeOf = ({ line, count: times }: { readonly line: number; readonly count: number }) =>
  `line ${line}${times > 1 ? ` and later, ${count(times, 'time')}` : ''}`;

function sentenceBlock(
  sentence: LogExplanation['sentences'][number],
  { meaning, next }: LogPhrase = { meaning: '', next: '' },
  theme: Theme,
): Table {
  const mark = sentence.isHarmless ? theme.role.structure('·') : theme.error('✗');
  return blockOf({
    title: [`${mark} ${textInLine(sentence.said, 2 * maxInLine)}`],
    copied: [
      ['where', placeOf(sentence)],
      ['meaning', meaning],
      [sentence.isHarmless ? 'harmless' : 'see', next],
    ],
  });
}

/** What a client drops, it does not know or finds out of the bounds of its fields. */
function droppedBlock(dropped: LogExplanation['dropped'][number], theme: Theme) {
  const { what, name, number, field } = dropped;
  if (isNewerItem(dropped)) {
    return blockOf({
      title: [`${theme.role.structure('·')} items that the client does not know`],
      copied: [
        ['where', placeOf(dropped)],
        ['meaning', 'extended items of a newer server or a mod; type -1 is what the client calls an unknown UUID'],
        ['harmless', 'the client leaves them out and shows the rest; a newer client may know them'],
      ],
    });
  }
  // `(type out of range)` is what the client says in place of a field of a message that it does not know.
  const isUnknown = name === '' || name.startsWith('(') || field?.startsWith('(') === true;
  const named = isUnknown ? `of the ${what === 'item' ? 'type' : 'number'} ${number}` : textInLine(name, maxInLine);
  const meaning = isUnknown
    ? `no version has it: the client reads another version, or the bytes are no ${what}`
    : field === undefined
      ? 'a value is out of its bounds'
      : `the value of ${textInLine(field, maxInLine)} is out of its bounds, or missing`;
  return blockOf({
    title: [`${theme.error('✗')} the client dropped ${what === 'item' ? 'an item' : 'a message'}, ${named}`],
    copied: [
      ['where', placeOf(dropped)],
      ['meaning', meaning],
      ['would help', 'a capture (tcpdump -w server.pcap udp port 8303): info counts what no game sends'],
    ],
  });
}

function runBlock({ errors, course, perTick, causes, isLarge }: LogRun, theme: Theme): Table {
  const first = errors[0]!;
  const last = errors.at(-1)!;
  const lines = first.line === last.line ? `line ${first.line}` : `lines ${first.line} to ${last.line}`;
  const title = causes.slice(0, 2).map(causeName).join(', or ');
  const onBases = basesText(errors.map(({ base }) => base));
  const differences = [...new Set(errors.map(differenceOf))];
  const values = differences.slice(0, 4).map(signed).join(', ');
  const follows = perTick === 0 ? '' : `, ${signed(perTick)} for each tick`;
  const most = Math.max(...errors.map(({ bytes }) => bytes));
  return blockOf({
    title: [`${theme.warning('?')} ${title}`],
    copied: [
      ['where', `${lines}, ${count(errors.length, 'error')}, ticks ${first.tick} to ${last.tick}, ${onBases}`],
      ['difference', `wanted − got = ${values}${differences.length > 4 ? ', …' : ''}: ${courses[course]}${follows}`],
      ['size', isLarge ? `${thousands(most)} bytes over few ticks: much is sent in full` : ''],
      ...causeRows(causes),
      ['would help', 'a capture (tcpdump -w server.pcap udp port 8303): it names the item'],
    ],
  });
}

const causeRows = (causes: LogRun['causes']) =>
  causes.map((cause, i): Row => [i === 0 ? 'allows' : '', causeName(cause)]);

export type Row = readonly [label: string, text: string];

/** What is said of one finding. Rows without text are left out. */
interface Block {
  /** The sentence after its mark, in one or more lines. */
  readonly title: readonly string[];
  /** Lines of details below the title. */
  readonly details?: readonly string[];
  /** Texts that are wrapped between words. */
  readonly rows?: readonly Row[];
  /** Texts that are not wrapped, so that they can be copied: command lines, what is said of a log. */
  readonly copied?: readonly Row[];
}

const labelWidth = 12;

/**
 * A finding as text, or in markdown as a heading with a table below it.
 *
 *     ✗ a delta was made from the snapshot of tick 226, not from the announced base
 *         meaning     …
 *         see it      tw-snap decode …
 */
export const blockOf = ({ title, details = [], rows = [], copied = [] }: Block): Table => ({
  lines({ theme, width, limit = Infinity }: ViewStyle) {
    const labelled = (label: string, text: string) => `    ${theme.dim(label.padEnd(labelWidth))}${text}`;
    const wrapped = withText(rows).flatMap(([label, text]) =>
      wrap(wordsIn(text), width - labelWidth - 4).map((line, i) => labelled(i === 0 ? label : '', line)),
    );
    const whole = withText(copied).flatMap(([label, text]) =>
      commandLines(text, limit - labelWidth - 4).map((line, i) => labelled(i === 0 ? label : '', line)),
    );
    return [...title, ...details, ...wrapped, ...whole];
  },
  markdown() {
    const heading = title.map((line) => withoutColours(line).trim()).join(' ');
    const all = withText([...rows, ...copied]);
    return [
      `#### ${markdownText(heading)}`,
      ...(details.length > 0 ? ['', ...markdownList(details.map((line) => line.trim()))] : []),
      ...(all.length > 0 ? ['', ...markdownRows(all)] : []),
    ];
  },
});

/**
 * A command in lines that a shell joins again: each but the last ends with a backslash. An option stays with its value,
 * and other texts stay whole.
 */
function commandLines(text: string, width: number): string[] {
  const words = text.match(/(?:-\S+ (?!-))?(?:'[^']*'|[^\s'])+/g) ?? [];
  if (text.length <= width || !text.startsWith('tw-snap ') || words.join(' ') !== text) return [text];
  const lines: string[] = [];
  for (const word of words) {
    const last = lines.at(-1);
    // Two columns are those of the backslash.
    if (last !== undefined && last.length + 1 + word.length <= width - 2) lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(word);
  }
  return lines.map((line, i) => (i < lines.length - 1 ? `${line} \\` : line));
}

const withText = (rows: readonly Row[]) => rows.filter(([, text]) => text !== '');
