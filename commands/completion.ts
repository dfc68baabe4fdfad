import type { Command, Option } from 'commander';
import { messageGroups } from '../src/editing/strip.ts';
import { tablesBy } from '../src/output/tables/recording-tables.ts';
import { eventKinds } from '../src/recording/events/event.ts';
import { messagesOf } from '../src/wire/protocol/message-registry.ts';
import { protocolOf, versions } from '../src/wire/protocol/registry.ts';
import { exit } from './lib/options/errors.ts';
import type { Io } from './lib/platform/io.ts';
import { topics } from './topics.ts';

/** Scripts that ask the program for the candidates, with the words up to the cursor; see {@link candidatesFor}. */
const scripts: Readonly<Record<string, string>> = {
  // For bash 3.2 and later.
  bash: `# Completion of tw-snap for bash: source <(tw-snap completion bash)
_tw_snap() {
  local IFS=$'\\n'
  COMPREPLY=($(tw-snap completion --words "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null))
  if [[ \${COMPREPLY[0]} == :files ]]; then COMPREPLY=(); return; fi
  COMPREPLY=("\${COMPREPLY[@]%%$'\\t'*}")
  # Where nothing fits, files don't either.
  compopt +o default 2>/dev/null
}
complete -o default -F _tw_snap tw-snap
`,
  // Either sourced after compinit or installed as \`_tw-snap\` in fpath.
  zsh: `#compdef tw-snap
# Completion of tw-snap for zsh: source <(tw-snap completion zsh), after compinit
_tw_snap() {
  local -a found values
  found=("\${(@f)$(tw-snap completion --words "\${(@)words[2,CURRENT]}" 2>/dev/null)}")
  if [[ $found[1] == :files ]]; then compset -P '--*='; _files; return; fi
  values=("\${(@)found%%$'\\t'*}")
  [[ -n $values[1] ]] && compadd -l -d found -a values
}
if [[ $funcstack[1] == _tw_snap ]]; then _tw_snap "$@"
else compdef _tw_snap tw-snap
fi
`,
  // For fish 3 and later.
  fish: `# Completion of tw-snap for fish: tw-snap completion fish | source
function __tw_snap
  set -l current (commandline -ct)
  set -l found (tw-snap completion --words (commandline -opc)[2..-1] "$current" 2>/dev/null)
  if test "$found[1]" = :files
    __fish_complete_path "$current"
  else if test -n "$found[1]"
    printf '%s\\n' $found
  end
end
complete -c tw-snap -e
complete -c tw-snap -f -a '(__tw_snap)'
`,
};

export const definition = {
  usage: '<shell>',
  arguments: { '<shell>': 'the shell' },
  choices: Object.keys(scripts),
  options: {},
  help: `
Examples:
  source <(tw-snap completion bash)      # in ~/.bashrc
  source <(tw-snap completion zsh)       # in ~/.zshrc, after compinit
  tw-snap completion fish | source       # in ~/.config/fish/config.fish`,
};

export async function run([shell]: readonly string[], _: object, io: Io): Promise<number> {
  await io.stdout.write(scripts[shell!]!);
  return exit.fine;
}

/** What may come at a place: files, one word, several words with commas between, or any text. */
type Values =
  | { readonly kind: 'files' | 'text' }
  | { readonly kind: 'word' | 'list' | 'query'; readonly words: readonly Candidate[] };

interface Candidate {
  readonly word: string;
  readonly about?: string;
}

/**
 * What can come at the end of a command line, for `tw-snap completion --words WORD...`: lines of a word, a tab and its
 * meaning, or `:files`.
 * @param words those after `tw-snap`; bash has `--to=json` as three
 * @param program has the options of the command in the words
 */
export function candidatesFor(words: readonly string[], program: Command): string {
  const before = words.slice(0, -1);
  let current = words.at(-1) ?? '';
  if (current === '=') {
    before.push('=');
    current = '';
  }
  if (before.at(-1) === '=') before.pop();
  const [, joined, value] = /^(--[\w-]+=)(.*)$/s.exec(current) ?? [];
  const flag = joined?.slice(0, -1) ?? before.at(-1);
  const help = program.createHelp();
  const name = before.find((word) => !word.startsWith('-'));
  const command = program.commands.find((command) => command.name() === name);
  const options = help.visibleOptions(command ?? program);
  const option = options.find(
    (option) => (option.required || option.optional) && (option.short === flag || option.long === flag),
  );
  const commands = help.visibleCommands(program).map((command) => ({ word: command.name(), about: command.summary() }));
  const helped = [...commands, ...Object.entries(topics).map(([word, { summary }]) => ({ word, about: summary }))];
  if (option) {
    if (placeholderOf(option) === 'query') return shown(queryWords(value ?? current), value ?? current, joined);
    const choices = option.argChoices ?? known[option.long ?? '']?.split(' ');
    return shown(valuesOf(choices, placeholderOf(option), commands), value ?? current, joined);
  }
  if (current.startsWith('-')) {
    const flags = options.flatMap(({ short, long, description }) =>
      [short, long].flatMap((word) => (word ? { word, about: description } : [])),
    );
    return shown({ kind: 'word', words: flags }, current);
  }
  if (name === undefined) return shown({ kind: 'word', words: commands }, current);
  const [argument] = command?.registeredArguments ?? [];
  if (name !== 'help' && !argument) return '';
  return shown(valuesOf(argument?.argChoices, argument?.name() ?? 'command', helped, 'files'), current);
}

const known: Readonly<Record<string, string>> = {
  '--around': `kill:by-player kill:last chat:/ marker ${eventKinds.join(' ')}`,
  '--markers': `none at:kill:by-player at:chat:/ ${eventKinds.map((kind) => `at:${kind}`).join(' ')}`,
  '--ticks': 'first.. ..last last-',
};

/** The words of a query: names of items, messages and events, and fields: after a name those of it. */
function queryWords(current: string): Values {
  const items = versions.flatMap((version) => protocolOf(version).items);
  const messages = versions.flatMap((version) => messagesOf(version).all);
  const types = [...items, ...messages];
  const named = current.split(' ').slice(0, -1);
  const chosen = types.filter(({ name }) => named.includes(name));
  const fields = (chosen.length > 0 ? chosen : items).flatMap((type) => type.fields.map(({ name }) => name));
  const names = chosen.length > 0 ? [] : [...types.map(({ name }) => name), ...eventKinds];
  const words = [...new Set([...names, ...fields, 'and', 'changed', 'not', 'or'])].sort();
  return { kind: 'query', words: words.map((word) => ({ word })) };
}

/** `file` of `--schema <file>`. */
const placeholderOf = ({ flags }: Option) => /[<[](.+?)(?:\.\.\.)?[>\]]/.exec(flags)?.[1] ?? '';

function valuesOf(
  choices: readonly string[] | undefined,
  placeholder: string,
  commands: readonly Candidate[],
  others: 'files' | 'text' = 'text',
): Values {
  if (choices) return { kind: 'word', words: choices.map((word) => ({ word })) };
  const sorted = (all: readonly { readonly name: string }[]) =>
    [...new Set(all.map(({ name }) => name))].sort().map((word) => ({ word }));
  const items = versions.flatMap((version) => protocolOf(version).items);
  const messages = versions.flatMap((version) => messagesOf(version).all);
  switch (placeholder) {
    case 'tables':
      return { kind: 'list', words: sorted(Array.from(tablesBy().keys(), (name) => ({ name }))) };
    case 'messages':
      return { kind: 'list', words: [...Object.keys(messageGroups).map((word) => ({ word })), ...sorted(messages)] };
    case 'command':
      return { kind: 'word', words: commands };
    case 'type':
      return { kind: 'word', words: sorted([...items, ...messages]) };
    case 'names':
      return { kind: 'list', words: sorted([...items, ...messages]) };
    case 'fields':
      return { kind: 'list', words: sorted(items.flatMap(({ fields }) => fields)) };
    default:
      return { kind: placeholder === 'file' ? 'files' : others };
  }
}

/** @param joined the option before the value in the same word: `--to=` */
function shown(values: Values, current: string, joined = ''): string {
  if (!('words' in values)) return values.kind === 'files' ? ':files\n' : '';
  const separators = { word: '', list: ',', query: ' ' };
  const start = values.kind === 'word' ? '' : current.slice(0, current.lastIndexOf(separators[values.kind]) + 1);
  return values.words
    .map(({ word, about }) => ({ word: start + word, about }))
    .filter(({ word }) => word.startsWith(current))
    .map(({ word, about }) => `${joined}${word}${about === undefined ? '' : `\t${about}`}\n`)
    .join('');
}
