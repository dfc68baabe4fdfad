import { describe, expect, it } from 'vitest';
import { protocolOf } from '../../src/api/codec.ts';
import { columns, items, type RecordingEntry, read, readCapture, readDemo } from '../../src/api/index.ts';
import { read as readSample } from '../support/samples.ts';

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
  const demo = readSample('vanilla-dm1.demo');

  it('have what items have', () => {
    const found = columns(readDemo(demo), 'obj_character', [
      'tick',
      'id',
      'x',
      'weapon',
      'fields.tick',
      'stream',
      'time',
    ]);
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
    const { seconds } = columns(readDemo(demo), 'obj_character', ['seconds']);
    expect([...seconds]).toEqual(expected.map(({ entry }) => (entry.tick - 8898) / 50));
  });

  it('have the items of a player, and of some ticks', () => {
    const all = rows(readDemo(demo), 'obj_character');
    const { tick, id } = columns(readDemo(demo), 'obj_character', ['tick', 'id'], { player: 1, from: 9000, to: 9500 });
    const expected = all.filter((entry) => entry.id === 1 && entry.entry.tick >= 9000 && entry.entry.tick <= 9500);
    expect(expected.length).toBeGreaterThan(10);
    expect([...tick]).toEqual(expected.map(({ entry }) => entry.tick));
    expect(new Set(id)).toEqual(new Set([1]));
    const named = columns(readDemo(demo), 'obj_character', ['id'], { player: 'stress2' });
    expect(named.id.length).toBeGreaterThan(10);
    expect(new Set(named.id).size).toBe(1);
    expect(columns(readDemo(demo), 'obj_character', ['id'], { player: 'nobody' }).id.length).toBe(0);
  });

  it('have texts, items with UUIDs, and the times of a capture', () => {
    const capture = readSample('ddnet-ipv6.pcap');
    const { name, id } = columns(readCapture(capture), 'obj_client_info', ['id', 'name']);
    const infos = rows(readCapture(capture), 'obj_client_info');
    expect(infos.length).toBeGreaterThan(10);
    expect([name, [...id]]).toEqual([infos.map(({ fields }) => fields.name), infos.map((info) => info.id)]);
    const { flags, time } = columns(readCapture(capture), 'ddnet_player', ['flags', 'time']);
    const players = rows(readCapture(capture), 'ddnet_player');
    expect(players.length).toBeGreaterThan(10);
    expect([...flags]).toEqual(players.map(({ fields }) => fields.flags));
    expect([...time]).toEqual(players.map(({ entry }) => entry.time));
    const first = [...readCapture(capture)].find(({ stream }) => stream)!.time!;
    const { seconds } = columns(readCapture(capture), 'ddnet_player', ['seconds']);
    expect([...seconds]).toEqual(players.map(({ entry }) => Math.round(1e6 * (entry.time! - first)) / 1e6));
  });

  it('come from a Blob, from records that were collected, and are read with any options', async () => {
    const expected = columns(readDemo(demo), 'obj_character', ['tick', 'x', 'seconds']);
    const names = ['tick', 'x', 'seconds'] as const;
    expect(await columns(read(new Blob([demo])), 'obj_character', names)).toEqual(expected);
    expect(columns([...read(demo)], 'obj_character', names)).toEqual(expected);
    const options = { protocol: protocolOf('0.7'), messages: false, ticks: false };
    expect(columns(readDemo(demo, options), 'obj_character', names)).toEqual(expected);
    const named = columns(readDemo(demo, { messages: false }), 'obj_character', ['id'], { player: 'stress2' });
    expect(named).toEqual(columns(readDemo(demo), 'obj_character', ['id'], { player: 'stress2' }));
  });

  it('of a mod are items of its protocol, in streams of its version', () => {
    const of = (version: '0.6' | '0.7') => protocolOf(version, { items: [], messages: [] });
    const names = ['tick', 'x'] as const;
    const expected = columns(readDemo(demo), 'obj_character', names);
    expect(columns(readDemo(demo), 'obj_character', names, { protocol: of('0.7') })).toEqual(expected);
    expect(columns(readDemo(demo), 'obj_character', names, { protocol: of('0.6') }).x).toHaveLength(0);
  });

  it('refuse names that are none', () => {
    expect(() => columns(readDemo(demo), 'obj_charakter' as never, ['x'] as never)).toThrow(
      new TypeError('no protocol has an item "obj_charakter"'),
    );
    expect(() => columns(readDemo(demo), 'obj_character', ['z' as never])).toThrow(
      /^obj_character of 0.7 has no field "z"; it has tick, x, y, /,
    );
    expect(() => columns(readDemo(demo), 'obj_character', 'x' as never)).toThrow(TypeError);
  });

  it('refuse what is no records', () => {
    for (const input of [demo, new Blob([demo]), undefined, 5])
      expect(() => columns(input as never, 'obj_character', ['x'])).toThrow(
        /^columns expects records, as `read` returns them; got /,
      );
    expect(() => columns(readDemo(demo, { reuse: true }) as never, 'obj_character', ['x'])).toThrow(/reuse: true/);
  });
});
