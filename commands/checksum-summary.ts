import { escapeText, jsonText } from '../src/view/escape.ts';
import { renderJson } from '../src/view/json.ts';
import { count, thousands } from '../src/view/number.ts';
import type { Report } from './checksum-report.ts';
import type { Sum } from './checksum-sums.ts';

/** One object or line for each file: lines as they come, JSON as a whole at the end. */
export class Summaries {
  readonly #report: Report;
  readonly #objects: object[] = [];

  constructor(report: Report) {
    this.#report = report;
  }

  /** @param line what people are told of it */
  async take(file: string, counts: object, line: string): Promise<void> {
    const { to } = this.#report.options;
    const object = { file, ...counts };
    if (to === 'json') this.#objects.push(object);
    else await this.#report.line(to === 'ndjson' ? jsonText(object) : `${escapeText(file)}   ${line}`);
  }

  async end(): Promise<void> {
    if (this.#objects.length === 0) return;
    const { isOfSeveral } = this.#report;
    const [first] = this.#objects;
    const list = () => `[${this.#objects.map(jsonText).join(',\n ')}]\n`;
    await this.#report.write(isOfSeveral ? list() : renderJson(first!));
  }
}

/** Counts the snapshots of a file, which announces no sums. */
export async function summarise(file: string, sums: AsyncIterable<Sum>, summaries: Summaries): Promise<void> {
  let [full, deltas] = [0, 0];
  for await (const { kind } of sums) {
    if (kind === 'delta') deltas++;
    else full++;
  }
  const kinds = `${thousands(full)} full, ${count(deltas, 'delta')}`;
  await summaries.take(
    file,
    { snapshots: full + deltas, full, deltas },
    `${count(full + deltas, 'snapshot')}: ${kinds}`,
  );
}
