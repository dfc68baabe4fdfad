import { type FileCheck, findingsOf } from './file-check.ts';

/**
 * A report in the JUnit format, which GitLab, Jenkins and others read. Each file is a test case. Findings are failures; files that
 * could not be read completely are errors.
 */
export function renderJunit(command: string, checks: readonly FileCheck[]): string {
  const name = `tw-snap ${command}`;
  const errors = checks.filter(({ status }) => status > 1).length;
  const failures = checks.filter(({ status }) => status === 1).length;
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
  const { file, status, summary } = check;
  const head = `    <testcase classname="${name}" name="${xml(file)}">`;
  const [first, ...others] = findingsOf(check);
  const kind = status > 1 ? 'error' : 'failure';
  const type = status > 1 ? 'unreadable' : 'finding';
  const problem =
    first === undefined
      ? []
      : [`      <${kind} type="${type}" message="${xml(first)}">${xml([first, ...others].join('\n'))}</${kind}>`];
  return [
    head,
    ...problem,
    ...(summary === '' ? [] : [`      <system-out>${xml(summary)}</system-out>`]),
    '    </testcase>',
  ];
}

const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

/** XML 1.0 has no way to write most control characters and lone surrogates, not even as references. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: the characters that XML does not allow
const notXml = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]|\p{Surrogate}/gu;

const xml = (text: string) => text.replace(notXml, '\ufffd').replace(/[&<>"]/g, (sign) => entities[sign]!);
