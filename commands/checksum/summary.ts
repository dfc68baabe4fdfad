import { renderJson } from '../../src/view/json/json.ts';
import { columns } from '../../src/view/text/columns.ts';
import { escapeText, jsonText } from '../../src/view/text/escape.ts';
import { count, thousands } from '../../src/view/text/number.ts';
import type { Checksum } from './checksums.ts';
import type { ChecksumOptions, ChecksumOutput, Summary } from './result.ts';

export const summaryLine = (summary: Summary) => `${jsonText(objectOf(summary))}\n`;

/** One object or row for each file. */
export function renderSummaries(summaries: readonly Summary[], options: ChecksumOptions, isOfSeveral: boolean): string {
  if (options.to === 'json') {
    const list = () => `[${summaries.map((one) => jsonText(objectOf(one))).join(',\n ')}]\n`;
    return isOfSeveral ? list() : renderJson(objectOf(summaries[0]!));
  }
  const rows = summaries.map(({ file, words }) => [escapeText(file), words]);
  return columns(rows, ['left', 'left'], '')
    .map((line) => `${line}\n`)
    .join('');
}

const objectOf = ({ file, counts }: Summary) => ({ file, ...counts });

/** Counts the snapshots of a file, which announces no sums. */
export async function summarise(
  file: string,
  sums: AsyncIterable<readonly Checksum[]>,
  report: ChecksumOutput,
): Promise<void> {
  let [full, deltas] = [0, 0];
  for await (const some of sums) {
    for (const { kind } of some) {
      if (kind === 'delta') deltas++;
      else full++;
    }
  }
  const kinds = `${thousands(full)} full, ${count(deltas, 'delta')}`;
  const counts = { snapshots: full + deltas, full, deltas };
  report.summary = { file, counts, words: `${count(full + deltas, 'snapshot')}: ${kinds}` };
}
