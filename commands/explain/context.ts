import type { FileCheck } from '../../src/view/ci/file-check.ts';
import {
  annotations,
  anyInput,
  color,
  common,
  expectedChecksum,
  flag,
  type Given,
  text,
  to,
  width,
} from '../lib/options.ts';

export const definition = {
  arguments: {
    '[file...]': "captures, demos, folders, client logs; or a base and a delta; '-' or nothing for standard input",
  },
  options: {
    expect: expectedChecksum('the checksum that was announced for the result of base and delta'),
    ...anyInput,
    include: common.include,
    to: to(['table', 'json', 'ndjson', 'junit']),
    output: text('-o, --output <dir>', 'a folder for a minimal reproduction: base, delta and README', {
      group: 'output',
    }),
    color,
    width,
    verbose: flag('-v, --verbose', 'show all failures and all tested hypotheses', { group: 'output' }),
    annotations,
    jobs: common.jobs,
  },
  help: `
Names the cause of each failure with the item, the evidence, and the code that
the author of the server should check. A cause is accepted only if it explains
all consecutive failures and is unlikely to fit by chance.

Exit status: 0 nothing to explain, 1 failures, explained or not, 3 unreadable input.

Examples:
  tw-snap explain server.pcap
  tw-snap explain faulty.pcap -o case
  tw-snap explain base.snap next.delta --expect 333080975
  tw-snap explain client.log`,
};

/** `output` is a folder. */
export type ExplainOptions = Given<(typeof definition)['options']>;

/** The result for an input, as plain data, since a worker may return it. */
export interface Outcome {
  readonly status: number;
  readonly text: string;
  readonly json: object;
  readonly check: Omit<FileCheck, 'status'>;
}
