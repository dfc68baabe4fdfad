import { type ExitStatus, type Finding, statusOf } from '../../recording/health/findings.ts';
import { findingText } from '../phrases/finding-phrases.ts';
import { printable } from '../text/escape.ts';
import { type MarkdownColumn, markdownHead, markdownList, markdownRow, markdownText } from '../text/markdown.ts';
import { count, thousands } from '../text/number.ts';

/** What a command found in one file, for a report to a CI server: plain data, since a worker thread returns it. */
export interface FileCheck {
  readonly file: string;
  readonly summary: string;
  /** What the findings say of the file as a whole, before each of them. */
  readonly lead?: string;
  readonly findings: readonly Finding[];
  /** Whether warnings are findings, too. */
  readonly isStrict?: boolean | undefined;
}

export const maxFindings = 20;

/** The exit status of a file: 0 fine, 1 a finding, 2 refused, 3 not read to its end. */
export const checkStatus = ({ findings, isStrict = false }: Pick<FileCheck, 'findings' | 'isStrict'>): ExitStatus =>
  statusOf(findings, isStrict);

/** The sentences of a check that failed. Where the findings only count, its summary says what they say. */
function findingsOf(check: FileCheck): readonly string[] {
  if (checkStatus(check) === 0) return [];
  const { file, lead, findings, summary } = check;
  const texts = [
    ...(lead === undefined ? [] : [lead]),
    ...findings.flatMap((finding) => findingText(finding, file) ?? []),
  ];
  return texts.length > 0 ? texts.slice(0, maxFindings) : [summary];
}

/** The number of errors that GitHub shows for a step. */
const maxAnnotations = 10;

/**
 * Returns workflow commands that annotate the run: one for each file with findings, showing the first finding. There
 * are at most ten, since GitHub silently drops the others; if files are left out, the last command contains their
 * number.
 *
 * Source: "Workflow commands for GitHub Actions" in GitHub's documentation.
 */
export function annotationLines(command: string, checks: readonly FileCheck[]): string[] {
  const wrong = checks.filter((check) => checkStatus(check) > 0);
  const shown = wrong.length > maxAnnotations ? wrong.slice(0, maxAnnotations - 1) : wrong;
  const title = `tw-snap ${command}`;
  const lines = shown.map((check) => {
    const [first, ...rest] = findingsOf(check);
    const more = rest.length + 1 >= maxFindings ? ' (and more)' : rest.length > 0 ? ` (and ${rest.length} more)` : '';
    return `::error file=${property(check.file)},title=${title}::${data(`${check.file}: ${first}${more}`)}`;
  });
  const left = wrong.length - shown.length;
  if (left > 0) lines.push(`::error title=${title}::${count(left, 'more file')} failed: see the summary of this job`);
  return lines;
}

const data = (text: string) => printable(text).replace(/%/g, '%25');
const property = (text: string) => data(text).replace(/:/g, '%3A').replace(/,/g, '%2C');

/** The maximum number of listed files, because GitHub limits the summary of a step to 1 MiB. */
const maxFiles = 1000;

const verdicts = ['✅ fine', '❌ finding', '❌ refused', '❌ unreadable'] as const;

/** What a command looks at, for those who meet it in the summary of a job. */
const about: Readonly<Record<string, string>> = {
  checksum:
    'Every snapshot in these recordings is rebuilt, and its checksum compared with the one that the server announced. ' +
    'Clients drop a snapshot whose checksum differs.',
  info: 'These recordings are read to their end, and every checksum in them is compared with the announced one.',
  explain: 'These recordings are searched for the causes of wrong checksums and unreadable data.',
  stats: 'The bytes that these recordings take are compared with a budget.',
};

/** What comes next where something failed. */
const next = '`npx tw-snap explain FILE` looks for the cause, `npx tw-snap report FILE` makes a page to look at.';

/** So many findings of a file are enough to see what they have in common. */
const maxListed = 5;

function listed(findings: readonly string[]): readonly string[] {
  const more = findings.length - maxListed;
  if (more <= 0) return findings;
  return [...findings.slice(0, maxListed), `${findings.length < maxFindings ? '' : 'at least '}${more} more`];
}

/** The summary of a job in Markdown: what was looked at, a table of the files, and the first findings of each. */
export function jobSummary(command: string, checks: readonly FileCheck[]): string {
  const wrong = checks.filter((check) => checkStatus(check) > 0);
  const title =
    wrong.length === 0
      ? `${count(checks.length, 'file')} passed`
      : `${thousands(wrong.length)} of ${count(checks.length, 'file')} failed`;
  // Files with findings come first, since the list may be cut.
  const rows = [...wrong, ...checks.filter((check) => checkStatus(check) === 0)].slice(0, maxFiles);
  const left = checks.length - rows.length;
  return [
    `### tw-snap ${command}: ${title}`,
    '',
    ...(about[command] === undefined ? [] : [about[command], '']),
    ...markdownHead(columns),
    ...rows.map((check) =>
      markdownRow([printable(check.file), verdicts[checkStatus(check)], printable(check.summary)], columns),
    ),
    ...(left > 0 ? ['', `and ${count(left, 'more file')}`] : []),
    ...rows.flatMap((check) => {
      const findings = findingsOf(check);
      return findings.length === 0
        ? []
        : ['', markdownText(printable(check.file)), '', ...markdownList(listed(findings).map(printable))];
    }),
    ...(wrong.length > 0 && command !== 'stats' ? ['', next] : []),
    '',
    '',
  ].join('\n');
}

/** The columns of the summary; the cells of the last one have no head. */
const columns: readonly MarkdownColumn[] = [{ head: 'file' }, { head: 'result' }, { head: '' }];

/**
 * A report in JUnit's format. Each file is a test case; findings are failures, files that could not be read completely
 * are errors.
 */
export function renderJunit(command: string, checks: readonly FileCheck[]): string {
  const name = `tw-snap ${command}`;
  const errors = checks.filter((check) => checkStatus(check) > 1).length;
  const failures = checks.filter((check) => checkStatus(check) === 1).length;
  const counts = `name="${name}" tests="${checks.length}" failures="${failures}" errors="${errors}"`;
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites ${counts}>`,
    `  <testsuite ${counts} skipped="0">`,
    ...checks.flatMap((check) => testCase(name, check)),
    '  </testsuite>',
    '</testsuites>',
    '',
  ].join('\n');
}

function testCase(name: string, check: FileCheck): string[] {
  const { file, summary } = check;
  const status = checkStatus(check);
  const [first, ...rest] = findingsOf(check).map(xml);
  const lines = [first, ...rest].join('\n');
  const [kind, type] = status > 1 ? ['error', 'unreadable'] : ['failure', 'finding'];
  return [
    `    <testcase classname="${name}" name="${xml(file)}">`,
    ...(first === undefined ? [] : [`      <${kind} type="${type}" message="${first}">${lines}</${kind}>`]),
    ...(summary === '' ? [] : [`      <system-out>${xml(summary)}</system-out>`]),
    '    </testcase>',
  ];
}

const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

/** XML 1.0 has no way to write most control characters and lone surrogates, not even as references. */
const xml = (text: string) => printable(text).replace(/[&<>"]/g, (sign) => entities[sign]!);
