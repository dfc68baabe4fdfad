import type { ItemType } from '../protocol/item.ts';
import { enumeration, int, type Meaning, valueBoundsOf } from '../protocol/meaning.ts';
import { messagesOf } from '../protocol/message-registry.ts';
import type { MessageFieldType, MessageType } from '../protocol/message-type.ts';
import { openBounds, protocolOf, type Schema, type Version } from '../protocol/registry.ts';

/**
 * What the tables of tw-snap know of the fields of a schema that is the table of a version. The sources of a game say
 * of most fields only that they are ints; a field that the tables have with the same name and size means what it means
 * there: `x` a position, `weapon` one of the weapons. Which values it has is known from the schema. The messages whose
 * fields the games write by hand have none there, and keep those of the tables.
 */
export function withMeanings(schema: Schema): Schema {
  const { version, items, messages } = schema;
  if (version === undefined) return schema;
  return {
    ...schema,
    items: items.map((item) => itemWithMeanings(item, version)),
    messages: messages.map((message) => messageWithMeanings(message, version)),
  };
}

function itemWithMeanings(item: ItemType, version: Version): ItemType {
  // UUIDs are the same in all versions.
  const known = item.uuid === undefined ? protocolOf(version).byName(item.name) : protocolOf('0.6').byUuid(item.uuid);
  const fields = item.fields.map((field) => {
    const same = known?.fields.find(({ name, meaning }) => name === field.name && isSameSize(meaning, field.meaning));
    return { ...field, meaning: settled(field.meaning, same?.meaning) as Meaning };
  });
  return { ...item, fields };
}

function messageWithMeanings(message: MessageType, version: Version): MessageType {
  const { uuid, name, system } = message;
  const known = messagesOf(version).all.find((type) =>
    uuid === undefined ? type.name === name && type.system === system && type.uuid === undefined : type.uuid === uuid,
  );
  if (!known) return { ...message, fields: message.fields.map((field) => ({ ...field, type: settled(field.type) })) };
  if (message.fields.length === 0) return { ...message, fields: known.fields, valueCounts: known.valueCounts };
  const fields = message.fields.map((field) => {
    const same = known.fields.find((other) => other.name === field.name && isSameSize(other.type, field.type));
    return { ...field, type: settled(field.type, same?.type) };
  });
  return { ...message, fields, valueCounts: known.valueCounts };
}

/** The number of ints, or of other values. */
const sizeOf = (type: MessageFieldType): number => {
  if (type.kind === 'repeat') return typeof type.times === 'number' ? type.times * sizeOf(type.of) : Number.NaN;
  return type.kind === 'list' ? type.count * sizeOf(type.of) : type.kind === 'text' ? type.ints : 1;
};

const innerKind = (type: MessageFieldType): string =>
  type.kind === 'list' || type.kind === 'repeat' ? innerKind(type.of) : type.kind;

const isSameSize = (a: MessageFieldType, b: MessageFieldType) =>
  sizeOf(a) === sizeOf(b) && (innerKind(a) === 'string') === (innerKind(b) === 'string');

/** An int between two constants of an enumeration is one of its values. */
const asEnumeration = (type: MessageFieldType) =>
  type.kind === 'int' && type.names && type.names[type.min!] !== undefined && type.names[type.max!] !== undefined
    ? enumeration(type.names)
    : type;

/** The type of a field, of which the tables have one with its name and size. */
function settled(type: MessageFieldType, known?: MessageFieldType): MessageFieldType {
  if (known === undefined) return asEnumeration(type);

  const bounds = valueBoundsOf(known as Meaning);
  const isBounded = type.kind === 'int' && (type.min !== undefined || type.max !== undefined);
  switch (known.kind) {
    case 'int':
    case 'amount': {
      if (type.kind !== 'int') return type;
      const { min = known.min, max = openBounds.get(type)?.max ? known.max : undefined } = isBounded ? type : known;
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
      return type.kind === 'client' && type.min !== known.min ? type : known;
    default:
      return known;
  }
}
