import type { Schema } from '../../src/protocol/schema.ts';
import type { DemoRange } from '../../src/recording/demo-range.ts';
import type { Input } from '../lib/input/input.ts';
import type { Io } from '../lib/io.ts';
import { common, flag, type Given, itemSelection, printing, recordingInput, ticks } from '../lib/options.ts';
import type { Stream } from '../lib/output/stream.ts';
import type { ItemFilter } from '../lib/selection.ts';

export const definition = {
  arguments: { '[file...]': "demos, captures or folders; '-' or nothing for standard input" },
  options: {
    changes: flag('--changes', 'print only the items that changed (ndjson)', {
      refusal: ({ to }) => (to === 'ndjson' ? undefined : `--changes requires -t ndjson, not -t ${to}`),
    }),
    messages: flag('--no-messages', 'leave out messages', {
      default: true,
      refusal: ({ to }) =>
        to === 'csv' ? '-t csv prints messages only if --type names them: leave out --no-messages' : undefined,
    }),
    ...recordingInput,
    include: common.include,
    follow: common.follow,
    ticks: ticks('only these ticks, A..B'),
    ...itemSelection('items of these types and messages'),
    ...printing(['text', 'ndjson', 'csv', 'hexdump']),
    strict: common.strict,
    jobs: common.jobs,
  },
  help: `
Examples:
  tw-snap dump match.demo
  tw-snap dump match.demo -t csv --type obj_character --id 0 > path.csv
  tcpdump -U -w - udp port 8303 | tw-snap dump -`,
};

export type DumpOptions = Given<(typeof definition)['options']>;

/** The settings of a dump. */
export interface DumpContext {
  readonly options: DumpOptions;
  readonly input: Input;
  readonly schema: Schema;
  readonly selected: ItemFilter;
  readonly stream: Stream;
  /** Whether there are several files, so that each record contains the file name. */
  readonly isOfSeveral: boolean;
  /** The part of a recording that is dumped; undefined for a whole file. */
  readonly part?: DemoRange | undefined;
  readonly io: Io;
}
