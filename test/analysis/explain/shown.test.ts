import { describe, expect, it } from 'vitest';
import { explain, explainDelta } from '../../../src/analysis/explain/explanation.ts';
import type { Statement } from '../../../src/analysis/explain/hypothesis.ts';
import type { FailureNote, Run } from '../../../src/analysis/explain/run.ts';
import { causeText } from '../../../src/output/phrases/cause-phrases.ts';
import { saidOf } from '../../../src/output/reports/explain/explanation-text.ts';
import { protocolOf } from '../../../src/wire/protocol/registry.ts';
import type { Snapshot } from '../../../src/wire/snapshot/snapshot.ts';
import { ints } from '../../support/packet-builder.ts';
import { type Item, snapshotOf } from '../../support/readers.ts';

const made = (cause: Statement['cause'], standing: Statement['standing'], more: Partial<Statement> = {}): Statement => {
  return { cause, about: 'x', keys: [1], standing, ...more };
};

/** Failures with the differences 100, 200, …, each with what is said of it. */
const notesOf = (...all: Statement[][]): FailureNote[] =>
  all.map((statements, i) => {
    const difference = 100 * (i + 1);
    return { tick: 7, base: 0, frame: i, announced: 0, difference, error: undefined, isTested: true, statements };
  });

/** What is said of the failures of one run. */
const conclude = (notes: readonly FailureNote[]) => explain([{ notes } as Run])[0]!;

const times = <One>(count: number, entry: () => One): One[] => Array.from({ length: count }, entry);

/** What is shown: `duplicate_key`. */
const shownIn = (notes: readonly FailureNote[]) => conclude(notes).shown.map(({ cause }) => cause);

/** What fits: `sign 2/3`. */
const fitsIn = (notes: readonly FailureNote[]) =>
  conclude(notes).fits.map(({ cause, fits, of }) => `${cause} ${fits}/${of}`);

describe('a cause is shown', () => {
  const shown = () => [made('duplicate_key', 'shown')];
  const fits = () => [made('duplicate_key', 'fits')];
  const repeats = () => [made('wrong_base', 'repeats')];

  it('by the bytes of one failure, if it explains all, or all but one in ten', () => {
    expect(shownIn(notesOf(shown()))).toEqual(['duplicate_key']);
    expect(shownIn(notesOf(shown(), fits(), fits()))).toEqual(['duplicate_key']);
    expect(shownIn(notesOf(shown(), ...times(8, fits), []))).toEqual(['duplicate_key']);
    expect(shownIn(notesOf(shown(), ...times(7, fits), []))).toEqual([]);
  });

  it('never by sums alone, however many agree', () => {
    expect(shownIn(notesOf(...times(50, fits)))).toEqual([]);
    expect(fitsIn(notesOf(...times(50, fits)))).toEqual(['duplicate_key 50/50']);
  });

  it('by two failures of a kind that may be a coincidence once, if their differences are not alike', () => {
    expect(shownIn(notesOf(repeats()))).toEqual([]);
    expect(shownIn(notesOf(repeats(), repeats()))).toEqual(['wrong_base']);
    const same = notesOf(repeats(), repeats()).map((note) => ({ ...note, difference: 100 }));
    expect(shownIn(same)).toEqual([]);
    // Many ints are ticks: the same multiple of those since the base is one coincidence.
    const following = notesOf(repeats(), repeats()).map((note, i) => ({
      ...note,
      tick: i + 5,
      difference: 3 * (i + 5),
    }));
    expect(shownIn(following)).toEqual([]);
  });

  it('by one delta that may have it for another reason, if the same explains another failure', () => {
    const again = (about: string) => [made('duplicate_key', 'again', { about })];
    expect(shownIn(notesOf(again('x')))).toEqual([]);
    expect(shownIn(notesOf(again('x'), fits()))).toEqual(['duplicate_key']);
    expect(shownIn(notesOf(again('y'), fits()))).toEqual([]);
  });

  it('and names the items that its bytes show, not those whose sums fit other failures', () => {
    const item = (key: number, standing: Statement['standing']) =>
      made('removed_unchanged', standing, { about: `${key}`, keys: [key] });
    const { shown } = conclude(notesOf([item(1, 'fits'), item(2, 'fits')], [item(3, 'shown')]));
    expect(shown).toMatchObject([{ keys: [3], areAlternatives: false, fits: 2, of: 2 }]);
    const sizes = [1, 2].map((type) => [made('other_size', 'repeats', { about: `${type}`, keys: [type] })]);
    expect(shownIn(notesOf(...sizes))).toEqual([]);
  });

  it('with others that explain the rest together', () => {
    const other = () => [made('removed_unchanged', 'shown')];
    expect(shownIn(notesOf(shown(), shown(), other()))).toEqual(['duplicate_key', 'removed_unchanged']);
    expect(shownIn(notesOf(shown(), [], other()))).toEqual([]);
  });

  it('not where another base explains the same failures', () => {
    expect(shownIn(notesOf([...shown(), made('wrong_base', 'fits')]))).toEqual([]);
    expect(shownIn(notesOf([...shown(), made('sign', 'fits')]))).toEqual(['duplicate_key']);
  });

  it('of several items if there are at most four, and not if its numbers differ', () => {
    const items = (count: number) =>
      times(count, () => 0).map((_, i) => made('removed_unchanged', 'shown', { about: `${i}`, keys: [i] }));
    expect(conclude(notesOf(items(4))).shown).toMatchObject([{ areAlternatives: true, keys: [0, 1, 2, 3] }]);
    expect(shownIn(notesOf(items(5)))).toEqual([]);
    const sizes = [4, 5].map((size) => made('other_size', 'repeats', { about: `${size}`, numbers: { size } }));
    expect(shownIn(notesOf(sizes, sizes))).toEqual([]);
  });
});

describe('fits', () => {
  it('are in the order of what they explain, then of their alternatives', () => {
    const several = times(3, () => 0).map((_, i) => made('old_state', 'fits', { about: `${i}`, keys: [i] }));
    const notes = notesOf(
      [...several, made('sign', 'fits')],
      [...several, made('sign', 'fits')],
      [made('not_sent', 'fits')],
    );
    expect(fitsIn(notes)).toEqual(['sign 2/3', 'old_state 2/3', 'not_sent 1/3']);
  });
});

describe('damage is shown by direct evidence', () => {
  const broken = (type: number, missing = 0) => [
    made('damaged', 'shown', { about: 'unreadable', keys: [type << 16], numbers: { missing } }),
  ];
  const bits = (standing: Statement['standing'], ...types: number[]) =>
    types.map((type, i) => [made('damaged', standing, { about: 'bit', keys: [(type << 16) | i] })]);

  it('of unreadable deltas that break at different places', () => {
    expect(shownIn(notesOf(broken(1)))).toEqual(['unreadable']);
    expect(shownIn(notesOf(broken(1), broken(2), broken(3)))).toEqual(['unreadable']);
    // A size that the server has wrong breaks all of them after one item.
    expect(shownIn(notesOf(broken(1, 892), broken(1, 21), broken(1)))).toEqual([]);
  });

  it('not of bits in items of one type each time, nor of the same bit', () => {
    expect(shownIn(notesOf(...bits('shown', 1)))).toEqual(['damaged']);
    expect(shownIn(notesOf(...bits('shown', 1, 2)))).toEqual(['damaged']);
    expect(shownIn(notesOf(...bits('shown', 1, 1)))).toEqual([]);
    const nine = times(9, () => 1);
    expect(shownIn(notesOf(...bits('shown', ...nine, 2)))).toEqual([]);
    expect(shownIn(notesOf(...bits('shown', ...nine.slice(1), 2)))).toEqual(['damaged']);
    const same = bits('shown', 1, 2, 3).map(([statement]) => [{ ...statement!, numbers: { byte: 5, bit: 2 } }]);
    expect(shownIn(notesOf(...same))).toEqual([]);
    expect(shownIn(notesOf(...bits('shown', 1), ...bits('fits', 1, 1)))).toEqual([]);
    expect(shownIn(notesOf(...bits('shown', 1), ...bits('fits', 2, 1)))).toEqual(['damaged']);
  });

  it('not of values that are implausible, nor of bits that only explain sums, or make the same difference again', () => {
    const unusual = () => [made('damaged', 'fits', { about: 'unreadable' })];
    expect(shownIn(notesOf(...times(7, unusual)))).toEqual([]);
    expect(shownIn(notesOf(...bits('fits', 1, 2, 3, 4)))).toEqual([]);
    const same = notesOf(...bits('shown', 1, 2, 3, 4)).map((note) => ({ ...note, difference: 64 }));
    expect(shownIn(same)).toEqual([]);
  });

  it('not where something else explains much of it', () => {
    const other = [...broken(1), made('mixed_parts', 'repeats')];
    expect(shownIn(notesOf(other, broken(2), broken(3)))).toEqual([]);
    expect(shownIn(notesOf(other, broken(2), broken(3), broken(4)))).toEqual(['unreadable']);
  });

  it('and says how many deltas cannot be read', () => {
    expect(conclude(notesOf(...bits('shown', 1, 2, 3, 4))).shown[0]!.numbers.unreadable).toBeUndefined();
    expect(conclude(notesOf(broken(1), broken(2))).shown[0]!.numbers.unreadable).toBe(2);
  });
});

const protocol = protocolOf('0.7');
const [laser, pickup, playerInfo] = [3, 4, 11] as const;

describe('what no game sends, in one delta whose sum does not follow from it', () => {
  const items: readonly Item[] = [
    [pickup, 17, 1000, 2000, 3],
    [playerInfo, 0, 8, 0, 0],
  ];
  /** The cause that is shown, or the first of what fits. */
  const explained = (before: Snapshot, ...delta: number[]) => {
    const payload = Uint8Array.from(ints(...delta));
    const [explanation] = explainDelta({ protocol, tick: 0, base: 0, before, payload, announced: 123_456 });
    return explanation?.shown[0] ?? explanation?.fits[0];
  };

  it('not a key that the delta has twice, nor one that it lists twice as removed', () => {
    const twice = [0, 2, 0, laser, 9, 100, 0, 0, 0, 0, laser, 9, 200, 0, 0, 0, 0];
    expect(explained(snapshotOf(...items), ...twice)).toBeUndefined();
    expect(explained(snapshotOf(...items), 2, 0, 0, (pickup << 16) | 17, (pickup << 16) | 17)).toBeUndefined();
  });

  it('a type without registration fits, unless the base has it: healthy servers may send it a snapshot late', () => {
    const update = [0, 1, 0, 0x7ffe, 3, 1, 5];
    expect(explained(snapshotOf(...items), ...update)).toMatchObject({
      cause: 'unregistered',
      isShown: false,
      numbers: { type: 0x7ffe },
    });
    expect(explained(snapshotOf(...items, [0x7ffe, 4, 1]), ...update)).toBeUndefined();
  });

  it('an item of another size fits: a flipped bit in its type makes it as well', () => {
    const infoRace = 23;
    const verdict = explained(snapshotOf(...items), 0, 1, 0, infoRace, 0, 2, 50, 0);
    expect(verdict).toMatchObject({
      cause: 'other_size',
      isShown: false,
      numbers: { type: infoRace, found: 2, expected: 1 },
    });
    expect(causeText(verdict!, [], protocol).title).toBe('obj_player_info_race came with 2 ints; 0.7 has 1');
  });

  it('the limit of 1,024 items is shown, unless the base had reached it', () => {
    const many = Array.from({ length: 1022 }, (_, i): Item => [playerInfo, 100 + i, 0, 0, 0]);
    const added = (...ids: number[]) => [0, ids.length, 0, ...ids.flatMap((id) => [playerInfo, id, 1, 1, 1])];
    expect(explained(snapshotOf(...many), ...added(1, 2))).toMatchObject({
      cause: 'too_large',
      numbers: { found: 1024 },
    });
    expect(explained(snapshotOf(...many, [playerInfo, 1, 0, 0, 0]), ...added(2))).toBeUndefined();
  });
});

describe('the report of 2018: a pickup of 4 ints where the client has 3', () => {
  it('is the first of what fits, and says so in one sentence', () => {
    const before = snapshotOf([laser, 2, 10, 20, 30, 40, 50] satisfies Item);
    const payload = Uint8Array.from(ints(0, 2, 0, pickup, 0, 100, 200, 1, 0, laser, 7, 1, 2, 3, 4, 5));
    const announced = 150 + 301 + 15;
    const [explanation] = explainDelta({ protocol, tick: 1000, base: 990, before, payload, announced });
    expect(saidOf(explanation!)).toMatchObject([
      {
        isShown: false,
        title: 'obj_pickup may have another size here: 4 instead of 3 ints, as in 0.5 and 0.6, fits 1 of 1',
        decides: expect.stringContaining('a longer capture'),
      },
    ]);
  });
});
