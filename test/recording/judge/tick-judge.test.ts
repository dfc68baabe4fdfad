import { describe, expect, it } from 'vitest';
import { type JudgeInput, TickJudge } from '../../../src/recording/judge/tick-judge.ts';
import type { Code } from '../../../src/wire/bytes/diagnostic.ts';
import { demoMessage, messageBytes } from '../../support/recording.ts';

/*
 * Streams of records as words:
 *
 *   50      a tick marker           D100   a delta whose ints add up to 100
 *   K7      a full snapshot         =100   the announced checksum of this tick;  =100@52 that of another
 *   !code   a warning about chunks  !D:code, !K:code, !M:code   of the payload of a delta, full snapshot, message
 *   ✗…      the same as an error
 *   /       what follows lies further in the file: another chunk
 */

const words = /^(?:(\d+)|([KD])(-?\d+)|=(-?\d+)(?:@(\d+))?|([!✗])(?:([KDM]):)?(\w+))$/;
const kinds = { K: 'snapshot', D: 'delta', M: 'message' } as const;

function* recordsOf(stream: string, announcesChecksums: boolean, hasTicks = true): Iterable<JudgeInput> {
  const about = { client: '', announcesChecksums };
  yield { record: 'header', stream: about } as JudgeInput;
  let tick = -1;
  let offset = 0;
  for (const word of stream.split(/\s+/)) {
    if (word === '/') {
      offset++;
      continue;
    }
    const [, marker, kind, sum, crc, of, mark, chunk, code] = words.exec(word)!;
    if (marker !== undefined) {
      tick = Number(marker);
      if (hasTicks) yield { record: 'tick', stream: about, tick } as JudgeInput;
    } else if (kind !== undefined) {
      const snapshot = { checksum: () => Number(sum) };
      yield { record: 'snapshot', stream: about, tick, kind: kinds[kind as 'K'], snapshot, offset } as JudgeInput;
    } else if (crc !== undefined) {
      const bytes = messageBytes('0.6', 'snap_single', [Number(of ?? tick), 2, Number(crc), 0]);
      const message = demoMessage('0.6', bytes);
      yield { record: 'message', stream: about, tick, head: message, message, bytes } as unknown as JudgeInput;
    } else {
      const severity = mark === '✗' ? 'error' : 'warning';
      const diagnostic = { severity, code: code as Code, offset, args: {} };
      const place = chunk === undefined ? {} : { chunk: kinds[chunk as 'K'] };
      yield { record: 'diagnostic', stream: about, tick, diagnostic, ...place } as JudgeInput;
    }
  }
}

/** `confirmed 50 to 54 (3)`, `doubtful 56 (1) wrong_checksum`, then signs without an answer: `signs 1`. */
function judgedBy(judge: TickJudge, records: Iterable<JudgeInput>): string {
  for (const record of records) judge.add(record);
  judge.finish();
  const ranges = judge.ranges.map(({ trust, from, to, snapshots, cause }) => {
    const ticks = from === to ? `${from}` : `${from} to ${to}`;
    return `${trust} ${ticks} (${snapshots})${cause ? ` ${cause.code}` : ''}`;
  });
  return [...ranges, ...(judge.signs > 0 ? [`signs ${judge.signs}`] : [])].join(', ');
}

function judged(stream: string, announces = true): string {
  const found = judgedBy(new TickJudge(), recordsOf(stream, announces));
  // Some readers leave tick markers out.
  expect(judgedBy(new TickJudge(), recordsOf(stream, announces, false))).toBe(found);
  return found;
}

it('a key that comes twice is no sign of damage: a server that has one lists it twice in its deltas, too', () => {
  expect(judged('50 !K:duplicate_key K7 52 !D:updated_twice D8 54 !D:removed_twice D9 56 D1', false)).toBe(
    'plain 50 to 56 (4)',
  );
});

describe('checksums', () => {
  it('confirm the snapshot of their tick', () => {
    expect(judged('50 K7 =7 52 D8 =8 54 D9 =9')).toBe('confirmed 50 to 54 (3)');
  });

  it('that are not announced leave a snapshot plain', () => {
    expect(judged('50 K7 =7 52 D8 54 D9 =9 56 D1')).toBe(
      'confirmed 50 (1), plain 52 (1), confirmed 54 (1), plain 56 (1)',
    );
    expect(judged('50 K7 52 D8', false)).toBe('plain 50 to 52 (2)');
  });

  it('of another snapshot put it and all after it in doubt, up to two that fit: one may do so by chance', () => {
    expect(judged('50 K7 =7 52 D8 =5 54 D9 56 D4 =4 58 D3 60 D2 =2 62 D1')).toBe(
      'confirmed 50 (1), doubtful 52 to 58 (4) wrong_checksum, confirmed 60 (1), plain 62 (1)',
    );
    expect(judged('50 K7 =7 52 D8 =5 54 D9 =9 56 D4 =5 58 D3 =3 60 D2 =2')).toBe(
      'confirmed 50 (1), doubtful 52 to 58 (4) wrong_checksum, confirmed 60 (1)',
    );
    // It depends on nothing before.
    expect(judged('50 K7 =7 52 D8 =5 54 K9 =9')).toBe(
      'confirmed 50 (1), doubtful 52 (1) wrong_checksum, confirmed 54 (1)',
    );
  });

  it('that differ count up to a full snapshot, which depends on nothing before', () => {
    expect(judged('50 K7 =7 52 D8 =5 54 D9 56 K4 58 D3')).toBe(
      'confirmed 50 (1), doubtful 52 to 54 (2) wrong_checksum, plain 56 to 58 (2)',
    );
  });

  it('of another tick that fit the snapshot beside them say how far its marker is off', () => {
    const judge = new TickJudge();
    const stream = '50 K7 =7 53 D8 =8@52 55 D9 =9@54 57 D4 =4@56';
    expect(judgedBy(judge, recordsOf(stream, true))).toBe('confirmed 50 (1), doubtful 53 to 57 (3) other_tick');
    expect([judge.sums, ...judge.sums.shifted]).toEqual([
      { announced: 4, matched: 1, mismatched: 0, shifted: new Map([[1, 3]]), other: 0, missing: 0 },
      [1, 3],
    ]);
  });

  it('of another tick that do not fit either are of a snapshot on another base', () => {
    expect(judged('50 K7 =7 52 D8 =5@54 54 D9 =4@56')).toBe('confirmed 50 (1), doubtful 52 to 54 (2) other_checksum');
  });

  it('without a snapshot say that one is missing, and what follows is made from it', () => {
    expect(judged('50 K7 =7 52 =8 54 D9 56 D4 =4 58 D3 =3')).toBe(
      'confirmed 50 (1), lost 52 (1) snapshot_missing, doubtful 54 to 56 (2) snapshot_missing, confirmed 58 (1)',
    );
  });

  it('come once for all parts of a snapshot', () => {
    const judge = new TickJudge();
    expect(judgedBy(judge, recordsOf('50 K7 =7 =7 =7 52 D8 =8 =8', true))).toBe('confirmed 50 to 52 (2)');
    expect(judge.sums.announced).toBe(2);
  });

  it('are only those that the demo is known to announce', () => {
    expect(judged('50 K7 =5 52 D8 =6', false)).toBe('plain 50 to 52 (2)');
  });
});

describe('signs of damage', () => {
  it('in a delta last up to a full snapshot', () => {
    expect(judged('50 K7 52 !D:excess_ints D8 54 D9 56 K4 58 D3', false)).toBe(
      'plain 50 (1), doubtful 52 to 54 (2) excess_ints, plain 56 to 58 (2), signs 1',
    );
  });

  it('in a full snapshot count for it, and those before it do not', () => {
    expect(judged('50 !D:excess_ints D8 52 !K:data_without_items K7 54 D3 56 K4', false)).toBe(
      'doubtful 50 (1) excess_ints, doubtful 52 to 54 (2) data_without_items, plain 56 (1), signs 2',
    );
  });

  it('are answered by the checksum of their snapshot, and only by that', () => {
    expect(judged('50 K7 =7 52 !D:excess_ints D8 =8 54 D9 =9')).toBe('confirmed 50 to 54 (3)');
    expect(judged('50 K7 =7 52 !D:excess_ints D8 54 D9 56 D4 =4')).toBe(
      'confirmed 50 (1), doubtful 52 to 54 (2) excess_ints, confirmed 56 (1), signs 1',
    );
  });

  it('in keys last up to a full snapshot, whatever the checksum says: keys are not in it', () => {
    expect(judged('50 K7 =7 52 !D:invalid_key D8 =8 54 D9 =9 56 K4 =4')).toBe(
      'confirmed 50 (1), doubtful 52 to 54 (2) invalid_key, confirmed 56 (1), signs 1',
    );
  });

  it('between a snapshot and its checksum are about what comes next', () => {
    expect(judged('50 K7 =7 52 D8 !chunk_type =8 54 D9 56 D4 =4')).toBe(
      'confirmed 50 to 52 (2), doubtful 54 (1) chunk_type, confirmed 56 (1), signs 1',
    );
  });

  it('in a message, and what is only unusual, put no snapshot in doubt', () => {
    expect(judged('50 K7 ✗M:huffman_no_eof !M:huffman_padding 52 !D:size_differs D8 !other_length', false)).toBe(
      'plain 50 to 52 (2)',
    );
  });

  it('before a full snapshot leave it plain, but do not go unsaid', () => {
    expect(judged('50 K7 52 D8 !tick_backwards 40 K7', false)).toBe('plain 50 to 40 (3), signs 1');
  });
});

describe('what is lost', () => {
  it('is a snapshot that cannot be read; deltas after it are doubtful', () => {
    expect(judged('50 K7 52 ✗D:huffman_no_eof 54 D9 56 K4', false)).toBe(
      'plain 50 (1), lost 52 (1) huffman_no_eof, doubtful 54 (1) huffman_no_eof, plain 56 (1)',
    );
    expect(judged('50 K7 52 ✗K:huffman_no_eof 54 D9 56 K4', false)).toBe(
      'plain 50 (1), lost 52 (1) huffman_no_eof, doubtful 54 (1) huffman_no_eof, plain 56 (1)',
    );
    // Its checksum is still there: it is lost once.
    expect(judged('50 K7 =7 52 ✗D:huffman_no_eof =8 54 D9 =9 56 D4 =4')).toBe(
      'confirmed 50 (1), lost 52 (1) huffman_no_eof, doubtful 54 (1) huffman_no_eof, confirmed 56 (1)',
    );
    // Deltas before the first snapshot are not read.
    expect(judged('50 ✗K:huffman_no_eof 60 K7 62 D8', false)).toBe(
      'lost 50 to 59 (1) huffman_no_eof, plain 60 to 62 (2)',
    );
  });

  it('is a snapshot that cannot be read before another one of its tick', () => {
    expect(judged('50 K7 52 ✗D:excess_ints / D9 54 D4', false)).toBe(
      'plain 50 (1), lost 52 (1) excess_ints, doubtful 52 to 54 (2) excess_ints',
    );
    expect(judged('50 ✗K:excess_ints / K7 52 D8', false)).toBe('lost 50 (1) excess_ints, plain 50 to 52 (2)');
  });

  it('is no snapshot that is read in spite of an error', () => {
    expect(judged('50 K7 52 ✗D:no_snapshot_before D9 54 D4', false)).toBe(
      'plain 50 (1), doubtful 52 to 54 (2) no_snapshot_before',
    );
  });

  it('are the ticks up to the next chunk that is found', () => {
    expect(judged('50 K7 52 D8 ✗framing_lost 100 K4 102 D3', false)).toBe(
      'plain 50 to 52 (2), lost 53 to 99 (0) framing_lost, plain 100 to 102 (2)',
    );
    // The marker is there, and its snapshot is not.
    expect(judged('50 K7 52 ✗truncated_chunk', false)).toBe('plain 50 (1), lost 52 to Infinity (0) truncated_chunk');
  });
});

it('keeps 1,000 ranges: the last one stands for all that follow, with the worst of them', () => {
  const judge = new TickJudge();
  // A full snapshot with a sign of damage, then one without: two ranges each time.
  const stream = Array.from({ length: 600 }, (_, i) => `${4 * i} !K:excess_ints K7 ${4 * i + 2} K7`).join(' ');
  judgedBy(judge, recordsOf(stream, false));
  const last = judge.ranges.at(-1)!;
  expect([judge.ranges.length, last.trust, last.from, last.to, last.snapshots]).toEqual([
    1000,
    'doubtful',
    1998,
    2398,
    201,
  ]);
  expect(judge.snapshots).toMatchObject({ plain: 600, doubtful: 600 });
});

it('judges each snapshot once, in the order of the file, when its checksum is compared or the next chunk comes', () => {
  const told: string[] = [];
  const judge = new TickJudge((trust) => told.push(trust));
  const open: boolean[] = [];
  for (const record of recordsOf('50 K7 =7 52 D8 54 D9 =5', true)) {
    judge.add(record);
    open.push(judge.isOpen);
  }
  expect(told).toEqual(['confirmed', 'plain', 'doubtful']);
  // Header, 50, K7, =7, 52, D8, 54, D9, =5.
  expect(open).toEqual([false, false, true, false, false, true, false, true, false]);
  expect(judge.snapshots).toEqual({ confirmed: 1, plain: 1, doubtful: 1, lost: 0 });
});

it('waits for a checksum behind 512 other messages: after more, it is announced for a snapshot that is not there', () => {
  const chat = demoMessage('0.6', messageBytes('0.6', 'sv_broadcast', ['x']));
  const judgedAfter = (messages: number) => {
    const judge = new TickJudge();
    const [header, marker, snapshot, announced] = [...recordsOf('50 K7 =7', true)];
    const others = Array.from({ length: messages }, () => {
      return {
        record: 'message',
        stream: { client: '' },
        tick: 50,
        head: chat,
        message: chat,
      } as unknown as JudgeInput;
    });
    return judgedBy(judge, [header!, marker!, snapshot!, ...others, announced!]);
  };
  expect([judgedAfter(512), judgedAfter(513)]).toEqual([
    'confirmed 50 (1)',
    'plain 50 (1), lost 50 (1) snapshot_missing',
  ]);
});
