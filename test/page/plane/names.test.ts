import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { namesThatFit, type PlacedName } from '../../../src/page/plane/labels.ts';

/** What matters most is first. */
const nameRanks = ['followed', 'chosen', 'hovered', 'drawn', 'other'] as const;

const name = (client: number, x: number, rank: PlacedName['rank'] = 'other', distance = client): PlacedName => {
  return { client, text: `player ${client}`, x, y: 100, width: 50, rank, distance };
};

const clients = (names: readonly PlacedName[]) => namesThatFit(names).map(({ client }) => client);

const overlap = (a: PlacedName, b: PlacedName) =>
  Math.abs(a.x - b.x) < (a.width + b.width) / 2 && Math.abs(a.y - b.y) < 11;

describe('the names in the picture', () => {
  it('are all drawn where there is room', () => {
    expect(clients([name(0, 0), name(1, 60), name(2, 120)])).toEqual([0, 1, 2]);
  });

  it('of two that overlap, the nearest is drawn, unless the other one matters more', () => {
    expect(clients([name(0, 0), name(1, 20)])).toEqual([0]);
    for (const rank of ['followed', 'chosen', 'hovered', 'drawn'] as const)
      expect(clients([name(0, 0), name(1, 20, rank)])).toEqual([1]);
    expect(clients([name(0, 0, 'chosen'), name(1, 20, 'followed')])).toEqual([1]);
  });

  it('never overlap, and each that is left out touches one that matters no less', () => {
    const names = fc.array(
      fc.record({
        x: fc.integer({ min: 0, max: 400 }),
        y: fc.integer({ min: 0, max: 100 }),
        width: fc.integer({ min: 5, max: 90 }),
        rank: fc.constantFrom(...nameRanks),
        distance: fc.integer({ min: 0, max: 300 }),
      }),
      { maxLength: 40 },
    );
    fc.assert(
      fc.property(names, (some) => {
        const all = some.map((one, client): PlacedName => ({ client, text: '', ...one }));
        const drawn = namesThatFit(all);
        for (const [i, a] of drawn.entries()) for (const b of drawn.slice(i + 1)) expect(overlap(a, b)).toBe(false);
        const order = ({ rank }: PlacedName) => nameRanks.indexOf(rank);
        for (const left of all.filter((one) => !drawn.includes(one)))
          expect(drawn.some((one) => order(one) <= order(left))).toBe(true);
      }),
    );
  });
});
