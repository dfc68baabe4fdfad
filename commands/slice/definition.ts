import type { CompiledQuery } from '../../src/analysis/query/compile.ts';
import type { FrameRange } from '../../src/editing/frame-choice.ts';
import { type MomentRange, secondsOf } from '../../src/input/source/position.ts';
import { common, demoOutput, flag, type Given, parsed, player, required, text, ticks } from '../lib/options/options.ts';
import { where } from '../lib/options/where.ts';

export type Options = Given<(typeof definition)['options']>;

const requires =
  (name: string, ...options: readonly ('around' | 'where')[]) =>
  (given: Readonly<Record<string, unknown>>) =>
    options.every((option) => given[option] === undefined)
      ? `--${name} requires ${options.map((option) => `--${option}`).join(' or ')}`
      : undefined;

export const definition = {
  usage: '[options] <file> -o <out>',
  arguments: { '<file>': "a demo or capture, or FILE@A..B for a range of it; '-' for a demo in standard input" },
  options: {
    ticks,
    frames: parsed('--frames <range>', "captures: the packets A..B, by Wireshark's numbers", frameRange),
    client: { ...common.client, about: 'captures: only one connection, by address, port, player or number' },
    around: text(
      '--around <what>',
      'around each kill, death, finish, marker, chat:/RE/ or another event, or one: kill:3, kill:last',
    ),
    where: { ...where, about: "around all that a query selects: 'obj_character weapon=ninja'" },
    player: { ...player, refusal: requires('player', 'around') },
    before: parsed('--before <time>', 'seconds before each event (default: 5)', seconds, {
      refusal: requires('before', 'around', 'where'),
    }),
    after: parsed('--after <time>', 'seconds after each event (default: 3)', seconds, {
      refusal: requires('after', 'around', 'where'),
    }),
    join: flag('--join', 'write one file with all ranges, instead of one for each', {
      refusal: requires('join', 'around', 'where'),
    }),
    carry: flag('--no-carry', 'demos: do not repeat earlier messages that set tuning, votes, motd and other state', {
      default: true,
    }),
    selfContained: flag(
      '--self-contained',
      'captures: write snapshots whole whose base is before the cut, so that all can be rebuilt in it',
    ),
    ...demoOutput("the file to write, with %d for several: cut-%d.demo; '-' for standard output"),
  },
  help: `
Examples:
  tw-snap slice match.demo --ticks 9072..9472 -o cut.demo
  tw-snap slice match.demo@0:10..0:20 -o cut.demo
  tw-snap slice match.demo --around kill --before 5s --after 3s -o frag-%d.demo
  tw-snap slice match.demo --where 'obj_character weapon=grenade' --join -o grenade.demo
  tw-snap slice match.demo --around 'chat:/gg|nice/i' --join -o talk.demo
  tw-snap slice server.pcap@0:10..0:20 --client six -o small.pcapng`,
};

function seconds(text: string): number {
  return required(secondsOf(text), 'seconds, as 90, 5s or 1:30');
}

function frameRange(text: string): FrameRange {
  const [, first = '', last = ''] = /^(\d*)\.\.(\d*)$/.exec(text) ?? [];
  const range = { first: Number(first), last: last === '' ? Infinity : Number(last) };
  const isRange = first + last !== '' && range.first <= range.last;
  return required(isRange ? range : undefined, 'A..B, A.. or ..B, numbers of packets');
}

/** What is cut out: a range, or what a query or an event finds. */
export interface Wanted {
  readonly range: MomentRange | undefined;
  readonly query: CompiledQuery | undefined;
}
