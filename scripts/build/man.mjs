import { mkdirSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';

/** Writes the man pages from the built command line: `dist/man/tw-snap.1`, and one for each command. */
export async function buildManPages(version, date) {
  const { wholeProgram, helpTopics } = createRequire(import.meta.url)('../../dist/cli/cli.cjs');
  mkdirSync('dist/man', { recursive: true });
  const pages = manPages(await wholeProgram(), await helpTopics(), version, date);
  for (const [name, page] of pages) writeFileSync(`dist/man/${name}`, page);
}

/** The man pages of a commander program, with the topics of its help: file names and contents. */
export function manPages(program, topics, version, date = '') {
  const commands = program.commands.filter((command) => command.name() !== 'help');
  const names = commands.map((command) => `tw-snap-${command.name()}`);
  const source = `"${date}" "tw-snap ${version}"`;
  return new Map([
    ['tw-snap.1', programPage(program, commands, topics, source, names)],
    ...commands.map((command, i) => [`${names[i]}.1`, commandPage(command, topics, names[i], source)]),
  ]);
}

function programPage(program, commands, topics, source, names) {
  return page('tw-snap', source, [
    [
      'NAME',
      `tw\\-snap \\- ${roff('inspects snapshots, deltas, messages, packets, demos and captures of Teeworlds and DDNet')}`,
    ],
    [
      'SYNOPSIS',
      `${bold('tw-snap')} ${italic('command')} [${italic('options')}] [${italic('file')}...]\n.br\n${bold('tw-snap')} ${italic('file')}`,
    ],
    ['DESCRIPTION', paragraphs(description)],
    [
      'COMMANDS',
      inGroups(
        commands,
        (command) => command.helpGroup(),
        (group) =>
          list(
            group.map((command) => [command.name(), command.summary()]),
            bold,
          ),
      ),
    ],
    ['OPTIONS', options(program)],
    ...Object.values(topics).map((topic) => [topic.title.toUpperCase(), topicBody(topic)]),
    ['EXAMPLES', examples(program.commands.flatMap((command) => textAfterHelp(command).examples.slice(0, 1)))],
    ['SEE ALSO', references(names)],
  ]);
}

function commandPage(command, topics, name, source) {
  const { paragraphs: more, examples: lines } = textAfterHelp(command);
  // The summary is in the section NAME already.
  const ownStatus = more.find(isExitStatus);
  const prose = more.filter((paragraph) => paragraph !== ownStatus);
  const text = prose.length > 0 ? prose : [punctuated(command.summary())];
  const args = command.registeredArguments.filter((argument) => argument.description !== '');
  return page(name, source, [
    ['NAME', `${roff(name)} \\- ${roff(command.summary())}`],
    ['SYNOPSIS', `${bold(`tw-snap ${command.name()}`)} ${synopsis(command.usage())}`],
    ['DESCRIPTION', paragraphs([...text, 'The page tw-snap(1) describes how inputs are named.'])],
    ['ARGUMENTS', args.map((argument) => entry(italic(argument.name()), described(argument))).join('\n')],
    ['OPTIONS', options(command)],
    ['EXIT STATUS', list(withOwnStatus(topics['exit-codes'], ownStatus), bold)],
    ['EXAMPLES', examples(lines)],
    ['SEE ALSO', references(['tw-snap'])],
  ]);
}

const description = [
  'tw-snap shows what every byte of the network data of Teeworlds and DDNet means, and gives scripts every value. It reads the protocols 0.5, 0.6 (with the extended items of DDNet) and 0.7.',
  'Without a command, tw-snap decodes a file with a single payload, describes a recording as tw-snap-info(1) does, and explains the log of a client.',
];

/** What the help says of a topic; its examples are those of the commands, too. */
const topicBody = ({ about, parts }) =>
  [
    roff(about),
    ...parts.map(({ heading, rows = [], text }) => {
      const head = heading === undefined ? '' : `.SS ${roff(heading)}\n`;
      return `${head}${rows.length > 0 ? list(rows, bold) : `.PP\n${roff(text)}`}`;
    }),
  ].join('\n');

const isExitStatus = (paragraph) => paragraph.startsWith('Exit status: ');

/**
 * The exit statuses, with the meanings that a command's help states: `Exit status: 0 nothing to explain, 3 unreadable.`
 */
function withOwnStatus({ parts: [{ rows }] }, paragraph = '') {
  const stated = new Map(
    [...paragraph.matchAll(/(\d) (.*?)(?=, \d |\.$)/g)].map(([, status, meaning]) => [status, meaning]),
  );
  return rows.map(([status, meaning]) => [status, stated.get(status) ?? meaning]);
}

/** A page from its sections; sections without text are omitted. */
function page(name, source, sections) {
  const title = name.toUpperCase().replaceAll('-', '\\-');
  const text = sections.filter(([, body]) => body !== '').map(([heading, body]) => `.SH ${heading}\n${body}`);
  // Without hyphenation and justified lines, names and values stay as they are typed.
  return `.TH ${title} 1 ${source} "User Commands"\n.nh\n.ad l\n${text.join('\n')}\n`;
}

const options = (command) =>
  inGroups(
    command.createHelp().visibleOptions(command),
    (option) => option.helpGroupHeading ?? 'Options:',
    (group) => group.map((option) => entry(flags(option.flags), described(option))).join('\n'),
  );

/** Items below the headings of their groups; the first group of options needs none. */
function inGroups(items, headingOf, render) {
  const groups = new Map();
  for (const item of items) groups.set(headingOf(item), [...(groups.get(headingOf(item)) ?? []), item]);
  return [...groups]
    .map(([heading, group]) => `${heading === 'Options:' ? '' : `.SS ${heading.replace(':', '')}\n`}${render(group)}`)
    .join('\n');
}

/** `-t, --to <format>` */
const flags = (text) =>
  text
    .split(/(<[^>]+>|, | )/)
    .map((part) => (part.startsWith('<') ? italic(part.slice(1, -1)) : part.startsWith('-') ? bold(part) : part))
    .join('');

/** `[options] <old> <new>` */
const synopsis = (usage) => usage.split(' ').map(placeholder).join(' ');

function placeholder(text) {
  const [, open, name, more] = /^([<[])(.*?)(\.\.\.)?[>\]]$/.exec(text) ?? [];
  if (name === undefined) return bold(text);
  const shown = `${italic(name)}${more ?? ''}`;
  return open === '[' ? `[${shown}]` : shown;
}

/** The meaning of an option or argument, its choices, and its default unless the description contains it. */
function described({ description: text, argChoices, defaultValue }) {
  const choices = argChoices ? ` One of ${argChoices.join(', ')}.` : '';
  const isShown = defaultValue !== undefined && typeof defaultValue !== 'boolean' && !text.includes('(default');
  return roff(`${punctuated(text)}${choices}${isShown ? ` Default: ${defaultValue}.` : ''}`);
}

/** The text at the end of a command's help: paragraphs, then the lines after `Examples:`. */
function textAfterHelp(command) {
  let text = '';
  command.emit('afterHelp', { error: false, command, write: (part) => (text += part) });
  const [prose, lines = ''] = text.split(/^Examples:\n/m);
  return {
    paragraphs: prose
      .split(/\n{2,}/)
      .map((paragraph) => paragraph.trim().replace(/\s*\n\s*/g, ' '))
      .filter(Boolean),
    examples: lines
      .split('\n')
      .map((line) => line.trim())
      .filter(Boolean),
  };
}

const examples = (lines) => (lines.length === 0 ? '' : `.nf\n${lines.map(roff).join('\n')}\n.fi`);
const references = (names) => names.map((name) => `${bold(name)}(1)`).join(',\n');
const paragraphs = (all) => all.map(roff).join('\n.PP\n');
/** Terms with their meanings, which begin on the same line if the term is narrower than `width`. */
const list = (entries, style, width = 7) =>
  entries.map(([term, meaning]) => entry(style(term), roff(punctuated(meaning)), width)).join('\n');
const entry = (term, meaning, width = 7) => `.TP ${width}\n${term}\n${meaning}`;
const bold = (text) => `\\fB${roff(text)}\\fR`;
const italic = (text) => `\\fI${roff(text)}\\fR`;

function punctuated(text) {
  const capital = text.charAt(0).toUpperCase() + text.slice(1);
  return /[.!?]$/.test(capital) ? capital : `${capital}.`;
}

/** Text for roff: backslashes and hyphens are escaped, and no line begins like a request. */
function roff(text) {
  return text
    .replaceAll('\\', '\\e')
    .replaceAll('-', '\\-')
    .replaceAll('→', '\\(->')
    .replace(/^(?=[.'])/gm, '\\&');
}
