import { describe, expect, it } from 'vitest';
import { messagesOf } from '../../../src/wire/protocol/message-registry.ts';
import { protocolOf, type Schema, versions } from '../../../src/wire/protocol/registry.ts';
import { readDeclared, readSchema } from '../../../src/wire/schema/read-schema.ts';

// Numbers, names and sizes of the known items are those of datasrc/network.py of Teeworlds 0.6.

const pickup = {
  name: 'obj_pickup',
  type: 4,
  fields: { x: 'int', y: 'int', type: { int: [0, 20] }, subtype: 'int', new: 'int' },
};
const boat = { name: 'boat', uuid_name: 'boat@mod.example', fields: { a: 'int' } };

const textOf = (version: string | undefined, items: readonly object[], messages: readonly object[] = []) =>
  JSON.stringify({ ...(version && { version }), items, messages });
const read = (...given: Parameters<typeof textOf>): Schema => readSchema(textOf(...given));

describe('a schema that is the table of a version', () => {
  it('bounds what the numbers replace; UUIDs are of all versions', () => {
    const schema = read('0.6', [pickup, boat]);
    expect(protocolOf('0.6', schema).byType(4)!.size).toBe(5);
    expect(protocolOf('0.7', schema).byType(4)).toBe(protocolOf('0.7').byType(4));
    for (const version of versions) expect(protocolOf(version, schema).byName('boat')?.size).toBe(1);
  });

  it('gives fields of the same name and size their meanings, not their bounds', () => {
    const { fields } = read('0.6', [pickup]).items[0]!;
    expect(fields.map(({ name, meaning }) => [name, meaning.kind])).toEqual([
      ['x', 'position'],
      ['y', 'position'],
      ['type', 'int'],
      ['subtype', 'enum_by'],
      ['new', 'int'],
    ]);
    expect(fields[2]!.meaning).toMatchObject({ max: 20, names: { 0: 'health' } });
  });

  it('leaves them as they are for a comparison, and without a version', () => {
    const kinds = ({ items }: Schema) => items[0]!.fields.map(({ meaning }) => meaning.kind);
    expect(kinds(readDeclared(textOf('0.6', [pickup])))).toEqual(['int', 'int', 'int', 'int', 'int']);
    expect(kinds(read(undefined, [pickup]))).toEqual(['int', 'int', 'int', 'int', 'int']);
  });

  it('a type that moved leaves its number, and its old number is that of another', () => {
    const fields = { a: 'tick' };
    const protocol = protocolOf(
      '0.6',
      read('0.6', [
        { name: 'obj_boat', type: 2, fields },
        { name: 'obj_projectile', type: 3, fields },
      ]),
    );
    expect([protocol.byType(2)!.name, protocol.byType(3)!.name]).toEqual(['obj_boat', 'obj_projectile']);
    expect(protocol.items.filter(({ name }) => name === 'obj_projectile')).toHaveLength(1);
  });

  it('keeps messages whose fields the games write by hand', () => {
    const schema = read('0.6', [pickup], [{ name: 'sv_tuneparams', id: 6, fields: {} }]);
    expect(messagesOf('0.6', schema).byId(false, 6)!.fields.length).toBeGreaterThan(30);
    expect(messagesOf('0.6', schema).byId(true, 5)!.name).toBe('snap');
  });

  it('an int between two constants of an enumeration is one of its values', () => {
    const names = { 0: 'none', 1: 'upper', 2: 'lower' };
    const fields = { a: { int: [0, 2], names }, b: { int: [0, 9], names } };
    expect(read('0.6', [{ ...boat, fields }]).items[0]!.fields.map(({ meaning }) => meaning)).toEqual([
      { kind: 'enum', names },
      { kind: 'int', min: 0, max: 9, names },
    ]);
  });

  it('a bound that is not known is that of the tables', () => {
    const weapon = (max: unknown) => ({ name: 'obj_projectile', type: 2, fields: { type: { int: [0, max] } } });
    const meanings = ['NUM_WEAPONS-1', 3].map((max) => read('0.6', [weapon(max)]).items[0]!.fields[0]!.meaning);
    const known = protocolOf('0.6')
      .byName('obj_projectile')!
      .fields.find(({ name }) => name === 'type')!.meaning;
    expect(meanings[0]).toEqual(known);
  });
});
