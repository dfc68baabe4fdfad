import type { Code } from '../bytes/diagnostic.ts';
import { unwrap } from '../decode/encoding-layers.ts';
import { type Payload, readPayload } from '../decode/payload.ts';
import type { Protocol } from '../protocol/registry.ts';
import { Snapshot } from '../snapshot/snapshot.ts';
import type { Message } from './message.ts';

/** The delta inside a snapshot message. */
export interface EmbeddedDelta {
  /** Read from the message's data alone: its places count from `at`. */
  readonly payload: Payload;
  /** Where the data begins, in the bytes that the message was read from. */
  readonly at: number;
  /** From 0: only the first of several parts can be read. */
  readonly part: number;
  readonly parts: number;
}

/** Where a delta ends that goes on elsewhere. */
const endsEarly: ReadonlySet<Code> = new Set(['truncated_delta', 'truncated_varint']);

/**
 * Reads the delta that a snapshot message carries; undefined where it carries none, or a part that can't be read by itself.
 * @param base taken as the snapshot that it is a difference to; where the message says that there is none, that counts
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
  const isWhole = parts === 1 && data.value.length === int('size');
  const onNothing = int('tick') - int('delta') === -1;
  const from = onNothing ? (isWhole ? new Snapshot() : undefined) : base;
  const payload = readPayload(unwrap(data.value, 'packed'), 'delta', protocol, from);
  return { payload, at: data.start, part, parts };
}

/** Whether a delta ends only because the rest of it is not in these bytes. */
export function isContinued({ payload, parts }: EmbeddedDelta, isCut: boolean): boolean {
  const { error } = payload.diagnostics;
  return error !== undefined && endsEarly.has(error.code) && (parts > 1 || isCut);
}
