import type { ItemType } from '../../protocol/item.ts';
import type { MessageType } from '../../protocol/message.ts';
import type { Version } from '../../protocol/registry.ts';
import type { VersionItems } from '../table/schema.ts';
import type { VersionMessages } from '../table/schema-messages.ts';

/** The items of several versions; an item that is equal in several of them is listed once, with all of them. */
export function schemaJson(
  protocol: string,
  versions: readonly VersionItems[],
  messages: readonly VersionMessages[] = [],
) {
  const merged = new Map<string, { readonly protocols: Version[]; readonly item: ReturnType<typeof itemJson> }>();
  for (const { version, items } of versions) {
    for (const item of items.map(itemJson)) {
      const key = JSON.stringify(item);
      const known = merged.get(key);
      if (known) known.protocols.push(version);
      else merged.set(key, { protocols: [version], item });
    }
  }
  return {
    protocol,
    items: Array.from(merged.values(), ({ protocols, item: { fields, ...rest } }) => ({ ...rest, protocols, fields })),
    ...(messages.length > 0 ? { messages: messagesJson(messages) } : {}),
  };
}

function messagesJson(versions: readonly VersionMessages[]) {
  const merged = new Map<string, { readonly protocols: Version[]; readonly message: ReturnType<typeof messageJson> }>();
  for (const { version, messages } of versions) {
    for (const message of messages.map(messageJson)) {
      const key = JSON.stringify(message);
      const known = merged.get(key);
      if (known) known.protocols.push(version);
      else merged.set(key, { protocols: [version], message });
    }
  }
  return Array.from(merged.values(), ({ protocols, message: { fields, ...rest } }) => ({ ...rest, protocols, fields }));
}

function messageJson({ name, id, uuid, uuidName, system, fields }: MessageType) {
  return {
    name,
    system,
    ...(id === undefined ? {} : { id }),
    ...(uuid === undefined ? {} : { uuid }),
    ...(uuidName === undefined ? {} : { uuid_name: uuidName }),
    fields,
  };
}

function itemJson({ name, type, uuid, uuidName, size, sized, event, fields }: ItemType) {
  return {
    name,
    ...(type === undefined ? {} : { type }),
    ...(uuid === undefined ? {} : { uuid }),
    ...(uuidName === undefined ? {} : { uuid_name: uuidName }),
    size,
    sized,
    event,
    fields: fields.map(({ name, at, ints, meaning, defaultValue }) => {
      return { name, at, ints, meaning, ...(defaultValue === undefined ? {} : { absent: defaultValue }) };
    }),
  };
}
