import type { Protocol } from '../protocol/registry.ts';
import { type Message, type MessageHead, type MessageValue, readMessage, readMessageHead } from './message.ts';
import type { Packet } from './packet.ts';
import type { PacketContents } from './packet-contents.ts';

/** What is shown instead of a secret, and the byte that its bytes are shown as. */
const hiddenText = '(hidden)';
const hiddenByte = 0x2a;

/** Whether a value is one that the tables of messages mark as secret; an empty one is none. */
const isSecret = ({ type, value }: MessageValue) => type.kind === 'string' && type.secret === true && value !== '';

export const mayHaveSecrets = ({ type }: MessageHead) =>
  type?.fields.some((field) => field.type.kind === 'string' && field.type.secret) === true;

export const hasSecrets = ({ values }: Message) => values.some(isSecret);

/** Whether a chunk of a packet has a secret, or may have one where it is cut. */
export function hasSecretsIn({ payload, chunks, cut }: Packet, protocol: Protocol): boolean {
  return [...chunks, ...(cut ? [cut] : [])].some(({ start, end }) => {
    if (start >= payload.length) return false;
    const bytes = payload.subarray(start, Math.min(end, payload.length));
    return (
      mayHaveSecrets(readMessageHead(bytes, protocol)) && hasSecrets(readMessage(bytes, 0, bytes.length, protocol))
    );
  });
}

/** The message with `(hidden)` in place of its secrets, or itself if it has none. */
export function withoutSecrets(message: Message): Message {
  if (!hasSecrets(message)) return message;
  const values = message.values.map((value) => (isSecret(value) ? { ...value, value: hiddenText } : value));
  return { ...message, values };
}

/** The bytes in which messages are, with asterisks for their secrets; NULs and the length remain. */
export function bytesWithoutSecrets(messages: readonly Message[], bytes: Uint8Array): Uint8Array {
  const masked = bytes.slice();
  for (const { values } of messages) {
    for (const { start, end } of values.filter(isSecret)) {
      masked.fill(hiddenByte, start, bytes[end - 1] === 0 ? end - 1 : end);
    }
  }
  return masked;
}

/**
 * The contents with `(hidden)` in place of their secrets, and asterisks for their bytes after decompression. The bytes
 * as sent remain, for which nobody has a view.
 */
export function contentsWithoutSecrets<Contents extends PacketContents>(contents: Contents): Contents {
  const all = contents.messages.map(({ message }) => message);
  if (!all.some(hasSecrets)) return contents;
  const bytes = bytesWithoutSecrets(all, contents.layers.bytes);
  const messages = contents.messages.map((message) => ({ ...message, message: withoutSecrets(message.message) }));
  return { ...contents, messages, layers: { ...contents.layers, bytes } };
}
