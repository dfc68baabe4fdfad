import type { Protocol } from '../protocol/registry.ts';
import { apply } from '../snapshot/apply.ts';
import { Delta } from '../snapshot/delta.ts';
import { ItemTypes } from '../snapshot/item-types.ts';
import { Snapshot } from '../snapshot/snapshot.ts';
import { checkRegistrations, checkRepeats } from './checks.ts';
import { type EncodingLayers, placeOfInt } from './encoding-layers.ts';
import type { Diagnostics } from './findings.ts';
import { readSoFar } from './progress.ts';

export type Kind = 'delta' | 'snapshot';

/** One snapshot or delta as far as it could be read, with the layers it came from. */
export interface Payload {
  readonly kind: Kind;
  readonly body: Snapshot | Delta;
  readonly types: ItemTypes;
  readonly layers: EncodingLayers;
  readonly findings: Diagnostics;
  /** Of a delta: the snapshot it is a difference to, where that is known, and what it makes of it. */
  readonly base?: Snapshot;
  readonly result?: Snapshot;
}

/**
 * Reads the ints of an input as a snapshot or a delta. What is odd or wrong is in `findings`.
 * @param base of a delta: it is then applied, and local types are known from the result
 */
export function readPayload(layers: EncodingLayers, kind: Kind, protocol: Protocol, base?: Snapshot): Payload {
  const findings = layers.findings.copy();
  const { ints } = layers;
  const body = kind === 'delta' ? new Delta() : new Snapshot();
  const types = new ItemTypes(protocol);
  const place = (int: number) => placeOfInt(layers, int);
  const readable = findings.run(place, (warn) => body.read(ints.ints, ints.length, protocol.sizeOf, warn));
  let result: Snapshot | undefined;
  if (base && body instanceof Delta) {
    types.onSnapshot(base);
    findings.run(place, (warn) => {
      if (readable) result = apply(base, body, warn);
    });
    if (result) types.onSnapshot(result);
  } else {
    types.onSnapshot(body);
    findings.run(place, (warn) => checkRepeats(body, warn));
  }
  findings.run(place, (warn) => checkRegistrations(body, types, warn));
  findings.nameItems((type) => types.of(type)?.name);
  const { error } = findings;
  if (error) findings.error = { ...error, args: { ...error.args, ...readSoFar(body, ints, types) } };
  return {
    kind,
    body,
    types,
    layers,
    findings,
    ...(base && body instanceof Delta ? { base } : {}),
    ...(result ? { result } : {}),
  };
}
