import { arrivalSeconds } from '../events/event.ts';
import type { CellValue, TableSchema } from './column.ts';
import type { Tables } from './tables.ts';

/** A row is written this long after its message: until then, the ticks of all receivers have ended. */
const heldSeconds = 1;
const maxHeld = 4096;

interface HeldRow {
  readonly table: TableSchema;
  readonly origin: readonly CellValue[];
  readonly tick: number;
  readonly values: readonly CellValue[];
  readonly key: string;
  readonly time: number;
  readonly clients: Set<CellValue>;
}

/** The events of a capture: one that a server reports to several clients becomes one row, of the first client. */
export class SharedEvents {
  readonly #tables: Tables;
  #held: HeldRow[] = [];
  readonly #last = new Map<string, HeldRow>();

  constructor(tables: Tables) {
    this.#tables = tables;
  }

  /** @param origin the values of `originColumns`, with a time */
  add(table: TableSchema, server: string, origin: readonly CellValue[], tick: number, values: readonly CellValue[]) {
    const [, client, time] = origin as readonly [CellValue, CellValue, number];
    const key = `${server} ${table.name} ${JSON.stringify(withoutNumbers(table, values))}`;
    const last = this.#last.get(key);
    if (last && !last.clients.has(client) && Math.abs(time - last.time) <= arrivalSeconds) {
      last.clients.add(client);
      return;
    }
    const row = { table, origin, tick, values, key, time, clients: new Set([client]) };
    this.#held.push(row);
    this.#last.set(key, row);
    const old = this.#held.findIndex((one) => one.time >= time - heldSeconds);
    this.#write(this.#held.length > maxHeld ? maxHeld / 2 : old);
  }

  finish(): void {
    this.#write(this.#held.length);
  }

  #write(count: number): void {
    for (const row of this.#held.splice(0, count)) {
      const { table, origin, tick, values, clients, key } = row;
      if (this.#last.get(key) === row) this.#last.delete(key);
      this.#tables.add(table, [...origin, tick, clients.size, ...values]);
    }
  }
}

/** The values without the numbers of named players, which can differ between receivers. */
function withoutNumbers({ columns }: TableSchema, values: readonly CellValue[]): CellValue[] {
  const start = columns.length - values.length;
  return values.filter((_, i) => !columns[start + i]!.name.endsWith('_id') || values[i + 1] === undefined);
}
