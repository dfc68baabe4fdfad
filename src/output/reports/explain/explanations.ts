import {
  type Explanation,
  explainedCount,
  failureCount,
  failuresOf,
  type ItemReference,
  itemsOf,
  type Verdict,
} from '../../../analysis/explain/explanation.ts';
import type { Cause } from '../../../analysis/explain/hypothesis.ts';
import type { DemoFaults } from '../../../analysis/explain/recording-explainer.ts';
import type { Reproduction } from '../../../analysis/explain/reproduction.ts';
import type { FailureNote } from '../../../analysis/explain/run.ts';
import type { StreamFinding } from '../../../analysis/explain/server-faults.ts';
import type { FindingCode } from '../../../recording/health/findings.ts';
import type { Oddity } from '../../../recording/health/oddities.ts';
import { type CauseText, causeName, itemText } from '../../phrases/cause-phrases.ts';
import { diagnosticMessage } from '../../phrases/diagnostic-messages.ts';
import { gamesText } from '../../phrases/games-phrases.ts';
import { isOfStory, oddCountText, oddityText, storyText } from '../../phrases/recording-phrases.ts';
import type { RecordingExplanation } from '../../results/explain.ts';
import type { Column } from '../../text/columns.ts';
import { tableOf } from '../../text/drawn-table.ts';
import { pathText, shellWord } from '../../text/escape.ts';
import { wordsIn, wrap } from '../../text/layout.ts';
import { markdownList } from '../../text/markdown.ts';
import { count, nonZero, thousands } from '../../text/number.ts';
import { printSections, type Section } from '../../text/sections.ts';
import type { ViewStyle } from '../../text/theme.ts';
import { maxFindings } from '../ci.ts';
import { renderLosses } from '../edit.ts';
import {
  blockOf,
  demoSummary,
  demoTexts,
  findingPlace,
  findingText,
  type Row,
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
  /** How much there is that games take, although it is unusual: `2 warnings`. */
  readonly warnings?: string | undefined;
}

const maxRows = 5;
const maxFits = 6;
const maxExplanations = 10;
const maxOdd = 3;

export function renderExplained(explained: Explained, style: ViewStyle): string {
  const { explanations, demo, again } = explained;
  const { theme, verbose } = style;
  const shown = explanations.slice(0, verbose ? Infinity : maxExplanations);
  const more = explanations.length - shown.length;
  // Of so many runs the rest is only counted.
  const untested = explained.failures - explanations.reduce((sum, explanation) => sum + failureCount(explanation), 0);
  const odd = wrongOnes(explained);
  const moreOdd = verbose ? 0 : Math.max(0, odd.length - maxOdd);
  const sections: Section[] = [
    { title: [pathText(explained.file), summaryOf(explained)], isOneLine: true },
    ...shown.flatMap((explanation) =>
      saidOf(explanation).flatMap((said) => explanationSections(explanation, said, explained, style)),
    ),
    ...(demo ? demoSections(demo, again, style) : []),
    ...untold(explained).map((finding) => findingSection(finding, explained, style)),
    ...odd.slice(0, odd.length - moreOdd).map((oddity) => oddSection(oddity, explained, style)),
    {
      lines: nonZero(
        [more, theme.dim(`… ${count(more, 'more cause')} (-v)`)],
        [
          untested,
          theme.dim(`… ${count(untested, 'more failure')}, not tested: the first ones of each connection are`),
        ],
        [moreOdd, theme.dim(`… ${count(moreOdd, 'more kind')} that no game sends or takes (-v)`)],
      ),
    },
  ];
  return printSections(sections, style);
}

/** `8 failures, the bytes show the cause of 7` */
function summaryOf(explained: Explained): string {
  const { snapshots, failures, unreadable, missingBases, explanations, demo, problems, warnings } = explained;
  const findings = untold(explained);
  const found = demo ? demoSummary(demo) : [];
  if (findings.length > 0) found.push(`${count(findings.length, 'finding')} without a mismatch`);
  const wrong = wrongOnes(explained);
  const odd = wrong.reduce((sum, { count: times, diagnostic }) => sum + (isOfStory(diagnostic) ? 0 : times), 0);
  if (odd > 0) found.push(oddCountText(odd));
  if (wrong.some(({ diagnostic }) => isOfStory(diagnostic)))
    // The problems name what is wrong, too.
    found.push(storyText(failures === 0 && found.length === 0 && (problems?.length ?? 0) <= wrong.length));
  if (unreadable > 0) found.push(`${count(unreadable, 'snapshot')} in packets that can't be read`);
  const shown = explainedCount(explanations);
  const of = shown === failures ? (failures === 1 ? '' : ' of all') : ` of ${thousands(shown)}`;
  const part = `${count(failures, 'failure')}, ${shown === 0 ? "the bytes don't show the cause" : `the bytes show the cause${of}`}`;
  if (failures > 0) found.unshift(part);
  const readable = problems?.length ? ' that can be read' : '';
  const notes = explained.odd?.filter(({ weight }) => weight === 'note').length ?? 0;
  if (notes > 0) found.push(count(notes, 'note'));
  if (found.length === 0 && !warnings) found.push(`nothing to explain in ${count(snapshots, 'snapshot')}${readable}`);
  if (missingBases > 0) found.push(`${count(missingBases, 'snapshot')} without the base`);
  if (warnings) found.push(warnings);
  return found.join(', ');
}

/** Those that no game of today sends: they decide the exit status. */
const wrongOnes = ({ odd = [] }: Explained) => odd.filter(({ weight }) => weight === 'wrong');

const titleLines = (mark: string, title: string, width: number) =>
  wrap(wordsIn(title), width - 2).map((line, i) => `${i === 0 ? mark : ' '} ${line}`);

const meaningRows = ({ meaning, whereToLook }: CauseText): Row[] => [
  ['meaning', meaning],
  ['look for', whereToLook],
];

function explanationSections(explanation: Explanation, said: Said, explained: Explained, style: ViewStyle): Section[] {
  const { theme, width } = style;
  const { fits, runs } = explanation;
  const { title, isShown, evidence, decides } = said;
  const { again } = explained;
  const [run] = runs;
  const see = explained.see ?? (again && run?.stream && decodeLine(again, run.sample.received.tick, run.stream.client));
  const mark = isShown ? theme.error('✗') : theme.warning('?');
  const block = blockOf({
    title: titleLines(mark, title, width),
    rows: [
      ...whereLines(explanation).map((line): Row => ['client', line]),
      ['evidence', evidence],
      ...meaningRows(said),
      ['to decide', decides],
    ],
    copied: [
      ...(see ? [['see it', see] as const] : []),
      ...(again ? [['reproduce', `tw-snap explain ${again} -o case`] as const] : []),
    ],
  });
  return [
    { table: block },
    ...(run!.stream ? [failureSection(failuresOf(explanation), isShown ? explanation.shown : [], style)] : []),
    ...(isShown ? [] : [fitSection(explanation, fits, style)]),
  ];
}

function demoSections(faults: DemoFaults, again: string | undefined, { theme }: ViewStyle): Section[] {
  return demoTexts(faults).map((text, i, { length }) => {
    const losses = text.areLosses ? renderLosses({ ...faults.losses, messages: 0 }, theme) : [];
    const block = blockOf({
      title: [`${theme.error('✗')} ${text.title}`],
      details: losses.map((line) => `  ${line}`),
      rows: meaningRows(text),
      // It mends all of it.
      copied: again && !text.isFinal && i === length - 1 ? [['repair', `tw-snap repair ${again} -o whole.demo`]] : [],
    });
    return { table: block };
  });
}

function failureSection(
  notes: readonly FailureNote[],
  said: readonly Verdict[],
  { theme, verbose, limit }: ViewStyle,
): Section {
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
  return {
    table: tableOf(table, shown, { indent: '    ', limit }),
    lines: nonZero([more, theme.dim(`    … ${thousands(more)} more (-v)`)]),
  };
}

const baseText = (base: number | undefined) => (base === -1 ? 'empty' : String(base ?? ''));

/** What fits, the best first. */
function fitSection(explanation: Explanation, fits: readonly Verdict[], { theme, verbose, limit }: ViewStyle): Section {
  const shown = fits.slice(0, verbose ? Infinity : maxFits);
  const more = fits.length - shown.length;
  const { error } = failuresOf(explanation)[0]!;
  const table: readonly Column<Verdict>[] = [
    { head: 'fits', cell: ({ fits, of }) => `${fits} of ${of}` },
    { head: 'would mean', align: 'left', cell: ({ cause }) => causeName(cause) },
    { head: 'items', align: 'left', cell: (verdict) => itemsCell(itemsOf(explanation, verdict), verdict) },
  ];
  const cannot = error ? [`    ${theme.dim('cannot be read:')} ${diagnosticMessage(error)}`] : [];
  const found = shown.length > 0 ? tableOf(table, shown, { indent: '    ', limit }) : undefined;
  return {
    table: {
      lines: (style) => [...cannot, ...(found?.lines(style) ?? [])],
      markdown: () => [...markdownList(cannot), ...(error && found ? [''] : []), ...(found?.markdown() ?? [])],
    },
    lines: nonZero([more, theme.dim(`    … ${thousands(more)} more (-v)`)]),
  };
}

/** `obj_pickup 3, obj_pickup 4`, or `one of` them. */
function itemsCell(items: readonly ItemReference[], { areAlternatives }: Verdict): string {
  const named = items.slice(0, maxRows).map(itemText).join(', ');
  const more = items.length > maxRows ? `, … ${items.length - maxRows} more` : '';
  return `${areAlternatives ? 'one of ' : ''}${named}${more}`;
}

const decodeLine = (again: string, tick: number, client: string) =>
  `tw-snap decode ${again}@${tick}${client === '' ? '' : ` --client ${shellWord(client)}`}`;

function findingSection(finding: StreamFinding, { again }: Explained, { theme, width }: ViewStyle): Section {
  const { frames, firstTick, frame, stream } = finding;
  const text = findingText(finding);
  const isAlone = !frames && firstTick < 0;
  const place = frames
    ? `tw-snap decode ${again}#${frame}`
    : `${decodeLine(again!, firstTick, stream.client)} -t table`;
  const see = isAlone ? `tw-snap decode ${again} -t table` : place;
  const block = blockOf({
    title: titleLines(theme.warning('!'), text.title, width),
    rows: [[stream.client === '' ? 'ticks' : 'client', findingPlace(finding)], ...meaningRows(text)],
    copied: again ? [['see it', see]] : [],
  });
  return { table: block };
}

/** Causes that rows of the story tell with more of what happened. */
const toldByStory: Partial<Record<Cause, FindingCode>> = {
  unregistered: 'unregistered_items',
  too_large: 'items_dropped',
};

const untold = ({ findings, odd = [] }: Explained): readonly StreamFinding[] =>
  findings.filter(({ cause }) => odd.every(({ diagnostic }) => diagnostic.code !== toldByStory[cause]));

function oddSection({ diagnostic, count: times, tick }: Oddity, { again, findings }: Explained, style: ViewStyle) {
  const { theme, width } = style;
  const { code, frame } = diagnostic;
  const cause = findings.find((finding) => toldByStory[finding.cause] === code);
  const place = frame !== undefined ? `#${frame}` : tick !== undefined ? `@${tick}` : '';
  const table = blockOf({
    title: titleLines(theme.error('✗'), oddityText(diagnostic, times), width),
    rows: [['the games', gamesText(code) ?? ''], ...(cause ? meaningRows(findingText(cause)) : [])],
    copied: again && place !== '' ? [['see it', `tw-snap decode ${again}${place}`]] : [],
  });
  return { table };
}

/** What a report to a CI server says of a file. */
export interface ExplainedCheck {
  readonly file: string;
  readonly summary: string;
  readonly findings: readonly string[];
}

/** The result for a report to a CI server: a line for each cause, with the first affected client. */
export function explainedCheck(explained: Explained): ExplainedCheck {
  const { file, explanations, demo, problems = [] } = explained;
  const causes = explanations.flatMap((explanation) =>
    saidOf(explanation).map(({ title }) => [title, ...whereLines(explanation).slice(0, 1)].join('   ')),
  );
  const found = untold(explained).map((finding) => `${findingText(finding).title}   ${findingPlace(finding)}`);
  return {
    file,
    summary: summaryOf(explained),
    findings: [...causes, ...found, ...(demo ? demoSummary(demo) : []), ...problems].slice(0, maxFindings),
  };
}

const rowsOf = ({ meaning, whereToLook, decides }: Said): Row[] => [
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
    ...rowsOf(text!).flatMap(([label, value]) => (value ? [`${label}: ${value}.`, ''] : [])),
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
