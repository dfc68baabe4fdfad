import { expect, it } from 'vitest';
import { protocolOf, readSchema, uuidOfName, versions } from '../../src/api/codec.ts';
import { tables } from '../../src/api/data.ts';

it.each(versions)('the tables of %s are plain data, with every item, message, enumeration and UUID', (version) => {
  const found = tables(version);
  expect(JSON.parse(JSON.stringify(found))).toEqual(found);
  expect(JSON.stringify(found)).not.toContain('null');
  expect(found.items.map(({ name }) => name)).toEqual(protocolOf(version).items.map(({ name }) => name));
  for (const { name, size, fields } of found.items) {
    expect([name, fields.reduce((sum, { ints }) => sum + ints, 0)]).toEqual([name, size]);
  }
  // A UUID is made of its name.
  for (const { uuid, uuid_name: of } of [...found.items, ...found.messages]) {
    if (uuid === undefined) continue;
    expect(uuid).toBe(uuidOfName(of!));
    expect(found.uuids[uuid]).toBeDefined();
  }
});

it('the tables have what the documents of the games say', () => {
  // datasrc/network.py: Weapons, and the number of messages.
  expect(tables('0.6').enums['obj_character.weapon']).toMatchObject({ 0: 'hammer', 1: 'gun', 5: 'ninja' });
  expect(tables('0.7').messages.find(({ name }) => name === 'sv_chat')).toMatchObject({ id: 3, system: false });
  expect(tables('0.6').uuids['76ce455b-f9eb-3a48-add7-e04b941d045c']).toEqual({
    kind: 'item',
    name: 'ddnet_character',
  });
});

it('the tables of a mod have its own items', () => {
  const schema = readSchema('{"items":[{"name":"my_item","type":40,"fields":{"x":"position"}}]}');
  expect(tables(protocolOf('0.6', schema)).items.some(({ name }) => name === 'my_item')).toBe(true);
  expect(() => tables('0.8' as never)).toThrow(TypeError);
});
