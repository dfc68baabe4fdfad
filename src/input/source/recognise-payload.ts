import { attempt, DecodeError, ignore } from '../../wire/bytes/diagnostic.ts';
import { type BinaryEncoding, type EncodingLayers, unwrap } from '../../wire/payload/encoding-layers.ts';
import { addNames, type Kind, type Payload, readPayload } from '../../wire/payload/payload.ts';
import {
  type Alike,
  byProof,
  isFlawlessPayload,
  isInDoubt,
  limits,
  payloadEvidence,
  type Weighed,
} from '../../wire/payload/reading-evidence.ts';
import { valueBoundsOf } from '../../wire/protocol/meaning.ts';
import type { Protocol, Version } from '../../wire/protocol/registry.ts';
import { apply } from '../../wire/snapshot/apply.ts';
import { Delta } from '../../wire/snapshot/delta.ts';
import { ItemTypes } from '../../wire/snapshot/item-types.ts';
import { firstLocalType } from '../../wire/snapshot/key.ts';
import { Snapshot } from '../../wire/snapshot/snapshot.ts';
import type { Recognised } from '../stated.ts';

/** What the user states about an input; the rest is recognised. */
export interface StatedPayload {
  readonly encoding?: BinaryEncoding | undefined;
  readonly kind?: Kind | undefined;
  readonly protocol?: Version | undefined;
  /** Whether a delta without its base shows differences, even if its updates look like whole items. */
  readonly base?: 'unknown' | undefined;
}

/** What is known to be this snapshot or delta. */
export const known = (payload: Payload): Recognised => ({
  kind: 'payload',
  payload,
  isProven: true,
  isFlawless: true,
  evidence: 0,
  otherReadings: [],
});

// Of equal readings the first one in this order is chosen.
const encodings = ['huffman', 'packed', 'ints'] as const;
const kinds: readonly Kind[] = ['delta', 'snapshot'];
const versions: readonly Version[] = ['0.6', '0.7', '0.5'];

/** The most plausible reading of an input; the error is `unrecognised` if none is plausible and none was stated. */
export function recognise(
  file: Uint8Array,
  stated: StatedPayload,
  protocolOf: (version: Version) => Protocol,
  base?: Snapshot,
): Recognised {
  const candidates = stated.encoding ? [stated.encoding] : encodings;
  const inputs = candidates.map((encoding) => unwrap(file, encoding));
  const best = bestReading(inputs, stated, protocolOf, base);
  const { diagnostics } = best.payload;
  const fails = diagnostics.error?.code ?? '';
  const isStated = [stated.encoding, stated.kind, stated.protocol].some((value) => value !== undefined);
  const isPlausible = best.isFlawless || best.evidence >= limits.enough;
  if (!isPlausible && !isStated && fails !== 'input_too_large') {
    diagnostics.error = { severity: 'error', code: 'unrecognised', offset: 0, args: {} };
  }
  return best;
}

/** Chooses the most plausible reading of an input that is already decoded into ints. */
export function bestReading(
  inputs: readonly EncodingLayers[],
  stated: StatedPayload,
  protocolOf: (version: Version) => Protocol,
  base?: Snapshot,
): Recognised {
  const readings: (Weighed & { readonly payload: Payload })[] = [];
  for (const layers of inputs) {
    for (const kind of stated.kind ? [stated.kind] : kinds) {
      // A reading without an item for which no size was asked is the same in all versions.
      let ofAll: Payload | undefined;
      for (const version of stated.protocol ? [stated.protocol] : versions) {
        const protocol = protocolOf(version);
        let asksSize = false;
        const sizeOf = (type: number) => {
          asksSize = true;
          return protocol.sizeOf(type);
        };
        const payload: Payload = ofAll
          ? { ...ofAll, types: new ItemTypes(protocol), diagnostics: ofAll.diagnostics.copy() }
          : readPayload(layers, kind, protocol, base, sizeOf);
        if (!base && !asksSize && payload.body.count === 0) ofAll = payload;
        const isFlawless = isFlawlessPayload(payload);
        readings.push({ payload, isProven: false, isFlawless, evidence: payloadEvidence(payload) });
      }
    }
  }
  readings.sort(byProof);
  const [best, ...rest] = readings as [(typeof readings)[0], ...typeof readings];
  const otherReadings = rest
    .filter((reading) => {
      const [fails, alsoFails] = [best, reading].map(({ payload }) => payload.diagnostics.error !== undefined);
      return isInDoubt(best, reading, alikeIn(best.payload, reading.payload), fails!, alsoFails);
    })
    .map(({ payload }) => payload);
  for (const payload of [best.payload, ...otherReadings]) addNames(payload);
  const payload = stated.base === 'unknown' ? best.payload : assumeEmptyBase(best.payload);
  return { kind: 'payload', ...best, payload, otherReadings };
}

function alikeIn(first: Payload, second: Payload): Alike {
  const isDelta = first.body instanceof Delta;
  if (first.layers.encoding !== second.layers.encoding || isDelta !== second.body instanceof Delta) return undefined;
  return isDelta ? 'other' : 'snapshot';
}

/** The number of parts that decide which of two readings of a text is better. */
const comparedParts = 8;

/**
 * The better of two readings of a text: that whose first parts are more often without a flaw, or else have more
 * evidence on average.
 */
export async function betterParts<Part>(
  parts: readonly Part[],
  other: readonly Part[] | undefined,
  read: (part: Part) => Promise<Weighed>,
): Promise<readonly Part[]> {
  const weigh = async (some: readonly Part[]) => {
    const compared = await Promise.all(some.slice(0, comparedParts).map(read));
    const evidence = compared.reduce((sum, reading) => sum + reading.evidence, 0) / compared.length;
    return { isProven: false, isFlawless: compared.every(({ isFlawless }) => isFlawless), evidence };
  };
  const otherwise = other && (await weigh(other));
  // Bytes in which nothing makes sense do not show how their lines are meant.
  if (!otherwise || otherwise.evidence < limits.enough) return parts;
  return byProof(otherwise, await weigh(parts)) < 0 ? other : parts;
}

/** Whether an item of the games can be a whole one, and not a difference: all but rare differences fail these tests. */
const isWhole: Readonly<Record<string, (value: (field: string) => number) => boolean>> = {
  // Without a hooked player this is -1, which a difference rarely is.
  obj_character: (value) =>
    isOnMap(value) &&
    (value('hook_state') === grabbed
      ? value('tick') >= fewTicks || isDirection(value('hook_dx'), value('hook_dy'), 256)
      : value('hooked_player') === -1),
  // A shotgun's projectiles are up to a fifth slower.
  obj_projectile: (value) =>
    isOnMap(value) && (value('start_tick') >= fewTicks || isDirection(value('vel_x'), value('vel_y'), 100, 75)),
  obj_laser: (value) => isOnMap(value) && value('start_tick') >= fewTicks,
  obj_pickup: (value) => isOnMap(value),
};
const grabbed = 5;
/** Larger than the differences of ticks between two snapshots. */
const fewTicks = 200;

/** Half a tile from the upper left corner of the map: items move less between two snapshots, or not along both axes. */
const isOnMap = (value: (field: string) => number) => value('x') >= 16 && value('y') >= 16;

/** Whether a vector has this length; its parts are rounded towards 0. */
function isDirection(x: number, y: number, length: number, least = length): boolean {
  const is = Math.hypot(x, y);
  return is > least - 2 && is < length + 1;
}

/**
 * A delta without its base, read as one to the empty snapshot if its updates are whole items: their ints are values
 * then.
 */
function assumeEmptyBase(payload: Payload): Payload {
  const { body, types, diagnostics } = payload;
  if (!(body instanceof Delta) || payload.base || diagnostics.error || !hasWholeItems(body, types)) return payload;
  const base = new Snapshot();
  // A snapshot that is too large has no result, as with a base that is stated.
  const result = attempt(() => apply(base, body, ignore, types.protocol.maxSnapshotBytes));
  return { ...payload, base, assumesEmptyBase: true, ...(result instanceof DecodeError ? {} : { result }) };
}

/**
 * Whether the updates of a delta are whole items: it removes nothing, registers the local types that it uses, has a
 * character, projectile, laser or pickup, and nothing that can only be a difference.
 *
 * Of the 52,146 deltas of real recordings that update an item of their base, it takes 3 for whole (0.006%). Of the 323
 * others, it finds 156, among them all 93 that were sent to the empty snapshot; the rest have only sounds, remove
 * items, or use types of their base.
 */
function hasWholeItems(delta: Delta, types: ItemTypes): boolean {
  if (delta.removedCount > 0) return false;
  const registered = new Set<number>();
  let found = false;
  for (let i = 0; i < delta.count; i++) if (delta.type(i) === 0) registered.add(delta.id(i));
  for (let i = 0; i < delta.count; i++) {
    const number = delta.type(i);
    if (number >= firstLocalType && !registered.has(number)) return false;
    const type = types.protocol.byType(number);
    if (!type || type.event) continue;
    const ints = delta.item(i);
    for (const { meaning, at } of type.fields) {
      const bounds = valueBoundsOf(meaning);
      if (bounds && at < ints.length && (ints[at]! < bounds.min || ints[at]! > bounds.max)) return false;
    }
    const value = (name: string) => ints[type.fields.find((field) => field.name === name)?.at ?? -1] ?? 0;
    const test = isWhole[type.name];
    if (test && !test(value)) return false;
    if (type.name === 'obj_spectator_info' && !isOnMap(value)) return false;
    found ||= test !== undefined;
  }
  return found;
}
