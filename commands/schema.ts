import type { Command } from 'commander';
import { findItems, similarNames } from '../src/protocol/lookup.ts';
import { protocolOf, versions } from '../src/protocol/registry.ts';
import { renderJson } from '../src/view/json/json.ts';
import { schemaJson } from '../src/view/json/schema-json.ts';
import { renderSchema, type VersionItems } from '../src/view/table/schema.ts';
import { renderSchemaItems } from '../src/view/table/schema-item.ts';
import { escapeText } from '../src/view/text/escape.ts';
import { type CommandError, exit, usageError } from './lib/errors.ts';
import { extraItems } from './lib/input/context.ts';
import type { Io } from './lib/io.ts';
import { type InputOptions, type OutputOptions, withOutput, withProtocol } from './lib/options.ts';
import { outputStyle, print } from './lib/output/output.ts';

type Options = Pick<InputOptions, 'protocol' | 'schema'> & OutputOptions;

export function define(command: Command): Command {
  return withProtocol(withOutput(command, ['table', 'json']))
    .argument('[item]', 'a name, a UUID or its name, or a type number (default: all items)')
    .addHelpText('after', examples);
}

const examples = `
Without -p, all versions stand side by side; an item that differs between them is shown for each.
With -v, every field is named, and lists are taken apart.

Examples:
  tw-snap schema
  tw-snap schema character -p 0.7
  tw-snap schema character@netobj.ddnet.tw
  tw-snap schema -p 0.6 -t json | jq '.items[] | select(.event) | .name'`;

/** `tw-snap schema [ITEM]` */
export async function run([word]: readonly (string | undefined)[], options: Options, io: Io): Promise<number> {
  const added = await extraItems(options.schema, io);
  const all = versions.map((version): VersionItems => ({ version, items: protocolOf(version, added).items }));
  const asked = all.filter(({ version }) => options.protocol === 'auto' || options.protocol === version);
  const shown = word === undefined ? asked : called(word, asked);
  if (shown.length === 0) throw unknownItem(word!, options.protocol, all);
  await print(await render(shown, word === undefined, options, io), options, io);
  return exit.fine;
}

async function render(shown: readonly VersionItems[], whole: boolean, options: Options, io: Io): Promise<string> {
  if (options.to === 'json') return renderJson(schemaJson(options.protocol, shown));
  return whole
    ? renderSchema(shown, await outputStyle(options, io))
    : renderSchemaItems(shown, await outputStyle(options, io));
}

/** The versions that have an item called so, with it. */
function called(word: string, all: readonly VersionItems[]): VersionItems[] {
  return all
    .map(({ version, items }) => ({ version, items: findItems(items, word) }))
    .filter(({ items }) => items.length > 0);
}

function unknownItem(word: string, protocol: string, all: readonly VersionItems[]): CommandError {
  const elsewhere = called(word, all).map(({ version }) => version);
  const said = `no item '${escapeText(word)}'${protocol === 'auto' ? '' : ` in ${protocol}`}`;
  if (elsewhere.length > 0) return usageError(`${said}, but in ${elsewhere.join(' and ')}`);
  const asked = all.filter(({ version }) => protocol === 'auto' || protocol === version);
  const near = similarNames(
    asked.flatMap(({ items }) => items),
    word,
  ).slice(0, 3);
  const hint = near.length > 0 ? `did you mean ${near.join(', ')}?` : "'tw-snap schema' lists them all";
  return usageError(`${said}; ${hint}`);
}
