import { describe, expect, it } from 'vitest';
import { Failure, nextOf, type ReceivedDelta } from '../../../src/analysis/explain/failure.ts';
import { hypotheses } from '../../../src/analysis/explain/hypotheses/index.ts';
import { type Cause, Search, type Statement, unlessContradicted } from '../../../src/analysis/explain/hypothesis.ts';
import { idOf, typeOf } from '../../../src/wire/snapshot/key.ts';
import { Snapshot } from '../../../src/wire/snapshot/snapshot.ts';
import { ints } from '../../support/packet-builder.ts';
import { type Item, key, snapshotOf } from '../../support/readers.ts';
import { base, items, laser, pickup, playerInfo, protocol, sumOfBase } from '../../support/small-base.ts';

function failureOf(delta: readonly number[], announced: number, more: Partial<ReceivedDelta> = {}): Failure {
  const payload = Uint8Array.from(ints(...delta));
  return new Failure({ protocol, tick: 1000, base: 990, before: base(), payload, announced, ...more });
}

const next = (snapshot = base()) => nextOf(snapshot, protocol);

/** The fits of a cause: `4/17` for an item, with its numbers if there are any. */
function fitsOf(cause: Cause, failure: Failure): string[] {
  return hypotheses.flatMap((hypothese) =>
    hypothese.cause === cause ? [...hypothese.find(failure, new Search())].map(inWords) : [],
  );
}

const firstOf = (cause: Cause, failure: Failure): Statement =>
  [...hypotheses.find((hypothese) => hypothese.cause === cause)!.find(failure, new Search())][0]!;

const inWords = ({ keys, numbers = {} }: Statement) =>
  [
    ...keys.map((key) => `${typeOf(key)}/${idOf(key)}`),
    ...Object.entries(numbers).map(([name, value]) => `${name}=${value}`),
  ].join(' ');

describe('duplicate_key: the announced sum has both items, the rebuilt one the last', () => {
  it('both differ from the base: the key is in the delta twice, and the first adds the difference', () => {
    // New: values 100 and 200. Of the base: 150 + 1 and 150 + 7.
    const fresh = [0, 2, 0, laser, 9, 100, 0, 0, 0, 0, laser, 9, 200, 0, 0, 0, 0];
    expect(fitsOf('duplicate_key', failureOf(fresh, sumOfBase + 100 + 200))).toEqual(['3/9']);
    expect(fitsOf('duplicate_key', failureOf(fresh, sumOfBase + 200 + 200))).toEqual([]);
    const changed = [0, 2, 0, laser, 2, 1, 0, 0, 0, 0, laser, 2, 7, 0, 0, 0, 0];
    expect(fitsOf('duplicate_key', failureOf(changed, sumOfBase + 7 + 151))).toEqual(['3/2']);
  });

  it('two deltas that a proxy joined: the client lacks the first difference only, or the second copy of a new item is no item', () => {
    const changed = [0, 2, 0, laser, 2, 1, 0, 0, 0, 0, laser, 2, 7, 0, 0, 0, 0];
    const joined = failureOf(changed, sumOfBase + 1 + 7);
    expect([fitsOf('duplicate_key', joined), fitsOf('updated_twice', joined)]).toEqual([[], ['3/2']]);
    // So small a difference many items have.
    expect(firstOf('updated_twice', joined).standing).toBe('fits');
    const large = [0, 2, 0, laser, 2, 100, 0, 0, 0, 0, laser, 2, 7, 0, 0, 0, 0];
    expect(firstOf('updated_twice', failureOf(large, sumOfBase + 100 + 7)).standing).toBe('shown');
    expect(fitsOf('updated_twice', failureOf(large, sumOfBase + 7 + 250))).toEqual([]);
    const standing = (first: number, second: number) => {
      const delta = [0, 2, 0, laser, 9, first, 0, 0, 0, 0, laser, 9, second, 0, 0, 0, 0];
      return firstOf('duplicate_key', failureOf(delta, sumOfBase + first + second)).standing;
    };
    // 1,000 and 1,200 are places of two items, of which one may have a flipped bit in its id; 1,000 and 12 a place and
    // a step.
    expect([standing(1000, 1200), standing(1000, 12)]).toEqual(['again', 'fits']);
  });

  it('one equals the base: it is not in the delta, and adds the sum of the base item; or of the new one, if it is counted twice', () => {
    const delta = [0, 1, 0, playerInfo, 0, 1000, 0, 0];
    expect(fitsOf('duplicate_key', failureOf(delta, sumOfBase + 1000 + 3785))).toEqual(['4/17']);
    const changed = failureOf(delta, sumOfBase + 1000 + 1008);
    expect(fitsOf('duplicate_key', changed)).toEqual(['11/0']);
    expect(firstOf('duplicate_key', changed).standing).toBe('fits');
  });

  it('an item that was removed is no duplicate', () => {
    expect(fitsOf('duplicate_key', failureOf([1, 0, 0, key(pickup, 17)], sumOfBase))).toEqual([]);
  });
});

describe('removed_unchanged: the announced sum still contains an item that the delta removes', () => {
  it('one item, or two', () => {
    const two = [2, 0, 0, key(pickup, 17), key(laser, 2)];
    expect(fitsOf('removed_unchanged', failureOf(two, sumOfBase - 150))).toEqual(['4/17']);
    expect(fitsOf('removed_unchanged', failureOf(two, sumOfBase))).toEqual(['4/17 3/2']);
    expect(fitsOf('removed_unchanged', failureOf(two, sumOfBase - 1))).toEqual([]);
  });

  it('an event of the next snapshot is another one, even with the same id and values', () => {
    const death = protocol.byName('event_death')!.type!;
    const before = snapshotOf([death, 17, 1000, 2000, 785]);
    const { after } = firstOf('removed_unchanged', failureOf([1, 0, 0, key(death, 17)], 3785, { before }));
    expect(after!(next(before))).toBe('fits');
  });

  it('is shown by the next right snapshot, which has the item as it was', () => {
    const { standing, after } = firstOf('removed_unchanged', failureOf([1, 0, 0, key(pickup, 17)], sumOfBase));
    const moved = snapshotOf([pickup, 17, 1001, 2000, 785]);
    expect([standing, after!(next()), after!(next(moved)), after!(next(snapshotOf()))]).toEqual([
      'fits',
      'shown',
      'fits',
      'fits',
    ]);
  });

  it('three of four items of one type, while one is truly removed', () => {
    // Sums: 1,000, 1,100, 1,300 and 1,700.
    const four = [1000, 1100, 1300, 1700].map((x, i): Item => [pickup, i, x, 0, 0]);
    const delta = [4, 0, 0, ...four.map((_, i) => key(pickup, i))];
    const failure = failureOf(delta, 1000 + 1300 + 1700, { before: snapshotOf(...four) });
    expect(fitsOf('removed_unchanged', failure)).toEqual(['4/0 4/2 4/3']);
  });
});

describe('sent_in_full: the client adds the whole item to the base', () => {
  it('items that are similar to those of the base', () => {
    // The second pickup moved by 5, the player gained a score.
    const delta = [0, 2, 0, pickup, 17, 1000, 2000, 785, pickup, 18, 1605, 2400, 1];
    expect(fitsOf('sent_in_full', failureOf(delta, sumOfBase + 5))).toEqual(['4/17 4/18']);
  });

  it('any item of the delta, where the checksums prove it', () => {
    const delta = [0, 2, 0, laser, 2, 60, 70, 80, 90, 100, playerInfo, 0, 0, 5, 0];
    expect(fitsOf('sent_in_full', failureOf(delta, sumOfBase + 400 - 150 + 5))).toEqual(['3/2']);
  });

  it('together with items listed as removed, since the same failed lookup causes both', () => {
    const delta = [1, 1, 0, key(laser, 2), pickup, 17, 1000, 2000, 785];
    expect(fitsOf('sent_in_full', failureOf(delta, sumOfBase))).toEqual(['4/17 3/2']);
  });

  it('is not shown by a base that came as an empty snapshot: the server may have removed the item', () => {
    const delta = [0, 1, 0, pickup, 17, 1000, 2000, 785];
    const before = base();
    const standings = [before, base()].map((older) => {
      const failure = failureOf(delta, sumOfBase, { before, stored: [[980, older] as const, [990, before] as const] });
      return firstOf('sent_in_full', failure).standing;
    });
    expect(standings).toEqual(['fits', 'shown']);
  });

  it('only fits where the delta lists the item as removed too: that is shown, with both of its readings', () => {
    const delta = [1, 1, 0, key(pickup, 17), pickup, 17, 5, 6, 7];
    const failure = failureOf(delta, sumOfBase - 3785 + 18);
    expect([fitsOf('sent_in_full', failure), firstOf('sent_in_full', failure).standing]).toEqual([['4/17'], 'fits']);
    expect(firstOf('removed_and_updated', failure)).toMatchObject({ keys: [key(pickup, 17)], standing: 'shown' });
    const after = nextOf(snapshotOf(...items.filter(([type]) => type !== pickup), [pickup, 17, 5, 6, 7]), protocol);
    expect(firstOf('sent_in_full', failure).after?.(after)).toBe('fits');
    expect(fitsOf('removed_and_updated', failureOf(delta, sumOfBase + 18))).toEqual([]);
  });

  it('is shown where all ints of a removed item are those of the base, and the next right snapshot has them', () => {
    const delta = [1, 1, 0, key(pickup, 17), pickup, 17, 1000, 2000, 785];
    const failure = failureOf(delta, sumOfBase);
    const { standing, after } = firstOf('sent_in_full', failure);
    expect([standing, after?.(next())]).toEqual(['fits', 'shown']);
    expect(fitsOf('removed_and_updated', failure)).toEqual([]);
  });

  it('is shown by the next right snapshot, which has the ints that were sent, if they are like those of the base', () => {
    const sent = (...ints: number[]) => {
      const delta = [0, 1, 0, laser, 2, ...ints];
      const sum = ints.reduce((all, int) => all + int, 0);
      const { standing, after } = firstOf('sent_in_full', failureOf(delta, sumOfBase + sum - 150));
      const laserAt = (...now: number[]) => after!(next(snapshotOf([laser, 2, ...now])));
      const [first = 0, ...rest] = ints;
      const twice = ints.map((int, i) => int + 10 * (i + 1));
      return [
        standing,
        laserAt(first, ...rest),
        laserAt(first + 1, ...rest),
        laserAt(...twice),
        after!(next(snapshotOf())),
      ];
    };
    expect(sent(10, 20, 30, 90, 100)).toEqual(['fits', 'shown', 'shown', undefined, 'fits']);
    // Nothing like the base's item: that one may be another, which only the client's base has.
    expect(sent(60, 70, 80, 90, 100)).toEqual(['fits', 'fits', 'fits', undefined, 'fits']);
  });
});

describe('other_size: the delta is plausible with another size', () => {
  it('a pickup of 4 ints, as in 0.6', () => {
    const delta = [0, 2, 0, pickup, 30, 100, 200, 1, 0, laser, 7, 1, 2, 3, 4, 5];
    expect(fitsOf('other_size', failureOf(delta, sumOfBase + 301 + 15))).toEqual(['4/0 type=4 size=4']);
  });

  it('a size on the wire: 0', () => {
    const delta = [0, 2, 0, pickup, 30, 3, 100, 200, 1, laser, 7, 1, 2, 3, 4, 5];
    expect(fitsOf('other_size', failureOf(delta, sumOfBase + 301 + 15))).toEqual(['4/0 type=4 size=0']);
  });

  it('a size once found is known from then on, also when the time for searches is over', () => {
    const search = new Search();
    const inDelta = (...more: number[]) =>
      failureOf([0, 2, 0, pickup, 30, 100, 200, 1, 0, laser, 7, 1, 2, 3, 4, ...more], sumOfBase + 301 + 10 + more[0]!);
    const found = (failure: Failure) => [
      ...hypotheses.find(({ cause }) => cause === 'other_size')!.find(failure, search),
    ];
    expect(found(inDelta(5)).map(inWords)).toEqual(['4/0 type=4 size=4']);
    while (search.mayGoOn) search.spend(1 << 20);
    expect(found(inDelta(6)).map(inWords)).toEqual(['4/0 type=4 size=4']);
  });

  it('not where the sum differs', () => {
    const delta = [0, 2, 0, pickup, 30, 100, 200, 1, 0, laser, 7, 1, 2, 3, 4, 5];
    expect(fitsOf('other_size', failureOf(delta, sumOfBase + 1))).toEqual([]);
  });
});

describe('wrong_base: another stored snapshot makes the sum', () => {
  const older = snapshotOf([pickup, 17, 1000, 2000, 700], [laser, 2, 10, 20, 30, 40, 50]);
  const stored = [[980, older] as const, [990, base()] as const];

  it('the other snapshot is named by its tick', () => {
    const delta = [0, 1, 0, laser, 2, 1, 0, 0, 0, 0];
    expect(fitsOf('wrong_base', failureOf(delta, 3700 + 151, { stored }))).toEqual(['base=980']);
    expect(fitsOf('wrong_base', failureOf(delta, 3700 + 152, { stored }))).toEqual([]);
  });

  it('not if one item has other values, which may be wrong itself, nor if items are only lacking', () => {
    const standings = [[], [1], [1, 2]].map((changed: readonly number[]) => {
      const change = ([type, id, ...ints]: Item): Item => [type, id, ...ints.with(-1, 77)];
      const before = snapshotOf(...items.slice(1).map((item, i) => (changed.includes(i) ? change(item) : item)));
      const failure = failureOf([0, 1, 0, pickup, 18, 1, 0, 0], before.checksum() + 1, { stored: [[980, before]] });
      const { standing, after } = firstOf('wrong_base', failure);
      // The laser and the player are as on the other base.
      return after?.(next(before)) ?? standing;
    });
    expect(standings).toEqual(['fits', 'fits', 'fits']);
  });

  it('the empty snapshot is also tried', () => {
    const delta = [0, 1, 0, laser, 9, 1, 2, 3, 4, 5];
    expect(fitsOf('wrong_base', failureOf(delta, 15, { stored }))).toEqual(['base=-1']);
  });
});

describe('mixed_parts', () => {
  const whole = ints(0, 3, 0, laser, 7, 1, 2, 3, 4, 5, laser, 8, 1, 2, 3, 4, 5, laser, 9, 1, 2, 3, 4, 5);
  const [a, b, c] = [whole.slice(0, 9), whole.slice(9, 18), whole.slice(18)];
  const more = { payload: Uint8Array.from([...a, ...c, ...b]), partEnds: [9, 9 + c.length, whole.length] };

  it("two parts have each other's number", () => {
    expect(fitsOf('mixed_parts', failureOf([], sumOfBase + 45, more))).toEqual(['part=1 with=2']);
  });

  it('two full parts have the same bytes', () => {
    const full = Uint8Array.from({ length: 900 }, (_, i) => i % 64);
    const parts = { payload: Uint8Array.from([...full, ...full, 1, 1]), partEnds: [900, 1800, 1802] };
    expect(fitsOf('mixed_parts', failureOf([], 0, parts))).toEqual(['part=0 with=1']);
  });

  it('a part contains the bytes of the snapshot before', () => {
    const [first, second] = [new Uint8Array(900).fill(2), new Uint8Array(40).fill(1)];
    const parts = { payload: Uint8Array.from([...first, ...second]), partEnds: [900, 940] };
    const previous = { parts: [new Uint8Array(900), second], repeated: [], base: 980, isRight: true };
    expect(fitsOf('mixed_parts', failureOf([], 0, { ...parts, previous }))).toEqual(['part=1']);
  });

  it('all parts contain the bytes before: on the same base the result is a valid snapshot again, on another one a delta of its own', () => {
    const same = (base: number, isRight: boolean) => {
      const parts = { payload: Uint8Array.from(whole), partEnds: [9, whole.length] };
      const previous = { parts: [Uint8Array.from(a), Uint8Array.from([...b, ...c])], repeated: [], base, isRight };
      return fitsOf('mixed_parts', failureOf([], 0, { ...parts, previous })).filter((fit) => !fit.includes('bytes'));
    };
    expect([same(990, true), same(990, false), same(980, true)]).toEqual([['part=1'], [], []]);
  });

  it('the bytes before end in another place of an item: then the part is not equal by chance', () => {
    const delta = (first: number) =>
      Uint8Array.from(ints(0, 2, 0, laser, 7, first, 2, 3, 4, 5, laser, 8, 1, 2, 3, 4, 5));
    // 100 takes two bytes: all that follows is one byte later.
    const [before, now] = [delta(1), delta(100)];
    const standing = (first: Uint8Array) => {
      const [payload, second] = [
        Uint8Array.from([...first, ...before.subarray(first.length)]),
        before.slice(first.length),
      ];
      const previous = { parts: [before.slice(0, first.length), second], repeated: [], base: -1, isRight: true };
      const failure = failureOf([], 0, { base: -1, payload, partEnds: [first.length, payload.length], previous });
      return hypotheses.flatMap(({ find }) => [...find(failure, new Search())]).find(({ about }) => about === 'stale')
        ?.standing;
    };
    expect(standing(now.slice(0, 9))).toBe('shown');
    expect(standing(Uint8Array.from([...before.slice(0, 8), 9]))).toBe('fits');
  });

  it('a part that is not the last has another length than 900', () => {
    const parts = { payload: new Uint8Array(940).fill(1), partEnds: [899, 940] };
    expect(fitsOf('mixed_parts', failureOf([], 0, parts))).toEqual(['part=0 bytes=899']);
  });
});

describe('too_large', () => {
  it('more than 1,024 items', () => {
    const count = 1021;
    const updates = Array.from({ length: count }, (_, i) => [playerInfo, 100 + i, 0, 0, 0]).flat();
    expect(fitsOf('too_large', failureOf([0, count, 0, ...updates], 0))).toEqual(['found=1025 limit=1024']);
  });
});

describe('damaged', () => {
  const delta = [0, 2, 0, laser, 7, 100, 2, 3, 4, 5, playerInfo, 0, 0, 5, 0];
  const announced = sumOfBase + 114 + 5;
  const payload = Uint8Array.from(ints(...delta));
  const flipped = (byte: number, bit: number) => ({ payload: payload.with(byte, payload[byte]! ^ (1 << bit)) });

  it('a flipped bit after which the rest is read differently: 100 ends too early', () => {
    // Varints of one byte up to 63: the first value, 100, is in bytes 5 and 6.
    expect(fitsOf('damaged', failureOf([], announced, flipped(5, 7)))).toEqual(['3/7 byte=5 bit=7']);
  });

  it('a flipped bit that takes a value out of its range', () => {
    const jump = { before: new Snapshot() };
    const info = ints(0, 1, 0, 10, 0, 900, ...new Array(21).fill(0));
    const bytes = Uint8Array.from(info);
    // Weapon is field 19, after a tick of two bytes: 24. Its range ends at 5.
    const at = bytes.length - 3;
    const failure = failureOf([], 900, { ...jump, payload: bytes.with(at, 32) });
    expect(fitsOf('damaged', failure)).toEqual([`10/0 byte=${at} bit=5`]);
  });

  it('a flipped bit in a removed key that the base lacks, which is little evidence: the id may be another one for other reasons', () => {
    const failure = failureOf([1, 0, 0, key(pickup, 19)], sumOfBase - 3785);
    // The key is the fourth int.
    expect(fitsOf('damaged', failure)).toEqual(['4/17 byte=3 bit=1']);
    expect(firstOf('damaged', failure).standing).toBe('fits');
  });

  it('names the item where a delta stops being plausible', () => {
    const cut = { payload: payload.subarray(0, payload.length - 2) };
    expect(fitsOf('damaged', failureOf([], announced, cut))).toEqual(['11/0 missing=2']);
  });
});

describe('a checksum of something else', () => {
  // The laser moves by 7, and there is a new one with the sum 15.
  const delta = [0, 2, 0, laser, 2, 7, 0, 0, 0, 0, laser, 9, 1, 2, 3, 4, 5];
  const sum = sumOfBase + 7 + 15;

  it('other_checksum: of an earlier snapshot, unless the next one has it as well', () => {
    const failure = failureOf(delta, 5555, { earlier: [sum - 1, 5555, 7777] });
    expect(fitsOf('other_checksum', failure)).toEqual(['before=2']);
    const { after } = firstOf('other_checksum', failure);
    expect([after!(next(snapshotOf([pickup, 1, 5000, 555, 0]))), after!(next())]).toEqual([undefined, 'fits']);
  });

  it('other_formula: what other arithmetic makes of the same ints', () => {
    const saidOf = (announced: number, updates = delta) => {
      const found = hypotheses.find(({ cause }) => cause === 'other_formula')!;
      return [...found.find(failureOf(updates, announced), new Search())].map(({ about }) => about);
    };
    const keys = 65536 * (4 + 4 + 3 + 11 + 3) + 17 + 18 + 2 + 0 + 9;
    const xor = 1000 ^ 2000 ^ 785 ^ 1600 ^ 2400 ^ 1 ^ 17 ^ 20 ^ 30 ^ 40 ^ 50 ^ 8 ^ 1 ^ 2 ^ 3 ^ 4 ^ 5;
    expect(sum).toBe(0x1f1e);
    expect(
      [0, -sum, -sum - 1, 0x1e1f0000, xor, sum + keys, sum + 19, 7 + 15, 3785 + 4001].map((int) => saidOf(int)),
    ).toEqual([
      ['zero'],
      ['negated'],
      ['inverted'],
      ['swapped_bytes'],
      ['xor'],
      ['with_keys'],
      ['with_sizes'],
      ['change'],
      ['first 2'],
    ]);
    // As Python's sum and zlib.crc32 have them of the same ints.
    expect([826, -2101160921, -1323005827].map((int) => saidOf(int))).toEqual([
      ['of_bytes'],
      ['crc_32'],
      ['crc_32_of_delta'],
    ]);
    expect([sum + 1, sum - 1, 5555].flatMap((int) => saidOf(int))).toEqual([]);
    // 107,944 are 42,408 in 16 bits, or -23,128 with a sign.
    const large = [0, 1, 0, laser, 2, 100_000, 0, 0, 0, 0];
    expect([saidOf(42_408, large), saidOf(-23_128, large)]).toEqual([['low_16'], ['low_16_signed']]);
  });

  it('other_formula: of small differences, and of the first items, it never shows anything', () => {
    const { standing } = firstOf('other_formula', failureOf(delta, -sum));
    expect(standing).toBe('repeats');
    // The three ints of one small item.
    const one = [4, 0, 0, key(pickup, 17), key(pickup, 18), key(laser, 2), key(playerInfo, 0)];
    const single = failureOf([one[0]!, 1, 0, ...one.slice(3), laser, 9, 1000, 0, 0, 0, 0], 1005);
    expect([firstOf('other_formula', single).about, firstOf('other_formula', single).standing]).toEqual([
      'with_sizes',
      'fits',
    ]);
    expect(firstOf('other_formula', failureOf(delta, 3785 + 4001)).standing).toBe('fits');
  });

  it('old_state: an item as in an earlier snapshot, or in the base', () => {
    const earlier = snapshotOf([laser, 2, 10 - 893, 20, 30, 40, 50]);
    const references = [{ when: 'previous', isRight: false, earlier }];
    expect(fitsOf('old_state', failureOf(delta, sum - 900, { references }))).toEqual(['3/2']);
    expect(fitsOf('old_state', failureOf(delta, sum - 7))).toEqual(['3/2']);
  });

  it('not_counted: all items of a type, an item, or the extended ones', () => {
    expect(fitsOf('not_counted', failureOf(delta, sum - 157 - 15))).toEqual(['type=3']);
    const extended = [0, 2, 0, 0, 0x7fff, 4, 1, 2, 3, 4, 0x7fff, 0, 1, 500];
    expect(fitsOf('not_counted', failureOf(extended, sumOfBase + 10))).toEqual(['32767/0', '']);
    expect(fitsOf('not_counted', failureOf(extended, sumOfBase))).toEqual(['new=1', '']);
  });

  it('not_counted: items that the next right snapshot has not got any more are gone', () => {
    const failure = failureOf([0, 1, 0, playerInfo, 0, 1, 0, 0], sumOfBase + 1 - 3785 - 4001);
    const { after } = firstOf('not_counted', failure);
    expect([after!(next()), after!(next(snapshotOf(items[3]!)))]).toEqual(['fits', undefined]);
  });

  it('not_sent: an item that the next snapshot has, or its state there, where the client has an old one', () => {
    const find = (announced: number, ...later: Item[]) => {
      const failure = failureOf([0, 1, 0, playerInfo, 0, 1, 0, 0], announced);
      const all = hypotheses.flatMap((hypothese) => [
        ...(hypothese.findAfter?.(failure, next(snapshotOf(...later))) ?? []),
      ]);
      return all.map(({ keys }) => keys.map((key) => `${typeOf(key)}/${idOf(key)}`).join(' '));
    };
    expect(find(sumOfBase + 1 + 777, ...items, [laser, 5, 700, 77, 0, 0, 0])).toEqual(['3/5']);
    expect(find(sumOfBase + 1 + 215, [pickup, 17, 1000, 2000, 1000], items[1]!, items[2]!, items[3]!)).toEqual([
      '4/17',
    ]);
    expect(find(sumOfBase + 1 + 91, items[0]!, items[1]!, items[2]!, [playerInfo, 0, 100, 0, 0])).toEqual([]);
  });
});

describe('fields that went wrong', () => {
  it('sign: the difference of an item, or of a field of a type', () => {
    const delta = [0, 3, 0, pickup, 17, 30, 5, 0, pickup, 18, 100, 3, 0, laser, 2, 0, 1, 0, 0, 0];
    const sum = sumOfBase + 35 + 103 + 1;
    expect(fitsOf('sign', failureOf(delta, sum - 2 * 35))).toEqual(['4/17']);
    expect(fitsOf('sign', failureOf(delta, sum - 2 * 130))).toEqual(['4/17 4/18 type=4 int=0']);
    expect(fitsOf('sign', failureOf(delta, sum - 2 * 138))).toEqual(['4/17 4/18']);
  });

  it("other_item: the client's item is off by the difference of the two", () => {
    // The first pickup moved by 3; its difference was taken from the second.
    const delta = [0, 1, 0, pickup, 17, 1003 - 1600, 2000 - 2400, 785 - 1];
    expect(fitsOf('other_item', failureOf(delta, sumOfBase + 3))).toEqual(['4/17 4/18']);
    expect(fitsOf('other_item', failureOf(delta, sumOfBase + 4))).toEqual([]);
  });

  it('shifted_fields: ints that did not change appear one place too early or too late', () => {
    const was = [10, 300, 7, 9000, 50];
    const sent = (is: readonly number[], change = 0) => {
      const delta = [0, 1, 0, laser, 2, ...is.map((int, i) => int - was[i]!)];
      const announced = was.reduce((sum, int) => sum + int) + change;
      return failureOf(delta, announced, { before: snapshotOf([laser, 2, ...was]) });
    };
    expect(fitsOf('shifted_fields', sent([300, 7, 9000, 50, 0]))).toEqual(['3/2 type=3 step=1']);
    // The checksum says that more is missing than the int without a place.
    expect(fitsOf('shifted_fields', sent([300, 7, 9000, 50, 0], 1000))).toEqual([]);
    // That int, 10, is no part of a difference of -10, though it is near.
    expect(fitsOf('shifted_fields', sent([300, 7, 9000, 50, 0], -20))).toEqual([]);
    expect(fitsOf('shifted_fields', sent([0, 10, 300, 7, 9000]))).toEqual(['3/2 type=3 step=-1']);
    const moved = [0, 1, 0, laser, 2, 4, 4, 0, 0, 0];
    expect(fitsOf('shifted_fields', failureOf(moved, sumOfBase))).toEqual([]);
  });
});

it('what the next right snapshot has nearer to the rebuilt ints contradicts a statement', () => {
  const after = (ints: number[], rebuilt: number[]) => {
    const expected = { key: key(pickup, 17), ints: Int32Array.from(ints), rebuilt: Int32Array.from(rebuilt) };
    return unlessContradicted('shown', [expected])(next());
  };
  // The item has 1000, 2000, 785.
  expect(after([1001, 2001, 786], [2000, 4000, 1570])).toBe('shown');
  expect(after([2000, 4000, 1570], [1000, 2000, 785])).toBeUndefined();
});

it('not_removed: the client keeps an item that the announced sum lacks, unless the next right snapshot has it as it was', () => {
  const failure = failureOf([0, 1, 0, playerInfo, 0, 1, 0, 0], sumOfBase + 1 - 4001);
  expect(fitsOf('not_removed', failure)).toEqual(['4/18']);
  const { after } = firstOf('not_removed', failure);
  expect([after!(next()), after!(next(snapshotOf()))]).toEqual([undefined, 'fits']);
});

describe('two_faults: two changes make the sum, and the next right snapshot agrees with both', () => {
  /** What fits a delta that removes the pickup 17 in place of the pickup 18, which is gone. */
  const fits = (after: Snapshot, announced = sumOfBase - 4001) => {
    const failure = failureOf([1, 0, 0, key(pickup, 17)], announced);
    const { find, findAfter } = hypotheses.find(({ cause }) => cause === 'two_faults')!;
    expect([...find(failure, new Search())]).toEqual([]);
    return [...findAfter!(failure, next(after))].map(({ about, standing }) => [about, standing]);
  };
  const without18 = snapshotOf(...items.filter(([type, id]) => type !== pickup || id !== 18));

  it('the key of a neighbour is removed: one is still there, and one is gone', () => {
    const about = `removed_unchanged+not_removed ${key(pickup, 17)},${key(pickup, 18)}`;
    expect(fits(without18)).toEqual([[about, 'fits']]);
    expect(fits(base())).toEqual([]);
    expect(fits(without18, sumOfBase - 4001 + 100)).toEqual([]);
  });
});

it('text_mode: without the returns before line feeds the delta makes the sum', () => {
  const failure = (payload: readonly number[], announced: number) =>
    new Failure({
      protocol,
      tick: 1000,
      base: 990,
      before: base(),
      payload: Uint8Array.from(payload.flatMap((byte) => (byte === 0x0a ? [0x0d, 0x0a] : [byte]))),
      announced,
    });
  // The first int of pickup 17 changes by 10, which is the byte 0a.
  const delta = ints(0, 1, 0, pickup, 17, 10, 0, 0);
  expect(firstOf('text_mode', failure(delta, sumOfBase + 10)).standing).toBe('shown');
  expect(fitsOf('text_mode', failure(delta, sumOfBase + 11))).toEqual([]);
  expect(fitsOf('text_mode', failure(ints(0, 1, 0, pickup, 17, 9, 0, 0), sumOfBase + 10))).toEqual([]);
});

it('other_size: ints beyond the size of a type that the checksum does not count', () => {
  const delta = [0, 2, 0, pickup, 17, 5, 0, 0, 77, pickup, 18, 6, 0, 0, 77];
  expect(fitsOf('other_size', failureOf(delta, sumOfBase + 11))).toEqual(['4/0 type=4 size=4']);
  expect(fitsOf('other_size', failureOf(delta, sumOfBase + 12))).toEqual([]);
});
