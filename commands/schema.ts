import { renderJson } from '../src/output/json/item-json.ts';
import { type OfVersion, schemaJson } from '../src/output/json/schema-json.ts';
import { fieldsJsonSchema, renderSchema, renderTypes, type ShownFields } from '../src/output/reports/schema.ts';
import { renderSchemaDiff, schemaDiffJson } from '../src/output/reports/schema-diff.ts';
import { escapeText } from '../src/output/text/escape.ts';
import { printSections } from '../src/output/text/sections.ts';
import type { ItemType } from '../src/wire/protocol/item.ts';
import { findTypes } from '../src/wire/protocol/lookup.ts';
import { messagesOf } from '../src/wire/protocol/message-registry.ts';
import type { MessageType } from '../src/wire/protocol/message-type.ts';
import { protocolOf, type Schema, type Version, versions } from '../src/wire/protocol/registry.ts';
import { uuidOfName } from '../src/wire/protocol/texts.ts';
import { fieldsCalled, fieldsWithValue } from '../src/wire/schema/find-fields.ts';
import { diffSchemas, type Side } from '../src/wire/schema/protocol-diff.ts';
import { firstLocalType, maxType } from '../src/wire/snapshot/key.ts';
import { inputOf, readSchemaFile } from './lib/input/input-of.ts';
import { type CommandError, exit, usageError } from './lib/options/errors.ts';
import { common, type Given, printing, text } from './lib/options/options.ts';
import { unknownName } from './lib/options/selection.ts';
import { type Printing, print, printingOf } from './lib/output/printing.ts';
import type { Io } from './lib/platform/io.ts';
import { quietIo } from './lib/platform/note.ts';

type Options = Given<(typeof definition)['options']>;

export const definition = {
  arguments: {
    '[type]':
      'an item or message: its name, UUID, UUID name or type number; a field or a value: m_HookState, HOOK_FLYING; ' +
      'a name@host, whose UUID is computed (default: all); with --diff the newer schema',
  },
  options: {
    diff: text('--diff <old>', "what changed since this schema, or since 'built-in', and what it breaks", {
      refusal: ({ schema, to }) =>
        schema !== undefined
          ? '--diff OLD NEW names both schemas: --schema has no effect'
          : to === 'json-schema' || to === 'markdown'
            ? '--diff prints a table or JSON: -t table or json'
            : undefined,
    }),
    protocol: common.protocol,
    schema: common.schema,
    ...printing(['table', 'markdown', 'json', 'json-schema']),
  },
  help: `
Without -p, all versions are shown side by side; an item that differs between
them is shown for each.
With -v, every field is named, and lists are shown element by element.
Of a field or a value, the items and messages that have it are shown, as tables
with this field alone.

--diff compares two schemas, each a file as for --schema, or 'built-in'.
'python3 network-json.py network.py' prints that of a mod as JSON.

Exit status: with --diff 0 if they have the same items and messages, 1 if they differ.

Examples:
  tw-snap schema
  tw-snap schema character -p 0.7
  tw-snap schema sv_chat
  tw-snap schema character@netobj.ddnet.tw
  tw-snap schema PLAYERFLAG_AIM
  tw-snap schema --diff built-in network.json
  tw-snap schema -p 0.6 -t json | jq '.items[] | select(.event) | .name'`,
};

interface Found {
  readonly items: readonly OfVersion<ItemType>[];
  readonly messages: readonly OfVersion<MessageType>[];
}

/** What a word names: items or messages, or fields of them; neither for all. */
interface Asked extends Found {
  readonly whole?: boolean;
  readonly fields?: ShownFields;
}

const isEmpty = ({ items, messages }: Found) => items.length + messages.length === 0;

export async function run([word]: readonly (string | undefined)[], given: Options, io: Io): Promise<number> {
  if (given.diff !== undefined) return diff(given.diff, word, given, io);
  const { version: stated, schema } = await inputOf(given, io);
  const printing = await printingOf(given, io);
  const all: Found = {
    items: versions.map((version) => ({ version, types: protocolOf(version, schema).items })),
    messages: versions.map((version) => ({ version, types: messagesOf(version, schema).all })),
  };
  const everywhere = word === undefined ? { ...all, whole: true } : called(word, all, schema);
  const asked = { ...everywhere, ...inVersion(everywhere, stated) };
  if (word !== undefined && isEmpty(asked)) {
    if (Number(word) >= firstLocalType && Number(word) <= maxType) throw local(word);
    if (!isUuidName(word) || !isEmpty(everywhere)) throw unknown(word, stated, everywhere, all);
    await print(renderUuid(word, stated, printing), printing);
  } else {
    await print(render(asked, stated, printing), printing);
  }
  return exit.fine;
}

async function diff(old: string, now: string | undefined, given: Options, io: Io): Promise<number> {
  if (now === undefined) throw usageError('--diff OLD NEW needs both schemas');
  const { version } = await inputOf({ protocol: given.protocol }, quietIo(io));
  const printing = await printingOf(given, io);
  const before = await sideOf(old, io);
  const after = await sideOf(now, io);
  const found = diffSchemas(before, after, version);
  const compared = { old, new: now };
  await print(
    printing.format === 'json'
      ? renderJson(schemaDiffJson(found, compared))
      : printing.fit(renderSchemaDiff(found, compared, printing)),
    printing,
  );
  return found.types.length + found.lists.length > 0 ? exit.finding : exit.fine;
}

const sideOf = async (name: string, io: Io): Promise<Side> => ({
  schema: name === 'built-in' ? undefined : await readSchemaFile(name, io, 'declared'),
});

function render({ items, messages, whole, fields }: Asked, stated: Version | undefined, style: Printing): string {
  if (style.format === 'json-schema') {
    if (stated === undefined) throw usageError('-t json-schema describes one version: -p 0.7');
    return renderJson(
      fieldsJsonSchema(stated, [...items.flatMap(({ types }) => types), ...messages.flatMap(({ types }) => types)]),
    );
  }
  if (style.format === 'json') return renderJson(schemaJson(stated ?? 'auto', items, messages));
  const render = (types: readonly OfVersion<ItemType | MessageType>[]) =>
    whole ? renderSchema(types, style) : renderTypes(types, style, fields);
  const parts = [items, messages].filter(({ length }) => length > 0).map(render);
  return style.fit(parts.join('\n\n'));
}

/** `player@mod.example`: a name of which anybody can make a UUID. */
const isUuidName = (word: string) => /^[\x21-\x7e]+@[\x21-\x7e]+$/.test(word);

function renderUuid(uuidName: string, stated: Version | undefined, style: Printing): string {
  const uuid = uuidOfName(uuidName);
  if (style.format === 'json-schema') throw usageError(`no item or message '${uuidName}'; its UUID would be ${uuid}`);
  if (style.format === 'json') return renderJson({ ...schemaJson(stated ?? 'auto', []), uuid_name: uuidName, uuid });
  const lines = ['The tables have no item or message with this UUID.'];
  return style.fit(printSections([{ title: [uuidName, uuid], lines }], style));
}

const inVersion = ({ items, messages }: Found, stated: Version | undefined): Found => {
  const isAsked = ({ version }: { readonly version: string }) => stated === undefined || stated === version;
  return { items: items.filter(isAsked), messages: messages.filter(isAsked) };
};

/**
 * The items with this name in the versions that have them; without any, the messages; else the fields with this name,
 * or with a value of this name.
 */
function called(word: string, { items, messages }: Found, schema: Schema | undefined): Asked {
  const foundItems = found(items, (types) => findTypes(types, word));
  if (foundItems.length > 0) return { items: foundItems, messages: [] };
  const foundMessages = found(messages, (types) => findTypes(types, word));
  if (foundMessages.length > 0) return { items: [], messages: foundMessages };

  for (const find of [fieldsCalled, fieldsWithValue]) {
    const fields = new Map<ItemType | MessageType, readonly string[]>();
    const having = <Type extends ItemType | MessageType>(types: readonly Type[], version: Version) =>
      types.filter((type) => {
        const names = find(type, word, version, schema?.lists);
        if (names.length > 0) fields.set(type, names);
        return names.length > 0;
      });
    const asked = { items: found(items, having), messages: found(messages, having), fields };
    if (!isEmpty(asked)) return asked;
  }
  return { items: [], messages: [] };
}

/** What is found in each version, without the versions that have nothing of it. */
const found = <Type>(
  versions: readonly OfVersion<Type>[],
  find: (types: readonly Type[], version: Version) => readonly Type[],
): readonly OfVersion<Type>[] =>
  versions
    .map(({ version, types }) => ({ version, types: find(types, version) }))
    .filter(({ types }) => types.length > 0);

const local = (type: string) =>
  usageError(
    `type ${type} has no meaning of its own: each snapshot registers its UUID items under numbers from ${maxType} down. ` +
      `'tw-snap dump FILE -t ndjson --type ${type}' shows the item that had the number in a recording, 'tw-snap schema' lists the UUID items`,
  );

function unknown(word: string, stated: Version | undefined, everywhere: Found, all: Found): CommandError {
  const elsewhere = versions.filter((version) => !isEmpty(inVersion(everywhere, version)));
  const place = stated === undefined ? '' : ` in ${stated}`;
  if (elsewhere.length > 0) {
    const have = elsewhere.length === 1 ? 'has' : 'have';
    return usageError(`nothing is called '${escapeText(word)}'${place}; ${elsewhere.join(' and ')} ${have} it`);
  }
  const { items, messages } = inVersion(all, stated);
  const groups = [items.flatMap(({ types }) => types), messages.flatMap(({ types }) => types)];
  const fields = groups.flatMap((types) => types.flatMap((type): readonly { readonly name: string }[] => type.fields));
  return unknownName('item, message, field or value', word, [...groups, fields], place);
}
