import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { token } from '../../../src/output/hexdump/hexdump.ts';
import { annotate } from '../../../src/wire/annotate/payload-spans.ts';
import type { Span } from '../../../src/wire/annotate/span.ts';
import { unwrap } from '../../../src/wire/payload/encoding-layers.ts';
import { type Kind, type Payload, readPayload } from '../../../src/wire/payload/payload.ts';
import { protocolOf, type Version } from '../../../src/wire/protocol/registry.ts';
import type { Snapshot } from '../../../src/wire/snapshot/snapshot.ts';
import { firstHuffman, firstInts, firstPacked, firstRows } from '../../support/first.ts';
import { expectPartition } from '../../support/partition.ts';
import { bytes, key, littleEndian, payloadOfInts, snapshotInts, snapshotOf } from '../../support/readers.ts';

const read = (src: Uint8Array, encoding: 'huffman' | 'packed' | 'ints', kind: Kind, version: Version = '0.7') =>
  readPayload(unwrap(src, encoding), kind, protocolOf(version));

/** The spans, which cover all bytes. */
function partitionOf(payload: Payload): Span[] {
  const spans = annotate(payload);
  expectPartition(spans, payload.layers.bytes.length);
  return spans;
}

/** The words of the dump. Keys are reduced to the item they name, since the view decides how to write them. */
const words = (payload: Payload) =>
  partitionOf(payload).map((span) => token(span, false).replace(/^(key|removed\[\d+\])=\S+/, '$1'));
/** The spans of packed bytes. */
const wordsOf = (hex: string, kind: Kind = 'delta') => words(read(bytes(hex), 'packed', kind));

/** Without a base the fields of items are differences: each has a sign, and no name or quantity. */
const asDifferences = (tokens: string) =>
  tokens
    .split(/ (?=\w)/)
    .map((text) =>
      /^(removed_items|num_item_deltas|_zero|type|id)=/.test(text)
        ? text
        : text.replace(/=(?=\d)/, '=+').replace(/ \(.*/, ''),
    )
    .join(' ');

describe('the delta of first.packed', () => {
  it.each([
    ['packed', firstPacked],
    ['huffman', firstHuffman],
  ] as const)('%s: the values that begin in each row have the stated meaning', (encoding, src) => {
    const spans = partitionOf(read(src, encoding, 'delta'));
    const rows = firstRows.map((_, row) =>
      spans
        .filter(({ start }) => start >= 4 * row && start < 4 * row + 4)
        .map((span) => token(span, false))
        .join(' '),
    );
    expect(rows).toEqual(firstRows.map(([, tokens]) => asDifferences(tokens)));
  });

  it('have the same meanings as ints of four bytes each', () => {
    const packed = words(read(firstPacked, 'packed', 'delta'));
    const spans = partitionOf(read(littleEndian(firstInts), 'ints', 'delta'));
    expect(spans.map((span) => token(span, false))).toEqual(packed);
    expect(spans.map(({ start }) => start)).toEqual(firstInts.map((_, i) => 4 * i));
  });

  it('have roles', () => {
    const spans = partitionOf(read(firstPacked, 'packed', 'delta'));
    const roles = (label: string) => [...new Set(spans.filter((span) => span.label === label).map(({ role }) => role))];
    expect(['num_item_deltas', 'type', 'id', 'x', 'tick', 'weapon', 'player_flags', 'health'].flatMap(roles)).toEqual([
      'structure',
      'identity',
      'identity',
      'position',
      'time',
      'state',
      'state',
      'number',
    ]);
  });
});

describe('a delta', () => {
  it('names what it removes', () => {
    // 4 << 16 | 7 and 0x7fff << 16 | 1 packed.
    expect(words(payloadOfInts([2, 0, 0, key(4, 7), key(0x7fff, 1)], 'delta', '0.7'))).toEqual([
      'removed_items=2',
      'num_item_deltas=0',
      '_zero=0',
      'removed[0] obj_pickup 7',
      'removed[1] type_32767 1',
    ]);
  });

  it('shows sizes where they are, and ints without a name', () => {
    expect(wordsOf('00 03 00 17 01 02 05 06 3f 02 01 07 04 03 01 02 00').slice(3)).toEqual([
      ...['type=23 obj_player_info_race', 'id=1', 'size=2', 'race_start_tick=+5', 'data[1]=+6'],
      ...['type=63 (unknown)', 'id=2', 'size=1', 'data[0]=+7'],
      ...['type=4 obj_pickup', 'id=3', 'x=+1', 'y=+2', 'type=+0'],
    ]);
  });

  it('names registered types', () => {
    const uuid = [0x76ce455b, 0xf9eb3a48 | 0, 0xadd7e04b | 0, 0x941d045c | 0];
    const payload = payloadOfInts([0, 2, 0, 0, 0x7fff, 4, ...uuid, 0x7fff, 3, 1, 0], 'delta');
    const [type, id, size, registered, ...user] = words(payload).slice(3);
    expect([type, id, size]).toEqual(['type=0 obj_ex', 'id=32767', 'size=4']);
    expect(registered).toMatch(/^uuid=76ce455b-f9eb-3a48-add7-e04b941d045c( \(ddnet_character\))?$/);
    expect(user).toEqual(['type=32767 ddnet_character', 'id=3', 'size=1', 'flags=+0']);
    expect(partitionOf(payload)[6]).toMatchObject({ start: 24, end: 40 });
  });

  it('names no subtype when its type is only a difference', () => {
    // A pickup of 0.6: x 1, y 2, type 2, subtype 3.
    const pickup = [0, 1, 0, 4, 3, 1, 2, 2, 3];
    expect(words(payloadOfInts(pickup, 'delta', '0.6')).slice(-2)).toEqual(['type=+2', 'subtype=+3']);
    const base = snapshotOf([4, 3, 784, 10, 0, 0]);
    expect(words(payloadOfInts(pickup, 'delta', '0.6', base)).slice(-2)).toEqual([
      'type=2 (0 health → 2 weapon)',
      'subtype=3 (0 → 3 grenade)',
    ]);
  });

  it('with its base shows the old and the new value', () => {
    const base: Snapshot = snapshotOf([4, 3, 784, 10, 0]);
    const payload = payloadOfInts([0, 2, 0, 4, 3, 6, 0, 1, 4, 4, 1, 2, 0], 'delta', '0.7', base);
    expect(words(payload).slice(5)).toEqual([
      ...['x=6 (784 → 790)', 'y=0 (10)', 'type=1 (0 health → 1 armor)'],
      ...['type=4 obj_pickup', 'id=4', 'x=1', 'y=2', 'type=0 (health)'],
    ]);
  });
});

describe('a snapshot', () => {
  it('shows offsets and keys', () => {
    expect(words(payloadOfInts(snapshotInts([4, 7, 1, 2, 0], [23, 0, 5]), 'snapshot', '0.7'))).toEqual([
      ...['data_size=24', 'num_items=2', 'offset[0]=0', 'offset[1]=16'],
      ...['key obj_pickup 7', 'x=1', 'y=2', 'type=0 (health)'],
      ...['key obj_player_info_race 0', 'race_start_tick=5'],
    ]);
  });

  it('shows a gap before the first item', () => {
    const gap = '(unclaimed)';
    expect(words(payloadOfInts([16, 1, 8, 9, 9, key(63, 1), 5], 'snapshot', '0.7'))).toEqual([
      ...['data_size=16', 'num_items=1', 'offset[0]=8', gap, 'key type_63 1', 'data[0]=5'],
    ]);
  });

  it('with text and lists', () => {
    // "ab", each byte minus 128: e1 e2, then NUL as 0x80; the last byte is 0.
    const name = [0xe1e28080 | 0, 0x80808080 | 0, 0x80808080 | 0, 0x80808000 | 0];
    const info = [1, -1, ...name, ...name.slice(1), 5, ...new Array(48).fill(0x80808000 | 0)];
    const tokens = words(payloadOfInts(snapshotInts([13, 1, ...info]), 'snapshot', '0.7'));
    expect(tokens.slice(4, 10)).toEqual([
      ...['local=1', 'team=-1 (spectators)', 'name="ab"', 'clan=""', 'country=5', 'skin_part_names[body]=""'],
    ]);
    expect(tokens.at(-1)).toBe(`skin_part_colors[eyes]=${0x80808000 | 0}`);
  });
});

describe('invalid data', () => {
  it.each<[string, string, string[]]>([
    ['a cut int', '00 01 00 04 07 80', ['type=4 obj_pickup', 'id=7', '(cut)']],
    ['a cut item', '00 01 00 04 07 05', ['type=4 obj_pickup', 'id=7', 'x=+5']],
    ['the head of an item', '00 01 00 04', ['type=4']],
    ['a head without its size', '00 01 00 17 07', ['type=23', 'id=7']],
    ['a type too high', '00 01 00 80 80 04 07 05', [`type=${0x8000}`, '(unclaimed)']],
    ['a negative size', '00 01 00 17 07 40 05', ['type=23', 'id=7', 'size=-1', '(unclaimed)']],
    ['a negative count', '40 01 00 04 07 05', ['(unclaimed)']],
    ['ints left over', '00 00 00 05 06', ['(unclaimed)']],
    ['nothing', '', []],
  ])('%s', (_, hex, tokens) => {
    expect(wordsOf(hex).slice(3)).toEqual(tokens);
  });

  it.each([
    ['in the head', '00 01 80', ['removed_items=0', 'num_item_deltas=1', '(cut)']],
    ['at once', '80', ['(cut)']],
  ])('a cut int %s', (_, hex, tokens) => {
    expect(wordsOf(hex)).toEqual(tokens);
  });

  it('a part of an int', () => {
    const src = littleEndian([0, 0, 0, 0]).subarray(0, 14);
    const spans = partitionOf(read(src, 'ints', 'delta'));
    expect(spans.at(-1)).toMatchObject({ role: 'error', start: 12, end: 14 });
  });

  // No further update is announced, so ints before an error of a lower layer are not the type, id and size of one.
  it('ints left over before a cut int', () => {
    expect(wordsOf('00 00 00 05 06 80').slice(3)).toEqual(['(unclaimed)', '(cut)']);
  });

  it('differences are not read as text', () => {
    const [name] = words(payloadOfInts([0, 1, 0, 11, 0, 1, ...new Array(16).fill(0)], 'delta')).slice(5);
    expect(name).toBe('name=[1,0,0,0]');
  });
});

describe('any bytes are covered, each once', () => {
  const encoding = fc.constantFrom('huffman', 'packed', 'ints' as const);
  const kind = fc.constantFrom<Kind>('delta', 'snapshot');
  const version = fc.constantFrom<Version>('0.5', '0.6', '0.7');
  const byte = fc.oneof({ weight: 3, arbitrary: fc.nat(12) }, fc.nat(255));

  it('at random', () => {
    fc.assert(
      fc.property(fc.array(byte, { maxLength: 120 }), encoding, kind, version, (src, how, what, of) => {
        partitionOf(read(Uint8Array.from(src), how, what, of));
      }),
      { numRuns: 1000 },
    );
  });

  it('as random ints over a base', () => {
    const small = fc.oneof(fc.nat(6), fc.integer({ min: -2, max: 70 }), fc.integer());
    const base = snapshotOf([4, 1, 1, 2, 3], [2, 1, 5], [0, 0x7fff, 1, 2, 3, 4]);
    fc.assert(
      fc.property(fc.array(small, { maxLength: 60 }), version, (ints, of) => {
        partitionOf(payloadOfInts(ints, 'delta', of, base));
      }),
      { numRuns: 500 },
    );
  });

  const snapshot = littleEndian(snapshotInts([4, 7, 1, 2, 0], [63, 0, 5], [23, 0, 5], [22, 1, 1, 2, 3, 4, 5, 6, 7]));
  it.each([
    ['packed', 'delta', firstPacked],
    ['huffman', 'delta', firstHuffman],
    ['ints', 'delta', littleEndian(firstInts)],
    ['ints', 'snapshot', snapshot],
  ] as const)('cut at every length: %s %s', (how, what, src) => {
    for (let length = 0; length <= src.length; length++) partitionOf(read(src.subarray(0, length), how, what));
  });

  it('cut or not, begin with the same words', () => {
    const whole = words(read(firstPacked, 'packed', 'delta'));
    for (let length = 0; length < firstPacked.length; length++) {
      const cut = words(read(firstPacked.subarray(0, length), 'packed', 'delta'));
      const known = cut.filter((word) => word !== '(cut)');
      // The name of a type is known with the item.
      for (const [i, word] of known.entries()) expect(whole[i]!.startsWith(word)).toBe(true);
      expect(cut.length - known.length).toBeLessThanOrEqual(1);
    }
  });
});

describe('values that depend on others, in a snapshot', () => {
  const laser = [0x29de68a2, 0x692831b8, 0x8360a230 | 0, 0x7e0d844f];
  const wordsOfLaser = (type: number, subtype: number) =>
    words(
      payloadOfInts(
        snapshotInts([0, 0x7fff, ...laser], [0x7fff, 1, 0, 0, 0, 0, 100, -1, type, -1, subtype, 0]),
        'snapshot',
        '0.6',
      ),
    ).filter((word) => word.startsWith('subtype'));

  it.each([
    [4, 1, 'subtype=1 (weak_nw)'],
    [5, 3, 'subtype=3 (expfreeze)'],
    [6, 0, 'subtype=0 (unfreeze)'],
    [0, 0, 'subtype=0'],
    [4, -1, 'subtype=-1'],
  ])('ddnet_laser of type %i, subtype %i', (type, subtype, expected) => {
    expect(wordsOfLaser(type, subtype)).toEqual([expected]);
  });

  it.each([
    [2, 4, 'subtype=4 (laser)'],
    [3, 5, 'subtype=5 (ninja)'],
    [0, 0, 'subtype=0'],
  ])('obj_pickup of type %i, subtype %i', (type, subtype, expected) => {
    const payload = payloadOfInts(snapshotInts([4, 1, 0, 0, type, subtype]), 'snapshot', '0.6');
    expect(words(payload).at(-1)).toBe(expected);
  });

  it('names the tick at which a race began, which DDNet sends negative', () => {
    const payload = (timer: number) =>
      payloadOfInts(snapshotInts([6, 0, 0, 8, 0, timer, 0, 0, 0, 1]), 'snapshot', '0.6');
    expect(words(payload(-461))).toContain('warmup_timer=-461 (race_start 461)');
    expect(words(payload(100))).toContain('warmup_timer=100');
  });

  it('names the score of a player who has not finished', () => {
    const payload = (score: number) => payloadOfInts(snapshotInts([10, 0, 0, 0, 0, score, 9]), 'snapshot', '0.6');
    expect(words(payload(-9999))).toContain('score=-9999 (not_finished)');
    expect(words(payload(-61))).toContain('score=-61');
  });
});
