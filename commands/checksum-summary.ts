import { columns } from '../src/view/columns.ts';
import { escapeText, jsonText } from '../src/view/escape.ts';
import { renderJson } from '../src/view/json.ts';
import { count, thousands } from '../src/view/number.ts';
import type { Report } from './checksum-report.ts';
import type { Sum } from './checksum-sums.ts';

/** One object or row for each file. NDJSON comes line by line, all else at the end. */
export class Summaries {
  readonly #report: Report;
  readonly #objects: object[] = [];
  readonly #rows: string[][] = [];

  constructor(report: Report) {
    this.#report = report;
  }

  /** @param words what people are told of it */
  async take(file: string, counts: object, words: string): Promise<void> {
    const object = { file, ...counts };
    if (this.#report.options.to === 'ndjson') await this.#report.line(jsonText(object));
    this.#objects.push(object);
    this.#rows.push([escapeText(file), words]);
  }

  async end(): Promise<void> {
    const { options, isOfSeveral } = this.#report;
    const [first] = this.#objects;
    if (!first || options.to === 'ndjson') return;
    const list = () => `[${this.#objects.map(jsonText).join(',\n ')}]\n`;
    if (options.to === 'json') await this.#report.write(isOfSeveral ? list() : renderJson(first));
    else for (const line of columns(this.#rows, ['left', 'left'], '')) await this.#report.line(line);
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
