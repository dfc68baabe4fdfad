import type { Protocol } from '../protocol/registry.ts';
import { apply } from '../snapshot/apply.ts';
import { Delta } from '../snapshot/delta.ts';
import { ItemTypes } from '../snapshot/item-types.ts';
import { Snapshot } from '../snapshot/snapshot.ts';
import { remarkRegistrations, remarkRepeats } from './checks.ts';
import { type Layers, placeOfInt } from './encoding-layers.ts';
import type { Findings } from './findings.ts';
import { progressOf } from './progress.ts';

export type Kind = 'delta' | 'snapshot';

/** One snapshot or delta as far as it could be read, with the layers it came from. */
export interface Payload {
  readonly kind: Kind;
  readonly body: Snapshot | Delta;
  readonly types: ItemTypes;
  readonly layers: Layers;
  readonly findings: Findings;
  /** Of a delta: the snapshot it is a difference to, where that is known, and what it makes of it. */
  readonly base?: Snapshot;
  readonly result?: Snapshot;
}

/**
 * Reads the ints of an input as a snapshot or a delta. What is odd or wrong is in `findings`.
 * @param base of a delta: it is then applied, and local types are known from the result
 */
export function readPayload(layers: Layers, kind: Kind, protocol: Protocol, base?: Snapshot): Payload {
  const findings = layers.findings.copy();
  const { ints } = layers;
  const body = kind === 'delta' ? new Delta() : new Snapshot();
  const types = new ItemTypes(protocol);
  const place = (int: number) => placeOfInt(layers, int);
  const readable = findings.during(place, (warn) => body.read(ints.ints, ints.length, protocol.sizeOf, warn));
  let result: Snapshot | undefined;
  if (base && body instanceof Delta) {
    types.learn(base);
    findings.during(place, (warn) => {
      if (readable) result = apply(base, body, warn);
    });
    if (result) types.learn(result);
  } else {
    types.learn(body);
    findings.during(place, (warn) => remarkRepeats(body, warn));
  }
  findings.during(place, (warn) => remarkRegistrations(body, types, warn));
  findings.nameItems((type) => types.of(type)?.name);
  const { error } = findings;
  if (error) findings.error = { ...error, args: { ...error.args, ...progressOf(body, ints, types) } };
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
