import { describe, expect, it } from 'vitest';
import { chanceOf } from '../../src/explain/evidence.ts';
import { explainDelta, type FailureNote, verdictsOf } from '../../src/explain/explanation.ts';
import type { Fit } from '../../src/explain/hypothesis.ts';
import { protocolOf } from '../../src/protocol/registry.ts';
import type { Snapshot } from '../../src/snapshot/snapshot.ts';
import { causeText } from '../../src/view/explain/causes.ts';
import { ints } from '../support/packet-builder.ts';
import { type Item, snapshotOf } from '../support/readers.ts';

const madeFit = (cause: Fit['cause'], chance: number, more: Partial<Fit> = {}): Fit => {
  return { cause, about: 'x', keys: [1], chance, isStructural: false, ...more };
};

/** Failures with the differences 100, 200, …, each with its fits. */
const notesOf = (...all: Fit[][]): FailureNote[] =>
  all.map((fits, i) => {
    const difference = 100 * (i + 1);
    return { tick: i, base: 0, frame: i, announced: 0, difference, error: undefined, isTested: true, fits };
  });

/** The accepted cause, if there is one among so many runs. */
const accepted = (notes: readonly FailureNote[], runs = 1) =>
  verdictsOf(notes, runs).flatMap(({ cause, isSure }) => (isSure ? [cause] : []))[0];

describe('a cause is accepted if', () => {
  const unlikely = () => [madeFit('sent_in_full', 1e-3)];

  it('it fits all failures, or all but one in ten', () => {
    expect(accepted(notesOf(unlikely(), unlikely(), unlikely()))).toBe('sent_in_full');
    expect(accepted(notesOf(unlikely(), unlikely(), []))).toBeUndefined();
    const nine = Array.from({ length: 9 }, unlikely);
    expect(accepted(notesOf(...nine, []))).toBe('sent_in_full');
    expect(accepted(notesOf(...nine.slice(1), []))).toBeUndefined();
  });

  it('it is unlikely by chance, whatever the cause, among all runs', () => {
    for (const cause of ['duplicate_key', 'sent_in_full', 'wrong_base', 'other_size', 'sign'] as const) {
      for (const [isStructural, most] of [[true, 1e-4] as const, [false, 2e-6] as const]) {
        expect(accepted(notesOf([madeFit(cause, 2 * most, { isStructural })]))).toBeUndefined();
        expect(accepted(notesOf([madeFit(cause, most / 2, { isStructural })]))).toBe(cause);
        expect(accepted(notesOf([madeFit(cause, most / 10, { isStructural })]), 20)).toBeUndefined();
      }
    }
  });

  it('a difference that repeats counts once', () => {
    const same = notesOf(unlikely(), unlikely(), unlikely()).map((note) => ({ ...note, difference: 100 }));
    expect(accepted(same)).toBeUndefined();
  });

  it('half of its fits are shown by the bytes, if it is not that unlikely', () => {
    const shown = () => [madeFit('sent_in_full', 1e-2, { isStructural: true })];
    const sums = () => [madeFit('sent_in_full', 1e-2)];
    expect(accepted(notesOf(shown(), sums()))).toBe('sent_in_full');
    expect(accepted(notesOf(sums(), sums()))).toBeUndefined();
  });

  it('a failure with the same difference does not contradict it', () => {
    const same = (...chances: number[]) =>
      notesOf(...chances.map((chance) => [madeFit('sent_in_full', chance)])).map((note) => ({
        ...note,
        difference: 100,
      }));
    expect(accepted(same(1e-7, 1e-2))).toBe('sent_in_full');
    expect(accepted(same(1e-7, 1))).toBeUndefined();
  });

  it('a difference that follows the ticks since the base counts once, since many ints are ticks', () => {
    const following = notesOf(unlikely(), unlikely(), unlikely()).map((note, i) => {
      return { ...note, tick: 10 * (i + 1), difference: -10 * (i + 1) };
    });
    expect(accepted(following)).toBeUndefined();
    expect(accepted(following.map((note) => ({ ...note, tick: 7 })))).toBe('sent_in_full');
  });

  it('another one that is too vague to be accepted itself is a rival', () => {
    const both = (rivalChance: number) => [madeFit('sent_in_full', 1e-6), madeFit('wrong_base', 1, { rivalChance })];
    expect(accepted(notesOf(both(1)))).toBe('sent_in_full');
    expect(accepted(notesOf(both(1e-6)))).toBeUndefined();
  });

  it('no other cause fits as well', () => {
    const both = () => [madeFit('sent_in_full', 1e-3), madeFit('old_state', 1e-3)];
    expect(accepted(notesOf(both(), both(), both()))).toBeUndefined();
    // Nor one that fits some far better.
    const alone = () => [madeFit('sent_in_full', 1e-3)];
    expect(accepted(notesOf(alone(), alone()))).toBe('sent_in_full');
    expect(accepted(notesOf(alone(), [...alone(), madeFit('other_item', 1e-6)]))).toBeUndefined();
    const two = () => [madeFit('sent_in_full', 1e-3), madeFit('old_state', 0.5)];
    expect(accepted(notesOf(two(), two(), two()))).toBe('sent_in_full');
  });

  it('no other cause that fits as many failures is nearly as unlikely, if both miss one', () => {
    const both = [madeFit('sign', 1e-8), madeFit('shifted_fields', 1e-5)];
    const others = Array.from({ length: 9 }, () => [madeFit('sign', 1), madeFit('shifted_fields', 1)]);
    expect(accepted(notesOf(both, ...others))).toBe('sign');
    expect(accepted(notesOf(both, ...others.slice(1), []))).toBeUndefined();
  });

  it('several items that fit as well are named as alternatives, up to four', () => {
    const items = (count: number) =>
      Array.from({ length: count }, (_, i) => madeFit('duplicate_key', 1e-6, { about: `${i}`, keys: [i] }));
    expect(verdictsOf(notesOf(items(4)), 1)[0]).toMatchObject({ isSure: true, areAlternatives: true });
    expect(accepted(notesOf(items(5)))).toBeUndefined();
  });
});

it('a round number is the sum of many items', () => {
  expect(chanceOf(49_152, [])).toBeGreaterThan(1e-4 / 2);
  expect(chanceOf(49_153, [])).toBeLessThan(1e-4 / 2);
});

describe('damage is accepted on direct evidence', () => {
  const broken = (type: number, missing = 0) => [
    madeFit('damaged', 1e-6, { about: 'unreadable', keys: [type << 16], numbers: { missing }, isStructural: true }),
  ];
  const bits = (isStructural: boolean, ...types: number[]) =>
    types.map((type, i) => [madeFit('damaged', 1e-4, { about: 'bit', keys: [(type << 16) | i], isStructural })]);

  it('of unreadable deltas that break at different places', () => {
    expect(accepted(notesOf(broken(1)))).toBe('damaged');
    expect(accepted(notesOf(broken(1), broken(2), broken(3)))).toBe('damaged');
    // A size that the server has wrong breaks all of them after one item.
    expect(accepted(notesOf(broken(1, 892), broken(1, 21), broken(1)))).toBeUndefined();
  });

  it('not of bits in items of one type each time, nor of the same bit', () => {
    expect(accepted(notesOf(...bits(true, 1)))).toBe('damaged');
    expect(accepted(notesOf(...bits(true, 1, 2)))).toBe('damaged');
    expect(accepted(notesOf(...bits(true, 1, 1)))).toBeUndefined();
    const nine = Array.from({ length: 9 }, () => 1);
    expect(accepted(notesOf(...bits(true, ...nine, 2)))).toBeUndefined();
    expect(accepted(notesOf(...bits(true, ...nine.slice(1), 2)))).toBe('damaged');
    const same = bits(true, 1, 2, 3).map(([fit]) => [{ ...fit!, numbers: { byte: 5, bit: 2 } }]);
    expect(accepted(notesOf(...same))).toBeUndefined();
    // A type of what is less likely counts too, and so does one of all that the bytes show.
    const less = madeFit('damaged', 0.1, { about: 'unreadable', keys: [1 << 16] });
    expect(accepted(notesOf(...bits(true, 1, 2, 3)))).toBe('damaged');
    expect(accepted(notesOf(...bits(true, 1, 2, 3).map((fits) => [...fits, less])))).toBeUndefined();
    expect(accepted(notesOf(...bits(true, 1, 1), ...bits(false, 2, 3, 4)))).toBeUndefined();
    // Nor where one of them is shown by the bytes, and the others only explain the sums.
    expect(accepted(notesOf(...bits(true, 1), ...bits(false, 1, 1)))).toBeUndefined();
    expect(accepted(notesOf(...bits(true, 1), ...bits(false, 2, 1)))).toBe('damaged');
  });

  it('not of values that are implausible, nor of bits that only explain sums, or make the same difference again', () => {
    const unusual = () => [madeFit('damaged', 0.1, { about: 'unreadable' })];
    expect(accepted(notesOf(...Array.from({ length: 7 }, unusual)))).toBeUndefined();
    expect(accepted(notesOf(...bits(false, 1, 2, 3, 4)))).toBeUndefined();
    const same = notesOf(...bits(true, 1, 2, 3, 4)).map((note) => ({ ...note, difference: 64 }));
    expect(accepted(same)).toBeUndefined();
  });

  it('and says how many deltas cannot be read, as its numbers do', () => {
    const [all] = verdictsOf(notesOf(...bits(true, 1, 2, 3, 4)), 1);
    expect(all!.numbers.unreadable ?? 0).toBe(0);
    expect(causeText(all!, [], protocol).meaning).not.toContain('read to');
    const [two] = verdictsOf(notesOf(broken(1), broken(2)), 1);
    expect(two!.numbers.unreadable).toBe(2);
    expect(causeText(two!, [], protocol).meaning).toContain("2 can't be read to their end");
  });
});

const protocol = protocolOf('0.7');
const [laser, pickup, playerInfo] = [3, 4, 11] as const;

describe('what no game sends is a cause by itself, though the sum does not follow from it', () => {
  const items: readonly Item[] = [
    [pickup, 17, 1000, 2000, 3],
    [playerInfo, 0, 8, 0, 0],
  ];
  const explained = (before: Snapshot, ...delta: number[]) => {
    const payload = Uint8Array.from(ints(...delta));
    const [explanation] = explainDelta({ protocol, tick: 0, base: 0, before, payload, announced: 123_456 });
    return explanation?.verdict;
  };

  it('but not a key that the delta has twice, nor one that it lists twice as removed', () => {
    const twice = [0, 2, 0, laser, 9, 100, 0, 0, 0, 0, laser, 9, 200, 0, 0, 0, 0];
    expect(explained(snapshotOf(...items), ...twice)).toBeUndefined();
    expect(explained(snapshotOf(...items), 2, 0, 0, (pickup << 16) | 17, (pickup << 16) | 17)).toBeUndefined();
  });

  it('a type without registration, unless the base has it as well', () => {
    const update = [0, 1, 0, 0x7ffe, 3, 1, 5];
    expect(explained(snapshotOf(...items), ...update)).toMatchObject({
      cause: 'unregistered',
      numbers: { type: 0x7ffe },
    });
    expect(explained(snapshotOf(...items, [0x7ffe, 4, 1]), ...update)).toBeUndefined();
  });

  it('an item of another size', () => {
    const infoRace = 23;
    const verdict = explained(snapshotOf(...items), 0, 1, 0, infoRace, 0, 2, 50, 0);
    expect(verdict).toMatchObject({ cause: 'other_size', numbers: { type: infoRace, found: 2, expected: 1 } });
    expect(causeText(verdict!, [], protocol).title).toBe('obj_player_info_race came with 2 ints; 0.7 has 1');
  });

  it('the limit of 1,024 items, which the base had not reached', () => {
    const many = Array.from({ length: 1022 }, (_, i): Item => [playerInfo, 100 + i, 0, 0, 0]);
    const added = (...ids: number[]) => [0, ids.length, 0, ...ids.flatMap((id) => [playerInfo, id, 1, 1, 1])];
    expect(explained(snapshotOf(...many), ...added(1, 2))).toMatchObject({
      cause: 'too_large',
      numbers: { found: 1024 },
    });
    expect(explained(snapshotOf(...many, [playerInfo, 1, 0, 0, 0]), ...added(2))).toBeUndefined();
  });
});
