/** What a command found in one file, for a report to a CI server: plain data, since a worker thread returns it. */
export interface FileCheck {
  readonly file: string;
  /** The exit status of this file: 0 fine, 1 a finding, 2 refused, 3 not read to its end. */
  readonly status: number;
  /** The result of the check in one line. */
  readonly summary: string;
  /** The problems, one line each. */
  readonly findings: readonly string[];
}

/** The maximum number of findings that are kept for one file. */
export const maxFindings = 20;

/** The findings of a check. A failed check without findings reports its summary as the finding. */
export function findingsOf({ status, findings, summary }: FileCheck): readonly string[] {
  if (status === 0) return [];
  return findings.length > 0 ? findings : [summary];
}
