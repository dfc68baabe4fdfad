import type { Code } from '../bytes/diagnostic.ts';
import { unwrap } from '../decode/encoding-layers.ts';
import { type Payload, readPayload } from '../decode/payload.ts';
import type { Protocol } from '../protocol/registry.ts';
import { Snapshot } from '../snapshot/snapshot.ts';
import type { Message } from './message.ts';

/** The delta inside a snapshot message. */
export interface EmbeddedDelta {
  /** Read from the message's data alone: its positions are relative to `at`. */
  readonly payload: Payload;
  /** The offset of the data in the bytes from which the message was read. */
  readonly at: number;
  /** The number of the part, from 0: only the first of several parts can be read. */
  readonly part: number;
  readonly parts: number;
}

/** The errors at the end of a delta that continues in another part. */
const endsEarly: ReadonlySet<Code> = new Set(['truncated_delta', 'truncated_varint']);

/**
 * Reads the delta in a snapshot message; undefined if there is none, or only a part that cannot be read separately.
 * @param base the base of the delta; ignored if the message says that the base is the empty snapshot
 */
export function readEmbeddedDelta(
  { type, values }: Message,
  protocol: Protocol,
  base?: Snapshot,
): EmbeddedDelta | undefined {
  if (type?.name !== 'snap' && type?.name !== 'snap_single') return undefined;
  const data = values.find(({ name }) => name === 'bytes');
  if (!(data?.value instanceof Uint8Array) || data.value.length === 0) return undefined;
  const int = (name: string) => values.find((one) => one.name === name)?.value as number;
  const [part, parts] = type.name === 'snap' ? [int('part'), int('num_parts')] : [0, 1];
  if (part !== 0) return undefined;
  const onNothing = int('tick') - int('delta') === -1;
  const from = onNothing ? new Snapshot() : base;
  const payload = readPayload(unwrap(data.value, 'packed'), 'delta', protocol, from);
  return { payload, at: data.start, part, parts };
}

/** Whether a delta ends early only because the rest of it is not in these bytes. */
export function isContinued({ payload, parts }: EmbeddedDelta, isCut: boolean): boolean {
  const { error } = payload.diagnostics;
  return error !== undefined && endsEarly.has(error.code) && (parts > 1 || isCut);
}
