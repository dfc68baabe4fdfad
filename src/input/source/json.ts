import { JsonReader } from '../../wire/bytes/json-reader.ts';
import { layersOfInts, maxPayloadBytes } from '../../wire/payload/encoding-layers.ts';
import type { Kind } from '../../wire/payload/payload.ts';
import { type Protocol, type Version, versions } from '../../wire/protocol/registry.ts';
import { idOf, keyOf, maxId, maxType, typeOf } from '../../wire/snapshot/key.ts';
import { Snapshot } from '../../wire/snapshot/snapshot.ts';
import type { SourceReading, Stated } from '../stated.ts';
import type { Part } from './byte-strings.ts';
import { baseSnapshot, registryOf, statedPayload } from './read-payload.ts';
import { bestReading, type StatedPayload } from './recognise-payload.ts';

const reader: JsonReader = new JsonReader('bad_json');

/** An invalidated item has the key -1, so its type is below 0. */
const minKey = -(2 ** 31);

/**
 * Reads the JSON of a snapshot or delta, in the version that is stated, or else in the one that it names.
 * @throws DecodeError if it is neither
 */
export function readJsonPart({ text, bytes }: Part, stated: Stated): SourceReading {
  const json = readJson(text ?? new TextDecoder().decode(bytes));
  const protocolOf = registryOf(stated);
  const protocol = stated.version ?? json.protocol ?? '0.6';
  const layers = layersOfInts(intsOfJson(json, protocolOf(protocol)), 'json', bytes);
  const known: StatedPayload = { ...statedPayload(stated), kind: json.kind, protocol };
  return bestReading([layers], known, protocolOf, baseSnapshot(stated));
}

/** A snapshot or delta in our JSON. Only `data` is read; names and fields are ignored. */
interface JsonBody {
  readonly kind: Kind;
  readonly protocol: Version | undefined;
  readonly removed: readonly number[];
  readonly items: readonly { readonly key: number; readonly data: Int32Array }[];
}

export function readJson(text: string): JsonBody {
  const json = reader.parse(text);
  const kind = at(json, 'kind');
  if (kind !== 'delta' && kind !== 'snapshot') reader.reject('kind', kind, '"delta" or "snapshot"');
  const protocol = at(json, 'protocol');
  if (protocol !== undefined && !versions.includes(protocol as Version))
    reader.reject('protocol', protocol, versions.join(', '));
  const removed =
    kind === 'delta' ? reader.list(at(json, 'removed'), 'removed').map((item, i) => key(item, `removed[${i}]`)) : [];
  const items = reader.list(at(json, 'items'), 'items').map((item, i) => ({
    key: key(item, `items[${i}]`),
    data: data(item, `items[${i}]`, kind),
  }));
  const ints = items.reduce((sum, item) => sum + 2 + item.data.length, removed.length);
  if (ints > maxPayloadBytes) reader.fail('items', `${ints} ints`, `at most ${maxPayloadBytes}`);
  return { kind, protocol: protocol as Version | undefined, removed, items };
}

export function intsOfJson({ kind, removed, items }: JsonBody, protocol: Protocol): Int32Array {
  if (kind === 'snapshot') {
    const total = items.reduce((sum, { data }) => sum + data.length, 0);
    const snapshot = Snapshot.withRoom(items.length, total);
    for (const { key, data } of items) snapshot.data.set(data, snapshot.offsets[snapshot.append(key, data.length)]!);
    return snapshot.toInts();
  }
  const ints = [removed.length, items.length, 0, ...removed];
  for (const [i, { key, data }] of items.entries()) {
    const agreed = protocol.sizeOf(typeOf(key));
    if (agreed !== 0 && agreed !== data.length)
      reader.fail(`items[${i}].data`, `${data.length} ints`, `${agreed} ints, as type ${typeOf(key)} has`);
    ints.push(typeOf(key), idOf(key));
    if (agreed === 0) ints.push(data.length);
    for (const int of data) ints.push(int);
  }
  return Int32Array.from(ints);
}

function at(json: unknown, name: string): unknown {
  return typeof json === 'object' && json !== null ? (json as Record<string, unknown>)[name] : undefined;
}

function key(item: unknown, path: string): number {
  return keyOf(
    reader.integer(at(item, 'type'), `${path}.type`, typeOf(minKey), maxType),
    reader.integer(at(item, 'id'), `${path}.id`, 0, maxId),
  );
}

/** The ints as sent: of an updated item whose base is known, `data` has the values that result. */
function data(item: unknown, path: string, kind: Kind): Int32Array {
  const name = kind === 'delta' && at(item, 'differences') !== undefined ? 'differences' : 'data';
  const ints = reader.list(at(item, name), `${path}.${name}`);
  return Int32Array.from(ints, (int, i) => reader.integer(int, `${path}.${name}[${i}]`, -(2 ** 31), 2 ** 31 - 1));
}
