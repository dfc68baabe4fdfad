import type { Message, MessageValue } from './message.ts';
import type { PacketContents } from './packet-contents.ts';

/** What is shown instead of a secret, and the byte that its bytes are shown as. */
const [hiddenText, hiddenByte] = ['(hidden)', 0x2a];

/** Whether a value is one that the tables of messages mark as secret; an empty one is none. */
const isSecret = ({ type, value }: MessageValue) => type.kind === 'string' && type.secret === true && value !== '';

/** The message with `(hidden)` in place of its secrets, or itself if it has none. */
export function withoutSecrets(message: Message): Message {
  if (!message.values.some(isSecret)) return message;
  const values = message.values.map((one) => (isSecret(one) ? { ...one, value: hiddenText } : one));
  return { ...message, values };
}

/**
 * The contents with `(hidden)` in place of their secrets, and without their bytes: those after decompression are asterisks. The bytes as sent
 * remain, for which nobody has a view.
 */
export function contentsWithoutSecrets<Contents extends PacketContents>(contents: Contents): Contents {
  const secrets = contents.messages.flatMap(({ message }) => message.values.filter(isSecret));
  if (secrets.length === 0) return contents;
  const bytes = contents.layers.bytes.slice();
  for (const { start, end } of secrets) bytes.fill(hiddenByte, start, bytes[end - 1] === 0 ? end - 1 : end);
  const messages = contents.messages.map((one) => ({ ...one, message: withoutSecrets(one.message) }));
  return { ...contents, messages, layers: { ...contents.layers, bytes } };
}
