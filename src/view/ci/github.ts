import { count, thousands } from '../text/number.ts';
import { type FileCheck, findingsOf, maxFindings } from './file-check.ts';

/** The number of errors that GitHub shows for a step. */
const maxAnnotations = 10;

/**
 * Returns workflow commands that annotate the run: one for each file with findings, showing the first finding. There are at most
 * ten, since GitHub silently drops the others; if files are left out, the last command contains their number.
 *
 * Source: "Workflow commands for GitHub Actions" in GitHub's documentation.
 */
export function annotationLines(command: string, checks: readonly FileCheck[]): string[] {
  const wrong = checks.filter(({ status }) => status > 0);
  const shown = wrong.length > maxAnnotations ? wrong.slice(0, maxAnnotations - 1) : wrong;
  const title = `tw-snap ${command}`;
  const lines = shown.map((check) => {
    const { file } = check;
    const [first, ...others] = findingsOf(check);
    const more =
      others.length + 1 >= maxFindings ? ' (and more)' : others.length > 0 ? ` (and ${others.length} more)` : '';
    return `::error file=${property(file)},title=${title}::${data(`${file}: ${first}${more}`)}`;
  });
  const left = wrong.length - shown.length;
  if (left > 0) lines.push(`::error title=${title}::${count(left, 'more file')} failed: see the summary of this job`);
  return lines;
}

const data = (text: string) => text.replace(/%/g, '%25').replace(/\r/g, '%0D').replace(/\n/g, '%0A');
const property = (text: string) => data(text).replace(/:/g, '%3A').replace(/,/g, '%2C');

/** The maximum number of listed files, because GitHub limits the summary of a step to 1 MiB. */
const maxFiles = 1000;

const verdicts = ['✅ fine', '❌ finding', '❌ refused', '❌ unreadable'] as const;

/** The summary of a job in Markdown: a table of the files and all findings. */
export function jobSummary(command: string, checks: readonly FileCheck[]): string {
  const wrong = checks.filter(({ status }) => status > 0);
  const title =
    wrong.length === 0
      ? `${count(checks.length, 'file')} passed`
      : `${thousands(wrong.length)} of ${count(checks.length, 'file')} failed`;
  // Files with findings come first, since the list may be cut.
  const rows = [...wrong, ...checks.filter(({ status }) => status === 0)].slice(0, maxFiles);
  const left = checks.length - rows.length;
  return [
    `### tw-snap ${command}: ${title}`,
    '',
    '| file | result | |',
    '|---|---|---|',
    ...rows.map(({ file, status, summary }) => `| ${code(file)} | ${verdicts[status]} | ${cell(summary)} |`),
    ...(left > 0 ? ['', `and ${count(left, 'more file')}`] : []),
    ...rows.flatMap((check) => {
      const findings = findingsOf(check);
      return findings.length === 0 ? [] : ['', code(check.file), '', ...findings.map((one) => `- ${cell(one)}`)];
    }),
    '',
    '',
  ].join('\n');
}

/** Escapes text from recordings, so that it is not interpreted as Markdown or HTML. */
const cell = (text: string) =>
  text
    .replace(/[\r\n]+/g, ' ')
    .replace(/&/g, '&amp;')
    .replace(/</g, '&lt;')
    .replace(/[\\`*_{}[\]()#+!|~@]/g, (sign) => `\\${sign}`);

const code = (text: string) => `<code>${cell(text)}</code>`;
