import type { PlayerChoice } from '../../recording/events/player-choice.ts';
import type { RecordingEntry } from '../../recording/replay/record.ts';
import type { Stream } from '../../recording/replay/stream.ts';
import { getOr } from '../../wire/bytes/get-or.ts';
import { Batch, type Cell, type CellValue, type Column, column, optional, type TableSchema } from './batch.ts';

/** The first columns of every table, which identify the origin of a row. */
export const originColumns: readonly Column[] = [
  column('file', 'text', 'path of the recording, as it was given'),
  column('stream', 'int', 'number of the connection, from 1; 1 in demos'),
  column('session', 'int', 'map changes of the stream so far, 0 in demos: each restarts the ticks and the players'),
  optional('client', 'text', 'of a capture: address of the client; null in demos'),
  optional(
    'seconds',
    'double',
    'seconds since the beginning of the recording, of a ghost since that of the race; null before the first tick',
  ),
  optional('time', 'double', 'of a capture: seconds since 1970; null in demos'),
  optional('frame', 'int', 'of a capture: number of the packet, from 1 as in Wireshark; null in demos'),
];

/** @param seconds since the beginning, as a `RecordingClock` has them */
export function originOf(
  file: string,
  { number, mapChanges, client }: Stream,
  seconds: number | undefined,
  { time, frame }: Partial<Pick<RecordingEntry, 'time' | 'frame'>> = {},
): readonly CellValue[] {
  return [file, number, mapChanges, client || undefined, finite(seconds), finite(time), frame];
}

const finite = (value: number | undefined) => (Number.isFinite(value) ? value : undefined);

/** The first of {@link originColumns}, for a row about a period. */
export const sessionColumns = originColumns.slice(0, 4);

/** A period, in ticks and in seconds since the beginning. */
export interface Period {
  readonly firstTick: number;
  lastTick: number;
  readonly first: number | undefined;
  last: number | undefined;
}

/** The columns of a period. @param first the meaning of its first tick, and so on */
export const periodCells = (first: string, last: string): readonly Cell<Period>[] => [
  [column('first_tick', 'int', first), ({ firstTick }) => firstTick],
  [column('last_tick', 'int', last), ({ lastTick }) => lastTick],
  [
    optional('first_seconds', 'double', 'seconds since the beginning of the recording, at the first of these ticks'),
    ({ first }) => finite(first),
  ],
  [
    optional('last_seconds', 'double', 'seconds since the beginning of the recording, at the last of these ticks'),
    ({ last }) => finite(last),
  ],
];

export const tickColumn = column('tick', 'int', 'tick of the game, 50 a second; -1 before the first');

export const teamColumn = column('team', 'int', 'team: -1 spectators, 0 red or the game, 1 blue');

/** The maximum size of all batches together; beyond that the largest are written although they are not full. */
const maxBytes = 1 << 24;

export class Tables {
  readonly has: (name: string) => boolean;
  /** The players whose rows are added, in tables that name players. */
  player: PlayerChoice | undefined;
  readonly #batches = new Map<TableSchema, Batch | undefined>();
  /** Whether a batch is full, so that `flushFull` should be called after the current record. */
  hasFull = false;
  readonly counts = new Map<string, number>();

  constructor(has: (name: string) => boolean = () => true) {
    this.has = has;
  }

  batch(schema: TableSchema): Batch | undefined {
    const batch = getOr(this.#batches, schema, this.#makeBatch);
    if (batch?.isFull) this.hasFull = true;
    return batch;
  }

  readonly #makeBatch = (schema: TableSchema) => (this.has(schema.name) ? new Batch(schema) : undefined);

  add(schema: TableSchema, values: readonly CellValue[]): void {
    if (this.player && !isAbout(this.player, schema, values)) return;
    this.batch(schema)?.add(values);
  }

  /** The batches to be written. Each is emptied before the next one is returned, and remains that of its table. */
  *flushFull(): Generator<Batch, void> {
    this.hasFull = false;
    yield* this.#take((batch) => batch.isFull);
    const batches = this.#all();
    let bytes = batches.reduce((sum, batch) => sum + batch.bytes, 0);
    if (bytes <= maxBytes) return;
    for (const batch of batches.sort((a, b) => b.bytes - a.bytes)) {
      if (bytes <= maxBytes / 2) return;
      bytes -= batch.bytes;
      if (batch.rows > 0) yield this.#counted(batch);
      batch.release();
    }
  }

  *flushRest(): Generator<Batch, void> {
    yield* this.#take(({ rows }) => rows > 0);
    this.#batches.clear();
  }

  *#take(isTaken: (batch: Batch) => boolean): Generator<Batch, void> {
    for (const batch of this.#all()) {
      if (!isTaken(batch)) continue;
      yield this.#counted(batch);
      batch.clear();
    }
  }

  #all(): Batch[] {
    return [...this.#batches.values()].filter((batch) => batch !== undefined);
  }

  #counted(batch: Batch): Batch {
    const { name } = batch.schema;
    this.counts.set(name, (this.counts.get(name) ?? 0) + batch.rows);
    return batch;
  }
}

/** Whether one of the players whom a row names is selected; other tables have all rows. */
function isAbout(player: PlayerChoice, { name: table, columns }: TableSchema, values: readonly CellValue[]): boolean {
  let namesPlayers = false;
  for (const [i, { name }] of columns.entries()) {
    const hasNumber = columns[i - 1]?.name === name.replace(/name$/, 'id');
    if (!hasNumber || !(name.endsWith('_name') || table === 'players')) continue;
    namesPlayers = true;
    if (player.is({ client: values[i - 1] as number | undefined, name: values[i] as string | undefined })) return true;
  }
  return !namesPlayers;
}
