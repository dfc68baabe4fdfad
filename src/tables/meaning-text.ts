import type { Meaning, Names } from '../protocol/meaning.ts';

/** The text of a meaning for the metadata of a column. */
export function meaningText(meaning: Meaning): string | undefined {
  switch (meaning.kind) {
    case 'int':
      return meaning.names ? named(meaning.names) : undefined;
    case 'boolean':
      return '0 or 1';
    case 'tick':
      return meaning.isDuration ? 'ticks, 50 a second' : 'tick, 50 a second';
    case 'amount':
      return meaning.unit;
    case 'client':
      return 'client number, -1 for none';
    case 'position':
      return meaning.scale === 1
        ? 'position, 32 units are a tile'
        : `position times ${meaning.scale}, 32 units are a tile`;
    case 'fixed':
      return `times ${meaning.scale}${meaning.unit === '' ? '' : `, ${meaning.unit}`}`;
    case 'enum':
      return named(meaning.names);
    case 'enum_by':
      return `depends on ${meaning.field}`;
    case 'flags':
      return `flags: ${named(meaning.names)}`;
    default:
      return undefined;
  }
}

const named = (names: Names) =>
  Object.entries(names)
    .map(([value, name]) => `${value} ${name}`)
    .join(', ');
