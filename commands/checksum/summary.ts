import { count, thousands } from '../../src/view/text/number.ts';

/** What is counted of a demo. */
export interface DemoCounts {
  readonly full: number;
  readonly deltas: number;
  /** Undefined if messages were not read. */
  readonly messages: number | undefined;
  /** The results for checksums that its messages announce. */
  readonly matched?: number;
  readonly mismatched?: number;
}

/** The counts of one file, for `--summary`. */
export interface Summary {
  readonly file: string;
  readonly counts: object;
  /** The counts as text. */
  readonly text: string;
}

/** What is known of a file when it was read. */
export interface Outcome {
  readonly status: number;
  /** What is printed beside what was printed while it was read. */
  readonly text?: string;
  /** The result in one line. */
  readonly resultText: string;
  readonly summary: Summary;
  /** The snapshots of a demo, or of a part of one. */
  readonly counts?: DemoCounts;
}

/** The summary of single snapshots. */
export function countsOf(file: string, { full, deltas }: Pick<DemoCounts, 'full' | 'deltas'>): Summary {
  const snapshots = full + deltas;
  const text = `${count(snapshots, 'snapshot')}: ${thousands(full)} full, ${count(deltas, 'delta')}`;
  return { file, counts: { snapshots, full, deltas }, text };
}

/** The summary of a demo; `messages` is null if they were not read. */
export function countsOfDemo(file: string, demo: DemoCounts): Summary {
  const { counts, text } = countsOf(file, demo);
  const { messages, matched = 0, mismatched = 0 } = demo;
  const withMessages = `${text}; ${messages === undefined ? 'messages not read' : count(messages, 'message')}`;
  const all = { ...counts, messages: messages ?? null };
  if (matched + mismatched === 0) return { file, counts: all, text: withMessages };
  const wrong = mismatched > 0 ? `, ${thousands(mismatched)} mismatched` : '';
  const announced = `${thousands(matched + mismatched)} announced: ${thousands(matched)} match${wrong}`;
  return { file, counts: { ...all, matched, mismatched }, text: `${withMessages}; ${announced}` };
}
