import { describe, expect, it } from 'vitest';
import { protocolOf, readSchema, uuidOfInts } from '../../src/api/codec.ts';
import {
  apply,
  build,
  checksum,
  decode,
  encode,
  item,
  items,
  readCapture,
  readDemo,
  type Snapshot,
} from '../../src/api/index.ts';
import { read as sample } from '../support/samples.ts';

describe('a snapshot that is built', () => {
  it('has the values that were given; those left out are 0, texts empty', () => {
    const snapshot = build('0.6')
      .add('obj_character', 3, { x: 320, y: -64, weapon: 1 })
      .add('obj_client_info', 3, { name: 'brown', country: -1 })
      .build();
    expect(item(snapshot, '0.6', 'obj_character', 3)?.fields).toMatchObject({ x: 320, y: -64, weapon: 1, vel_x: 0 });
    expect(item(snapshot, '0.6', 'obj_client_info', 3)?.fields).toMatchObject({ name: 'brown', clan: '', country: -1 });
    expect(snapshot.count).toBe(2);
  });

  it('registers an item with a UUID once, as DDNet does', () => {
    const snapshot = build('0.6').add('ddnet_character', 1, { flags: 5 }).add('ddnet_character', 2).build();
    // CSnapshotBuilder::AddExtendedItemType: an item of type 0, whose id is the number, with the UUID.
    const keys = Array.from({ length: 3 }, (_, i) => [snapshot.type(i), snapshot.id(i)]);
    expect(keys).toEqual([
      [0, 0x7fff],
      [0x7fff, 1],
      [0x7fff, 2],
    ]);
    expect(uuidOfInts(snapshot.item(0))).toBe('76ce455b-f9eb-3a48-add7-e04b941d045c');
    expect(item(snapshot, '0.6', 'ddnet_character', 1)?.fields.flags).toBe(5);
    expect(build('0.6', snapshot).add('ddnet_player', 1).build().id(3)).toBe(0x7ffe);
  });

  it.each(['vanilla-dm1.demo', 'ddnet-race-player.demo', 'ddnet-ipv6.pcap'])(
    'from all items of the snapshots of %s is the same',
    (name) => {
      const records = name.endsWith('.demo') ? readDemo(sample(name)) : readCapture(sample(name));
      let count = 0;
      for (const entry of records) {
        if (entry.record !== 'snapshot' || !entry.snapshot || count++ % 50 !== 0) continue;
        const { protocol } = entry.stream;
        const building = build(protocol) as unknown as { add(name: string, id: number, fields: object): void };
        const all = [...items(entry.snapshot, protocol)];
        const known = all.filter((entry) => entry.name !== null);
        for (const { name: of, id, fields } of known) building.add(of!, id, fields as object);
        const again = (building as unknown as { build(): Snapshot }).build();
        const plain = (of: Iterable<object>) =>
          JSON.parse(JSON.stringify([...of])).map(({ name: n, id, fields }: never) => ({ n, id, fields }));
        expect(plain([...items(again, protocol)].filter((item) => item.name !== null))).toMatchObject(plain(known));
        expect(checksum(build(protocol, entry.snapshot).build())).toBe(checksum(entry.snapshot));
      }
      expect(count).toBeGreaterThan(40);
    },
  );

  it('from another one has its items, some changed or removed', () => {
    const old = build('0.7').add('obj_character', 1, { x: 1 }).add('obj_character', 2, { x: 2 }).build();
    const now = build('0.7', old)
      .set('obj_character', 1, { x: 9 })
      .remove('obj_character', 2)
      .set('obj_flag', 0, { x: 5 });
    const found = [...items(now.build(), '0.7')].map(({ name, id }) => [name, id]);
    expect(found).toEqual([
      ['obj_character', 1],
      ['obj_flag', 0],
    ]);
    expect(item(now.build(), '0.7', 'obj_character', 1)?.fields.x).toBe(9);
    expect(item(old, '0.7', 'obj_character', 1)?.fields.x).toBe(1);
    const read = decode(encode(now.build()), { kind: 'snapshot', protocol: '0.7' });
    expect(checksum(read.snapshot)).toBe(checksum(now.build()));
    expect(apply).toBeDefined();
  });

  it('has the items of a mod', () => {
    const schema = readSchema('{"items":[{"name":"my_item","type":40,"fields":{"x":"position","owner":"client"}}]}');
    const protocol = protocolOf('0.6', schema);
    expect(item(build(protocol).add('my_item', 0, { owner: 3 }).build(), protocol, 'my_item', 0)?.fields).toEqual({
      x: 0,
      owner: 3,
    });
  });

  it.each([
    ['an item', () => build('0.7').add('obj_charakter' as never, 0), TypeError, '0.7 has no item "obj_charakter"'],
    [
      'a field',
      () => build('0.7').add('obj_character', 0, { z: 1 } as never),
      TypeError,
      'obj_character has no field "z"',
    ],
    [
      'a kind',
      () => build('0.7').add('obj_character', 0, { x: '1' } as never),
      TypeError,
      'x is a string; it takes an int',
    ],
    [
      'a value',
      () => build('0.7').add('obj_character', 0, { x: 2 ** 40 }),
      RangeError,
      'x is 1099511627776; it takes an int',
    ],
    ['half a value', () => build('0.7').add('obj_character', 0, { x: 0.5 }), RangeError, 'x is 0.5; it takes an int'],
    [
      'an id',
      () => build('0.7').add('obj_character', 65_536),
      RangeError,
      'the id of obj_character is 65536; it takes',
    ],
    [
      'half an id',
      () => build('0.7').add('obj_character', 1.5),
      RangeError,
      'the id of obj_character is 1.5; it takes',
    ],
    [
      'a text',
      () => build('0.6').add('obj_client_info', 0, { name: 'x'.repeat(16) }),
      RangeError,
      'takes at most 15 bytes',
    ],
    ['twice', () => build('0.7').add('obj_character', 0).add('obj_character', 0), RangeError, 'is there already'],
    ['a version', () => build('0.8' as never), TypeError, 'a protocol is one of 0.5, 0.6, 0.7, not 0.8'],
  ])('is refused with what is no %s', (_, call, error, message) => {
    expect(call).toThrow(error);
    expect(call).toThrow(message);
  });

  it('is no larger than the games accept', () => {
    const full = build('0.7');
    for (let id = 0; id < 1024; id++) full.add('obj_flag', id);
    expect(() => full.add('obj_flag', 1024)).toThrow(new RangeError('a snapshot has at most 1024 items'));
    expect(full.build().count).toBe(1024);
    const large = build('0.6');
    expect(() => {
      for (let id = 0; id < 1024; id++) large.add('obj_client_info', id);
    }).toThrow(/^a snapshot has at most 65536 bytes; this one would have \d+$/);
  });
});
