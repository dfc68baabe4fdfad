import {
  boolean,
  client,
  enumeration,
  fixed,
  flags,
  int,
  intsOf,
  list,
  type Meaning,
  type Names,
  position,
  text,
  tick,
  uuid,
} from './meaning.ts';
import { entriesAt, fail, integerAt, isObject, listAt, nameAt, objectAt, rejectValue, textAt } from './schema-check.ts';

/** The ints in 64 KiB, the largest snapshot. */
export const maxInts = 1 << 14;
/** Far beyond any enum of the games. */
const maxNames = 4096;
const minInt = -(2 ** 31);
const maxInt = 2 ** 31 - 1;

export type Words<Type> = ReadonlyMap<unknown, Type>;
/** Readers of objects, by the key that says their kind. */
export type Kinds<Type> = ReadonlyMap<string, (json: object, path: string) => Type>;

/** The meanings of one int, in items and messages. */
export const intWords: Words<Meaning> = new Map(Object.entries({ int: int(), boolean, tick, client, position }));
export const intKinds: Kinds<Meaning> = new Map(
  Object.entries({ int: range, enum: readEnum, flags: readFlags, fixed: readFixed }),
);

const words: Words<Meaning> = new Map([...intWords, ['uuid', uuid]]);
const kinds: Kinds<Meaning> = new Map([...intKinds, ['text', readText], ['list', readList]]);

/** Reads one of some words, or an object of one of some kinds. */
export function readOneOf<Type>(words: Words<Type>, kinds: Kinds<Type>, json: unknown, path: string): Type {
  const word = words.get(json);
  if (word) return word;
  if (isObject(json)) {
    for (const [kind, read] of kinds) if (Object.hasOwn(json, kind)) return read(json, path);
  }
  return rejectValue(path, json, `${[...words.keys()].join(', ')}, or an object with ${[...kinds.keys()].join(', ')}`);
}

/** A field's meaning, or a pair of it and the default where an older sender leaves the field out. */
export function readField(json: unknown, path: string): Meaning | readonly [Meaning, number] {
  if (!isObject(json) || !Object.hasOwn(json, 'absent')) return readMeaning(json, path);
  const { absent, of } = objectAt(json, path, ['absent', 'of']);
  return [readMeaning(of, `${path}.of`), integerAt(absent, `${path}.absent`, minInt, maxInt)];
}

const readMeaning = (json: unknown, path: string) => readOneOf(words, kinds, json, path);

function range(json: object, path: string): Meaning {
  const bounds = listAt(objectAt(json, path, ['int']).int, `${path}.int`);
  if (bounds.length !== 2) fail(`${path}.int`, `a list of ${bounds.length}`, 'two bounds, null for none');
  const [min, max] = bounds.map((bound, i) => {
    return bound === null ? undefined : integerAt(bound, `${path}.int[${i}]`, minInt, maxInt);
  });
  if (min !== undefined && max !== undefined && min > max) rejectValue(`${path}.int[0]`, min, `at most ${max}`);
  return int(min, max);
}

function readEnum(json: object, path: string): Meaning {
  return enumeration(namesOf(objectAt(json, path, ['enum']).enum, `${path}.enum`, number));
}

function readFlags(json: object, path: string): Meaning {
  return flags(namesOf(objectAt(json, path, ['flags']).flags, `${path}.flags`, bit));
}

function readText(json: object, path: string): Meaning {
  return text(integerAt(objectAt(json, path, ['text']).text, `${path}.text`, 1, maxInts));
}

function readFixed(json: object, path: string): Meaning {
  const { fixed: scale, unit = '' } = objectAt(json, path, ['fixed', 'unit']);
  const known = textAt(unit, `${path}.unit`, /^[\w%/ .-]{0,16}$/, 'a short unit, such as rad');
  return fixed(integerAt(scale, `${path}.fixed`, 1, maxInt), known);
}

function readList(json: object, path: string): Meaning {
  const { list: length, of } = objectAt(json, path, ['list', 'of']);
  if (isObject(of) && Object.hasOwn(of, 'list')) fail(`${path}.of`, 'a list in a list', 'another meaning');
  const each = readMeaning(of, `${path}.of`);
  return list(integerAt(length, `${path}.list`, 1, Math.floor(maxInts / intsOf(each))), each);
}

/** `{"0": "idle", …}`; `numberOf` reads the number in a key. */
function namesOf(json: unknown, path: string, numberOf: (key: string, path: string) => number): Names {
  const names: Record<number, string> = {};
  const entries = entriesAt(json, path);
  if (entries.length > maxNames) fail(path, `${entries.length} names`, `at most ${maxNames}`);
  for (const [key, name] of entries) {
    const value = numberOf(key, path);
    names[value] = nameAt(name, `${path}.${value}`);
  }
  return names;
}

function number(key: string, path: string): number {
  const value = /^(0|-?[1-9]\d{0,9})$/.test(key) ? Number(key) : Number.NaN;
  return value >= minInt && value <= maxInt ? value : rejectValue(path, key, 'whole numbers of 32 bits in quotes');
}

function bit(key: string, path: string): number {
  const value = /^[1-9]\d{0,9}$/.test(key) ? Number(key) : Number.NaN;
  return Number.isInteger(Math.log2(value)) && value <= 2 ** 31
    ? value
    : rejectValue(path, key, 'powers of 2 in quotes');
}
