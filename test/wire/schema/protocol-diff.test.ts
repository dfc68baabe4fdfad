import { describe, expect, it } from 'vitest';
import { protocolOf } from '../../../src/wire/protocol/registry.ts';
import { diffSchemas, type SchemaDiff } from '../../../src/wire/schema/protocol-diff.ts';
import { readDeclared } from '../../../src/wire/schema/read-schema.ts';

// What breaks follows from what the games' code does: SecureUnpackObj and SecureUnpackMsg, CSnapshotDelta::UnpackDelta.

const file = (objects: string, messages = '') => `Objects = [${objects}]\nMessages = [${messages}]\n`;
/** A table of 0.6, by its first item. */
const of06 = (objects: string, messages?: string) =>
  file(`NetObject("ClientInfo", [NetTick("m_A")]), ${objects}`, messages);
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

const items = (old: string, now: string) => told(diff(of06(old), of06(now)));
const messages = (old: string, now: string) => told(diff(of06('', old), of06('', now)));

describe('an item without a size in deltas', () => {
  const boat = (fields: string) => `NetObject("Boat", [${fields}])`;

  it('with another size cannot be read by either side', () => {
    expect(items(boat('NetTick("m_A")'), boat('NetTick("m_A"), NetTick("m_B", default=0)'))).toEqual([
      'obj_boat | field_added b | old_clients unreadable, new_clients unreadable',
    ]);
  });

  it('that is new, or gone, cannot be read by those who lack it', () => {
    expect(items('', boat('NetTick("m_A")'))).toEqual(['obj_boat | added | old_clients unreadable']);
    expect(items(boat('NetTick("m_A")'), '')).toEqual(['obj_boat | removed | new_clients unreadable']);
  });

  it('under another number is taken for another', () => {
    expect(
      items(
        `${boat('NetTick("m_A")')}, NetObject("Sail", [NetTick("m_B")])`,
        `NetObject("Sail", [NetTick("m_B")]), ${boat('NetTick("m_A")')}`,
      ),
    ).toEqual([
      'obj_boat | moved | old_clients other, new_clients other',
      'obj_sail | moved | old_clients other, new_clients other',
    ]);
  });

  it('with another name is the same', () => {
    expect(items(boat('NetTick("m_A")'), 'NetObject("Ship", [NetTick("m_A")])')).toEqual(['obj_ship | renamed | ']);
  });

  it('in another order is read as other fields; with other names nothing happens', () => {
    expect(
      items(
        boat('NetTick("m_A"), NetTick("m_B"), NetTick("m_C")'),
        boat('NetTick("m_B"), NetTick("m_A"), NetTick("m_C")'),
      ),
    ).toEqual([
      expect.stringMatching(/^obj_boat \| field_moved [ab] \| old_clients misread b a c, new_clients misread b a c$/),
    ]);
    expect(items(boat('NetTick("m_A"), NetTick("m_B")'), boat('NetTick("m_A"), NetTick("m_Other")'))).toEqual([
      'obj_boat | field_renamed other b | ',
    ]);
  });

  it('with other bounds is changed by those whose bounds are narrower', () => {
    const ranged = (bounds: string) => boat(`NetIntRange("m_A", ${bounds})`);
    expect(items(ranged('0, 5'), ranged('0, 9'))).toEqual(['obj_boat | bounds a a | old_clients clamped a']);
    expect(items(ranged('0, 9'), ranged('1, 9'))).toEqual(['obj_boat | bounds a a | new_clients clamped a']);
    expect(items(ranged('0, 5'), ranged('-1, 4'))).toEqual([
      'obj_boat | bounds a a | old_clients clamped a, new_clients clamped a',
    ]);
    // How many weapons a mod has is in another file.
    expect(items(ranged("0, 'NUM_WEAPONS-1'"), ranged('0, 5'))).toEqual([]);
    expect(items(ranged("0, 'NUM_WEAPONS-1'"), ranged('-1, 5'))).toEqual([
      'obj_boat | bounds a a | old_clients clamped a',
    ]);
    // 0.7 drops such an item.
    const of07 = (bounds: string) => file(`NetObject("GameDataTeam", [NetTick("m_A")]), ${ranged(bounds)}`);
    expect(told(diff(of07('0, 5'), of07('0, 9')))).toEqual(['obj_boat | bounds a a | old_clients refused a']);
  });
});

describe('an item with a UUID', () => {
  const sail = (fields: string) => `NetObjectEx("Sail", "sail@boats.example", [${fields}])`;

  it('that is new or gone is ignored', () => {
    expect(items('', sail(''))).toEqual(['sail | added | ']);
    expect(items(sail(''), '')).toEqual(['sail | removed | ']);
    expect(items(`${sail('')}, NetObjectEx("B", "b@c", [])`, 'NetObjectEx("B", "b@c", [])')).toEqual([
      'sail | removed | ',
    ]);
  });

  it('with a further field breaks nothing if the field has a default', () => {
    expect(items(sail('NetTick("m_A")'), sail('NetTick("m_A"), NetTick("m_B", default=0)'))).toEqual([
      'sail | field_added b | ',
    ]);
    expect(items(sail('NetTick("m_A")'), sail('NetTick("m_A"), NetTick("m_B")'))).toEqual([
      'sail | field_added b | new_clients dropped b',
    ]);
  });

  it('without its last field is dropped by those who need it', () => {
    expect(items(sail('NetTick("m_A"), NetTick("m_B", default=0)'), sail('NetTick("m_A")'))).toEqual([
      'sail | field_removed b | ',
    ]);
    expect(items(sail('NetTick("m_A"), NetTick("m_B")'), sail('NetTick("m_A")'))).toEqual([
      'sail | field_removed b | old_clients dropped b',
    ]);
  });

  it('with a field before others is read as other fields', () => {
    expect(
      items(sail('NetTick("m_A"), NetTick("m_B")'), sail('NetTick("m_New"), NetTick("m_A"), NetTick("m_B")')),
    ).toEqual(['sail | field_added new | old_clients misread new a b, new_clients misread new a b']);
  });

  it('is the same one under another name', () => {
    expect(items(sail(''), 'NetObjectEx("Jib", "sail@boats.example", [])')).toEqual(['jib | renamed | ']);
  });

  it('may have another default and other names of values', () => {
    const named = (names: string) =>
      `Kinds = Enum("KIND", [${names}])\nEnums = [Kinds]\n${of06(sail('NetEnum("m_A", Kinds)'))}`;
    expect(told(diff(named('"SLOW", "FAST"'), named('"SLOW", "QUICK", "HUGE"')))).toEqual([
      'sail | bounds a a, names a | old_clients clamped a',
      'KIND: 1 fast→quick, 2 →huge',
    ]);
    expect(items(sail('NetIntAny("m_A", default=1)'), sail('NetIntAny("m_A", default=2)'))).toEqual([
      'sail | absent a a | ',
    ]);
  });
});

describe('a message', () => {
  it('of clients breaks servers', () => {
    expect(
      messages('NetMessage("Cl_A", [NetIntRange("m_A", 0, 5)])', 'NetMessage("Cl_A", [NetIntRange("m_A", 0, 9)])'),
    ).toEqual(['cl_a | bounds a a | old_servers refused a']);
  });

  it('with a further value is dropped without a default', () => {
    expect(
      messages('NetMessage("Sv_A", [NetString("m_pA")])', 'NetMessage("Sv_A", [NetString("m_pA"), NetBool("m_B")])'),
    ).toEqual(['sv_a | field_added b | new_clients dropped b']);
    expect(
      messages(
        'NetMessage("Sv_A", [NetString("m_pA")])',
        'NetMessage("Sv_A", [NetString("m_pA"), NetBool("m_B", default=False)])',
      ),
    ).toEqual(['sv_a | field_added b | ']);
  });

  it('with a number in the place of a text is read as other fields', () => {
    expect(messages('NetMessage("Sv_A", [NetString("m_pA")])', 'NetMessage("Sv_A", [NetIntAny("m_A")])')).toEqual([
      'sv_a | field_kind a a | old_clients misread a, new_clients misread a',
    ]);
  });

  it('after a new one has another number', () => {
    expect(messages('NetMessage("Sv_A", [])', 'NetMessage("Sv_New", []), NetMessage("Sv_A", [])')).toEqual([
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
    // As the sources declare them: ints without units, a boolean that may be any int, texts in parts.
    const own = `
Objects = [
  NetObject("PlayerInput", [NetIntAny("m_Direction"), NetIntAny("m_TargetX"), NetIntAny("m_TargetY"), NetIntAny("m_Jump"), NetIntAny("m_Fire"),
    NetIntAny("m_Hook"), NetIntRange("m_PlayerFlags", 0, 256), NetIntAny("m_WantedWeapon"), NetIntAny("m_NextWeapon"), NetIntAny("m_PrevWeapon")]),
  NetObject("Projectile", [NetIntAny("m_X"), NetIntAny("m_Y"), NetIntAny("m_VelX"), NetIntAny("m_VelY"), NetIntRange("m_Type", 0, 'NUM_WEAPONS-1'), NetTick("m_StartTick")]),
]`;
    const found = diff(undefined, own).types.filter(
      ({ what, changes }) => what === 'item' && changes[0]!.change !== 'removed',
    );
    expect(found).toEqual([]);
  });

  it('lack what a file adds', () => {
    const text = of06('NetObjectEx("Sail", "sail@boats.example", [])');
    expect(told(diff(undefined, text))).toContain('sail | added | ');
    expect(told(diff(text, undefined))).toContain('sail | removed | ');
    expect(protocolOf('0.6').byName('sail')).toBeUndefined();
  });

  it('are added to by JSON', () => {
    const json = JSON.stringify({ items: [{ name: 'obj_boat', type: 21, fields: { a: 'int' } }] });
    expect(told(diff(undefined, json))).toEqual(['obj_boat | added | old_clients unreadable']);
    expect(told(diff(json, json))).toEqual([]);
    expect(told(diff(json, JSON.stringify({ items: [] })))).toEqual(['obj_boat | removed | new_clients unreadable']);
  });
});

it('thousands of types and fields are compared soon', () => {
  const many = (name: string) =>
    Array.from({ length: 1000 }, (_, i) => `NetObject("${name}${i}x", [NetTick("m_A")]),`).join('');
  const fields = (name: string) =>
    `NetObject("Long", [${Array.from({ length: 1000 }, (_, i) => `NetTick("m_${name}${i}x"),`).join('')}]),`;
  const begin = performance.now();
  const { types } = diff(of06(many('A') + fields('A')), of06(many('B') + fields('B')));
  expect(types.length).toBeGreaterThan(1000);
  expect(performance.now() - begin).toBeLessThan(10_000);
});
