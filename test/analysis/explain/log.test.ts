import { describe, expect, it } from 'vitest';
import {
  differenceOf,
  explainLog,
  isHarmless,
  LogLines,
  type LogRun,
  readLogLine,
} from '../../../src/analysis/explain/log.ts';

import { logPhrases } from '../../../src/output/phrases/log-phrases.ts';
import { logSentences } from '../../../src/recording/games/log-sentences.ts';

/** A line as the games print it: number, tick, wanted, got, bytes, base. */
const crcLine = (number: number, tick: number, announced: number, computed: number, bytes: number, base: number) =>
  `snapshot crc error #${number} - tick=${tick} wantedcrc=${announced} gotcrc=${computed} compressed_size=${bytes} delta_tick=${base}`;

function explained(lines: readonly string[]) {
  const errors = lines.flatMap((text, i) => readLogLine(text, i + 1) ?? []);
  return explainLog(errors);
}

/** `duplicate_key: constant 128`; for a change over time, the amount per tick. */
const inWords = ({ causes, course, perTick, errors }: LogRun) =>
  `${causes.join(', ')}: ${course} ${perTick || differenceOf(errors[0]!)}`;

type Numbers = readonly [
  number: number,
  tick: number,
  announced: number,
  computed: number,
  bytes: number,
  base: number,
];

// Numbers from published logs, with the difference wanted - got.
const threads: readonly [thread: string, errors: readonly Numbers[], words: string][] = [
  [
    'ddnet #11999: 128 on the empty snapshot, a key twice',
    [
      [7, 27350, 1296627929, 1296627801, 671, -1],
      [8, 27400, 1296629136, 1296629008, 671, -1],
      [9, 27450, 1296630280, 1296630152, 671, -1],
      [10, 27500, 1296631336, 1296631208, 671, -1],
      [0, 27550, 1296632631, 1296632503, 671, -1],
    ],
    'duplicate_key: constant 128',
  ],
  [
    'ddnet PR#8739: 11 after a reconnect',
    [
      [0, 14054, 1565766388, 1565766377, 108, 14050],
      [1, 14056, 1565815335, 1565815324, 148, 14050],
    ],
    'duplicate_key, removed_unchanged: constant 11',
  ],
  [
    'ddnet #5454: -3785, full hash buckets',
    [
      [0, 31206, -1000024314, -1000020529, 48, 31202],
      [1, 31208, -1000024314, -1000020529, 48, 31202],
      [2, 31210, -1000024314, -1000020529, 48, 31202],
    ],
    'sent_in_full: constant -3785',
  ],
  [
    'ddnet #4379: -24908 on two bases, full hash buckets',
    [
      [10, 38994, -1016039750, -1016014842, 160, 38956],
      [0, 38996, -1016039748, -1016014840, 160, 38956],
      [3, 39024, -1016039720, -1016014812, 159, 39004],
    ],
    'sent_in_full: constant -24908',
  ],
  [
    'ddnet #4237: -918',
    [
      [7, 90532, -396690292, -396689374, 367, 90514],
      [8, 90534, -396690290, -396689372, 367, 90514],
      [9, 90536, -396690286, -396689368, 367, 90514],
    ],
    'sent_in_full: constant -918',
  ],
  [
    'F-DDrace #400: one less for each tick of the base',
    [
      [0, 2497234, -10244067, -7696683, 14898, 2497232],
      [1, 2497235, -10243140, -7695756, 14898, 2497232],
      [2, 2497236, -10242255, -7694870, 14898, 2497233],
      [3, 2497237, -10241326, -7693941, 14898, 2497233],
    ],
    'sent_in_full: follows_base -1',
  ],
];

describe('the class of cause that a client log gives', () => {
  it.each(threads)('%s', (_, errors, words) => {
    const { runs } = explained(errors.map((numbers) => crcLine(...numbers)));
    expect(runs.map(inWords)).toEqual([words]);
  });

  it('deltas of 14.9 kB over two ticks are large', () => {
    const [, errors] = threads.at(-1)!;
    expect(explained(errors.map((numbers) => crcLine(...numbers))).runs[0]!.isLarge).toBe(true);
    const [, small] = threads[2]!;
    expect(explained(small.map((numbers) => crcLine(...numbers))).runs[0]!.isLarge).toBe(false);
  });

  it.each([
    [
      'one error alone leaves more open',
      [[0, 10, 128, 0, 50, 8]],
      'duplicate_key, removed_unchanged, other_size, wrong_base, damaged: single 128',
    ],
    [
      'a difference without order is none of one item',
      [
        [0, 10, 128, 0, 50, 8],
        [1, 12, -9000, 0, 50, 8],
        [2, 14, 12, 0, 50, 8],
      ],
      'other_size, wrong_base, damaged: varies 128',
    ],
    [
      'a difference that changes little is of an item that moves',
      [
        [0, 10, 3000, 0, 50, 8],
        [1, 12, 3010, 0, 50, 8],
        [2, 14, 3017, 0, 50, 8],
      ],
      'duplicate_key, removed_unchanged: drifts 3000',
    ],
    [
      'a difference that grows with the tick',
      [
        [0, 10, 30, 0, 50, 8],
        [1, 12, 32, 0, 50, 8],
        [2, 14, 34, 0, 50, 8],
      ],
      'duplicate_key, removed_unchanged: follows_tick 1',
    ],
    [
      'sums wrap',
      [
        [0, 10, -2147483648, 2147483647, 50, 8],
        [1, 12, -2147483648, 2147483647, 50, 8],
      ],
      'duplicate_key, removed_unchanged: constant 1',
    ],
  ] as const)('%s', (_, errors, words) => {
    const lines = (errors as readonly Numbers[]).map((numbers) => crcLine(...numbers));
    expect(explained(lines).runs.map(inWords)).toEqual([words]);
  });

  it('errors more than ten seconds apart are not in a row', () => {
    const lines = [crcLine(0, 10, 128, 0, 50, 8), crcLine(0, 511, 128, 0, 50, 500), crcLine(0, 12, 5, 0, 50, 8)];
    expect(explained(lines).runs.map(({ errors }) => errors.map(({ line }) => line))).toEqual([[1], [2], [3]]);
  });
});

describe('lines of logs', () => {
  const crc = crcLine(1, 2, 3, -4, 5, -1);
  const numbers = { kind: 'crc', line: 9, number: 1, tick: 2, announced: 3, computed: -4, bytes: 5, base: -1 };

  it.each([
    ['DDNet', `2026-03-28 09:33:01 E client: ${crc}`],
    ['DDNet before 2022', `[2022-06-18 17:56:32][client]: ${crc}`],
    ['Teeworlds', `[4f0b1c2e][client]: ${crc}`],
    ['a line cut out', crc],
  ])('are read with any prefix before the message: %s', (_, text) => {
    expect(readLogLine(text, 9)).toEqual(numbers);
  });

  it.each([
    ['client: delta unpack failed. error=-205', { kind: 'unpack', line: 1, code: -205 }],
    ['[client]: delta unpack failed! (-102)', { kind: 'unpack', line: 1, code: -102 }],
    ['[client]: delta unpack failed!', { kind: 'unpack', line: 1, code: undefined }],
    ['client: snapshot invalid. SnapSize=12, DeltaSize=34', { kind: 'invalid', line: 1 }],
    ["client: error, couldn't find the delta snapshot", { kind: 'no_base', line: 1 }],
    // As `OnMessage` in gameclient.cpp and `SnapInvalidateItem` in client.cpp of the games print them.
    [
      "[5ef0a1e7][client]: dropped weird message '(out of range)' (-3749), failed on '(type out of range)'",
      {
        kind: 'dropped',
        line: 1,
        what: 'message',
        name: '(out of range)',
        number: -3749,
        field: '(type out of range)',
      },
    ],
    [
      "2026-03-28 09:33:01 D client: dropped weird object 'Pickup' (4), failed on 'm_Type'",
      { kind: 'dropped', line: 1, what: 'item', name: 'Pickup', number: 4, field: 'm_Type' },
    ],
    [
      '[game]: invalidated index=161 type=-1 ((out of range)) size=4 id=52',
      { kind: 'dropped', line: 1, what: 'item', name: '(out of range)', number: -1, field: undefined },
    ],
    ["[4f0b1c2e][chat]: 3:-2:robin: dropped weird message 'x' (1), failed on 'y'", undefined],
    ['client: prediction time reset!', undefined],
    ['chat: snapshot crc error, they said', undefined],
    ['[4f0b1c2e][chat]: 3:-2:robin: delta unpack failed!', undefined],
    ['2026-03-28 09:33:01 I chat/client: robin: delta unpack failed. error=-205', undefined],
    ['', undefined],
  ])('%s', (text, error) => {
    expect(readLogLine(text, 1)).toEqual(error);
  });

  it('that report what was dropped are counted by what it is', () => {
    const line = (number: number) => `client: dropped weird message '(out of range)' (${number}), failed on '(type)'`;
    const { dropped } = explained([line(-3749), line(-20), line(-20)]);
    expect(dropped.map(({ number, line, count }) => [number, line, count])).toEqual([
      [-3749, 1, 1],
      [-20, 2, 2],
    ]);
  });

  it('that report other faults than a wrong checksum are counted', () => {
    const { runs, unpackErrors, invalid, missingBases } = explained([
      'client: delta unpack failed. error=-205',
      'client: delta unpack failed. error=-205',
      'client: delta unpack failed!',
      'client: snapshot invalid. SnapSize=12, DeltaSize=34',
      "client: error, couldn't find the delta snapshot",
    ]);
    expect([runs, [...unpackErrors], invalid, missingBases]).toEqual([
      [],
      [
        [-205, 2],
        [0, 1],
      ],
      1,
      1,
    ]);
  });
});

describe('sentences of the games', () => {
  // Lines as the format strings of the games' source make them.
  const lines: readonly (readonly [code: string, line: string])[] = [
    ['demo_huffman', 'E demo_player: Stopped playback due to error: Error during network decompression'],
    ['demo_huffman', '[demo_player]: error during network decompression'],
    ['demo_ints', '[demo_player]: Stopped playback due to error: Error during intpack decompression'],
    ['demo_chunk_head', 'E demo_player: Stopped playback due to error: Error reading chunk header'],
    ['demo_delta_first', 'E demo_player: Stopped playback due to error: Delta snapshot before any full snapshot'],
    ['demo_scan', 'E demo_player: Stopped playback due to error: Error scanning demo file'],
    ['demo_delta', 'I demo_player: Error unpacking snapshot delta. DataSize=-206'],
    ['demo_format', "E client: Demo version '7' is not supported"],
    ['demo_header', "[demo_player]: 'demos/a.demo' is not a demo file"],
    ['snapshot_validate', 'E client: unpack snapshot and validate failed. error=-4'],
    ['demo_snapshot', 'I sixup: demo snapshot failed. error=-17'],
    ['snapshot_item_type', '/src/engine/shared/snapshot.cpp(879): Invalid snap item Type: -32768'],
    ['ghost_version', "E ghost_loader: Failed to read ghost file 'a.gho': ghost version '3' is not supported"],
    ['ghost_map', "E ghost_loader: Failed to read ghost file 'a.gho': ghost map CRC mismatch (wanted='1', ghost='2')"],
    ['ghost_chunk', "E ghost_loader: Failed to read ghost file 'a.gho': error during network decompression"],
    ['token_mismatch', 'I security: token mismatch, expected 12 got 34'],
    ['wrong_version', "client dropped. reason='Wrong version. Server is running '0.6 1' and client '0.7 2''"],
    ['timeout', "I client: offline error='Timeout'"],
    ['map_differs', 'I client: map differs from the server. 5f2b != 8cc1'],
  ];
  it.each(lines)('%s', (code, text) => {
    expect(readLogLine(`2026-11-28 10:28:29 ${text}`, 3, logSentences)).toMatchObject({
      kind: 'sentence',
      line: 3,
      code,
    });
  });

  it('are counted by what they say', () => {
    const said = (reason: string) =>
      `client dropped. reason='Wrong version. Server is running '0.6 1' and client '${reason}''`;
    const errors = ['0.7 2', '0.7 1', '0.7 2'].flatMap(
      (reason, i) => readLogLine(said(reason), i + 1, logSentences) ?? [],
    );
    expect(explainLog(errors).sentences.map(({ code, line, count }) => [code, line, count])).toEqual([
      ['wrong_version', 1, 2],
      ['wrong_version', 2, 1],
    ]);
  });

  it('each has a meaning, and what to look at', () => {
    for (const { code } of logSentences) {
      expect(logPhrases[code].meaning.length, code).toBeGreaterThan(10);
      expect(logPhrases[code].next.length, code).toBeGreaterThan(3);
    }
  });

  it('an unknown extended item is harmless, another unknown type is not', () => {
    const line = (type: number) =>
      readLogLine(`[game]: invalidated index=1 type=${type} ((out of range)) size=4 id=3`, 1)!;
    expect([isHarmless(line(-1)), isHarmless(line(70))]).toEqual([true, false]);
  });
});

it.each([
  ['server', '[2026-11-28 19:54:18][server]: server name is my fng\n[2026-11-28 19:54:18][register]: registered'],
  ['client', '2026-11-28 10:28:29 I client: version 19.5\n2026-11-28 10:28:29 I gfx: vsync'],
  ['client', '[663fe6e1][client]: connected, sending info'],
  ['master server', '[2026-11-20T12:00:01Z INFO  mastersrv] listening\n'],
  [undefined, 'It crashes when I join.\n[663fe6e1][client]: connected\nWhy?'],
])('the log of a %s is known by the form of its lines', (owner, text) => {
  const lines = new LogLines();
  for (const line of text.split('\n')) lines.add(line);
  expect(lines.owner).toBe(owner);
});
