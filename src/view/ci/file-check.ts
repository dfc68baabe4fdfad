/** What a command found in one file, for a report to a CI server: plain data, since a worker thread returns it. */
export interface FileCheck {
  readonly file: string;
  /** The exit status of this file: 0 fine, 1 a finding, 2 refused, 3 not read to its end. */
  readonly status: number;
  /** How the file stands, in one line. */
  readonly summary: string;
  /** What is wrong, a line each. */
  readonly findings: readonly string[];
}

/** Findings of one file that are kept. */
export const maxFindings = 20;

/** The findings of a check; one that failed without any has its summary as such. */
export function findingsOf({ status, findings, summary }: FileCheck): readonly string[] {
  if (status === 0) return [];
  return findings.length > 0 ? findings : [summary];
}
