import { describe, expect, it } from 'vitest';
import { payloadJson } from '../../../src/output/json/item-json.ts';
import { valuesOf } from '../../../src/wire/annotate/field-values.ts';
import { itemIn, itemOf } from '../../../src/wire/annotate/item-node.ts';
import { layersOfInts } from '../../../src/wire/payload/encoding-layers.ts';
import { readPayload } from '../../../src/wire/payload/payload.ts';
import { protocolOf, versions } from '../../../src/wire/protocol/registry.ts';
import { intsOfUuid } from '../../../src/wire/protocol/texts.ts';
import { ItemTypes } from '../../../src/wire/snapshot/item-types.ts';
import type { Snapshot } from '../../../src/wire/snapshot/snapshot.ts';
import { snapshotInts, snapshotOf } from '../../support/readers.ts';

const protocol = protocolOf('0.6');
/** `obj_client_info` of 0.6: four ints of name, three of clan, a country, six of skin, colours. */
const clientInfo = 11;
const clientInfoInts = 17;

/** Four bytes of a packed text, each plus 128, as one int. */
const packed = (text: string): number =>
  [...text].reduce((int, char) => (int << 8) | (char.charCodeAt(0) ^ 0x80), 0) | 0;

const infoNamed = (...name: number[]) =>
  snapshotOf([clientInfo, 0, ...name, ...Array<number>(clientInfoInts - name.length).fill(0)]);

const changesOf = (was: Snapshot, now: Snapshot) => {
  const item = itemIn(new ItemTypes(protocol).onSnapshot(now), now, 0, was.item(0));
  return Array.from(item.changes(), ({ value: { label }, change }) => [label, change.old, change.new]);
};

describe('an item', () => {
  it('of a delta on a base has what was sent, and its values before and after', () => {
    // Nothing removed, one update: `obj_pickup` 3, its x 7 more, its y 2 less.
    const ints = Int32Array.of(0, 1, 0, 4, 3, 7, -2, 0);
    const payload = readPayload(layersOfInts(ints), 'delta', protocol, snapshotOf([4, 3, 100, 50, 1]));
    const item = itemOf(payload, 0);
    expect([item.title, [...item.ints], [...item.was!], [...item.now]]).toEqual([
      'obj_pickup 3',
      [7, -2, 0],
      [100, 50, 1],
      [107, 48, 1],
    ]);
  });

  it('of a delta without a base has differences, which have no name', () => {
    const payload = readPayload(layersOfInts(Int32Array.of(0, 1, 0, 4, 3, 7, -2, 1, 0)), 'delta', protocol);
    const item = itemOf(payload, 0);
    expect(item.was).toBeUndefined();
    expect([...item.values()].map((value) => item.describe(value))).toEqual([
      { role: 'position', value: 7, isDifference: true },
      { role: 'position', value: -2, isDifference: true },
      { role: 'state', value: 1, isDifference: true },
      { role: 'number', value: 0, isDifference: true },
    ]);
  });

  it('that no table has is called by its UUID, or its number', () => {
    const uuid = '00112233-4455-6677-8899-aabbccddeeff';
    const snapshot = snapshotOf([0, 0x7fff, ...intsOfUuid(uuid)], [0x7fff, 3, 64], [900, 0, 1]);
    const types = new ItemTypes(protocol).onSnapshot(snapshot);
    expect([1, 2].map((i) => itemIn(types, snapshot, i).title)).toEqual([`${uuid} 3`, 'type_900 0']);
  });
});

describe('a text that is none', () => {
  // 0x7f as the first byte of a packed text is 0xff, which no UTF-8 has.
  const damaged = 0x7f << 24;

  it('is the list of its ints', () => {
    const item = itemIn(new ItemTypes(protocol), infoNamed(damaged, 1, 2, 3), 0);
    const [name] = item.values();
    expect(item.describe(name!)).toMatchObject({ role: 'number', value: [damaged, 1, 2, 3] });
  });

  it('differs from a text, and from another that is none', () => {
    const brown = [packed('brow'), packed('nbea'), packed('r\0\0\0'), packed('\0\0\0\0')];
    const text = infoNamed(...brown);
    const none = infoNamed(damaged, 1, 2, 3);
    expect(changesOf(text, none)).toEqual([['name', 'brownbear', [damaged, 1, 2, 3]]]);
    expect(changesOf(none, infoNamed(damaged, 1, 2, 4))).toEqual([['name', [damaged, 1, 2, 3], [damaged, 1, 2, 4]]]);
    expect(changesOf(none, none)).toEqual([]);
  });

  it('is nothing where the item ends before its last int', () => {
    const short = snapshotOf([clientInfo, 0, packed('abc\0'), 0]);
    expect(changesOf(short, infoNamed(packed('abc\0'), 0, 0, 0))[0]).toEqual(['name', undefined, 'abc']);
  });
});

describe.each(versions)('the values of items of %s', (version) => {
  const own = protocolOf(version);

  it('have the names of the fields of JSON', () => {
    for (const type of own.items.filter(({ type: number }) => number !== undefined)) {
      const values = valuesOf(type);
      const size = values.reduce((sum, { ints }) => sum + ints, 0);
      const ints = snapshotInts([type.type!, 1, ...Array<number>(size).fill(0)]);
      const payload = readPayload(layersOfInts(ints), 'snapshot', own);
      const [{ fields } = { fields: {} }] = payloadJson(payload).items;
      const labels = values.map(({ label }) => label.replace(/\[.*/, ''));
      expect(Object.keys(fields ?? {}), type.name).toEqual([...new Set(labels)]);
    }
  });
});
