import {
  data,
  type MessageField,
  type MessageFieldType,
  type MessageType,
  rawUuid,
  repeat,
  rest,
  sha256,
  string,
} from './message.ts';
import { booleanAt, entriesAt, fail, integerAt, isObject, nameAt, objectAt } from './schema-check.ts';
import { intKinds, intWords, type Kinds, readOneOf, type Words } from './schema-meaning.ts';
import { uuidAt } from './schema-uuid.ts';

/** Far beyond the numbers of the games' messages. */
const maxId = 0xffff;
const maxCount = 1024;

/** Reads a message of a schema. */
export function readSchemaMessage(value: unknown, path: string): MessageType {
  const json = objectAt(value, path, ['name', 'id', 'uuid_name', 'uuid', 'system', 'fields']);
  const name = nameAt(json.name, `${path}.name`);
  const uuid = uuidAt(json, path);
  if ((uuid === undefined) === (json.id === undefined)) {
    fail(path, uuid ? 'both id and uuid' : 'neither id nor uuid_name', 'one of them');
  }
  const system = booleanAt(json.system ?? false, `${path}.system`);
  const fields = readFields(json.fields, `${path}.fields`);
  const identity = uuid ?? { id: integerAt(json.id, `${path}.id`, 1, maxId) };
  return { name, ...identity, system, fields, valueCounts: [] };
}

const ofElements: Words<MessageFieldType> = new Map<unknown, MessageFieldType>([
  ...intWords,
  ['string', string],
  ['uuid', rawUuid],
  ['sha256', sha256],
]);
const words: Words<MessageFieldType> = new Map([...ofElements, ['data', data], ['rest', rest]]);
const kinds: Kinds<MessageFieldType> = new Map([...intKinds, ['list', readList]]);

/** The fields in their order; one that counts bytes or elements needs an int before it. */
function readFields(json: unknown, path: string): MessageField[] {
  const fields: MessageField[] = [];
  for (const [key, value] of entriesAt(json, path)) {
    const name = nameAt(key, path);
    const at = `${path}.${name}`;
    const optional = isObject(value) && Object.hasOwn(value, 'optional');
    const type = readOneOf(words, kinds, optional ? objectAt(value, at, ['optional']).optional : value, at);
    const before = fields.at(-1);
    if (before?.optional && !optional) fail(at, 'a field after an optional one', 'an optional one, too');
    if (isCounted(type) && !(before && isInt(before.type))) fail(at, 'no int before it', 'its count there');
    fields.push({ name, type, optional });
  }
  return fields;
}

const isCounted = (type: MessageFieldType) =>
  type.kind === 'data' || (type.kind === 'repeat' && type.times === 'counted');

const isInt = ({ kind }: MessageFieldType) =>
  !['string', 'data', 'rest', 'sha256', 'raw_uuid', 'repeat', 'record'].includes(kind);

/** Each element has at least a byte, so that the bytes of a message bound their number. */
function readList(json: object, path: string): MessageFieldType {
  const { list, of } = objectAt(json, path, ['list', 'of']);
  const times = list === 'counted' || list === 'to_end' ? list : integerAt(list, `${path}.list`, 1, maxCount);
  const element = new Map<string, (json: object, path: string) => MessageFieldType>([
    ...intKinds,
    ['record', readRecord],
  ]);
  return repeat(times, readOneOf(ofElements, element, of, `${path}.of`));
}

function readRecord(json: object, path: string): MessageFieldType {
  const { record } = objectAt(json, path, ['record']);
  const at = `${path}.record`;
  const fields = entriesAt(record, at).map(([key, value]) => {
    const name = nameAt(key, at);
    return { name, type: readOneOf(ofElements, intKinds, value, `${at}.${name}`), optional: false };
  });
  if (fields.length === 0) fail(at, 'no fields', 'at least one');
  return { kind: 'record', fields };
}
