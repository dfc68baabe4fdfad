import type { Field } from '../../protocol/item.ts';
import type { Meaning } from '../../protocol/meaning.ts';
import type { MessageField, MessageFieldType } from '../../protocol/message.ts';
import { messagesOf } from '../../protocol/message-registry.ts';
import { protocolOf, versions } from '../../protocol/registry.ts';
import type { Schema } from '../../protocol/schema.ts';
import { schemaMark } from './item-values.ts';
import { postDissectorCode } from './post-dissector-code.ts';

/** The kind of a field in Wireshark: a number (`i`) or a text (`s`). */
type LuaKind = 'i' | 's';

/**
 * Returns a post-dissector in Lua for Wireshark, which turns the comments of an annotated capture into named fields. It contains the
 * names of the fields, but no decoder for the games' formats.
 */
export function renderPostDissector(schema?: Schema): string {
  const fields = new Map<string, LuaKind>();
  const add = (name: string, kind: LuaKind) => {
    // A field that is a text in one version is a text in all versions.
    if (fields.get(name) !== 's') fields.set(name, kind);
  };
  const protocols = versions.map((version) => protocolOf(version, schema));
  for (const { name, fields: own } of protocols.flatMap(({ items }) => items)) {
    add(`${name}.id`, 'i');
    for (const field of own) add(`${name}.${luaName(field.name)}`, kindOf(field));
  }
  for (const { name, fields: own } of versions.flatMap((version) => messagesOf(version, schema).all)) {
    for (const field of own) for (const [path, kind] of leavesOf(field)) add(`${name}.${luaName(path)}`, kind);
  }
  const items = protocols.map((protocol) => {
    const lines = protocol.items.map(
      ({ name, fields: own }) => `    ["${name}"] = "${own.map((field) => luaName(field.name)).join(' ')}",`,
    );
    return [`  ["${protocol.version} · schema ${schemaMark(protocol)}"] = {`, ...lines, '  },'].join('\n');
  });
  return postDissectorCode
    .replace('@FIELDS@', () => linesOf([...fields].map(([name, kind]) => `${name}:${kind}`)))
    .replace('@ITEMS@', () => items.join('\n'));
}

/** Replaces the characters of a field's name that a display filter does not allow. */
const luaName = (name: string) => name.replace(/[^\w.]/g, '_');

/** The maximum length of a line of words. */
const lineLength = 118;

function linesOf(words: readonly string[]): string {
  const lines: string[] = [];
  for (const word of words) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + 1 + word.length <= lineLength) lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(word);
  }
  return lines.join('\n');
}

const kindOf = ({ meaning }: Field): LuaKind => kindOfMeaning(meaning);

function kindOfMeaning(meaning: Meaning): LuaKind {
  if (meaning.kind === 'list') return kindOfMeaning(meaning.of);
  return meaning.kind === 'text' || meaning.kind === 'uuid' ? 's' : 'i';
}

const textKinds: ReadonlySet<MessageFieldType['kind']> = new Set([
  'string',
  'data',
  'rest',
  'sha256',
  'raw_uuid',
  'text',
  'uuid',
]);

/** The values of a field of a message, without the indexes of lists: `projectile.x`, `skin_part_names.body`. */
function leavesOf({ name, type }: MessageField): [path: string, kind: LuaKind][] {
  return leavesOfType(type).map(([path, kind]) => [path === '' ? name : `${name}.${path}`, kind]);
}

function leavesOfType(type: MessageFieldType): [path: string, kind: LuaKind][] {
  switch (type.kind) {
    case 'record':
      return type.fields.flatMap(leavesOf);
    case 'repeat':
    case 'list': {
      const inner = leavesOfType(type.of);
      const labels = type.labels ?? [];
      return [
        ...inner,
        ...labels.flatMap((label) =>
          inner.map(([path, kind]): [string, LuaKind] => [path === '' ? label : `${label}.${path}`, kind]),
        ),
      ];
    }
    default:
      return [['', textKinds.has(type.kind) ? 's' : 'i']];
  }
}
