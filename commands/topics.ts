import { escapeText } from '../src/output/text/escape.ts';
import { wrap } from '../src/output/text/layout.ts';
import { printSections, type Section } from '../src/output/text/sections.ts';
import { plainTheme } from '../src/output/text/theme.ts';
import { similarNames } from '../src/wire/protocol/lookup.ts';
import { usageError } from './lib/options/errors.ts';

/** What several commands share, as `tw-snap help queries` says it, and the man page of the program. */
interface Topic {
  readonly title: string;
  /** For lists, in a few words. */
  readonly summary: string;
  readonly about: string;
  readonly parts: readonly TopicPart[];
  readonly examples?: readonly string[];
}

interface TopicPart {
  readonly heading?: string;
  /** What is written, and what it means. */
  readonly rows?: readonly (readonly [term: string, meaning: string])[];
  readonly text?: string;
}

export const topics = {
  queries: {
    title: 'Queries',
    summary: 'what --where selects',
    about:
      '--where selects by content, in dump, stats, export, slice, info and report; the search of the page has the same language.',
    parts: [
      {
        rows: [
          ['obj_character', 'items of a type, also character; obj_character/0 is the one with the id 0'],
          ['sv_killmsg', 'messages, also killmsg'],
          ['kill, chat', 'events, by the beginning of their name: those of dump --events'],
          ['x>800', 'what has such a value: = != < <= > >=, and ~ for contained text: message~gg'],
          ['"good game"', 'what has this in one of its texts, or is about a player of such a name'],
          ['changed weapon', 'items whose value differs from that in the snapshot before'],
          ['A B, A and B', 'what both select; also A or B, not A and parentheses: not goes before and, and before or'],
        ],
      },
      {
        text: 'Fields are those of tw-snap schema NAME; status stands for all of status[0], status[1] and so on. An item also has id, and player if it is about one; a message has player if it names some.',
      },
      {
        text: 'A value is a number (800, -1, 0x20) or a name (ninja). Of flags, names are those that are set: player_flags=chatting|ready has both. The number of a client may be the name of its player: killer=corpus.',
      },
      {
        text: 'A condition selects nothing that lacks the field: weapon!=ninja is for what has a weapon, not weapon=ninja also for what has none.',
      },
    ],
    examples: [
      "tw-snap dump match.demo --where 'sv_killmsg or sv_emoticon'",
      "tw-snap dump match.demo --where 'obj_character id=corpus changed weapon'",
      "tw-snap info demos --where 'kill killer=corpus weapon=ninja'",
    ],
  },
  moments: {
    title: 'Moments',
    summary: 'FILE@0:30, FILE@last, FILE#101',
    about: 'How a file, and a place in a recording, is named.',
    parts: [
      {
        rows: [
          ['FILE', 'a path; the file may be compressed'],
          ['-', 'standard input, which is also read if no file is given'],
          ['FILE@9938', 'the snapshot of a demo or capture at a tick'],
          ['FILE@0:30', 'at a time since the first tick; also @90s, @1:02:03'],
          ['FILE@first', 'the first snapshot; @last is the last one, @last-10s ten seconds before it'],
          ['FILE@0:30..0:40', 'the range from one moment to another; without one it begins or ends with the recording'],
          ['FILE#101', 'packet 101 of a capture, as Wireshark counts'],
          ['empty', 'as a base: the empty snapshot'],
        ],
      },
      {
        text: '--ticks A..B selects a range of whole recordings in the same form. A second @MOMENT alone is in the file of the first.',
      },
    ],
    examples: [
      'tw-snap decode match.demo@0:30',
      'tw-snap diff match.demo@first @last',
      'tw-snap dump match.demo@0:30..0:40',
      'tw-snap decode server.pcap#101',
    ],
  },
  formats: {
    title: 'Formats',
    summary: 'what -f, -k and -p state',
    about: 'How an input is encoded, what it contains and its protocol are recognised by content; options state them.',
    parts: [
      {
        heading: '-f, recordings',
        rows: [
          ['demo', 'a demo of version 3 to 6, or of the draft of 7'],
          ['pcap', 'a capture: pcap or pcapng'],
          ['ghost', 'a ghost: the run of one player'],
          ['netlog', 'a network log of the games'],
        ],
      },
      {
        heading: '-f, a single payload',
        rows: [
          ['packet', 'the payload of a UDP datagram'],
          ['message', 'one message, as in a packet'],
          ['huffman', 'a snapshot or delta as demos have it: packed ints, compressed'],
          ['packed', 'the same without compression, as messages have it: ints of 1 to 5 bytes'],
          ['ints', 'ints of 4 bytes, little-endian, as in memory'],
          ['json', 'what decode -t json prints'],
          ['hex', 'text with bytes as hex, also short as ff'],
          ['bytes', 'bytes that look like text, but are none'],
        ],
      },
      {
        heading: '-k, what a payload contains',
        rows: [
          ['snapshot', 'all items of a moment'],
          ['delta', 'what changes from a base to the next snapshot'],
          ['packet, message', 'as above'],
        ],
      },
      {
        heading: '-p, the protocol',
        rows: [['0.5, 0.6, 0.7', 'Teeworlds; 0.6 includes DDNet and its items and messages with a UUID']],
      },
      {
        text: 'Any of them may be compressed with gzip or zstd (Node 22.15 or newer), or be alone in a zip. Pasted text is read as hex, as dumps of xxd, tcpdump, gdb and others, and as byte strings of programming languages.',
      },
      {
        text: '-t has the formats of a command; its help lists them. apply and diff write payloads: -t huffman, packed, ints or hex.',
      },
    ],
    examples: [
      'tw-snap decode next.delta -k delta -p 0.6',
      'tw-snap decode first.delta -t json | tw-snap apply -t huffman -o again.snap',
    ],
  },
  'exit-codes': {
    title: 'Exit status',
    summary: '0, 1, 2 and 3',
    about: 'The exit status is for scripts: the worst of all files.',
    parts: [
      {
        rows: [
          ['0', 'success'],
          ['1', 'a finding: a difference, a checksum that differs, with --strict a warning'],
          ['', 'a search without a hit: dump --where, --type, --id, --player, --events;'],
          ['', 'decode --type, --id; info --where, --player, --map, --health, --finish'],
          ['2', 'wrong usage, or output that cannot be written'],
          ['3', 'input that could not be read completely; everything readable has been shown'],
        ],
      },
      {
        text: 'Data goes to standard output, everything else to standard error, where each line begins with "tw-snap: ". What 1 means for a command is in its own help.',
      },
    ],
    examples: ['tw-snap checksum match.demo --strict', 'tw-snap diff match.demo@first match.demo@last'],
  },
  environment: {
    title: 'Environment',
    summary: 'variables',
    about: 'Variables that change what tw-snap does.',
    parts: [
      {
        rows: [
          ['TW_SNAP_SCHEMA', "a mod's items and messages, where --schema is not given: JSON"],
          ['TW_SNAP_SITE', 'the address of the page, which links of decode --link begin with'],
          ['NO_COLOR', 'output is not coloured, unless --color says otherwise'],
          [
            'FORCE_COLOR',
            'output is coloured even if it is not a terminal; with 0 it is not coloured even if it is one',
          ],
          ['LC_ALL, LC_CTYPE, LANG', 'C or POSIX: text for people is in ASCII, as with --ascii'],
          ['GITHUB_ACTIONS', 'with the value true, findings are annotations; GITHUB_STEP_SUMMARY gets a summary'],
          [
            'XDG_CACHE_HOME',
            'with Node 22 and newer, compiled code is kept for the next start in the folder tw-snap there (default: ~/.cache; on Windows always %LOCALAPPDATA%); nothing is kept where others can write, and it may be deleted at any time',
          ],
          ['NODE_DISABLE_COMPILE_CACHE', 'with the value 1, no compiled code is kept'],
          ['DEBUG', 'with the value tw-snap, internal errors are shown with the place in the program'],
        ],
      },
    ],
    examples: ['TW_SNAP_SCHEMA=network.json tw-snap dump match.demo'],
  },
} as const satisfies Readonly<Record<string, Topic>>;

/** For a line of text, so much is easy to read. */
const widest = 80;

/** A topic as `tw-snap help` prints it, in at most so many columns. */
function topicText({ title, about, parts, examples = [] }: Topic, columns: number): string {
  const width = Math.min(columns, widest);
  const style = { theme: plainTheme, width, verbose: false };
  const linesOf = (text: string) => wrap(text.split(' '), width);
  const labelWidth = Math.max(...parts.flatMap(({ rows = [] }) => rows.map(([term]) => term.length)));
  const sections = parts.map(({ heading, rows, text }): Section => {
    const labelled = rows?.map(([term, meaning]) => [term, ...meaning.split(' ')] as const);
    return {
      ...(heading && { title: [`${heading}:`] }),
      ...(labelled && { rows: labelled, labelWidth }),
      ...(text && { lines: linesOf(text) }),
    };
  });
  const shown = examples.map((line) => `  ${line}`);
  return printSections(
    [{ title: [`${title}:`], lines: linesOf(about) }, ...sections, { title: ['Examples:'], lines: shown }],
    style,
  );
}

/** The first screen: at most 60 columns and 48 lines, so that it is seen at once. */
const firstScreen = (commands: readonly CommandEntry[]) => `Usage: tw-snap FILE
       tw-snap COMMAND [options] [file...]

Inspects Teeworlds and DDNet network data.

${[...new Set(commands.map(({ group }) => group))]
  .map((title) => {
    const entries = commands.filter(({ group }) => group === title);
    return `${title}:\n${entries.map(({ name, summary }) => `  ${name.padEnd(10)}  ${summary}\n`).join('')}\n`;
  })
  .join('')}Help:
  tw-snap COMMAND -h        the options most used
  tw-snap COMMAND --help    all of them
${Object.entries(topics)
  .map(([name, { summary }]) => `  tw-snap help ${name.padEnd(11)}  ${summary}\n`)
  .join('')}  tw-snap --version         -v: also what it was built from

Start with: tw-snap FILE, or paste hex into tw-snap decode.
`;

interface CommandEntry {
  readonly group: string;
  readonly name: string;
  readonly summary: string;
}

/**
 * What `tw-snap help` prints: a topic, or the first screen.
 * @throws CommandError for a word that is neither a topic nor a command
 */
export function helpText(
  word: string | undefined,
  commands: readonly CommandEntry[],
  columns: number | undefined,
): string {
  if (word === undefined || word === 'help' || word.startsWith('-')) return firstScreen(commands);
  const topic = Object.entries<Topic>(topics).find(([name]) => name === word)?.[1];
  if (topic) return topicText(topic, columns ?? widest);
  const names = [...commands, ...Object.keys(topics).map((name) => ({ name }))];
  const [near] = similarNames(names, word);
  const hint = near === undefined ? "'tw-snap help' lists them all" : `did you mean ${near}?`;
  throw usageError(`no command or topic '${escapeText(word)}'; ${hint}`);
}

/** Words of other programs for what a command does. */
const otherWords: Readonly<Record<string, string>> = {
  grep: "'tw-snap dump FILE --where QUERY'",
  find: "'tw-snap dump FILE --where QUERY', or for files 'tw-snap info FOLDER --where QUERY'",
  show: "'tw-snap decode FILE', or for a recording 'tw-snap info FILE'",
  view: "'tw-snap report FILE -o PAGE.html', or for bytes 'tw-snap decode FILE'",
  encode: "'tw-snap apply FILE -t huffman' for a snapshot, or 'tw-snap diff OLD NEW -t huffman' for a delta",
};

/** The command line that does what a word means that is no command; undefined for any other word. */
export function meantBy(word: string): string | undefined {
  if (Object.hasOwn(topics, word)) return `'tw-snap help ${word}'`;
  return Object.hasOwn(otherWords, word) ? otherWords[word] : undefined;
}

/** What `tw-snap version -v` prints. */
export const versionInDetail = () => `tw-snap ${VERSION}
commit ${COMMIT || 'unknown'}
Node ${process.version}
protocol tables: 0.5, 0.6.5, 0.7.5; DDNet 20.1 of 2026-09, compared with DDNet's development build of 2026-08-22 (28baa427)
`;
