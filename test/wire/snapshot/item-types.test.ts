import { describe, expect, it } from 'vitest';
import { protocolOf } from '../../../src/wire/protocol/registry.ts';
import { ItemFields } from '../../../src/wire/snapshot/item-fields.ts';
import { ItemTypes } from '../../../src/wire/snapshot/item-types.ts';
import { type Item, snapshotOf } from '../../support/readers.ts';

/**
 * `character@netobj.ddnet.tw`: 76ce455b-f9eb-3a48-add7-e04b941d045c (docs/formats/extended-items.md), as four
 * big-endian ints.
 */
const uuid = [0x76ce455b, 0xf9eb3a48 | 0, 0xadd7e04b | 0, 0x941d045c | 0] as const;
const character = '76ce455b-f9eb-3a48-add7-e04b941d045c';
const unknown = '00000001-0000-0002-0000-0003ffffffff';

const learnt = (...items: Item[]) => new ItemTypes(protocolOf('0.6')).onSnapshot(snapshotOf(...items));

describe('a type number', () => {
  it('is defined by the protocol', () => {
    const types = learnt();
    expect([0, 1, 9, 20, 21, 0x3fff].map((type) => types.of(type)?.name)).toEqual([
      'obj_ex',
      'obj_player_input',
      'obj_character',
      'event_damage_ind',
      undefined,
      undefined,
    ]);
    expect(new ItemTypes(protocolOf('0.7')).of(9)?.name).toBe('obj_character_core');
    expect(types.isLocal(0x3fff)).toBe(false);
  });

  it.each([0x4000, 0x7ffe, 0x7fff])('%i has the UUID and the item of its registration', (local) => {
    const types = learnt([0, local, ...uuid]);
    expect([types.uuidOf(local), types.of(local)?.name, types.isLocal(local)]).toEqual([
      character,
      'ddnet_character',
      true,
    ]);
  });

  it('has no meaning without its registration', () => {
    const types = learnt([0, 0x7fff, ...uuid]);
    expect([types.uuidOf(0x7ffe), types.of(0x7ffe), types.isLocal(0x7ffe)]).toEqual([undefined, undefined, true]);
  });

  it('has a UUID even if no table contains the UUID', () => {
    const types = learnt([0, 0x7fff, 1, 2, 3, -1]);
    expect([types.uuidOf(0x7fff), types.of(0x7fff)]).toEqual([unknown, undefined]);
  });
});

describe('a registration', () => {
  it.each<[string, Item]>([
    ['has an id from 0x4000 on', [0, 0x3fff, ...uuid]],
    ['is of type 0', [1, 0x7fff, ...uuid]],
    ['has four ints', [0, 0x7fff, ...uuid.slice(0, 3)]],
  ])('%s', (_, item) => {
    const types = learnt(item);
    expect([types.uuidOf(0x3fff), types.uuidOf(0x7fff)]).toEqual([undefined, undefined]);
  });

  it('counts wherever it is in the snapshot', () => {
    expect(learnt([0x7fff, 3, 1], [0, 0x7fff, ...uuid]).of(0x7fff)?.name).toBe('ddnet_character');
  });

  it('counts again in another snapshot', () => {
    const types = learnt([0, 0x7fff, 1, 2, 3, -1]).onSnapshot(snapshotOf([0, 0x7fff, ...uuid]));
    expect(types.uuidOf(0x7fff)).toBe(character);
  });

  // CSnapshot::GetItemIndex finds the first item with a key, and GetExternalItemType asks it for its size.
  it('counts if it is the first of its number in the snapshot', () => {
    expect(learnt([0, 0x7fff, ...uuid], [0, 0x7fff, 1, 2, 3, -1]).uuidOf(0x7fff)).toBe(character);
    expect(learnt([0, 0x7fff, 1, 2, 3], [0, 0x7fff, ...uuid]).uuidOf(0x7fff)).toBeUndefined();
    const fields = new ItemFields(protocolOf('0.6'), 'ddnet_character');
    fields.register(snapshotOf([0, 0x7fff, 1, 2, 3, -1], [0, 0x7fff, ...uuid]));
    expect(fields.type).toBe(-1);
  });
});
