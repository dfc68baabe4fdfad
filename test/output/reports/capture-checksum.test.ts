import { describe, expect, it } from 'vitest';
import type {
  ChecksumResults,
  ConnectionResults,
  FailedChecksum,
  Suspect,
} from '../../../src/analysis/explain/checksum-results.ts';
import { checksumsLine, renderCaptureChecksums } from '../../../src/output/reports/capture-checksum.ts';
import { plainTheme } from '../../../src/output/text/theme.ts';
import { ChecksumCounts } from '../../../src/recording/health/checksums.ts';
import type { ConnectionStream } from '../../../src/recording/replay/stream.ts';

const counts = (some: Partial<ChecksumCounts>) => Object.assign(new ChecksumCounts(), some);

const connection = (
  client: string,
  some: Partial<ChecksumCounts>,
  undecodable = 0,
  version?: '0.6',
): ConnectionResults => ({
  stream: { client, undecodable, version } as ConnectionStream,
  counts: counts(some),
});

const sums = (connections: readonly ConnectionResults[], failures: readonly FailedChecksum[] = []) =>
  ({
    connections,
    failures,
    total: connections.reduce((total, connection) => total.add(connection.counts), new ChecksumCounts()),
  }) as unknown as ChecksumResults;

const failure = (over: Partial<FailedChecksum>): FailedChecksum => ({
  frame: 0,
  client: 'a:1',
  tick: 100,
  base: 98,
  expected: 10,
  crc: 12,
  cause: undefined,
  suspects: [],
  touched: [],
  ...over,
});

const look = { theme: plainTheme, width: 100, verbose: false };
const linesOf = (of: ChecksumResults, over: Partial<typeof look> = {}, file?: string) =>
  renderCaptureChecksums(of, file, { ...look, ...over }).split('\n');

/** The lines about one failure, below its heading. */
const reportedBy = (over: Partial<FailedChecksum>, verbose = false) => {
  const listed = linesOf(sums([connection('a:1', { snapshots: 1, mismatched: 1 })], [failure(over)]), { verbose });
  return listed.slice(
    listed.findIndex((line) => line.startsWith('✗')),
    -1,
  );
};

describe('in one line', () => {
  it('all outcomes of snapshots are counted', () => {
    const all = {
      snapshots: 1015,
      matched: 1000,
      mismatched: 1,
      missing_base: 2,
      missing_part: 3,
      damaged: 9,
      empty: 5,
    };
    expect(checksumsLine(counts(all), plainTheme)).toBe(
      '1,015 snapshots: 1,000 match, 1 mismatched, 2 without their base, 3 without a part, 9 damaged, plus 5 empty',
    );
    expect(checksumsLine(counts({ snapshots: 1, matched: 1 }), plainTheme)).toBe('1 snapshot: 1 match');
  });
});

describe('the table', () => {
  it('has a row for each connection, and their sum', () => {
    const listed = linesOf(
      sums([
        connection('a:1', { snapshots: 6, matched: 3, missing_part: 2, damaged: 1 }, 2, '0.6'),
        connection('b:2', { snapshots: 4, missing_base: 4 }),
      ]),
    );
    expect(listed).toEqual([
      '  client          version   snapshots   matched   empty   no base   no part   damaged   mismatched',
      '  a:1             0.6               6         3       0         0         2         1            0',
      '  b:2                               4         0       0         4         0         0            0',
      '  2 connections                    10         3       0         4         2         1            0',
      '',
      "! a:1  2 packets can't be read to the end",
      '! b:2  no full snapshot was captured, and deltas alone make none',
      '',
      '… 1 more is only counted',
      '',
    ]);
  });
});

describe('a failed checksum', () => {
  const item = { type: 10, id: 3, name: 'obj_character', label: 'obj_character' };
  const items = [item];
  const suspect = (over: Partial<Suspect>): Suspect => ({
    cause: 'not_removed',
    about: '',
    keys: [],
    items,
    standing: 'fits',
    isLikely: true,
    ...over,
  });
  const lines: readonly (readonly [Partial<Suspect>, string])[] = [
    [{ cause: 'other_size', numbers: { found: 21, expected: 22 } }, 'obj_character 3 came with 21 ints; it has 22'],
    [{ cause: 'duplicate_key' }, 'obj_character 3 is counted once more than sent: the checksums agree with that'],
    [{ cause: 'unregistered' }, 'type 10 is not registered'],
    [
      { cause: 'damaged', about: 'value', field: 'weapon', numbers: { value: 9 } },
      'weapon of obj_character 3 became 9, which no game sends',
    ],
    [{ cause: 'not_removed' }, 'obj_character 3 stayed: the checksums agree without it'],
    [{ cause: 'removed_unchanged' }, 'obj_character 3 was removed: the checksums agree with it'],
    [
      { cause: 'removed_unchanged', items: [item, { ...item, id: 4 }] },
      'obj_character 3, obj_character 4 were removed: the checksums agree with them',
    ],
    [{ cause: 'sent_in_full' }, 'obj_character 3 was sent in full: the checksums agree without what the base has'],
    [{ cause: 'old_state' }, 'obj_character 3 was updated: the checksums agree without that'],
  ];

  it.each(lines)('%j', (over, words) => {
    expect(reportedBy({ suspects: [suspect(over)] })).toEqual([
      '✗ a:1  tick 100 on base 98: announced 10, rebuilt 12, 2 too many',
      `    ${words}   most likely`,
    ]);
  });

  it('without a likely suspect lists what the delta changes', () => {
    const unknown = { name: undefined, label: 'type_10' };
    const touched = Array.from({ length: 7 }, (_, id) => ({ ...item, id, ...(id === 0 ? unknown : {}) }));
    const suspects = [suspect({ isLikely: false })];
    const [head, possible, changes] = reportedBy({ base: -1, crc: 9, suspects, touched });
    expect(head).toBe('✗ a:1  tick 100 on the empty snapshot: announced 10, rebuilt 9, 1 too few');
    expect(possible).toMatch(/ {3}possible$/);
    expect(changes).toBe(
      '    it changes 7 items: type_10 0, obj_character 1, obj_character 2, obj_character 3, obj_character 4, and 2 more (-v)',
    );
    expect(reportedBy({ touched }, true).at(-1)).toMatch(/obj_character 6$/);
    expect(reportedBy({}).at(-1)).toBe('    it changes no item');
  });

  it('caused by damage names the damage', () => {
    const cause = { severity: 'error', code: 'truncated_delta', offset: 3, args: {} } as const;
    expect(reportedBy({ crc: undefined, cause })).toEqual([
      '✗ a:1  tick 100 on base 98: damaged: the delta ends early',
    ]);
    expect(reportedBy({ crc: undefined })).toEqual(['✗ a:1  tick 100 on base 98: damaged']);
  });

  it('has the command that shows the snapshot, quoted for a shell', () => {
    const all = sums([connection('[::1]:5', { snapshots: 1, mismatched: 1 })], [failure({ client: '[::1]:5' })]);
    expect(linesOf(all, {}, "a 'b'.pcap").at(-4)).toBe(
      `    see it: tw-snap decode "a 'b'.pcap@100" --client "[::1]:5"`,
    );
    expect(linesOf(all, {}, 'a.pcap').slice(-4)).toEqual([
      '    see it: tw-snap decode a.pcap@100 --client "[::1]:5"',
      '',
      'the cause: tw-snap explain a.pcap',
      '',
    ]);
  });

  it('is listed once with all of its cause, and their ticks', () => {
    const of = (client: string, tick: number, crc: number, cause: Suspect['cause']) =>
      failure({ client, tick, frame: tick, crc, suspects: [suspect({ cause })] });
    const failures = [
      of('a:1', 100, 12, 'not_removed'),
      of('b:2', 101, 12, 'not_removed'),
      of('a:1', 102, 12, 'not_removed'),
      of('a:1', 104, 13, 'old_state'),
      of('a:1', 106, 14, 'old_state'),
    ];
    const listed = linesOf(sums([connection('a:1', { snapshots: 5, mismatched: 5 })], failures));
    expect(listed.filter((line) => line.startsWith('✗'))).toEqual([
      '✗ a:1  2 snapshots, ticks 100 to 102, frames 100 to 102: rebuilt 2 too many',
      '✗ b:2  tick 101 on base 98, frame 101: announced 10, rebuilt 12, 2 too many',
      '✗ a:1  2 snapshots, ticks 104 to 106, frames 104 to 106: the first announced 10, rebuilt 13',
    ]);
  });

  it('is of one of ten causes that are listed, unless all are asked for', () => {
    const many = sums(
      [connection('a:1', { snapshots: 12, mismatched: 12 })],
      Array.from({ length: 12 }, (_, i) => failure({ client: `a:${i}` })),
    );
    const count = (listed: readonly string[]) => listed.filter((line) => line.startsWith('✗')).length;
    expect([count(linesOf(many)), linesOf(many).at(-2)]).toEqual([10, '… 2 more (-v)']);
    expect(count(linesOf(many, { verbose: true }))).toBe(12);
  });
});
