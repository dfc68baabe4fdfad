import {
  type Explanation,
  explainedCount,
  type FailureNote,
  failuresOf,
  itemsOf,
  type Verdict,
} from '../../explain/explanation.ts';
import type { StreamFinding } from '../../explain/health.ts';
import type { DemoFaults } from '../../explain/recording-explainer.ts';
import type { Reproduction } from '../../explain/reproduction.ts';
import { type Column, tableLines } from '../../text/columns.ts';
import { diagnosticMessage } from '../../text/diagnostic-messages.ts';
import { escapeText, shellWord } from '../../text/escape.ts';
import { wrap } from '../../text/layout.ts';
import { count, nonZero, thousands } from '../../text/number.ts';
import type { ViewStyle } from '../../text/theme.ts';
import { maxFindings } from '../ci/reports.ts';
import { renderLosses } from '../edit/reports.ts';
import { type CauseText, causeName, causeText, itemText } from './causes.ts';
import {
  chanceText,
  demoSummary,
  demoTexts,
  explanationText,
  findingPlace,
  findingText,
  labelled,
  labelWidth,
  notExplained,
  signed,
  whereLines,
} from './explanation-text.ts';

/** The explanation of a recording, or of a base and a delta. */
export interface Explained {
  readonly file: string;
  /** The command line that opens the recording again; undefined for standard input, and for a base and a delta. */
  readonly again: string | undefined;
  readonly see?: string;
  /** The number of snapshots, and of failures among them. */
  readonly snapshots: number;
  readonly failures: number;
  /** The number of snapshots with an unreadable message. */
  readonly unreadable: number;
  /** The number of snapshots whose base was not captured, or never sent. */
  readonly missingBases: number;
  readonly explanations: readonly Explanation[];
  readonly findings: readonly StreamFinding[];
  readonly demo?: DemoFaults | undefined;
  /** What can't be read of the recording. */
  readonly problems?: readonly string[];
}

const [maxRows, maxTested, maxExplanations] = [5, 6, 10];
export function renderExplained(explained: Explained, style: ViewStyle): string {
  const { explanations, findings, demo, again } = explained;
  const { theme, verbose } = style;
  const shown = explanations.slice(0, verbose ? Infinity : maxExplanations);
  const more = explanations.length - shown.length;
  const parts = [
    [`${theme.strong(escapeText(explained.file))}   ${summaryOf(explained)}`],
    ...shown.map((one) => explanationLines(one, explained, style)),
    ...(demo ? demoParts(demo, again, style) : []),
    ...findings.map((finding) => findingLines(finding, explained, style)),
    nonZero([more, theme.dim(`… ${count(more, 'more cause')} (-v)`)]),
  ];
  return `${parts
    .filter((part) => part.length > 0)
    .map((part) => part.join('\n'))
    .join('\n\n')}\n`;
}

/** `2 causes explain 7 of 8 failures` */
function summaryOf(explained: Explained): string {
  const { snapshots, failures, unreadable, missingBases, explanations, findings, demo, problems } = explained;
  const causes = explanations.filter(({ verdict }) => verdict);
  const found = demo ? demoSummary(demo) : [];
  if (findings.length > 0) found.push(`${count(findings.length, 'finding')} without a mismatch`);
  if (unreadable > 0) found.push(`${count(unreadable, 'snapshot')} in packets that can't be read`);
  const part =
    causes.length === 0
      ? `${count(failures, 'failure')}, none explained`
      : `${count(causes.length, 'cause')} ${causes.length === 1 ? 'explains' : 'explain'} ${thousands(explainedCount(explanations))} of ${count(failures, 'failure')}`;
  if (failures > 0) found.unshift(part);
  const readable = problems?.length ? ' that can be read' : '';
  if (found.length === 0) found.push(`nothing to explain in ${count(snapshots, 'snapshot')}${readable}`);
  if (missingBases > 0) found.push(`${count(missingBases, 'snapshot')} without the base`);
  return found.join(', ');
}

/** Labels with text that is wrapped between words; rows without text are left out. */
const paragraphs = (rows: readonly (readonly [label: string, text: string])[], { theme, width }: ViewStyle): string[] =>
  rows.flatMap(([label, text]) =>
    wrap(text.split(' '), width - labelWidth - 4).map((line, i) => labelled(i === 0 ? label : '', line, theme)),
  );

const meaningRows = ({ meaning, whereToLook }: CauseText): [label: string, text: string][] => [
  ['meaning', meaning],
  ['look for', whereToLook],
];

function explanationLines(explanation: Explanation, explained: Explained, style: ViewStyle): string[] {
  const { theme, width } = style;
  const { verdict, runs } = explanation;
  const text = explanationText(explanation);
  const { again } = explained;
  const [run] = runs;
  const see = explained.see ?? (again && run?.stream && decodeLine(again, run.sample.received.tick, run.stream.client));
  const rows = whereLines(explanation).map((line): [string, string] => ['client', line]);
  if (verdict) rows.push(['evidence', text.evidence], ...meaningRows(text));
  else {
    rows.push(['tested', notExplained]);
    rows.push(['would help', text.whereToLook]);
  }

  return [
    ...wrap(text.title.split(' '), width - 2).map((line, i) => `${i === 0 ? theme.error('✗') : ' '} ${line}`),
    ...paragraphs(rows, style),
    ...(see ? [labelled('see it', see, theme)] : []),
    ...(verdict && again ? [labelled('reproduce', `tw-snap explain ${again} -o case`, theme)] : []),
    ...(run!.stream ? failureTable(failuresOf(explanation), verdict, style) : []),
    ...(verdict ? [] : testedLines(explanation, style)),
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
  verdict: Verdict | undefined,
  { theme, verbose, limit }: ViewStyle,
): string[] {
  const shown = notes.slice(0, verbose ? Infinity : maxRows);
  const more = notes.length - shown.length;
  const wrongBase = ({ fits }: FailureNote) => fits.find(({ cause }) => cause === 'wrong_base')?.numbers?.base;
  const table: readonly Column<FailureNote>[] = [
    { head: 'frame', cell: ({ frame }) => String(frame) },
    { head: 'tick', cell: ({ tick }) => String(tick) },
    { head: 'base', cell: ({ base }) => baseText(base) },
    { head: 'announced', cell: ({ announced }) => String(announced) },
    {
      head: 'difference',
      cell: ({ difference, error }) => (difference === undefined ? (error?.code ?? '') : signed(difference)),
    },
    ...(verdict?.cause === 'wrong_base'
      ? [{ head: 'made from', cell: (note: FailureNote) => baseText(wrongBase(note)) }]
      : []),
  ];
  const lines = tableLines(table, shown, theme, { indent: '    ', limit });
  return ['', ...lines, ...nonZero([more, theme.dim(`    … ${thousands(more)} more (-v)`)])];
}

const baseText = (base: number | undefined) => (base === -1 ? 'empty' : String(base ?? ''));

/** How well each cause fits, the best first. */
function testedLines(explanation: Explanation, { theme, verbose, limit }: ViewStyle): string[] {
  const shown = explanation.others.slice(0, verbose ? Infinity : maxTested);
  const { error } = failuresOf(explanation)[0]!;
  const itemsOfCause = (verdict: Verdict) => itemsOf(explanation, verdict).slice(0, maxRows).map(itemText).join(', ');
  const table: readonly Column<Verdict>[] = [
    { head: 'tested', align: 'left', cell: ({ cause }) => causeName(cause) },
    { head: 'items', align: 'left', cell: itemsOfCause },
    { head: 'fits', cell: ({ fits, of }) => `${fits} of ${of}` },
    { head: 'by chance', align: 'left', cell: ({ chance }) => chanceText(chance) },
  ];
  return [
    '',
    ...(error ? [`    ${theme.dim('cannot be read:')} ${diagnosticMessage(error)}`] : []),
    ...(shown.length === 0
      ? ['    no cause fits any of them']
      : tableLines(table, shown, theme, { indent: '    ', limit })),
  ];
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
  const causes = explanations.map((one) => [explanationText(one).title, ...whereLines(one).slice(0, 1)].join('   '));
  const found = findings.map((one) => `${findingText(one).title}   ${findingPlace(one)}`);
  return {
    file,
    summary: summaryOf(explained),
    findings: [...causes, ...found, ...(demo ? demoSummary(demo) : []), ...problems].slice(0, maxFindings),
  };
}

export function renderReadme(
  explanation: Explanation,
  { protocol, delta, announced, rebuilt, isReduced }: Reproduction,
) {
  const { verdict } = explanation;
  const text = verdict && causeText(verdict, itemsOf(explanation, verdict), protocol);
  const name = delta && rebuilt !== undefined ? 'delta.json' : 'delta.packed';
  const result = rebuilt === undefined ? 'the delta cannot be read to its end' : `a client rebuilds ${rebuilt}`;
  const lines = [
    `# ${text?.title ?? 'A snapshot with another checksum than announced'}`,
    '',
    ...(text ? [`Meaning: ${text.meaning}.`, '', `Look for: ${text.whereToLook}.`, ''] : []),
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
