import { getOr } from '../../wire/bytes/get-or.ts';
import type { ItemType } from '../../wire/protocol/item.ts';
import type { MessageType } from '../../wire/protocol/message-type.ts';
import type { Version } from '../../wire/protocol/registry.ts';

/** All or only the requested items or messages of a version. */
export interface OfVersion<Type> {
  readonly version: Version;
  readonly types: readonly Type[];
}

export interface Found<Type> {
  readonly type: Type;
  readonly version: Version;
}

/** Groups the types that are equal in what `contentOf` returns. */
export function alike<Type>(versions: readonly OfVersion<Type>[], contentOf: (type: Type) => object): Found<Type>[][] {
  const groups = new Map<string, Found<Type>[]>();
  for (const { version, types } of versions) {
    for (const type of types) getOr(groups, JSON.stringify(contentOf(type)), () => []).push({ type, version });
  }
  return [...groups.values()];
}

/** The items and messages of several versions; what is equal in several of them is listed once, with all of them. */
export function schemaJson(
  protocol: string,
  items: readonly OfVersion<ItemType>[],
  messages: readonly OfVersion<MessageType>[] = [],
) {
  return {
    protocol,
    items: typesJson(items, itemJson),
    ...(messages.length > 0 ? { messages: typesJson(messages, messageJson) } : {}),
  };
}

function typesJson<Type>(versions: readonly OfVersion<Type>[], json: (type: Type) => { readonly fields: unknown }) {
  return alike(versions, json).map((found) => {
    const { fields, ...rest } = json(found[0]!.type);
    return { ...rest, protocols: found.map(({ version }) => version), fields };
  });
}

// JSON has no keys for what is undefined.
const messageJson = ({ name, id, uuid, uuidName, system, fields }: MessageType) => {
  return { name, system, id, uuid, uuid_name: uuidName, fields };
};

const itemJson = ({ name, type, uuid, uuidName, size, sized, event, fields: all }: ItemType) => {
  const fields = all.map(({ name, at, ints, meaning, defaultValue: absent }) => ({ name, at, ints, meaning, absent }));
  return { name, type, uuid, uuid_name: uuidName, size, sized, event, fields };
};
