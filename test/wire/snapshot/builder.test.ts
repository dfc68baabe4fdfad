import { describe, expect, it } from 'vitest';
import { protocolOf } from '../../../src/wire/protocol/registry.ts';
import { intsOfUuid } from '../../../src/wire/protocol/texts.ts';
import { SnapshotBuilder } from '../../../src/wire/snapshot/builder.ts';
import { ItemTypes } from '../../../src/wire/snapshot/item-types.ts';

describe('a builder', () => {
  it('keeps items in their order', () => {
    const built = new SnapshotBuilder().add(6, 0, [1, 2, 3]).add(4, 7, []).add(4, 1, [5]).build();
    expect([...built].map(({ type, id, data }) => [type, id, ...data])).toEqual([
      [6, 0, 1, 2, 3],
      [4, 7],
      [4, 1, 5],
    ]);
    expect(built.checksum()).toBe(11);
  });

  it.each([
    ['duplicate_key', [6, 0]],
    ['bad_type', [0x8000, 0]],
    ['bad_type', [-1, 0]],
    ['bad_id', [1, 0x10000]],
  ] as const)('refuses %s', (code, [type, id]) => {
    const builder = new SnapshotBuilder().add(6, 0, [1]);
    expect(() => builder.add(type, id, [2])).toThrow(code.replaceAll('_', ' '));
    expect(builder.build().count).toBe(1);
  });

  it('accepts 1,024 items and not one more', () => {
    const builder = new SnapshotBuilder();
    for (let id = 0; id < 1024; id++) builder.add(1, id, []);
    expect(() => builder.add(2, 0, [])).toThrow('too many items');
    expect(builder.build().count).toBe(1024);
  });

  // 64 KiB: 8 bytes of header, and of each item 4 of offset, 4 of key, 4 an int. 65536 - 8 - 8 = 65520 = 4 × 16380.
  it('accepts 64 KiB and not one int more', () => {
    expect(() => new SnapshotBuilder().add(1, 0, new Int32Array(16381))).toThrow('snapshot too large');
    expect(new SnapshotBuilder().add(1, 0, new Int32Array(16380)).build().intCount * 4).toBe(65536);
  });
});

describe('a snapshot', () => {
  const uuid = '76ce455b-f9eb-3a48-add7-e04b941d045c';
  const built = new SnapshotBuilder()
    .add(0, 0x7fff, intsOfUuid(uuid))
    .add(0x7fff, 3, [64])
    .add(6, 0, [1, 2, 3])
    .build();
  const types = new ItemTypes(protocolOf('0.6')).onSnapshot(built);

  it('finds items by type and id, and by name', () => {
    expect(built.find(6, 0)).toBe(2);
    expect(built.find(6, 1)).toBe(-1);
    expect(built.find(types.numberOf('ddnet_character')!, 3)).toBe(1);
    expect(types.numberOf('ddnet_player')).toBeUndefined();
  });
});
