// Whether two exported folders have the same rows and values, by DuckDB: node scripts/bench/same-tables.mjs FOLDER
// OTHER
import { readdirSync } from 'node:fs';
import { DuckDBInstance } from '@duckdb/node-api';

const [first, second] = process.argv.slice(2);
const connection = await (await DuckDBInstance.create(':memory:')).connect();
const firstOf = async (sql) => (await connection.runAndReadAll(sql)).getRows()[0][0];

let rows = 0n;
let failed = 0;
const tables = new Set([...readdirSync(first), ...readdirSync(second)]);
for (const table of tables) {
  const [a, b] = [first, second].map(
    (folder) => `read_parquet('${folder}/${table}/*.parquet', file_row_number = true)`,
  );
  const count = await firstOf(`SELECT count(*) FROM ${a}`);
  // The row numbers are those of a part, so the rows have to be in the same order too.
  const other = await firstOf(
    `SELECT count(*) FROM ((SELECT * FROM ${a} EXCEPT ALL SELECT * FROM ${b}) UNION ALL (SELECT * FROM ${b} EXCEPT ALL SELECT * FROM ${a}))`,
  );
  rows += BigInt(count);
  if (other > 0) {
    failed++;
    console.log(`${table}: ${other} rows differ`);
  }
}
console.log(`${tables.size} tables, ${rows} rows, ${failed} tables differ`);
process.exitCode = failed > 0 ? 1 : 0;
