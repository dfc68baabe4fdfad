import process from 'node:process';
import { describe, expect, it } from 'vitest';
import { protocolOf } from '../../../src/wire/protocol/registry.ts';
import { diffSchemas, type SchemaDiff } from '../../../src/wire/schema/protocol-diff.ts';
import { readDeclared } from '../../../src/wire/schema/read-schema.ts';

// What breaks follows from what the games' code does: SecureUnpackObj and SecureUnpackMsg, CSnapshotDelta::UnpackDelta.

interface Declared {
  readonly name: string;
  readonly uuid_name?: string;
  readonly fields: object;
}

/** With its number, if it has no UUID. */
function numbered(all: readonly Declared[], key: 'type' | 'id') {
  let count = 0;
  return all.map((each) => (each.uuid_name === undefined ? { ...each, [key]: ++count } : each));
}

/** A table of 0.6: its items after one of the games, and its messages. */
const of06 = (items: readonly Declared[], messages: readonly Declared[] = [], more: object = {}) =>
  JSON.stringify({
    version: '0.6',
    items: numbered([{ name: 'obj_client_info', fields: { a: 'tick' } }, ...items], 'type'),
    messages: numbered(messages, 'id'),
    ...more,
  });
const side = (text: string | undefined) => ({ schema: text === undefined ? undefined : readDeclared(text) });
const diff = (old: string | undefined, now: string | undefined) => diffSchemas(side(old), side(now));

const told = ({ types, lists }: SchemaDiff) => [
  ...types.map(({ name, changes, breaks }) =>
    [
      name,
      changes
        .map((change) =>
          [change.change, 'field' in change ? change.field.name : '', 'before' in change ? change.before.name : '']
            .join(' ')
            .trim(),
        )
        .join(', '),
      breaks.map(({ side: who, effect, fields }) => [who, effect, ...fields].join(' ')).join(', '),
    ].join(' | '),
  ),
  ...lists.map(
    ({ name, names }) =>
      `${name}: ${names.map(({ value, old = '', new: now = '' }) => `${value} ${old}→${now}`).join(', ')}`,
  ),
];

const items = (old: readonly Declared[], now: readonly Declared[]) => told(diff(of06(old), of06(now)));
const messages = (old: readonly Declared[], now: readonly Declared[]) => told(diff(of06([], old), of06([], now)));

describe('an item without a size in deltas', () => {
  const boat = (fields: object, name = 'obj_boat') => ({ name, fields });
  const sail = { name: 'obj_sail', fields: { b: 'tick' } };

  it('with another size cannot be read by either side', () => {
    expect(items([boat({ a: 'tick' })], [boat({ a: 'tick', b: { absent: 0, of: 'tick' } })])).toEqual([
      'obj_boat | field_added b | old_clients unreadable, new_clients unreadable',
    ]);
  });

  it('that is new, or gone, cannot be read by those who lack it', () => {
    expect(items([], [boat({ a: 'tick' })])).toEqual(['obj_boat | added | old_clients unreadable']);
    expect(items([boat({ a: 'tick' })], [])).toEqual(['obj_boat | removed | new_clients unreadable']);
  });

  it('under another number is taken for another', () => {
    expect(items([boat({ a: 'tick' }), sail], [sail, boat({ a: 'tick' })])).toEqual([
      'obj_boat | moved | old_clients other, new_clients other',
      'obj_sail | moved | old_clients other, new_clients other',
    ]);
  });

  it('with another name is the same', () => {
    expect(items([boat({ a: 'tick' })], [boat({ a: 'tick' }, 'obj_ship')])).toEqual(['obj_ship | renamed | ']);
  });

  it('in another order is read as other fields; with other names nothing happens', () => {
    expect(items([boat({ a: 'tick', b: 'tick', c: 'tick' })], [boat({ b: 'tick', a: 'tick', c: 'tick' })])).toEqual([
      expect.stringMatching(/^obj_boat \| field_moved [ab] \| old_clients misread b a c, new_clients misread b a c$/),
    ]);
    expect(items([boat({ a: 'tick', b: 'tick' })], [boat({ a: 'tick', other: 'tick' })])).toEqual([
      'obj_boat | field_renamed other b | ',
    ]);
  });

  it('with other bounds is changed by those whose bounds are narrower', () => {
    const ranged = (...bounds: readonly unknown[]) => [boat({ a: { int: bounds } })];
    expect(items(ranged(0, 5), ranged(0, 9))).toEqual(['obj_boat | bounds a a | old_clients clamped a']);
    expect(items(ranged(0, 9), ranged(1, 9))).toEqual(['obj_boat | bounds a a | new_clients clamped a']);
    expect(items(ranged(0, 5), ranged(-1, 4))).toEqual([
      'obj_boat | bounds a a | old_clients clamped a, new_clients clamped a',
    ]);
    // How many weapons a mod has is in another file.
    expect(items(ranged(0, 'NUM_WEAPONS-1'), ranged(0, 5))).toEqual([]);
    expect(items(ranged(0, 'NUM_WEAPONS-1'), ranged(-1, 5))).toEqual(['obj_boat | bounds a a | old_clients clamped a']);
    // 0.7 drops such an item.
    const of07 = (most: number) => of06(ranged(0, most), [], { version: '0.7' });
    expect(told(diff(of07(5), of07(9)))).toEqual(['obj_boat | bounds a a | old_clients refused a']);
  });
});

describe('an item with a UUID', () => {
  const sail = (fields: object = {}, name = 'sail') => ({ name, uuid_name: 'sail@boats.example', fields });
  const other = { name: 'b', uuid_name: 'b@c', fields: {} };
  const absent = { absent: 0, of: 'tick' };

  it('that is new or gone is ignored', () => {
    expect(items([], [sail()])).toEqual(['sail | added | ']);
    expect(items([sail()], [])).toEqual(['sail | removed | ']);
    expect(items([sail(), other], [other])).toEqual(['sail | removed | ']);
  });

  it('with a further field breaks nothing if the field has a default', () => {
    expect(items([sail({ a: 'tick' })], [sail({ a: 'tick', b: absent })])).toEqual(['sail | field_added b | ']);
    expect(items([sail({ a: 'tick' })], [sail({ a: 'tick', b: 'tick' })])).toEqual([
      'sail | field_added b | new_clients dropped b',
    ]);
  });

  it('without its last field is dropped by those who need it', () => {
    expect(items([sail({ a: 'tick', b: absent })], [sail({ a: 'tick' })])).toEqual(['sail | field_removed b | ']);
    expect(items([sail({ a: 'tick', b: 'tick' })], [sail({ a: 'tick' })])).toEqual([
      'sail | field_removed b | old_clients dropped b',
    ]);
  });

  it('with a field before others is read as other fields', () => {
    expect(items([sail({ a: 'tick', b: 'tick' })], [sail({ new: 'tick', a: 'tick', b: 'tick' })])).toEqual([
      'sail | field_added new | old_clients misread new a b, new_clients misread new a b',
    ]);
  });

  it('is the same one under another name', () => {
    expect(items([sail()], [sail({}, 'jib')])).toEqual(['jib | renamed | ']);
  });

  it('may have another default and other names of values', () => {
    const named = (...names: readonly string[]) => {
      const values = { ...names };
      return of06([sail({ a: { enum: values } })], [], { lists: { KIND: values } });
    };
    expect(told(diff(named('slow', 'fast'), named('slow', 'quick', 'huge')))).toEqual([
      'sail | bounds a a, names a | old_clients clamped a',
      'KIND: 1 fast→quick, 2 →huge',
    ]);
    const [one, two] = [1, 2].map((value) => [sail({ a: { absent: value, of: 'int' } })]);
    expect(items(one!, two!)).toEqual(['sail | absent a a | ']);
  });
});

describe('a message', () => {
  const message = (fields: object, name = 'sv_a') => ({ name, fields });

  it('of clients breaks servers', () => {
    const ranged = (most: number) => [message({ a: { int: [0, most] } }, 'cl_a')];
    expect(messages(ranged(5), ranged(9))).toEqual(['cl_a | bounds a a | old_servers refused a']);
  });

  it('with a further value is dropped without a default', () => {
    expect(messages([message({ a: 'string' })], [message({ a: 'string', b: 'boolean' })])).toEqual([
      'sv_a | field_added b | new_clients dropped b',
    ]);
    expect(messages([message({ a: 'string' })], [message({ a: 'string', b: { optional: 'boolean' } })])).toEqual([
      'sv_a | field_added b | ',
    ]);
  });

  it('with a number in the place of a text is read as other fields', () => {
    expect(messages([message({ a: 'string' })], [message({ a: 'int' })])).toEqual([
      'sv_a | field_kind a a | old_clients misread a, new_clients misread a',
    ]);
  });

  it('with another cleaning of a text is another kind', () => {
    expect(messages([message({ a: 'string' })], [message({ a: { string: 'controls' } })])).toEqual([
      expect.stringMatching(/^sv_a \| field_kind a a \| /),
    ]);
  });

  it('after a new one has another number', () => {
    expect(messages([message({})], [message({}, 'sv_new'), message({})])).toEqual([
      'sv_a | moved | old_clients other, new_clients other',
      'sv_new | added | ',
    ]);
  });
});

describe('the tables of tw-snap', () => {
  it('are the same as themselves', () => {
    expect(told(diff(undefined, undefined))).toEqual([]);
  });

  it('say what a file changes, not what they know besides', () => {
    // As the sources declare them: ints without units, a boolean that may be any int, bounds of another file.
    const all = (names: string) => Object.fromEntries(names.split(' ').map((name) => [name, 'int']));
    const input = all('direction target_x target_y jump fire hook player_flags wanted_weapon next_weapon prev_weapon');
    const projectile = { ...all('x y vel_x vel_y type'), type: { int: [0, 'NUM_WEAPONS-1'] }, start_tick: 'tick' };
    const own = JSON.stringify({
      version: '0.6',
      items: [
        { name: 'obj_player_input', type: 1, fields: { ...input, player_flags: { int: [0, 256] } } },
        { name: 'obj_projectile', type: 2, fields: projectile },
      ],
    });
    const found = diff(undefined, own).types.filter(
      ({ what, changes }) => what === 'item' && changes[0]!.change !== 'removed',
    );
    expect(found).toEqual([]);
  });

  it('lack what a file adds', () => {
    const text = of06([{ name: 'sail', uuid_name: 'sail@boats.example', fields: {} }]);
    expect(told(diff(undefined, text))).toContain('sail | added | ');
    expect(told(diff(text, undefined))).toContain('sail | removed | ');
    expect(protocolOf('0.6').byName('sail')).toBeUndefined();
  });

  it('are added to by a file without a version', () => {
    const json = JSON.stringify({ items: [{ name: 'obj_boat', type: 21, fields: { a: 'int' } }] });
    expect(told(diff(undefined, json))).toEqual(['obj_boat | added | old_clients unreadable']);
    expect(told(diff(json, json))).toEqual([]);
    expect(told(diff(json, JSON.stringify({ items: [] })))).toEqual(['obj_boat | removed | new_clients unreadable']);
  });
});

it('thousands of types and fields are compared soon', () => {
  const many = (name: string) =>
    Array.from({ length: 1000 }, (_, i) => ({ name: `obj_${name}${i}x`, fields: { a: 'tick' } }));
  const long = (name: string) => {
    const fields = Object.fromEntries(Array.from({ length: 1000 }, (_, i) => [`${name}${i}x`, 'tick']));
    return { name: 'obj_long', fields };
  };
  // Computing time, not the clock.
  const begin = process.cpuUsage();
  const { types } = diff(of06([...many('a'), long('a')]), of06([...many('b'), long('b')]));
  expect(types.length).toBeGreaterThan(1000);
  expect(process.cpuUsage(begin).user).toBeLessThan(10_000_000);
});
