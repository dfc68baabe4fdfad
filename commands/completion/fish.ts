import type { CompletedCommand, CompletedOption, Tree, Values } from './tree.ts';

/** A script for fish 3 and later. */
export function fishScript({ options, commands }: Tree): string {
  const start = '__fish_use_subcommand';
  const lists = new Set(commands.flatMap(({ options }) => options.flatMap(({ values }) => listOf(values))));
  const functions = [...lists].map((words, i) => `function __tw_snap_list${i}\n  printf '%s\\n' ${words}\nend`);
  const nameOfList = (words: string) => `__tw_snap_list${[...lists].indexOf(words)}`;
  const lines = [
    `-n ${start} -f`,
    ...options.map((option) => `-n ${start} ${ofOption(option, nameOfList)}`),
    ...commands.map(({ name, about }) => `-n ${start} -f -a ${name} -d ${quoted(about)}`),
    ...commands.flatMap((command) => ofCommand(command, nameOfList)),
  ];
  return `# Completion of tw-snap for fish: tw-snap completion fish | source
${functions.join('\n')}
complete -c tw-snap -e
${lines.map((line) => `complete -c tw-snap ${line}`).join('\n')}
`;
}

function ofCommand({ name, options, values }: CompletedCommand, nameOfList: (words: string) => string): string[] {
  const condition = `-n '__fish_seen_subcommand_from ${name}'`;
  const lines = options.map((option) => `${condition} ${ofOption(option, nameOfList)}`);
  if (values.kind === 'files') return lines;
  return [...lines, `${condition} -f${'words' in values ? ` -a ${quoted(values.words.join(' '))}` : ''}`];
}

function ofOption({ flags, about, values }: CompletedOption, nameOfList: (words: string) => string): string {
  const named = flags.map((flag) => (flag.startsWith('--') ? `-l ${flag.slice(2)}` : `-s ${flag.slice(1)}`));
  return [...named, ...valueOptions(values, nameOfList), `-d ${quoted(about)}`].join(' ');
}

function valueOptions(values: Values | undefined, nameOfList: (words: string) => string): string[] {
  if (!values) return [];
  if (values.kind === 'files') return ['-r -F'];
  if (!('words' in values)) return ['-x'];
  const [list] = listOf(values);
  return [`-x -a ${quoted(list ? `(__fish_complete_list , ${nameOfList(list)})` : values.words.join(' '))}`];
}

const listOf = (values: Values | undefined) => (values?.kind === 'list' ? [values.words.join(' ')] : []);

const quoted = (text: string) => `'${text.replace(/[\\']/g, '\\$&')}'`;
