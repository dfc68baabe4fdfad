import { protocolOf } from '../../src/wire/protocol/registry.ts';
import { textInts, uuidInts } from '../encode.mjs';
import type { Item } from './deltas.ts';
import { itemValues } from './values.ts';
import type { About, Deed, Vectors } from './vector.ts';

const versions = ['0.5', '0.6', '0.7'] as const;
const source = 'CNetObjHandler, which datasrc/compile.py writes';
const row = (text: string): About => ({ source, row: `item: ${text}` });

export function makeItems(vectors: Vectors): void {
  makeUuids(vectors);
  makeNames(vectors);
  makeTexts(vectors);
  makeOdd(vectors);
  for (const version of versions) makeTables(vectors, version);
}

const extended = protocolOf('0.6').items.filter(({ uuid }) => uuid !== undefined);

function makeUuids(vectors: Vectors): void {
  const about = { source: 'CalculateUuid in uuid_manager.cpp' };
  for (const { uuidName, uuid } of extended) vectors.valid('uuid', { name: uuidName }, { uuid }, about);
  const bytes = { ...about, note: 'the bytes of a name are UTF-8' };
  vectors.valid('uuid', { name: 'ä' }, { uuid: '4c0b1fff-8739-3357-bc38-7ff908d0b5cd' }, bytes);
}

const registration = (uuid: string, type: number): Item => [0, type, uuidInts(uuid)];

/** What each item of a snapshot is: its number, or the UUID that is registered for it. */
function makeNames(vectors: Vectors): void {
  const about = { source: 'CSnapshot::GetItemType in snapshot.cpp' };
  const [first, second, third] = extended.map(({ uuid }) => uuid!);
  const names = (items: readonly Item[], expected: readonly (string | null)[], more: About = {}) =>
    vectors.valid('names', { items }, { names: expected }, { ...about, ...more });
  for (const { uuid } of extended) {
    const items: Item[] = [registration(uuid!, 0x7fff), [0x7fff, 3, [1]]];
    names(items, ['0', uuid!]);
  }
  names(
    [
      registration(first!, 0x7ffd),
      registration(second!, 0x7fff),
      [0x7fff, 1, [0]],
      [0x7ffd, 2, [0]],
      [5, 1, [1, 2, 3]],
    ],
    ['0', '0', second!, first!, '5'],
    { note: 'numbers belong to their snapshot, and are in any order' },
  );
  names([registration(first!, 0x4000), [0x4000, 0, []]], ['0', first!], { note: 'the lowest number' });
  const [, , ints] = registration(first!, 0x7fff);
  names(
    [
      [5, 0x7fff, ints],
      [0x7fff, 1, [0]],
    ],
    ['5', null],
    { note: 'an item of another type registers nothing' },
  );
  names(
    [
      [0, 0x7fff, [...ints, 9]],
      [0x7fff, 1, [0]],
    ],
    ['0', first!],
    { note: 'the first four ints are the UUID' },
  );
  const lookup = { source: 'CSnapshot::GetExternalItemType and GetItemIndex in snapshot.cpp' };
  const short: Item = [0, 0x7fff, ints.slice(0, 3)];
  const used: Item = [0x7fff, 1, [0]];
  names([short, used], ['0', null], { ...lookup, note: 'three ints are no UUID' });
  names([registration(first!, 0x7fff), registration(second!, 0x7fff), used], ['0', '0', first!], {
    ...lookup,
    note: 'a number that is registered twice: the first counts',
  });
  names([short, registration(second!, 0x7fff), used], ['0', '0', null], {
    ...lookup,
    note: 'a number that is registered twice: the first counts, and has three ints',
  });
  names([[0x7fff, 1, [0]], registration(third!, 0x7fff)], [third!, '0'], {
    row: 'delta: registration after its first use',
  });
  names([[0x7fff, 1, [0]]], [null], { row: 'delta: extended item whose registration is not in the snapshot' });
}

function makeTexts(vectors: Vectors): void {
  const about = { source: 'IntsToStr in gamecore.cpp' };
  const read = (ints: readonly number[], text: string, note?: string) =>
    vectors.valid('inttext', { ints }, { text }, { ...about, ...(note && { note }) });
  for (const [text, count] of [
    ['nameless tee', 4],
    ['', 4],
    ['ä🐱', 4],
    ['123456789012345', 4],
    ['default', 6],
    ['x', 1],
    ['\ufeffx', 4],
    ['Teeworlds', 3],
  ] as const)
    read(textInts(text, count), text, text.length === 4 * count - 1 ? 'as long as it can be' : undefined);
  read(textInts('a\0b', 1), 'a', 'the text ends at the first NUL');
  // A last byte other than 0, of 'd' and of a packed NUL: what is there is no text.
  const abc = textInts('abc', 1)[0]!;
  read([abc | 0xe4], 'abc', 'the last byte is cut off, whatever it is');
  read([abc | 0x80], 'abc', 'the last byte is cut off, whatever it is');
  read([textInts('abcd', 2)[0]!, textInts('efg', 1)[0]! | 0x01], 'abcdefg', 'the last byte is cut off');
  vectors.acceptable(
    'inttext',
    { ints: textInts('\ufffd', 2).map((int) => int ^ 0x00400000) },
    { text: '\ufffd\ufffd\ufffd' },
    [{ does: 'ignored', out: { text: '' } }, 'accepted'],
    {
      ...about,
      note: 'not UTF-8: DDNet reads an empty text, and says so',
    },
  );
}

/** Every item of the tables, with values that no game refuses. */
function makeTables(vectors: Vectors, protocol: (typeof versions)[number]): void {
  for (const { type, uuid, name, fields } of protocolOf(protocol).items) {
    if (type === 0 || (uuid && protocol !== '0.6')) continue;
    const { ints, values } = itemValues(fields);
    const itemsOf = (own: readonly number[]): Item[] =>
      uuid ? [registration(uuid, 0x7fff), [0x7fff, 3, [...own]]] : [[type!, 3, [...own]]];
    const about = { source: uuid ? 'datasrc/network.py of DDNet' : 'datasrc/network.py' };
    vectors.valid('item', { protocol, items: itemsOf(ints) }, { name, values }, about);
    // A reader may answer the fields that are there, or all, with the defaults of the rest.
    for (const { at, defaultValue } of fields)
      if (defaultValue !== undefined && at > 0)
        vectors.valid(
          'item',
          { protocol, items: itemsOf(ints.slice(0, at)) },
          { name },
          { ...about, note: `${at} ints, as older senders: the fields after them have their defaults` },
        );
  }
}

function makeOdd(vectors: Vectors): void {
  const item = (protocol: '0.6' | '0.7', name: string) => {
    const found = protocolOf(protocol).items.find((known) => known.name === name)!;
    const { ints, values } = itemValues(found.fields);
    const at = (field: string) => found.fields.findIndex((known) => known.name === field);
    /** With another value in one field. */
    const replaced = (field: string, value: number) => {
      const place = at(field);
      const other = ints.with(found.fields[place]!.at, value);
      const question: Item[] = found.uuid
        ? [registration(found.uuid, 0x7fff), [0x7fff, 3, other]]
        : [[found.type!, 3, other]];
      return { items: question, out: { name, values: values.with(place, value) } };
    };
    return { replaced };
  };
  const differ = (
    protocol: '0.6' | '0.7',
    [name, field, value]: readonly [string, string, number],
    deeds: (out: object) => readonly [Deed | string, Deed | string],
    about: About,
  ) => {
    const { items, out } = item(protocol, name).replaced(field, value);
    vectors.acceptable('item', { protocol, items }, out, deeds(out), about);
  };
  const clamped = (name: string, field: string, value: number, protocol: '0.6' | '0.7' = '0.6'): Deed => ({
    does: 'clamped',
    out: item(protocol, name).replaced(field, value).out,
  });
  const outside06 = row('0.6: value outside the bounds of its field');
  for (const [name, field, value, bound] of [
    ['obj_character', 'direction', -5, -1],
    ['obj_player_info', 'local', 2, 1],
    ['obj_character', 'health', 11, 10],
  ] as const)
    differ('0.6', [name, field, value], () => [clamped(name, field, bound), 'dropped'], outside06);
  for (const [name, field, value] of [
    ['obj_character', 'health', 11],
    ['obj_character', 'armor', -1],
    ['obj_projectile', 'start_tick', -1],
  ] as const)
    differ(
      '0.7',
      [name, field, value],
      () => ['dropped', 'dropped'],
      row('0.7: value outside the bounds of its field, or negative tick'),
    );
  differ(
    '0.6',
    ['obj_player_info', 'client_id', 100],
    () => ['accepted', 'dropped'],
    row(
      'client number from 64 to 127; `out_of_bounds` for a client that says its version, otherwise `info` counts them',
    ),
  );
  differ(
    '0.6',
    ['ddnet_player', 'auth_level', -1],
    () => [clamped('ddnet_player', 'auth_level', 0), 'ignored'],
    row('extended item: value outside the bounds of its field'),
  );
  // What the last value is depends on the version.
  differ(
    '0.6',
    ['obj_pickup', 'type', 1000],
    () => [{ does: 'clamped', out: {} }, 'dropped'],
    row('value above the last one of an enumeration that has grown'),
  );
  const laser = itemValues(protocolOf('0.6').byName('obj_laser')!.fields);
  vectors.acceptable(
    'item',
    { protocol: '0.6', items: [[3, 3, [...laser.ints, 9]]] },
    { name: 'obj_laser', values: laser.values },
    ['accepted', 'dropped'],
    { source, row: 'snapshot: item larger than agreed' },
  );
  vectors.acceptable(
    'item',
    { protocol: '0.6', items: [[3, 3, laser.ints.slice(0, -1)]] },
    { name: 'obj_laser', values: laser.values.slice(0, -1) },
    ['dropped', 'dropped'],
    { source, row: 'snapshot: item smaller than agreed' },
  );
  const info06 = itemValues(protocolOf('0.6').byName('obj_client_info')!.fields);
  vectors.acceptable(
    'item',
    { protocol: '0.6', items: [[11, 3, info06.ints.slice(0, 2)]] },
    { name: 'obj_client_info' },
    ['dropped', 'dropped'],
    { source, row: 'snapshot: item smaller than agreed', note: 'a part of a text: no game reads it' },
  );
  const input = protocolOf('0.6').items.find(({ name }) => name === 'obj_player_input')!;
  const { ints, values } = itemValues(input.fields);
  vectors.acceptable(
    'item',
    { protocol: '0.6', items: [[input.type!, 3, ints]] },
    { name: input.name, values },
    ['ignored', 'ignored'],
    row('item of a type that only others contain, as an input'),
  );
  const client = protocolOf('0.7').byName('obj_de_client_info')!;
  const info = itemValues(client.fields);
  vectors.acceptable(
    'item',
    { protocol: '0.7', items: [[client.type!, 3, info.ints]], from: 'server' },
    { name: client.name, values: info.values },
    ['accepted', 'ignored'],
    row('0.7: item of a type for demos in a connection'),
  );
}
