import { ByteBuffer } from '../bytes/buffers.ts';
import { join } from '../bytes/join.ts';
import { packInts } from '../codec/varint.ts';
import type { Message } from '../packet/message.ts';
import type { MessageValue } from '../packet/message-reader.ts';

/** Returns the new value, or undefined if it is unchanged. */
export type Rewrite = (value: MessageValue) => string | number | undefined;

/**
 * The bytes of a message with changed values: texts for texts, ints for ints. Bytes that were not read as a value stay.
 * @param bytes the bytes from which the message was read
 * @returns undefined if no value changes
 */
export function rewriteMessage(
  { start, end, values, padding }: Message,
  bytes: Uint8Array,
  rewrite: Rewrite,
): Uint8Array | undefined {
  const parts: Uint8Array[] = [];
  let at = start;
  for (const value of values) {
    const now = rewrite(value);
    if (now === undefined || now === value.value || typeof now !== typeof value.value) continue;
    parts.push(bytes.subarray(at, value.start), typeof now === 'number' ? packed(now) : terminated(now));
    at = value.end;
  }
  if (parts.length === 0) return undefined;
  // Demos pad messages to whole ints; the padding is computed again.
  parts.push(bytes.subarray(at, end - padding));
  return join(parts);
}

function packed(int: number): Uint8Array {
  const into = new ByteBuffer();
  packInts(Int32Array.of(int), 0, 1, into);
  return into.bytes.slice(0, into.length);
}

const utf8 = new TextEncoder();
const zeros = new RegExp(String.fromCharCode(0), 'g');

const terminated = (text: string) => join([utf8.encode(text.replace(zeros, '')), Uint8Array.of(0)]);
