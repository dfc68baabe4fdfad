import { describe, expect, it } from 'vitest';
import { protocolOf } from '../../src/api/codec.ts';
import { columns, items, type RecordingEntry, readCapture, readDemo } from '../../src/api/index.ts';
import { read as sample } from '../support/samples.ts';

/** The same one by one, as `items` gives them. */
function rows(records: Iterable<RecordingEntry>, name: 'obj_character' | 'obj_client_info' | 'ddnet_player') {
  return [...records].flatMap((entry) =>
    entry.record === 'snapshot' && entry.snapshot && entry.verdict !== 'mismatch'
      ? [...items(entry.snapshot, entry.stream.protocol, name as never)].map(
          (item) => ({ ...(item as object), entry }) as never,
        )
      : [],
  ) as {
    id: number;
    fields: Record<string, number>;
    entry: { tick: number; time?: number; stream: { number: number } };
  }[];
}

describe('columns', () => {
  const demo = sample('vanilla-dm1.demo');

  it('have what items have', () => {
    const found = columns(demo, 'obj_character', ['tick', 'id', 'x', 'weapon', 'fields.tick', 'stream', 'time']);
    const expected = rows(readDemo(demo), 'obj_character');
    expect(found.x).toBeInstanceOf(Int32Array);
    expect([...found.tick]).toEqual(expected.map(({ entry }) => entry.tick));
    expect([...found.id]).toEqual(expected.map(({ id }) => id));
    expect([...found.x]).toEqual(expected.map(({ fields }) => fields.x));
    expect([...found.weapon]).toEqual(expected.map(({ fields }) => fields.weapon));
    expect([...found['fields.tick']]).toEqual(expected.map(({ fields }) => fields.tick));
    expect(new Set(found.stream)).toEqual(new Set([1]));
    expect(found.time.every(Number.isNaN)).toBe(true);
    // The first tick marker of the demo is 8898.
    const { seconds } = columns(demo, 'obj_character', ['seconds']);
    expect([...seconds]).toEqual(expected.map(({ entry }) => (entry.tick - 8898) / 50));
  });

  it('have the items of a player, and of some ticks', () => {
    const all = rows(readDemo(demo), 'obj_character');
    const { tick, id } = columns(demo, 'obj_character', ['tick', 'id'], { player: 1, from: 9000, to: 9500 });
    const expected = all.filter((entry) => entry.id === 1 && entry.entry.tick >= 9000 && entry.entry.tick <= 9500);
    expect(expected.length).toBeGreaterThan(10);
    expect([...tick]).toEqual(expected.map(({ entry }) => entry.tick));
    expect(new Set(id)).toEqual(new Set([1]));
    const named = columns(demo, 'obj_character', ['id'], { player: 'stress2' });
    expect(named.id.length).toBeGreaterThan(10);
    expect(new Set(named.id).size).toBe(1);
    expect(columns(demo, 'obj_character', ['id'], { player: 'nobody' }).id.length).toBe(0);
  });

  it('have texts, items with UUIDs, and the times of a capture', () => {
    const capture = sample('ddnet-ipv6.pcap');
    const { name, id } = columns(capture, 'obj_client_info', ['id', 'name']);
    const infos = rows(readCapture(capture), 'obj_client_info');
    expect(infos.length).toBeGreaterThan(10);
    expect([name, [...id]]).toEqual([infos.map(({ fields }) => fields.name), infos.map((info) => info.id)]);
    const { flags, time } = columns(capture, 'ddnet_player', ['flags', 'time']);
    const players = rows(readCapture(capture), 'ddnet_player');
    expect(players.length).toBeGreaterThan(10);
    expect([...flags]).toEqual(players.map(({ fields }) => fields.flags));
    expect([...time]).toEqual(players.map(({ entry }) => entry.time));
    const first = [...readCapture(capture)].find(({ stream }) => stream)!.time!;
    const { seconds } = columns(capture, 'ddnet_player', ['seconds']);
    expect([...seconds]).toEqual(players.map(({ entry }) => Math.round(1e6 * (entry.time! - first)) / 1e6));
  });

  it('come from a Blob, from records, and with a protocol', async () => {
    const expected = columns(demo, 'obj_character', ['tick', 'x']);
    expect(await columns(new Blob([demo]), 'obj_character', ['tick', 'x'])).toEqual(expected);
    expect(columns(readDemo(demo), 'obj_character', ['tick', 'x'])).toEqual(expected);
    expect(columns(demo, 'obj_character', ['tick', 'x'], { protocol: protocolOf('0.7') })).toEqual(expected);
  });

  it('refuse names that are none', () => {
    expect(() => columns(demo, 'obj_charakter' as never, ['x'] as never)).toThrow(
      new TypeError('no protocol has an item "obj_charakter"'),
    );
    expect(() => columns(demo, 'obj_character', ['z' as never])).toThrow(
      /^obj_character of 0.7 has no field "z"; it has tick, x, y, /,
    );
    expect(() => columns(new Uint8Array(64), 'obj_character', ['x'])).toThrow('not a recording');
    expect(() => columns(demo, 'obj_character', 'x' as never)).toThrow(TypeError);
  });
});
