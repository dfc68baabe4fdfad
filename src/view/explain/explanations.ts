import { type Explanation, failureCount, failuresOf, itemsOf } from '../../explain/explanation.ts';
import type { StreamFinding } from '../../explain/health.ts';
import type { DemoFaults } from '../../explain/recording-explainer.ts';
import type { FailureNote } from '../../explain/run.ts';
import type { Verdict } from '../../explain/verdict.ts';
import { diagnosticMessage } from '../text/diagnostic-messages.ts';
import { escapeText } from '../text/escape.ts';
import { columns, wrap } from '../text/layout.ts';
import { count, thousands } from '../text/number.ts';
import { shellWord } from '../text/shell-word.ts';
import type { ViewStyle } from '../text/theme.ts';
import { causeNames, itemText } from './causes.ts';
import { demoParts } from './demo-faults.ts';
import { demoSummary } from './demo-text.ts';
import { chanceText, explanationText, findingPlace, findingText, signed, whereLines } from './explanation-text.ts';
import { Rows } from './rows.ts';

/** The explanation of a recording, or of a base and a delta. */
export interface Explained {
  readonly file: string;
  /** The command line that opens the recording again; undefined for standard input, and for a base and a delta. */
  readonly again: string | undefined;
  /** The command that shows a base and a delta. */
  readonly see?: string;
  /** The number of snapshots, and of failures among them. */
  readonly snapshots: number;
  readonly failures: number;
  /** The number of snapshots with an unreadable message. */
  readonly unreadable: number;
  readonly explanations: readonly Explanation[];
  readonly findings: readonly StreamFinding[];
  /** The faults of a demo. */
  readonly demo?: DemoFaults | undefined;
}

/** The maximum number of rows without `-v`. */
const [maxRows, maxTested, maxExplanations] = [5, 6, 10];

/** Renders the causes, each with its evidence. */
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
    more > 0 ? [theme.dim(`… ${count(more, 'more cause')} (-v)`)] : [],
  ];
  return `${parts
    .filter((part) => part.length > 0)
    .map((part) => part.join('\n'))
    .join('\n\n')}\n`;
}

/** `2 causes explain 7 of 8 failures` */
export function summaryOf({ snapshots, failures, unreadable, explanations, findings, demo }: Explained): string {
  const causes = explanations.filter(({ verdict }) => verdict);
  const explained = causes.reduce((sum, one) => sum + failureCount(one), 0);
  const found = demo ? demoSummary(demo) : [];
  if (findings.length > 0) found.push(`${count(findings.length, 'finding')} without a mismatch`);
  if (unreadable > 0) found.push(`${count(unreadable, 'snapshot')} in packets that can't be read`);
  if (failures === 0) return found.join(', ') || `nothing to explain in ${count(snapshots, 'snapshot')}`;
  const part =
    causes.length === 0
      ? `${count(failures, 'failure')}, none explained`
      : `${count(causes.length, 'cause')} ${causes.length === 1 ? 'explains' : 'explain'} ${thousands(explained)} of ${count(failures, 'failure')}`;
  return [part, ...found].join(', ');
}

function explanationLines(explanation: Explanation, explained: Explained, style: ViewStyle): string[] {
  const { theme, width } = style;
  const { verdict, runs } = explanation;
  const notes = failuresOf(explanation);
  const rows = new Rows(style);
  const text = explanationText(explanation);
  const [first = '', ...more] = wrap(text.title.split(' '), width - 2);
  const head = [`${theme.error('✗')} ${first}`, ...more.map((line) => `  ${line}`)];
  for (const line of whereLines(explanation)) rows.put('client', line);
  if (verdict) {
    rows.put('evidence', text.evidence);
    rows.put('meaning', text.meaning);
    rows.put('look for', text.whereToLook);
  } else {
    rows.put('tested', 'all causes: no one explains all failures and is unlikely by chance');
    rows.put('would help', text.whereToLook);
  }
  const see = explained.see ?? decodeCommand(explanation, explained.again);
  if (see) rows.putWhole('see it', see);
  if (verdict && explained.again) {
    rows.putWhole('reproduce', `tw-snap explain ${explained.again} -o case`);
  }
  const tested = verdict ? [] : testedLines(explanation, style);
  return [...head, ...rows.lines, ...(runs[0]!.stream ? failureTable(notes, verdict, style) : []), ...tested];
}

function failureTable(
  notes: readonly FailureNote[],
  verdict: Verdict | undefined,
  { theme, verbose, limit }: ViewStyle,
): string[] {
  const shown = notes.slice(0, verbose ? Infinity : maxRows);
  const isWrongBase = verdict?.cause === 'wrong_base';
  const names = ['frame', 'tick', 'base', 'announced', 'difference'];
  const head = [...names, ...(isWrongBase ? ['made from'] : [])].map(theme.dim);
  const rows = shown.map(({ frame, tick, base, announced, difference, error, fits }) => [
    String(frame),
    String(tick),
    baseText(base),
    String(announced),
    difference === undefined ? (error?.code ?? '') : signed(difference),
    ...(isWrongBase ? [baseText(fits.find(({ cause }) => cause === 'wrong_base')?.numbers?.base)] : []),
  ]);
  const lines = columns(
    [head, ...rows],
    head.map(() => 'right'),
    { indent: '    ', limit },
  );
  const more = notes.length - shown.length;
  return ['', ...lines, ...(more > 0 ? [theme.dim(`    … ${thousands(more)} more (-v)`)] : [])];
}

const baseText = (base: number | undefined) => (base === -1 ? 'empty' : String(base ?? ''));

/** How well each cause fits, the best first. */
function testedLines(explanation: Explanation, { theme, verbose, limit }: ViewStyle): string[] {
  const shown = explanation.others.slice(0, verbose ? Infinity : maxTested);
  const { error } = failuresOf(explanation)[0]!;
  const errorLines = error && [`    ${theme.dim('cannot be read:')} ${diagnosticMessage(error)}`];
  if (shown.length === 0) return ['', ...(errorLines ?? []), '    no cause fits any of them'];
  const rows = shown.map((verdict) => {
    const items = itemsOf(explanation, verdict).slice(0, maxRows).map(itemText).join(', ');
    return [causeNames[verdict.cause], items, `${verdict.fits} of ${verdict.of}`, chanceText(verdict.chance)];
  });
  const head = ['tested', 'items', 'fits', 'by chance'].map(theme.dim);
  return [
    '',
    ...(errorLines ?? []),
    ...columns([head, ...rows], ['left', 'left', 'right', 'left'], { indent: '    ', limit }),
  ];
}

function decodeCommand({ runs }: Explanation, again: string | undefined): string | undefined {
  const [run] = runs;
  if (!again || !run?.stream) return undefined;
  return decodeLine(again, run.sample.received.tick, run.stream.client);
}

/** The command line that shows a snapshot. */
const decodeLine = (again: string, tick: number, client: string) =>
  `tw-snap decode ${again}@${tick}${client === '' ? '' : ` --client ${shellWord(client)}`}`;

function findingLines(finding: StreamFinding, { again }: Explained, style: ViewStyle): string[] {
  const { firstTick, stream } = finding;
  const text = findingText(finding);
  const rows = new Rows(style);
  rows.put(stream.client === '' ? 'ticks' : 'client', findingPlace(finding));
  rows.put('meaning', text.meaning);
  rows.put('look for', text.whereToLook);
  if (again) {
    rows.putWhole('see it', `${decodeLine(again, firstTick, stream.client)} -t table`);
  }
  return [`${style.theme.warning('!')} ${text.title}`, ...rows.lines];
}
