import { endOfInt, unpackInt } from '../codec/varint.ts';
import { type Meaning, type ValueBounds, valueBoundsOf } from '../protocol/meaning.ts';
import type { MessageType } from '../protocol/message.ts';
import { maxPadding } from './message-reader.ts';

/** The bounds of a field of one int, or `data` for bytes whose number is the int before them. */
type PlainField = ValueBounds | 'data';

const kindsOfOneInt: ReadonlySet<string> = new Set([
  'int',
  'boolean',
  'tick',
  'amount',
  'client',
  'position',
  'enum',
  'flags',
]);
const anyInt: ValueBounds = { min: -(2 ** 31), max: 2 ** 31 - 1 };

const known = new WeakMap<MessageType, readonly PlainField[] | 'other'>();

/** The fields of a message that consists of single ints and data only, as snapshot messages do; `other` for all other messages. */
export function plainFieldsOf(type: MessageType): readonly PlainField[] | 'other' {
  let fields = known.get(type);
  if (!fields) {
    const isPlain = type.fields.every(({ type: { kind }, optional }) => {
      return !optional && (kind === 'data' || kindsOfOneInt.has(kind));
    });
    fields = isPlain ? type.fields.map(({ type: field }) => plainField(field as Meaning | { kind: 'data' })) : 'other';
    known.set(type, fields);
  }
  return fields;
}

const plainField = (field: Meaning | { readonly kind: 'data' }): PlainField =>
  field.kind === 'data' ? 'data' : (valueBoundsOf(field) ?? anyInt);

/**
 * Whether `bytes` are the number of a message and these fields, complete, within their bounds and without a warning: what
 * `readMessage` finds, without its lists of values.
 * @param isPadded for demos: up to three NULs may follow
 * @param isBounded whether values outside the bounds count
 */
export function hasPlainFields(
  bytes: Uint8Array,
  fields: readonly PlainField[],
  isPadded: boolean,
  isBounded = true,
): boolean {
  let isWarned = false;
  const warn = () => {
    isWarned = true;
  };
  const { length } = bytes;
  let pos = endOfInt(bytes, 0, length);
  if (pos < 0) return false;
  let int = unpackInt(bytes, 0, pos, warn);
  for (const field of fields) {
    const end = field !== 'data' ? endOfInt(bytes, pos, length) : int < 0 ? -1 : pos + int;
    if (end < 0 || end > length) return false;
    if (field !== 'data') {
      int = unpackInt(bytes, pos, end, warn);
      if (isBounded && (int < field.min || int > field.max)) return false;
    }
    pos = end;
  }
  if (isWarned || (pos < length && !(isPadded && length - pos <= maxPadding))) return false;
  while (pos < length) if (bytes[pos++] !== 0) return false;
  return true;
}
