import type { Field, Fields } from '../../src/output/results/fields.ts';

/** A row of the documentation of fields: the key, what it is, its meaning. */
type DocsRow = readonly [key: string, kind: string, meaning: string];

/**
 * The rows that document fields. Those of an object or of a table follow it: `map.crc`, `rates[].mode`; but fields that
 * have a table of their own, in `elsewhere`, are only referred to.
 */
export function docsRows(fields: Fields, elsewhere: ReadonlyMap<Fields, string> = new Map(), path = ''): DocsRow[] {
  return Object.entries<Field>(fields).flatMap(([key, field]): DocsRow[] => {
    const below = field.fields;
    const name = below && elsewhere.get(below);
    const row: DocsRow = [`\`${path}${key}\``, kindText(field), name ? `${field.meaning}: ${name}` : field.meaning];
    if (!below || name) return [row];
    return [row, ...docsRows(below, elsewhere, `${path}${key}${field.kind === 'table' ? '[]' : ''}.`)];
  });
}

const kindText = ({ kind, missing }: Field): string =>
  missing === undefined ? words[kind] : `${words[kind]}, ${missing === 'null' ? 'or null' : 'or absent'}`;

const words: Readonly<Record<Field['kind'], string>> = {
  int: 'int',
  tick: 'tick',
  crc: 'int',
  bytes: 'bytes',
  number: 'number',
  seconds: 'seconds',
  time: 'time',
  boolean: 'boolean',
  text: 'text',
  name: 'text',
  ints: 'list of ints',
  names: 'list of texts',
  counts: 'object of ints',
  object: 'object',
  table: 'list',
};
