import { type FileCheck, maxFindings } from '../ci/file-check.ts';
import { demoSummary } from './demo-text.ts';
import { findingPlace, findingText, titleOf, whereLines } from './explanation-text.ts';
import { type Explained, summaryOf } from './explanations.ts';

/** The result for a report to a CI server: a line for each cause, with the first affected client. */
export function explainedCheck(explained: Explained): Omit<FileCheck, 'status'> {
  const { file, explanations, findings, demo } = explained;
  const causes = explanations.map((one) => [titleOf(one), ...whereLines(one).slice(0, 1)].join('   '));
  const found = findings.map((one) => `${findingText(one).title}   ${findingPlace(one)}`);
  return {
    file,
    summary: summaryOf(explained),
    findings: [...causes, ...found, ...(demo ? demoSummary(demo) : [])].slice(0, maxFindings),
  };
}
