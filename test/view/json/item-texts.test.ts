import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { protocolOf } from '../../../src/protocol/registry.ts';
import { ItemTypes } from '../../../src/snapshot/item-types.ts';
import { ItemTexts } from '../../../src/view/json/item-texts.ts';
import { itemJson } from '../../../src/view/json/json.ts';
import { jsonText } from '../../../src/view/text/escape.ts';
import { snapshotOf } from '../../support/readers.ts';

/** A character, a pickup with too many or too few ints, a client's name, and an unknown type; some keys occur twice. */
const item = fc.tuple(
  fc.constantFrom(4, 9, 11, 50),
  fc.nat(2),
  fc.constantFrom(0, 3, 4, 17, 22),
  fc.constantFrom(0, -1, 9, 10, -2139062272),
);

describe('ItemTexts', () => {
  it('is the JSON of the items of each snapshot, whatever the preceding ones contain', () => {
    const types = new ItemTypes(protocolOf('0.6'));
    fc.assert(
      fc.property(fc.array(fc.array(item, { maxLength: 6 }), { maxLength: 12 }), (snapshots) => {
        const texts = new ItemTexts();
        for (const items of snapshots) {
          const lists = items.map(([type, id, size, int]) => [type, id, ...Array<number>(size).fill(int)] as const);
          const snapshot = snapshotOf(...(lists as [number, number, ...number[]][]));
          const json = lists.map(([type, id, ...ints]) => jsonText(itemJson(types, type, id, Int32Array.from(ints))));
          expect(new TextDecoder().decode(texts.of(snapshot, types))).toBe(json.join(','));
        }
      }),
      { numRuns: 500 },
    );
  });
});
