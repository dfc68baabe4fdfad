import type { Payload } from '../decode/payload.ts';
import { Delta } from '../snapshot/delta.ts';

/** Whether the values of a payload are differences to a base that is not known. */
export const areDifferences = ({ body, base }: Pick<Payload, 'body' | 'base'>) => body instanceof Delta && !base;

/** The ints of an item before and after update `i` of a delta; undefined for a new item or without a base. */
export function baseValues({ base, body }: Payload, i: number): { old: Int32Array; now: Int32Array } | undefined {
  const from = base ? base.findKey(body.keys[i]!) : -1;
  if (!base || from < 0) return undefined;
  const old = base.item(from);
  return { old, now: body.item(i).map((int, k) => (int + (old[k] ?? 0)) | 0) };
}
