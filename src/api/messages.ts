import { expects } from '../wire/bytes/expects.ts';
import { type Message, messageFields } from '../wire/packet/message.ts';
import type { Version } from '../wire/protocol/registry.ts';
import type { MessageFieldsOf, MessageName } from '../wire/protocol/typed-names.ts';

/** A message with its values by name: which ones follows from its name and the tables of the protocol. */
export type MessageOf<V extends Version = Version, Name extends MessageName<V> = MessageName<V>> = V extends Version
  ? Name extends MessageName<V>
    ? { readonly name: Name; readonly system: boolean; readonly fields: MessageFieldsOf<V, Name> }
    : never
  : never;

/** A message that no table has: its bytes. */
export interface UnknownMessage {
  readonly name: null;
  readonly system: boolean;
  readonly fields: { readonly data?: Uint8Array };
}

/**
 * A message as an object: `name`, and `fields` by name. Values that a damaged message lacks are missing; bytes are
 * views.
 *
 * @param message that of a record, or of `messages` of what {@link decode} returned
 * @example
 * ```ts
 * import { messageOf, readDemo } from 'tw-snap';
 *
 * for (const entry of readDemo(bytes)) {
 *   if (entry.record !== 'message') continue;
 *   const { name, fields } = messageOf(entry.message);
 *   if (name === 'sv_chat') console.log(fields.client_id, fields.message);
 * }
 * ```
 */
export function messageOf(message: Message): MessageOf | UnknownMessage {
  if (typeof message !== 'object' || !Array.isArray(message?.values)) {
    expects('messageOf', 'a message, as that of a record or of what readMessage returns', message);
  }
  const { type, system } = message;
  return { name: type?.name ?? null, system, fields: messageFields(message, (bytes) => bytes) } as never;
}
