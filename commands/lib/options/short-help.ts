import type { Command } from 'commander';
import { type Definition, define } from './options.ts';

/** The options of many commands that are used most, after the command's own. */
const oftenUsed = 'player ticks type where protocol base kind from verbose include health strict'.split(' ');

/** The names of ten options, the most used first: format and file, the command's own, those of many commands. */
function mostUsed({ options }: Definition): readonly string[] {
  const own = Object.keys(options).filter((name) => options[name]!.group === undefined);
  const names = ['to', 'output', ...own, ...oftenUsed, ...Object.keys(options)];
  return [...new Set(names)].filter((name) => options[name]).slice(0, 10);
}

/** The help of `-h`: ten options and three examples. `--help` has all. */
export function shortHelp(command: Command, definition: Definition): Command {
  const names = mostUsed(definition);
  const [, examples = ''] = definition.help.split(/^Examples:\n/m);
  const end = `Examples:\n${examples.split('\n').slice(0, 3).join('\n')}`;
  define(command, { ...definition, help: `\n${end}\n\nAll options: tw-snap ${command.name()} --help` });
  return command.configureHelp({
    ...command.configureHelp(),
    visibleArguments: () => [],
    visibleOptions: ({ options }) => names.map((name) => options.find((option) => option.attributeName() === name)!),
    groupItems: (_, visible) => new Map([['Options:', visible]]),
  });
}
