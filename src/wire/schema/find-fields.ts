import type { ItemType } from '../protocol/item.ts';
import type { Meaning, Names } from '../protocol/meaning.ts';
import type { MessageFieldType, MessageType } from '../protocol/message-type.ts';
import type { Schema, Version } from '../protocol/registry.ts';
import { headerLists, sourceLists } from './source-lists.ts';

type Fields = readonly { readonly name: string; readonly type: MessageFieldType }[];

const fieldsOf = (type: ItemType | MessageType): Fields =>
  'size' in type ? type.fields.map(({ name, meaning }) => ({ name, type: meaning })) : type.fields;

/** The fields that a word names: `triggered_events`, in the games `m_TriggeredEvents`. */
export function fieldsCalled(type: ItemType | MessageType, word: string): readonly string[] {
  const searched = plain(word.replace(/^m_(?:p|a|ap)?(?=[A-Z])/, ''));
  const isCalled = (name: string, type: MessageFieldType): boolean =>
    plain(name) === searched || recordOf(type).some((field) => isCalled(field.name, field.type));
  return fieldsOf(type).flatMap((field) => (isCalled(field.name, field.type) ? [field.name] : []));
}

/**
 * The fields of which a word names a value: `flying`, in the games `HOOK_FLYING`. With the name of a list, only the
 * fields that have the list. Types with a UUID are DDNet's, in both versions.
 * @param own the lists of a mod
 */
export function fieldsWithValue(
  type: ItemType | MessageType,
  word: string,
  version: Version,
  own: Schema['lists'] = {},
): readonly string[] {
  const searched = plain(word);
  const of = type.uuid === undefined ? version : '0.6';
  const lists = Object.entries({ ...headerLists[of], ...sourceLists[of], ...own }).filter(([list]) =>
    word.toUpperCase().startsWith(`${list}_`),
  );
  const hasValue = (names: Names): boolean =>
    Object.values(names).some((name) => plain(name) === searched) ||
    lists.some(([list, values]) => isPartOf(values, names) && isIn(values, plain(word.slice(list.length))));
  return fieldsOf(type).flatMap(({ name, type }) => (namesOf(type).some(hasValue) ? [name] : []));
}

const plain = (name: string) => name.toLowerCase().replace(/[^a-z0-9]/g, '');

const isIn = (names: Names, searched: string) => Object.values(names).some((name) => plain(name) === searched);

/** Whether one of two lists has what the other has: `kill weapon` has more names than `weapon`. */
function isPartOf(a: Names, b: Names): boolean {
  const isWithin = (some: Names, all: Names) =>
    Object.entries(some).every(([value, name]) => all[Number(value)] === name);
  return isWithin(a, b) || isWithin(b, a);
}

/** The fields of a record, or of one that repeats. */
function recordOf(type: MessageFieldType): Fields {
  if (type.kind === 'repeat') return recordOf(type.of);
  return type.kind === 'record' ? type.fields : [];
}

/** The lists of names that the values of a field have. */
function namesOf(type: MessageFieldType): readonly Names[] {
  switch (type.kind) {
    case 'list':
    case 'repeat':
      return [...namesOf(type.of), ...(type.labels ? [{ ...type.labels }] : [])];
    case 'record':
      return type.fields.flatMap((field) => namesOf(field.type));
    case 'enum_by':
      return Object.values(type.names);
    case 'flags':
      return [type.names, ...(type.renamed ? [type.renamed.names] : [])];
    default:
      return namesIn(type);
  }
}

const namesIn = (meaning: MessageFieldType): readonly Names[] => {
  const { names } = meaning as Extract<Meaning, { readonly names?: Names }>;
  return names ? [names] : [];
};
