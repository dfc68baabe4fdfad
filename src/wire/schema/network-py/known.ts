import type { FieldShape, ItemType } from '../../protocol/item.ts';
import { clientOrNone, enumeration, int, type Meaning, position, text, valueBoundsOf } from '../../protocol/meaning.ts';
import type { MessageFieldType, MessageType } from '../../protocol/message-type.ts';
import { protocolOf, type Version } from '../../protocol/registry.ts';
import { uuidOfName } from '../../protocol/texts.ts';
import type { Declaration, DeclaredField } from './declared.ts';

/** From this type on, deltas of 0.7 carry sizes, since 0.7.4 brought the items of races. */
export const sizedFrom07 = 23;
export const isOfLater07 = (playerInfoRace: Declaration | undefined) => playerInfoRace?.number === sizedFrom07;

/** The version that has most of the numbered items, and under these numbers; undefined if none has any. */
export function nearestVersion(objects: readonly Declaration[]): Version | undefined {
  const numbered = objects.filter(({ number }) => number !== undefined);
  const alike = (version: Version) => {
    const known = numbered
      .map((declaration) => [declaration, knownItem(version, declaration)] as const)
      .filter(([, item]) => item);
    return known.length + known.filter(([declaration, item]) => item!.type === declaration.number).length;
  };
  // Where several fit as well, it is the version of most mods.
  const counts = (['0.6', '0.7', '0.5'] as const).map((version) => ({ version, count: alike(version) }));
  const best = counts.reduce((a, b) => (b.count > a.count ? b : a));
  return best.count > 0 ? best.version : undefined;
}

/** The item of the tables. UUIDs are the same in all versions. */
export function knownItem(version: Version | undefined, declaration: Declaration): ItemType | undefined {
  if (declaration.uuidName !== undefined) return protocolOf('0.6').byUuid(uuidOfName(declaration.uuidName));
  const known = version && protocolOf(version).byName(declaration.label);
  return known?.type === undefined ? undefined : known;
}

export const isSameMessage = (type: MessageType, { uuidName, number, label }: Declaration) => {
  if (uuidName !== undefined) return type.uuid === uuidOfName(uuidName);
  return !type.system && type.uuid === undefined && (/^unused/.test(label) ? type.id === number : type.name === label);
};

/** The number of ints, or of other values. */
const sizeOf = (type: MessageFieldType): number => {
  if (type.kind === 'repeat') return typeof type.times === 'number' ? type.times * sizeOf(type.of) : Number.NaN;
  return type.kind === 'list' ? type.count * sizeOf(type.of) : type.kind === 'text' ? type.ints : 1;
};

const innerKind = (type: MessageFieldType): string =>
  type.kind === 'list' || type.kind === 'repeat' ? innerKind(type.of) : type.kind;

export const isSameSize = (a: MessageFieldType, b: MessageFieldType) =>
  sizeOf(a) === sizeOf(b) && (innerKind(a) === 'string') === (innerKind(b) === 'string');

export function shapeOf(fields: readonly DeclaredField[], known: ItemType | undefined, isPlain: boolean): FieldShape {
  const all = isPlain ? fields : namedXy(fields, true);
  return Object.fromEntries(
    all.map((field) => {
      const same = known?.fields.find(({ name, meaning }) => name === field.name && isSameSize(meaning, field.type));
      const meaning = settled(field, same?.meaning, isPlain) as Meaning;
      const absent = field.absent ?? (field.isOptional ? (same?.defaultValue ?? 0) : undefined);
      return [field.name, absent === undefined ? meaning : [meaning, absent]];
    }),
  );
}

/** The habits of the games: `m_X` and `m_Y` of an item are its position, `m_aName` of four ints is a text. */
export function namedXy(fields: readonly DeclaredField[], isItem: boolean): readonly DeclaredField[] {
  if (!isItem) return fields;
  const isAny = ({ type }: DeclaredField) => type.kind === 'int' && type.min === undefined && type.max === undefined;
  const hasXy = ['x', 'y'].every((name) => fields.some((field) => field.name === name && isAny(field)));
  return fields.map((field) => {
    if (hasXy && /^[xy]$/.test(field.name)) return { ...field, type: position };
    const ints = textInts[field.name];
    const isText = field.type.kind === 'list' && field.type.of.kind === 'int' && field.type.count === ints;
    return isText ? { ...field, type: text(ints!) } : field;
  });
}

const textInts: Readonly<Record<string, number>> = { name: 4, clan: 3, skin: 6 };

/** An int between two constants of an enumeration is one of its values. */
const asEnumeration = (type: MessageFieldType) =>
  type.kind === 'int' && type.names && type.names[type.min!] !== undefined && type.names[type.max!] !== undefined
    ? enumeration(type.names)
    : type;

/**
 * The type of a field, of which the tables have one with its name and size. What it means is known from there, which
 * values it has from the declaration.
 */
export function settled(
  { type, open }: DeclaredField,
  known: MessageFieldType | undefined,
  isPlain: boolean,
): MessageFieldType {
  if (isPlain) return type;
  if (known === undefined) return asEnumeration(type);

  const bounds = valueBoundsOf(known as Meaning);
  const isBounded = type.kind === 'int' && (type.min !== undefined || type.max !== undefined);
  switch (known.kind) {
    case 'int':
    case 'amount': {
      if (type.kind !== 'int') return type;
      const { min = known.min, max = open.max ? known.max : undefined } = isBounded ? type : known;
      return { ...known, min, max } as Meaning;
    }
    case 'boolean':
      return type.kind === 'int' && isBounded && !(type.min === 0 && type.max === 1) ? type : known;
    case 'enum': {
      if (type.kind === 'enum') return type;
      const isWithin = type.kind !== 'int' || type.max === undefined || (bounds && type.max <= bounds.max + 1);
      return isWithin
        ? known
        : int((type as Meaning & { kind: 'int' }).min, (type as Meaning & { kind: 'int' }).max, known.names);
    }
    case 'flags':
      return type.kind === 'flags' ? type : known;
    case 'client':
      return type.kind === 'client' && type.min !== known.min
        ? { ...clientOrNone, min: type.min, ...(type.names && { names: type.names }) }
        : known;
    default:
      return known;
  }
}
