import { type Bytes, ints } from './packet-builder.ts';

/** A packed delta of 0.7 with so many updates of `obj_game_data`, five bytes each behind five of its head: over 8192 of them. */
export function payloadOfUpdates(updates: number): Uint8Array {
  const head: Bytes = [...ints(0, updates, 0)];
  const bytes = new Uint8Array(head.length + 5 * updates);
  bytes.set(head);
  for (let at = head.length; at < bytes.length; at += 5) bytes.set([6, 0, 1, 2, 3], at);
  return bytes;
}
