import {
  type Explanation,
  explainedCount,
  failuresOf,
  type ItemReference,
  itemsOf,
  type Verdict,
} from '../../explain/explanation.ts';
import type { StreamFinding } from '../../explain/health.ts';
import type { DemoFaults } from '../../explain/recording-explainer.ts';
import type { Reproduction } from '../../explain/reproduction.ts';
import type { FailureNote } from '../../explain/run.ts';
import type { RecordingExplanation } from '../../result/explain.ts';
import { type Column, tableLines } from '../../text/columns.ts';
import { diagnosticMessage } from '../../text/diagnostic-messages.ts';
import { escapeText, shellWord } from '../../text/escape.ts';
import { wrap } from '../../text/layout.ts';
import { count, nonZero, thousands } from '../../text/number.ts';
import type { ViewStyle } from '../../text/theme.ts';
import { maxFindings } from '../ci/reports.ts';
import { renderLosses } from '../edit/reports.ts';
import { type CauseText, causeName, itemText } from './causes.ts';
import {
  demoSummary,
  demoTexts,
  findingPlace,
  findingText,
  labelled,
  labelWidth,
  type Said,
  saidOf,
  signed,
  whereLines,
} from './explanation-text.ts';

/** The explanation of a recording, or of a base and a delta, with what is said beside it. */
export interface Explained extends RecordingExplanation {
  /** The command line that opens the recording again; undefined for standard input, and for a base and a delta. */
  readonly again: string | undefined;
  readonly see?: string;
  /** What can't be read of the recording. */
  readonly problems?: readonly string[];
}

const [maxRows, maxFits, maxExplanations] = [5, 6, 10];
export function renderExplained(explained: Explained, style: ViewStyle): string {
  const { explanations, findings, demo, again } = explained;
  const { theme, verbose } = style;
  const shown = explanations.slice(0, verbose ? Infinity : maxExplanations);
  const more = explanations.length - shown.length;
  const parts = [
    [`${theme.strong(escapeText(explained.file))}   ${summaryOf(explained)}`],
    ...shown.flatMap((one) => saidOf(one).map((said) => explanationLines(one, said, explained, style))),
    ...(demo ? demoParts(demo, again, style) : []),
    ...findings.map((finding) => findingLines(finding, explained, style)),
    nonZero([more, theme.dim(`… ${count(more, 'more cause')} (-v)`)]),
  ];
  return `${parts
    .filter((part) => part.length > 0)
    .map((part) => part.join('\n'))
    .join('\n\n')}\n`;
}

/** `8 failures, the bytes show the cause of 7` */
function summaryOf(explained: Explained): string {
  const { snapshots, failures, unreadable, missingBases, explanations, findings, demo, problems } = explained;
  const found = demo ? demoSummary(demo) : [];
  if (findings.length > 0) found.push(`${count(findings.length, 'finding')} without a mismatch`);
  if (unreadable > 0) found.push(`${count(unreadable, 'snapshot')} in packets that can't be read`);
  const shown = explainedCount(explanations);
  const of = shown === failures ? (failures === 1 ? '' : ' of all') : ` of ${thousands(shown)}`;
  const part = `${count(failures, 'failure')}, ${shown === 0 ? "the bytes don't show the cause" : `the bytes show the cause${of}`}`;
  if (failures > 0) found.unshift(part);
  const readable = problems?.length ? ' that can be read' : '';
  if (found.length === 0) found.push(`nothing to explain in ${count(snapshots, 'snapshot')}${readable}`);
  if (missingBases > 0) found.push(`${count(missingBases, 'snapshot')} without the base`);
  return found.join(', ');
}

/** Labels with text that is wrapped between words; rows without text are left out. */
const paragraphs = (rows: readonly (readonly [label: string, text: string])[], { theme, width }: ViewStyle): string[] =>
  rows.flatMap(([label, text]) =>
    text === ''
      ? []
      : wrap(text.split(' '), width - labelWidth - 4).map((line, i) => labelled(i === 0 ? label : '', line, theme)),
  );

const meaningRows = ({ meaning, whereToLook }: CauseText): [label: string, text: string][] => [
  ['meaning', meaning],
  ['look for', whereToLook],
];

function explanationLines(explanation: Explanation, said: Said, explained: Explained, style: ViewStyle): string[] {
  const { theme, width } = style;
  const { fits, runs } = explanation;
  const { title, isShown, evidence, decides } = said;
  const { again } = explained;
  const [run] = runs;
  const see = explained.see ?? (again && run?.stream && decodeLine(again, run.sample.received.tick, run.stream.client));
  const rows: [string, string][] = [
    ...whereLines(explanation).map((line): [string, string] => ['client', line]),
    ['evidence', evidence],
    ...meaningRows(said),
    ...(decides ? [['to decide', decides] as [string, string]] : []),
  ];
  const mark = isShown ? theme.error('✗') : theme.warning('?');
  return [
    ...wrap(title.split(' '), width - 2).map((line, i) => `${i === 0 ? mark : ' '} ${line}`),
    ...paragraphs(rows, style),
    ...(see ? [labelled('see it', see, theme)] : []),
    ...(again ? [labelled('reproduce', `tw-snap explain ${again} -o case`, theme)] : []),
    ...(run!.stream ? failureTable(failuresOf(explanation), isShown ? explanation.shown : [], style) : []),
    ...(isShown ? [] : fitLines(explanation, fits, style)),
  ];
}

function demoParts(faults: DemoFaults, again: string | undefined, style: ViewStyle): string[][] {
  const { theme } = style;
  return demoTexts(faults).map((text) => [
    `${theme.error('✗')} ${text.title}`,
    ...(text.areLosses ? renderLosses({ ...faults.losses, messages: 0 }, theme).map((line) => `  ${line}`) : []),
    ...paragraphs(meaningRows(text), style),
    ...(again && !text.isFinal ? [labelled('repair', `tw-snap repair ${again} -o whole.demo`, theme)] : []),
  ]);
}

function failureTable(
  notes: readonly FailureNote[],
  said: readonly Verdict[],
  { theme, verbose, limit }: ViewStyle,
): string[] {
  const shown = notes.slice(0, verbose ? Infinity : maxRows);
  const more = notes.length - shown.length;
  const wrongBase = ({ statements }: FailureNote) =>
    statements.find(({ cause }) => cause === 'wrong_base')?.numbers?.base;
  const table: readonly Column<FailureNote>[] = [
    { head: 'frame', cell: ({ frame }) => String(frame) },
    { head: 'tick', cell: ({ tick }) => String(tick) },
    { head: 'base', cell: ({ base }) => baseText(base) },
    { head: 'announced', cell: ({ announced }) => String(announced) },
    {
      head: 'difference',
      cell: ({ difference, error }) => (difference === undefined ? (error?.code ?? '') : signed(difference)),
    },
    ...(said.some(({ cause }) => cause === 'wrong_base')
      ? [{ head: 'made from', cell: (note: FailureNote) => baseText(wrongBase(note)) }]
      : []),
  ];
  const lines = tableLines(table, shown, theme, { indent: '    ', limit });
  return ['', ...lines, ...nonZero([more, theme.dim(`    … ${thousands(more)} more (-v)`)])];
}

const baseText = (base: number | undefined) => (base === -1 ? 'empty' : String(base ?? ''));

/** What fits, the best first. */
function fitLines(explanation: Explanation, fits: readonly Verdict[], { theme, verbose, limit }: ViewStyle): string[] {
  const shown = fits.slice(0, verbose ? Infinity : maxFits);
  const more = fits.length - shown.length;
  const { error } = failuresOf(explanation)[0]!;
  const table: readonly Column<Verdict>[] = [
    { head: 'fits', cell: ({ fits, of }) => `${fits} of ${of}` },
    { head: 'would mean', align: 'left', cell: ({ cause }) => causeName(cause) },
    { head: 'items', align: 'left', cell: (verdict) => itemsCell(itemsOf(explanation, verdict), verdict) },
  ];
  return [
    '',
    ...(error ? [`    ${theme.dim('cannot be read:')} ${diagnosticMessage(error)}`] : []),
    ...(shown.length > 0 ? tableLines(table, shown, theme, { indent: '    ', limit }) : []),
    ...nonZero([more, theme.dim(`    … ${thousands(more)} more (-v)`)]),
  ];
}

/** `obj_pickup 3, obj_pickup 4`, or `one of` them. */
function itemsCell(items: readonly ItemReference[], { areAlternatives }: Verdict): string {
  const named = items.slice(0, maxRows).map(itemText).join(', ');
  const more = items.length > maxRows ? `, … ${items.length - maxRows} more` : '';
  return `${areAlternatives ? 'one of ' : ''}${named}${more}`;
}

const decodeLine = (again: string, tick: number, client: string) =>
  `tw-snap decode ${again}@${tick}${client === '' ? '' : ` --client ${shellWord(client)}`}`;

function findingLines(finding: StreamFinding, { again }: Explained, style: ViewStyle): string[] {
  const { cause, firstTick, frame, stream } = finding;
  const { theme } = style;
  const text = findingText(finding);
  const see =
    cause === 'other_huffman'
      ? `tw-snap decode ${again}#${frame}`
      : `${decodeLine(again!, firstTick, stream.client)} -t table`;
  return [
    `${theme.warning('!')} ${text.title}`,
    ...paragraphs([[stream.client === '' ? 'ticks' : 'client', findingPlace(finding)], ...meaningRows(text)], style),
    ...(again ? [labelled('see it', see, theme)] : []),
  ];
}

/** What a report to a CI server says of a file. */
export interface ExplainedCheck {
  readonly file: string;
  readonly summary: string;
  readonly findings: readonly string[];
}

/** The result for a report to a CI server: a line for each cause, with the first affected client. */
export function explainedCheck(explained: Explained): ExplainedCheck {
  const { file, explanations, findings, demo, problems = [] } = explained;
  const causes = explanations.flatMap((one) =>
    saidOf(one).map(({ title }) => [title, ...whereLines(one).slice(0, 1)].join('   ')),
  );
  const found = findings.map((one) => `${findingText(one).title}   ${findingPlace(one)}`);
  return {
    file,
    summary: summaryOf(explained),
    findings: [...causes, ...found, ...(demo ? demoSummary(demo) : []), ...problems].slice(0, maxFindings),
  };
}

const rowsOf = ({ meaning, whereToLook, decides }: Said): [string, string][] => [
  ['Meaning', meaning],
  ['Look for', whereToLook],
  ['To decide', decides],
];

export function renderReadme(
  explanation: Explanation,
  { protocol, delta, announced, rebuilt, isReduced }: Reproduction,
) {
  const [text] = saidOf(explanation);
  const name = delta && rebuilt !== undefined ? 'delta.json' : 'delta.packed';
  const result = rebuilt === undefined ? 'the delta cannot be read to its end' : `a client rebuilds ${rebuilt}`;
  const lines = [
    `# ${text!.title}`,
    '',
    ...rowsOf(text!).flatMap(([label, one]) => (one ? [`${label}: ${one}.`, ''] : [])),
    `- \`base.json\`: the snapshot that the client has${isReduced ? ', with the items in question alone' : ''}`,
    `- \`${name}\`: the delta that the server sends`,
    `- announced checksum: ${announced}; ${result}`,
    '',
    '```sh',
    `tw-snap decode ${name} --base base.json -p ${protocol.version}`,
    `tw-snap explain base.json ${name} --expect ${announced} -p ${protocol.version}`,
    '```',
  ];
  return `${lines.join('\n')}\n`;
}
