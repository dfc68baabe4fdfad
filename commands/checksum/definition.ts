import {
  annotations,
  anyInputs,
  common,
  expectedChecksum,
  flag,
  type Given,
  printing,
} from '../lib/options/options.ts';

export const definition = {
  arguments: {
    '[file...]': "captures, demos, folders, snapshots or deltas; '-' or nothing for standard input",
  },
  options: {
    list: flag('--list', 'demos: print the checksum of each snapshot', {
      refusal: ({ to, summary }) =>
        to === 'text' && !summary ? undefined : '--list prints text: leave out -t and --summary',
    }),
    summary: flag('--summary', 'one row per file, also for a single capture; with -t ndjson a line per file'),
    messages: flag('--messages', 'demos: also read the messages, as info does'),
    expect: expectedChecksum('exit 1 if a checksum differs'),
    ...anyInputs,
    ...printing(['text', 'markdown', 'ndjson', 'json', 'junit']),
    annotations,
    strict: common.strict,
    jobs: common.jobs,
  },
  help: `
Checksums of a capture are compared with the announced ones: a mismatch exits 1,
damage 3; a snapshot without its base or a part counts only with --strict. Of
demos only those that a server recorded for one player announce any. Damage
inside a demo's messages is found with --messages.

Examples:
  tw-snap checksum server.pcap
  tw-snap checksum demos -t json
  tw-snap checksum match.demo --list > list`,
};

export type ChecksumOptions = Given<(typeof definition)['options']> & {
  /** The columns of the longest name of a file. */
  readonly fileWidth?: number;
};
