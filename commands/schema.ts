import type { Command } from 'commander';
import { findItems, findMessages } from '../src/protocol/lookup.ts';
import { messagesOf } from '../src/protocol/message-registry.ts';
import { protocolOf, versions } from '../src/protocol/registry.ts';
import { renderJson } from '../src/view/json/json.ts';
import { schemaJson } from '../src/view/json/schema-json.ts';
import { renderSchema, type VersionItems } from '../src/view/table/schema.ts';
import { renderSchemaItems } from '../src/view/table/schema-item.ts';
import { renderMessageList, renderMessages, type VersionMessages } from '../src/view/table/schema-messages.ts';
import { escapeText } from '../src/view/text/escape.ts';
import { type CommandError, exit, usageError } from './lib/errors.ts';
import { readSchemaFile } from './lib/input/context.ts';
import type { Io } from './lib/io.ts';
import { type InputOptions, type OutputOptions, withOutput, withProtocol } from './lib/options.ts';
import { outputStyle, print } from './lib/output/output.ts';
import { unknownName } from './lib/unknown-name.ts';

type Options = Pick<InputOptions, 'protocol' | 'schema'> & OutputOptions;

export function define(command: Command): Command {
  return withProtocol(withOutput(command, ['table', 'json']))
    .argument('[type]', 'an item or message: its name, UUID, UUID name or type number (default: all)')
    .addHelpText('after', examples);
}

const examples = `
Without -p, all versions are shown side by side; an item that differs between
them is shown for each.
With -v, every field is named, and lists are shown element by element.

Examples:
  tw-snap schema
  tw-snap schema character -p 0.7
  tw-snap schema sv_chat
  tw-snap schema character@netobj.ddnet.tw
  tw-snap schema -p 0.6 -t json | jq '.items[] | select(.event) | .name'`;

/** Items and messages of the versions. */
interface Found {
  readonly items: readonly VersionItems[];
  readonly messages: readonly VersionMessages[];
}

const isEmpty = ({ items, messages }: Found) => items.length + messages.length === 0;

/** `tw-snap schema [TYPE]` */
export async function run([word]: readonly (string | undefined)[], options: Options, io: Io): Promise<number> {
  const schema = await readSchemaFile(options.schema, io);
  const all: Found = {
    items: versions.map((version) => ({ version, items: protocolOf(version, schema).items })),
    messages: versions.map((version) => ({ version, messages: messagesOf(version, schema).all })),
  };
  const asked = inVersion(all, options.protocol);
  const shown = word === undefined ? asked : called(word, asked);
  if (isEmpty(shown)) throw unknown(word!, options.protocol, all);
  await print(await render(shown, word === undefined, options, io), options, io);
  return exit.fine;
}

async function render({ items, messages }: Found, whole: boolean, options: Options, io: Io): Promise<string> {
  if (options.to === 'json') return renderJson(schemaJson(options.protocol, items, messages));
  const style = await outputStyle(options, io);
  const parts = [
    items.length > 0 ? (whole ? renderSchema : renderSchemaItems)(items, style) : '',
    messages.length > 0 ? (whole ? renderMessageList : renderMessages)(messages, style) : '',
  ];
  return style.fit(parts.filter((part) => part !== '').join('\n\n'));
}

const inVersion = ({ items, messages }: Found, protocol: string): Found => {
  const isAsked = ({ version }: { readonly version: string }) => protocol === 'auto' || protocol === version;
  return {
    items: items.filter(isAsked),
    messages: messages.filter(isAsked).filter(({ messages: own }) => own.length > 0),
  };
};

/** The items with this name in the versions that have them; without any, the messages. */
function called(word: string, { items, messages }: Found): Found {
  const foundItems = items
    .map(({ version, items: own }) => ({ version, items: findItems(own, word) }))
    .filter(({ items: own }) => own.length > 0);
  if (foundItems.length > 0) return { items: foundItems, messages: [] };
  const foundMessages = messages
    .map(({ version, messages: own }) => ({ version, messages: findMessages(own, word) }))
    .filter(({ messages: own }) => own.length > 0);
  return { items: [], messages: foundMessages };
}

function unknown(word: string, protocol: string, all: Found): CommandError {
  const { items, messages } = called(word, all);
  const elsewhere = [...items, ...messages].map(({ version }) => version);
  const place = protocol === 'auto' ? '' : ` in ${protocol}`;
  if (elsewhere.length > 0) {
    return usageError(`no item or message '${escapeText(word)}'${place}, but in ${elsewhere.join(' and ')}`);
  }
  const asked = inVersion(all, protocol);
  const names = [asked.items.flatMap((one) => one.items), asked.messages.flatMap((one) => one.messages)];
  return unknownName('item or message', word, names, place);
}
