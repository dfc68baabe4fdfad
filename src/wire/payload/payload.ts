import type { IntBuffer } from '../bytes/buffers.ts';
import type { Args, Warn } from '../bytes/diagnostic.ts';
import { isOutside, itemBoundsOf } from '../protocol/bounds.ts';
import { neverSent, rulesOf } from '../protocol/item.ts';
import type { Protocol, SizeOf } from '../protocol/registry.ts';
import { apply } from '../snapshot/apply.ts';
import { Delta } from '../snapshot/delta.ts';
import { ItemTypes } from '../snapshot/item-types.ts';
import { firstLocalType, idOf, KeyIndex, typeOf } from '../snapshot/key.ts';
import { Snapshot } from '../snapshot/snapshot.ts';
import type { Diagnostics } from './diagnostics.ts';
import { type EncodingLayers, layersOfInts, placeOfInt } from './encoding-layers.ts';

export type Kind = 'delta' | 'snapshot';

/** One snapshot or delta as far as it could be read, with the layers from which it was decoded. */
export interface Payload {
  readonly kind: Kind;
  readonly body: Snapshot | Delta;
  readonly types: ItemTypes;
  readonly layers: EncodingLayers;
  readonly diagnostics: Diagnostics;
  /** The base of a delta if it is known, and the result of applying the delta to it. */
  readonly base?: Snapshot;
  /** The base is taken as empty, because the updates look like whole items. */
  readonly assumesEmptyBase?: true;
  readonly baseTick?: number;
  readonly result?: Snapshot;
}

/**
 * How the base of a delta was found: it was `stated`, a recording has it (`recorded`), or it is `empty`, since all
 * updates look like whole items. Differences to an `unknown` base are values of nothing.
 */
export type BaseFound = 'stated' | 'recorded' | 'empty' | 'unknown';

export type BasedPayload = Pick<Payload, 'body' | 'base' | 'baseTick' | 'assumesEmptyBase'>;

/** How the base of a delta was found; undefined for a snapshot, which needs none. */
export function baseFound({ body, base, baseTick, assumesEmptyBase }: BasedPayload): BaseFound | undefined {
  if (!(body instanceof Delta)) return undefined;
  if (!base) return 'unknown';
  if (assumesEmptyBase) return 'empty';
  return baseTick === undefined ? 'stated' : 'recorded';
}

/** The keys that a delta removes; none of a snapshot. */
export const removedKeys = ({ body }: Pick<Payload, 'body'>): number[] =>
  body instanceof Delta ? Array.from({ length: body.removedCount }, (_, i) => body.removedKey(i)) : [];

/** The snapshot that a payload is or becomes; undefined for a delta that can't be applied, or whose base is unknown. */
export const snapshotOf = ({ body, result }: Payload): Snapshot | undefined => (body instanceof Delta ? result : body);

/**
 * Reads ints as a snapshot, or as a delta, which is applied if its base is given. With `sizeOf`, diagnostics lack what
 * {@link addNames} adds.
 */
export function readPayload(
  layers: EncodingLayers,
  kind: Kind,
  protocol: Protocol,
  base?: Snapshot,
  sizeOf?: SizeOf,
): Payload {
  const diagnostics = layers.diagnostics.copy();
  const { ints } = layers;
  const body = kind === 'delta' ? new Delta() : new Snapshot();
  const types = new ItemTypes(protocol);
  const place = (int: number) => placeOfInt(layers, int);
  const { maxSnapshotBytes } = protocol;
  const readable = diagnostics.run(place, (warn) => {
    if (body instanceof Delta) body.read(ints.ints, ints.length, sizeOf ?? protocol.sizeOf, warn);
    else body.read(ints.ints, ints.length, sizeOf ?? protocol.sizeOf, warn, maxSnapshotBytes);
  });
  let result: Snapshot | undefined;
  if (base && body instanceof Delta) {
    types.onSnapshot(base);
    diagnostics.run(place, (warn) => {
      if (readable) result = apply(base, body, warn, maxSnapshotBytes);
    });
    if (result) types.onSnapshot(result);
  } else {
    types.onSnapshot(body);
    diagnostics.run(place, (warn) => checkRepeats(body, warn));
  }
  diagnostics.run(place, (warn) => checkRegistrations(body, types, warn));
  const applied = { ...(base && body instanceof Delta ? { base } : {}), ...(result ? { result } : {}) };
  const payload = { kind, body, types, layers, diagnostics, ...applied };
  if (!sizeOf) addNames(payload);
  return payload;
}

/**
 * Adds what a client finds in the items, the names of the items to the diagnostics, and to the error how far reading
 * got.
 */
export function addNames(payload: Payload): void {
  const { body, types, diagnostics, layers } = payload;
  diagnostics.run(
    (int) => placeOfInt(layers, int),
    (warn) => checkItems(payload, warn),
  );
  diagnostics.nameItems((type) => types.nameOf(type));
  const { error } = diagnostics;
  if (error) diagnostics.error = { ...error, args: { ...error.args, ...readSoFar(body, layers.ints, types) } };
}

export const payloadOfSnapshot = (snapshot: Snapshot, protocol: Protocol): Payload =>
  readPayload(layersOfInts(snapshot.toInts()), 'snapshot', protocol);

/** How far reading got, for an error message: whole items, and of a cut item its name or type, id, field and ints. */
function readSoFar(body: Snapshot | Delta, ints: IntBuffer, types: ItemTypes): Args {
  const items = ints.length > 1 ? ints.ints[1]! : 0;
  if (items <= 0 || body.count === 0) return items > 0 ? { read: 0, items } : {};
  if (body.missing === 0) return { read: body.count, items };
  const last = body.count - 1;
  const have = body instanceof Delta ? body.sizes[last]! : body.size(last);
  const type = types.of(body.type(last));
  const field = type?.fields.find((field) => have < field.at + field.ints)?.name;
  return {
    read: last,
    items,
    item: types.nameOf(body.type(last)),
    id: body.id(last),
    ...(field === undefined ? {} : { field }),
    have,
    of: have + body.missing,
  };
}

export function checkRepeats(body: Snapshot | Delta, warn: Warn): void {
  if (body instanceof Delta) repeatsInDelta(body, warn);
  else repeatsInSnapshot(body, warn);
}

function repeatsInSnapshot(snapshot: Snapshot, warn: Warn): void {
  if (!snapshot.hasRepeats) return;
  for (let i = 0; i < snapshot.count; i++) {
    if (snapshot.findKey(snapshot.keys[i]!) < i) warn('duplicate_key', snapshot.start(i), names(snapshot.keys[i]!));
  }
}

/** Filled again for each delta. */
const removed = new KeyIndex();
const updated = new KeyIndex();

function repeatsInDelta(delta: Delta, warn: Warn): void {
  removed.reset(delta.removedCount);
  for (let i = 0; i < delta.removedCount; i++) {
    const key = delta.removedKey(i);
    if (!removed.add(key, i)) warn('removed_twice', 3 + i, names(key));
  }
  updated.reset(delta.count);
  for (let i = 0; i < delta.count; i++) {
    const key = delta.keys[i]!;
    if (removed.get(key) >= 0) warn('removed_and_updated', delta.start(i), names(key));
    if (!updated.add(key, i)) warn('updated_twice', delta.start(i), names(key));
  }
}

/** Warns once of each local type whose registration is missing or comes after it. */
function checkRegistrations(body: Snapshot | Delta, types: ItemTypes, warn: Warn): void {
  const registered = new Set<number>();
  const reported = new Set<number>();
  for (let i = 0; i < body.count; i++) {
    const type = body.type(i);
    if (type === 0 && types.uuidOf(body.id(i)) !== undefined) registered.add(body.id(i));
    if (type < firstLocalType || registered.has(type) || reported.has(type)) continue;
    reported.add(type);
    if (types.uuidOf(type) === undefined) warn('missing_registration', body.start(i), { type });
    else if (!(body instanceof Delta)) warn('late_registration', body.start(i), { type });
  }
}

/**
 * Warns of values that clients do not take, and of items that are in no snapshot of the games. Differences to an
 * unknown base say nothing.
 */
function checkItems({ body, types, base, result }: Payload, warn: Warn): void {
  const { version } = types.protocol;
  for (let i = 0; i < body.count; i++) {
    const type = types.of(body.type(i));
    if (!type) continue;
    const rules = rulesOf(type, version);
    const key = { ...names(body.keys[i]!), name: type.name };
    if (neverSent.has(type.name)) warn('never_sent', body.start(i), key);
    const isUpdate = body instanceof Delta;
    const now = isUpdate ? (result?.findKey(body.keys[i]!) ?? -1) : i;
    if (now < 0) continue;
    const ints = isUpdate ? result!.item(now) : body.item(i);
    const isNew = !isUpdate || base!.findKey(body.keys[i]!) < 0;
    const start = isUpdate ? body.starts[i]! : body.start(i) + 1;
    for (const { name, at, ints: size, meaning } of type.fields) {
      const { of, count } = meaning.kind === 'list' ? meaning : { of: meaning, count: size };
      const bounds = itemBoundsOf(of, rules === '0.7');
      if (!bounds) continue;
      for (let k = 0; k < count && at + k < ints.length; k++) {
        const found = ints[at + k]!;
        if (!isOutside(bounds, found) || (!isNew && body.item(i)[at + k] === 0)) continue;
        const field = meaning.kind === 'list' ? `${name}[${k}]` : name;
        warn('out_of_bounds', start + at + k, { ...key, field, found, ...bounds, rules });
      }
    }
  }
}

const names = (key: number) => ({ type: typeOf(key), id: idOf(key) });
