import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { itemJson } from '../../../src/output/json/item-json.ts';
import { jsonItems } from '../../../src/output/json/json-items.ts';
import { jsonText } from '../../../src/output/text/escape.ts';
import { ItemTexts } from '../../../src/output/text/item-texts.ts';
import { ItemNode } from '../../../src/wire/annotate/item-node.ts';
import { AppendBuffer } from '../../../src/wire/bytes/buffers.ts';
import { protocolOf, versions } from '../../../src/wire/protocol/registry.ts';
import { uuidOfInts } from '../../../src/wire/protocol/texts.ts';
import { ItemTypes } from '../../../src/wire/snapshot/item-types.ts';
import { firstLocalType, keyOf } from '../../../src/wire/snapshot/key.ts';
import type { Snapshot } from '../../../src/wire/snapshot/snapshot.ts';
import { snapshotOf } from '../../support/readers.ts';

const int = fc.integer({ min: -(2 ** 31), max: 2 ** 31 - 1 });
const ints = fc.array(int, { maxLength: 80 });

/** The four ints of a UUID. */
const intsOfUuid = (uuid: string) =>
  [0, 8, 16, 24].map((at) => Number.parseInt(uuid.replaceAll('-', '').slice(at, at + 8), 16) | 0);

const jsonOf = (types: ItemTypes, type: number, id: number, data: readonly number[]) =>
  jsonText(itemJson(new ItemNode(types, keyOf(type, id), { ints: Int32Array.from(data) })));

/** The texts of the items of a snapshot, joined by commas. */
function textOf(texts: ItemTexts, snapshot: Snapshot, types: ItemTypes): string {
  const out = new AppendBuffer(1);
  for (let i = 0; i < snapshot.count; i++) {
    if (i > 0) out.text(',');
    texts.append(out, snapshot, i, types);
  }
  return new TextDecoder().decode(out.view());
}

describe.each(versions)('the text of any item of %s', (version) => {
  const protocol = protocolOf(version);
  const extended = protocol.items.flatMap(({ uuid }) => uuid ?? []);
  const registered = extended.map((uuid, i) => [0, firstLocalType + i, ...intsOfUuid(uuid)] as const);
  const types = new ItemTypes(protocol).onSnapshot(snapshotOf(...registered, [0, 0x7000, 1, 2, 3, 4]));
  const numbers = [
    ...protocol.items.flatMap(({ type }) => type ?? []),
    ...extended.map((_, i) => firstLocalType + i),
    ...[63, 0x7000, 0x7001],
  ];

  it('is that of its JSON, made anew or updated', () => {
    expect(types.uuidOf(0x7000)).toBe(uuidOfInts([1, 2, 3, 4]));
    for (const type of numbers) {
      fc.assert(
        fc.property(ints, fc.array(fc.tuple(fc.nat(79), int)), fc.nat(0xffff), (before, changes, id) => {
          const texts = new ItemTexts(jsonItems);
          const text = (data: number[]) => textOf(texts, snapshotOf([type, id, ...data]), types);
          const json = (data: number[]) => jsonOf(types, type, id, data);
          expect(text(before)).toBe(json(before));
          expect(text(before)).toBe(json(before));
          const after = [...before];
          for (const [i, value] of changes) if (i < after.length) after[i] = value;
          expect(text(after)).toBe(json(after));
        }),
        { numRuns: 20 },
      );
    }
  });
});

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
        const texts = new ItemTexts(jsonItems);
        for (const items of snapshots) {
          const lists = items.map(([type, id, size, int]) => [type, id, ...Array<number>(size).fill(int)] as const);
          const snapshot = snapshotOf(...(lists as [number, number, ...number[]][]));
          const json = lists.map(([type, id, ...ints]) => jsonOf(types, type, id, ints));
          expect(textOf(texts, snapshot, types)).toBe(json.join(','));
        }
      }),
      { numRuns: 500 },
    );
  });
});
