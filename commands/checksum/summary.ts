import { maxFindings } from '../../src/view/ci/file-check.ts';
import { renderJson } from '../../src/view/json/json.ts';
import { escapeText, jsonText } from '../../src/view/text/escape.ts';
import { columns } from '../../src/view/text/layout.ts';
import { count, thousands } from '../../src/view/text/number.ts';
import type { ChecksumOptions, DemoCounts, Outcome, Summary } from './context.ts';

export const summaryLine = (summary: Summary) => `${jsonText(objectOf(summary))}\n`;

/** Prints one object or row per file. */
export function renderSummaries(summaries: readonly Summary[], options: ChecksumOptions, isOfSeveral: boolean): string {
  if (options.to === 'json') {
    const list = () => `[${summaries.map((one) => jsonText(objectOf(one))).join(',\n ')}]\n`;
    return isOfSeveral ? list() : renderJson(objectOf(summaries[0]!));
  }
  const rows = summaries.map(({ file, text }) => [escapeText(file), text]);
  return columns(rows, ['left', 'left'], { indent: '' })
    .map((line) => `${line}\n`)
    .join('');
}

const objectOf = ({ file, counts }: Summary) => ({ file, ...counts });

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
  if (matched + mismatched === 0)
    return { file, counts: { ...counts, messages: messages ?? null }, text: withMessages };
  const wrong = mismatched > 0 ? `, ${thousands(mismatched)} mismatched` : '';
  const announced = `${thousands(matched + mismatched)} announced: ${thousands(matched)} match${wrong}`;
  return {
    file,
    counts: { ...counts, messages: messages ?? null, matched, mismatched },
    text: `${withMessages}; ${announced}`,
  };
}

/** The outcome of two parts of a demo that follow each other. */
export function joined(one: Outcome, next: Outcome): Outcome {
  const sum = (name: 'full' | 'deltas' | 'messages') => (one.counts?.[name] ?? 0) + (next.counts?.[name] ?? 0);
  const messages = one.counts?.messages === undefined ? undefined : sum('messages');
  const counts = { full: sum('full'), deltas: sum('deltas'), messages };
  const file = one.check!.file;
  const summary = countsOfDemo(file, counts);
  const status = Math.max(one.status, next.status);
  const findings = [...one.check!.findings, ...next.check!.findings].slice(0, maxFindings);
  return {
    status,
    counts,
    resultText: summary.text,
    ...(one.summary || next.summary ? { summary } : {}),
    check: { file, status, summary: summary.text, findings },
  };
}
