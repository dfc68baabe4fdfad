import type { Batch, CellValue, Column, ColumnValues, TableSchema } from '../../src/output/tables/batch.ts';
import { dictionaryOf } from '../../src/output/tables/dictionary.ts';
import { OutputError, usageError } from '../lib/options/errors.ts';
import type { AtomicFile } from '../lib/platform/atomic-file.ts';
import type { Io } from '../lib/platform/io.ts';
import type { TableOutput } from './output.ts';

type Statement = ReturnType<Database['prepare']>;

interface Insert {
  readonly table: TableSchema;
  readonly one: Statement;
  readonly several: Statement;
}

/** Rows for each call of SQLite, as far as there are so many: one by one, an export takes 1.1 times as long. */
const rowsAtOnce = 8;

/** What is used of `node:sqlite`, which Node 20 does not have. */
interface Database {
  exec(sql: string): void;
  prepare(sql: string): { run(...values: StoredValue[]): unknown };
  close(): void;
}

/** The tables that most queries join or order by their ticks. */
const indexes: readonly (readonly [table: string, columns: string])[] = [
  ['snapshots', 'file, stream, session, tick'],
  ['players', 'file, stream, session, id, first_tick'],
  ['obj_character', 'file, stream, session, snap_tick, item_id'],
  ['positions', 'file, stream, session, player_name, tick'],
  ['chat', 'from_name'],
  ['kills', 'killer_name'],
];

/** The queries of docs/tables.md, each with the tables that it needs. */
const views: readonly (readonly [name: string, tables: readonly string[], query: string])[] = [
  [
    'kills_by_weapon',
    ['kills'],
    'SELECT weapon_name, count(*) AS kills FROM kills WHERE weapon >= 0 GROUP BY weapon_name ORDER BY kills DESC',
  ],
  [
    'fastest_finishes',
    ['finishes', 'sessions'],
    `SELECT s.map, f.player_name, min(f.time_ms) / 1000.0 AS seconds
FROM finishes f JOIN sessions s USING (file, stream, session) GROUP BY s.map, f.player_name ORDER BY s.map, seconds`,
  ],
  [
    'snapshot_bytes',
    ['snapshots'],
    `SELECT file, stream, session, tick / 50 AS second, count(*) AS snapshots, sum(bytes) AS bytes
FROM snapshots GROUP BY file, stream, session, second`,
  ],
];

/** Writes all tables to one SQLite database, with indexes and views. The whole run is one transaction. */
export class SqliteOutput implements TableOutput {
  readonly paths: readonly string[];
  bytes = 0;
  readonly #path: string;
  readonly #io: Io;
  readonly #file: AtomicFile;
  readonly #database: Database;
  readonly #inserts = new Map<string, Insert>();

  private constructor(path: string, io: Io, file: AtomicFile, database: Database) {
    this.paths = [path];
    this.#path = path;
    this.#io = io;
    this.#file = file;
    this.#database = database;
  }

  /**
   * @param tables the tables that exist even without rows
   * @throws CommandError where this Node has no SQLite, or the file can't be made
   */
  static async open(path: string, tables: readonly TableSchema[], io: Io): Promise<SqliteOutput> {
    const Sqlite = await databaseClass();
    const file = await io.create(path).catch((error) => {
      throw new OutputError(path, error);
    });
    if (file.path === undefined) throw usageError(`${path}: a database is written to a file`);
    const output = new SqliteOutput(path, io, file, new Sqlite(file.path));
    // Nobody else sees the file before it is complete. SQLite in newer Nodes refuses to do without a journal, which as
    // a file would be left beside the database if the run ends early.
    output.#run('PRAGMA journal_mode = MEMORY; PRAGMA synchronous = OFF; BEGIN');
    for (const table of tables) output.#insertInto(table);
    return output;
  }

  async write(batch: Batch): Promise<void> {
    const { rows } = batch;
    const columns = batch.filled();
    const insert = this.#insertInto(batch.schema);
    const single = rows - (rows % rowsAtOnce);
    try {
      for (let row = 0; row < single; row += rowsAtOnce) insert.several.run(...valuesOf(columns, row, rowsAtOnce));
      for (let row = single; row < rows; row++) insert.one.run(...valuesOf(columns, row, 1));
    } catch (error) {
      throw new OutputError(this.#path, error);
    }
  }

  async finish(): Promise<void> {
    await this.write(dictionaryOf([...this.#inserts.values()].map(({ table }) => table)));
    for (const [table, columns] of indexes) {
      if (this.#inserts.has(table)) this.#run(`CREATE INDEX "${table}_index" ON "${table}" (${columns})`);
    }
    for (const [name, tables, query] of views) {
      if (tables.every((table) => this.#inserts.has(table))) this.#run(`CREATE VIEW ${name} AS ${query}`);
    }
    this.#run('COMMIT');
    this.#database.close();
    await this.#file.finish().catch((error) => {
      throw new OutputError(this.#path, error);
    });
    this.bytes = this.#io.size(this.#path);
  }

  #insertInto(table: TableSchema): Insert {
    const { name, columns } = table;
    let insert = this.#inserts.get(name);
    if (!insert) {
      this.#run(`CREATE TABLE ${quoted(name)} (${columns.map(declaration).join(', ')})`);
      const row = `(${columns.map(() => '?').join(', ')})`;
      const prepare = (count: number) =>
        this.#database.prepare(`INSERT INTO ${quoted(name)} VALUES ${new Array<string>(count).fill(row).join(', ')}`);
      insert = { table, one: prepare(1), several: prepare(rowsAtOnce) };
      this.#inserts.set(name, insert);
    }
    return insert;
  }

  #run(sql: string): void {
    try {
      this.#database.exec(sql);
    } catch (error) {
      throw new OutputError(this.#path, error);
    }
  }
}

const quoted = (name: string) => `"${name.replaceAll('"', '""')}"`;

const types = { int: 'INTEGER', boolean: 'INTEGER', double: 'REAL', text: 'TEXT', json: 'TEXT', ints: 'TEXT' };

const declaration = ({ name, kind, isNullable }: Column) =>
  `${quoted(name)} ${types[kind]}${isNullable ? '' : ' NOT NULL'}`;

type StoredValue = number | string | null;

/** The values of so many rows, one row after the other. */
function valuesOf(columns: readonly ColumnValues[], from: number, rows: number): StoredValue[] {
  const values: StoredValue[] = [];
  for (let row = from; row < from + rows; row++)
    for (let i = 0; i < columns.length; i++) values.push(storedValue(columns[i]!.at(row)));
  return values;
}

/** Lists are JSON, as SQLite's functions read them. */
function storedValue(value: CellValue): StoredValue {
  if (value === undefined) return null;
  if (typeof value === 'boolean') return value ? 1 : 0;
  return typeof value === 'object' ? JSON.stringify(Array.from(value)) : value;
}

/** The class of Node, without its warning that it is new. */
async function databaseClass(): Promise<new (path: string) => Database> {
  const { emitWarning } = process;
  process.emitWarning = () => {};
  try {
    const name: string = 'node:sqlite';
    return (await import(name)).DatabaseSync;
  } catch {
    throw usageError('-t sqlite needs Node 22.5 or newer (22.13 without a flag); -t parquet does not');
  } finally {
    process.emitWarning = emitWarning;
  }
}
