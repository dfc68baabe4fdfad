import { describe, expect, it } from 'vitest';
import { valuesOf } from '../../../src/wire/annotate/field-values.ts';
import { ValuePath } from '../../../src/wire/annotate/value-path.ts';
import { protocolOf, versions } from '../../../src/wire/protocol/registry.ts';
import { intsOfUuid } from '../../../src/wire/protocol/texts.ts';
import { SnapshotBuilder } from '../../../src/wire/snapshot/builder.ts';

const mostInts = 64;

describe('the path of a value', () => {
  it('is read as trace writes it and as links do', () => {
    for (const text of ['obj_character/0.weapon', 'obj_character/0/weapon'])
      expect(String(ValuePath.parse(text))).toBe('obj_character/0.weapon');
    expect(ValuePath.parse('type_9/12.data[3]')).toMatchObject({ item: 'type_9', id: 12, field: 'data[3]' });
    for (const text of ['', 'obj_character', 'obj_character/0', 'obj_character/x.weapon', 'obj_character/0.'])
      expect(ValuePath.parse(text), text).toBeUndefined();
  });

  it.each(versions)('finds each value of each item of %s', (version) => {
    const protocol = protocolOf(version);
    for (const type of protocol.items) {
      const values = valuesOf(type);
      const size = values.reduce((sum, { ints }) => sum + ints, 0);
      const builder = new SnapshotBuilder();
      if (type.uuid !== undefined) builder.add(0, 0x7ffe, intsOfUuid(type.uuid));
      const number = type.type ?? 0x7ffe;
      const snapshot = builder
        .add(
          number,
          5,
          Array.from({ length: Math.min(size, mostInts) }, () => 1),
        )
        .build();
      for (const { label, at } of values.filter(({ at, ints }) => at + ints <= mostInts)) {
        const found = ValuePath.parse(`${type.name}/5.${label}`)!.finder(protocol)(snapshot);
        expect([label, found?.value.at, found?.type]).toEqual([label, at, number]);
        expect(ValuePath.parse(`${type.name}/6.${label}`)!.finder(protocol)(snapshot)).toBeUndefined();
      }
    }
  });

  it('finds the ints of items that no table has, and of those that are longer or shorter than known', () => {
    const uuid = '00112233-4455-6677-8899-aabbccddeeff';
    const find = new SnapshotBuilder()
      .add(0, 0x7fff, intsOfUuid(uuid))
      .add(0x7fff, 3, [64, 65])
      .add(4, 0, [7, 8, 9, 10])
      .add(4, 1, [7, 8])
      .add(900, 0, [1, 2])
      .build();
    const at = (text: string) => ValuePath.parse(text)!.finder(protocolOf('0.7'))(find)?.value.at;
    expect([at(`${uuid}/3.data[1]`), at('type_900/0.data[1]'), at('type_900/0.data[2]')]).toEqual([1, 1, undefined]);
    // `obj_pickup` of 0.7, type 4, has x, y and its kind.
    expect([at('obj_pickup/0.type'), at('obj_pickup/0.data[3]'), at('obj_pickup/1.y')]).toEqual([2, 3, 1]);
    expect(at('obj_pickup/1.type')).toBeUndefined();
  });
});
