import { Batch, type Column, column, optional, type TableSchema, tableOf } from './batch.ts';

interface Entry {
  readonly table: TableSchema;
  readonly column?: Column;
}

/** The names of the kinds of columns, as people read them. */
const typeNames = {
  int: 'int',
  double: 'double',
  boolean: 'boolean',
  text: 'text',
  json: 'JSON',
  ints: 'list of ints',
};

const dictionaryTable = tableOf<Entry>(
  'dictionary',
  'each table, and each of its columns',
  [],
  [
    [column('table', 'text', 'name of the table'), ({ table }) => table.name],
    [optional('column', 'text', 'name of the column; null for the table itself'), ({ column }) => column?.name],
    [optional('type', 'text', Object.values(typeNames).join(', ')), ({ column }) => column && typeNames[column.kind]],
    [
      optional('meaning', 'text', 'what the values are, with their unit; of a table what a row is about'),
      ({ table, column }) => (column ? column.meaning : `a row for ${table.about}`),
    ],
  ],
);

/** What some tables and their columns are, as a table. */
export function dictionaryOf(tables: Iterable<TableSchema>): Batch {
  const batch = new Batch(dictionaryTable);
  for (const table of tables) {
    batch.add(dictionaryTable.valuesOf({ table }));
    for (const column of table.columns) batch.add(dictionaryTable.valuesOf({ table, column }));
  }
  return batch;
}
