import { IntBuffer } from '../../wire/bytes/buffers.ts';
import { attempt, DecodeError } from '../../wire/bytes/diagnostic.ts';
import type { Protocol } from '../../wire/protocol/registry.ts';
import { apply } from '../../wire/snapshot/apply.ts';
import { select } from '../../wire/snapshot/builder.ts';
import { Delta } from '../../wire/snapshot/delta.ts';
import { idOf, keyOf, typeOf } from '../../wire/snapshot/key.ts';
import type { Snapshot } from '../../wire/snapshot/snapshot.ts';
import type { Explanation } from './explanation.ts';
import type { Failure } from './failure.ts';

/** The smallest base and delta that show a failure. */
export interface Reproduction {
  readonly protocol: Protocol;
  readonly base: Snapshot;
  /** The ints of the delta; undefined if it cannot be unpacked. */
  readonly delta: IntBuffer | undefined;
  readonly payload: Uint8Array;
  /** The checksum that a server announces for it. */
  readonly announced: number;
  /** The checksum that a client rebuilds; undefined if the delta is unreadable. */
  readonly rebuilt: number | undefined;
  /** Whether all unaffected items were left out. */
  readonly isReduced: boolean;
}

/** Reproduces a failure of an explanation, reduced to the items of its cause or its best fit. */
export function reproductionOf({ runs, shown, fits }: Explanation): Reproduction | undefined {
  const failure = runs[0]?.sample;
  if (!failure) return undefined;
  const [verdict] = [...shown, ...fits];
  return (verdict && reduced(failure, new Set(verdict.keys))) ?? whole(failure);
}

function whole({ received, ints, snapshot, error }: Failure): Reproduction {
  const { protocol, before: base, payload, announced } = received;
  const delta = error?.code === 'truncated_varint' ? undefined : ints;
  return { protocol, base, delta, payload, announced, rebuilt: snapshot?.checksum(), isReduced: false };
}

/** The same difference with these items alone; undefined if it changes. */
function reduced(failure: Failure, keys: ReadonlySet<number>): Reproduction | undefined {
  const { received, delta, difference } = failure;
  const { protocol, before, payload } = received;
  if (difference === undefined || keys.size === 0) return undefined;
  const types = new Set([...keys].map(typeOf));
  const isSelected = (key: number) => keys.has(key) || (typeOf(key) === 0 && types.has(idOf(key)));
  const base = select(before, (type, id) => isSelected(keyOf(type, id)));
  const ints: number[] = [];
  let removed = 0;
  let updates = 0;
  for (let i = 0; i < delta.removedCount; i++) {
    if (!isSelected(delta.removedKey(i))) continue;
    ints.push(delta.removedKey(i));
    removed++;
  }
  for (let i = 0; i < delta.count; i++) {
    const key = delta.keys[i]!;
    if (!isSelected(key)) continue;
    const size = protocol.sizeOf(typeOf(key)) === 0 ? [delta.sizes[i]!] : [];
    ints.push(typeOf(key), idOf(key), ...size, ...delta.item(i));
    updates++;
  }
  const buffer = new IntBuffer();
  buffer.ints = Int32Array.from([removed, updates, 0, ...ints]);
  buffer.length = buffer.ints.length;
  const small = attempt(() => {
    const read = new Delta();
    read.read(buffer.ints, buffer.length, protocol.sizeOf);
    return apply(base, read);
  });
  if (small instanceof DecodeError) return undefined;
  const rebuilt = small.checksum();
  return { protocol, base, delta: buffer, payload, announced: (rebuilt + difference) | 0, rebuilt, isReduced: true };
}
