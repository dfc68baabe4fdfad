import { type Identities, maxNameBytes } from '../../src/editing/rename-players.ts';
import { messageGroups, messagesCalled } from '../../src/editing/strip.ts';
import { nameText } from '../../src/output/text/escape.ts';
import type { Schema } from '../../src/wire/protocol/registry.ts';
import { usageError } from '../lib/options/errors.ts';
import { demoOutput, flag, type Given, nameList, oneOfOptional, repeated, text } from '../lib/options/options.ts';

export type Options = Given<(typeof definition)['options']>;

export const definition = {
  usage: '[options] <file> -o <out>',
  arguments: { '<file>': "a demo, or with --anonymise a capture; '-' for a demo in standard input" },
  options: {
    strip: nameList(
      '--strip <messages>',
      `leave out messages: ${Object.keys(messageGroups).join(', ')}, or names of messages`,
    ),
    rename: repeated('--rename <old=new>', 'rename a player everywhere; may be repeated; \\= is a = in OLD'),
    anonymise: flag(
      '--anonymise',
      'replace the names of players and clans by pseudonyms; in captures also addresses, texts and secrets',
    ),
    except: repeated('--except <name>', 'a name that --anonymise keeps; may be repeated', {
      refusal: ({ anonymise }) => (anonymise ? undefined : '--except requires --anonymise'),
    }),
    map: text('--map <file>', 'embed this map, or none'),
    marker: repeated('--marker <tick>', 'add (+TICK) or remove (-TICK) a marker; may be repeated'),
    markers: text('--markers <which>', 'replace the markers: none, or at:kill, at:death, at:finish, at:chat:/RE/'),
    demoVersion: oneOfOptional('--demo-version <version>', 'write this version of the format', ['3', '4', '5', '6']),
    timestamp: text('--timestamp <time>', 'the time of the recording: 2026-11-20_11-08-13, or now'),
    ...demoOutput("the file to write; '-' for a demo to standard output"),
  },
  help: `
Examples:
  tw-snap edit match.demo --strip chat,votes --rename stress2=rival -o clean.demo
  tw-snap edit match.demo --anonymise --map none -o shared.demo
  tw-snap edit server.pcap --anonymise --strip chat -o shared.pcapng
  tw-snap edit match.demo --markers at:kill -o marked.demo
  tw-snap edit match.demo --demo-version 5 -o match-5.demo`,
};

export function strippedNames(words: readonly string[], schema: Schema): Set<string> {
  const all = words.map((word) => {
    const called = messagesCalled(word, schema);
    if (called.size === 0) {
      throw usageError(`--strip: no message or group '${word}'; groups are ${Object.keys(messageGroups).join(', ')}`);
    }
    return [...called];
  });
  return new Set(all.flat());
}

/** `OLD=NEW`: the first `=` of OLD needs no `\` before it if OLD begins with it. */
export function renames(all: readonly string[]): Map<string, string> {
  return new Map(
    all.map((strip) => {
      const [, old, name] = /^(=?(?:\\[=\\]|[^=])*)=(.*)$/s.exec(strip) ?? [];
      if (!old || name === undefined) throw usageError(`--rename expects OLD=NEW, not '${strip}'`);
      if (new TextEncoder().encode(name).length > maxNameBytes) {
        throw usageError(`--rename: '${name}' is too long; a name has at most ${maxNameBytes} bytes`);
      }
      return [old.replace(/\\([=\\])/g, '$1'), name];
    }),
  );
}

/**
 * @param secrets that are not looked for if they are such a name: they are replaced where they stand for themselves
 * @throws CommandError for a name that nobody has
 */
export function keepNames(identities: Identities, names: readonly string[] = [], secrets = new Set<string>()): void {
  for (const name of names) {
    const isSecret = secrets.delete(name);
    if (!identities.keep(name) && !isSecret) throw usageError(`--except: nobody has the name ${nameText(name)}`);
  }
}
