import type { Command, Option } from 'commander';
import { messagesOf } from '../../src/protocol/message-registry.ts';
import { protocolOf, versions } from '../../src/protocol/registry.ts';

/** The values of an option or argument: a file, one word of a list, several with commas between, or any text. */
export type Values =
  | { readonly kind: 'files' | 'none' }
  | { readonly kind: 'word' | 'list'; readonly words: readonly string[] };

export interface CompletedOption {
  /** `-t`, `--to`. */
  readonly flags: readonly string[];
  readonly about: string;
  /** Undefined if it has no value. */
  readonly values: Values | undefined;
}

export interface CompletedCommand {
  readonly name: string;
  readonly about: string;
  readonly options: readonly CompletedOption[];
  /** The values of its arguments, which all have the same kind. */
  readonly values: Values;
}

/** Everything that can be completed. */
export interface Tree {
  readonly options: readonly CompletedOption[];
  readonly commands: readonly CompletedCommand[];
}

/** Collects the commands, options and values that completion scripts need from the command definitions. */
export function treeOf(program: Command): Tree {
  const help = program.createHelp();
  const commands = help.visibleCommands(program);
  const named = namesOf(commands.map((command) => command.name()));
  const optionsOf = (command: Command) => help.visibleOptions(command).map((option) => completed(option, named));
  return {
    options: optionsOf(program),
    commands: commands.map((command) => {
      const [argument] = command.registeredArguments;
      const choices = argument?.argChoices;
      return {
        name: command.name(),
        about: help.subcommandDescription(command),
        options: optionsOf(command),
        values: choices
          ? { kind: 'word', words: choices }
          : argument
            ? (named.get(argument.name()) ?? { kind: 'files' })
            : { kind: 'none' },
      };
    }),
  };
}

function completed(option: Option, named: ReadonlyMap<string, Values>): CompletedOption {
  const flags = [option.short, option.long].filter((flag) => flag !== undefined);
  const about = option.description;
  const value = /[<[](.+?)(?:\.\.\.)?[>\]]/.exec(option.flags)?.[1];
  if (value === undefined) return { flags, about, values: undefined };
  const values: Values = option.argChoices
    ? { kind: 'word', words: option.argChoices }
    : (named.get(value) ?? { kind: 'none' });
  return { flags, about, values };
}

/** The values that the names in the help stand for. */
function namesOf(commands: readonly string[]): ReadonlyMap<string, Values> {
  const items = versions.flatMap((version) => protocolOf(version).items);
  const messages = versions.flatMap((version) => messagesOf(version).all);
  const sorted = (all: readonly { readonly name: string }[]) => [...new Set(all.map(({ name }) => name))].sort();
  const fields = sorted(items.flatMap((item) => item.fields));
  return new Map<string, Values>([
    ['file', { kind: 'files' }],
    ['type', { kind: 'word', words: sorted([...items, ...messages]) }],
    ['names', { kind: 'list', words: sorted([...items, ...messages]) }],
    ['fields', { kind: 'list', words: fields }],
    ['command', { kind: 'word', words: commands }],
  ]);
}
