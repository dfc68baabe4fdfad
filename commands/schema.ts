import { renderJson } from '../src/output/json/item-json.ts';
import { type OfVersion, schemaJson } from '../src/output/json/schema-json.ts';
import { fieldsJsonSchema, renderSchema, renderTypes } from '../src/output/reports/schema.ts';
import { renderSchemaDiff, schemaDiffJson } from '../src/output/reports/schema-diff.ts';
import { escapeText } from '../src/output/text/escape.ts';
import type { ItemType } from '../src/wire/protocol/item.ts';
import { findTypes } from '../src/wire/protocol/lookup.ts';
import { messagesOf } from '../src/wire/protocol/message-registry.ts';
import type { MessageType } from '../src/wire/protocol/message-type.ts';
import { protocolOf, type Version, versions } from '../src/wire/protocol/registry.ts';
import { diffSchemas, type Side } from '../src/wire/schema/protocol-diff.ts';
import { firstLocalType, maxType } from '../src/wire/snapshot/key.ts';
import { inputOf, readSchemaFile } from './lib/input/inputs.ts';
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
      'an item or message: its name, UUID, UUID name or type number (default: all); with --diff the newer schema',
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

--diff compares two schemas, each a network.py, JSON, or 'built-in'.

Exit status: with --diff 0 if they have the same items and messages, 1 if they differ.

Examples:
  tw-snap schema
  tw-snap schema character -p 0.7
  tw-snap schema sv_chat
  tw-snap schema character@netobj.ddnet.tw
  tw-snap schema --diff built-in datasrc/network.py
  tw-snap schema -p 0.6 -t json | jq '.items[] | select(.event) | .name'`,
};

interface Found {
  readonly items: readonly OfVersion<ItemType>[];
  readonly messages: readonly OfVersion<MessageType>[];
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
  const asked = inVersion(all, stated);
  const shown = word === undefined ? asked : called(word, asked);
  if (isEmpty(shown))
    throw Number(word) >= firstLocalType && Number(word) <= maxType ? local(word!) : unknown(word!, stated, all);
  await print(render(shown, word === undefined, stated, printing), printing);
  return exit.fine;
}

async function diff(old: string, now: string | undefined, given: Options, io: Io): Promise<number> {
  if (now === undefined) throw usageError('--diff OLD NEW needs both schemas');
  const { version } = await inputOf({ protocol: given.protocol }, quietIo(io));
  const printing = await printingOf(given, io);
  const [before, after] = [await sideOf(old, io), await sideOf(now, io)];
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

function render({ items, messages }: Found, whole: boolean, stated: Version | undefined, style: Printing): string {
  if (style.format === 'json-schema') {
    if (stated === undefined) throw usageError('-t json-schema describes one version: -p 0.7');
    return renderJson(
      fieldsJsonSchema(stated, [...items.flatMap(({ types }) => types), ...messages.flatMap(({ types }) => types)]),
    );
  }
  if (style.format === 'json') return renderJson(schemaJson(stated ?? 'auto', items, messages));
  const render = whole ? renderSchema : renderTypes;
  const parts = [items, messages].filter(({ length }) => length > 0).map((types) => render(types, style));
  return style.fit(parts.join('\n\n'));
}

const inVersion = ({ items, messages }: Found, stated: Version | undefined): Found => {
  const isAsked = ({ version }: { readonly version: string }) => stated === undefined || stated === version;
  return {
    items: items.filter(isAsked),
    messages: messages.filter(isAsked).filter(({ types }) => types.length > 0),
  };
};

/** The items with this name in the versions that have them; without any, the messages. */
function called(word: string, { items, messages }: Found): Found {
  const find = <Type extends ItemType | MessageType>(versions: readonly OfVersion<Type>[]) =>
    versions
      .map(({ version, types }) => ({ version, types: findTypes(types, word) }))
      .filter(({ types }) => types.length > 0);
  const found = find(items);
  return found.length > 0 ? { items: found, messages: [] } : { items: [], messages: find(messages) };
}

const local = (type: string) =>
  usageError(
    `type ${type} has no meaning of its own: each snapshot registers its UUID items under numbers from ${maxType} down. ` +
      `'tw-snap dump FILE -t ndjson --type ${type}' shows the item that had the number in a recording, 'tw-snap schema' lists the UUID items`,
  );

function unknown(word: string, stated: Version | undefined, all: Found): CommandError {
  const { items, messages } = called(word, all);
  const elsewhere = [...items, ...messages].map(({ version }) => version);
  const place = stated === undefined ? '' : ` in ${stated}`;
  if (elsewhere.length > 0) {
    return usageError(`no item or message '${escapeText(word)}'${place}; ${elsewhere.join(' and ')} has it`);
  }
  const asked = inVersion(all, stated);
  const names = [asked.items.flatMap(({ types }) => types), asked.messages.flatMap(({ types }) => types)];
  return unknownName('item or message', word, names, place);
}
