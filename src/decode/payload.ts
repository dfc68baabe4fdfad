import type { Protocol } from '../protocol/registry.ts';
import { apply } from '../snapshot/apply.ts';
import { Delta } from '../snapshot/delta.ts';
import { ItemTypes } from '../snapshot/item-types.ts';
import { Snapshot } from '../snapshot/snapshot.ts';
import { checkRegistrations, checkRepeats } from './checks.ts';
import type { Diagnostics } from './diagnostics.ts';
import { type EncodingLayers, placeOfInt } from './encoding-layers.ts';
import { readSoFar } from './progress.ts';

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
  readonly result?: Snapshot;
}

/**
 * Reads the ints of an input as a snapshot or a delta. Warnings and errors are in `diagnostics`.
 * @param base the base of a delta, which is then applied; local types are known from the result
 */
export function readPayload(layers: EncodingLayers, kind: Kind, protocol: Protocol, base?: Snapshot): Payload {
  const diagnostics = layers.diagnostics.copy();
  const { ints } = layers;
  const body = kind === 'delta' ? new Delta() : new Snapshot();
  const types = new ItemTypes(protocol);
  const place = (int: number) => placeOfInt(layers, int);
  const { sizeOf, maxSnapshotBytes } = protocol;
  const readable = diagnostics.run(place, (warn) => {
    if (body instanceof Delta) body.read(ints.ints, ints.length, sizeOf, warn);
    else body.read(ints.ints, ints.length, sizeOf, warn, maxSnapshotBytes);
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
  diagnostics.nameItems((type) => types.of(type)?.name);
  const { error } = diagnostics;
  if (error) diagnostics.error = { ...error, args: { ...error.args, ...readSoFar(body, ints, types) } };
  return {
    kind,
    body,
    types,
    layers,
    diagnostics,
    ...(base && body instanceof Delta ? { base } : {}),
    ...(result ? { result } : {}),
  };
}
