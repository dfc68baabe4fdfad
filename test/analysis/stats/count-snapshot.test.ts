import { describe, expect, it } from 'vitest';
import { countSnapshot } from '../../../src/analysis/stats/count-snapshot.ts';
import { PayloadInts } from '../../../src/analysis/stats/payload-ints.ts';
import { Tally } from '../../../src/analysis/stats/tally.ts';
import { Players } from '../../../src/recording/events/players.ts';
import { unwrap } from '../../../src/wire/payload/encoding-layers.ts';
import { readPayload } from '../../../src/wire/payload/payload.ts';
import { protocolOf } from '../../../src/wire/protocol/registry.ts';
import { Delta } from '../../../src/wire/snapshot/delta.ts';
import { Snapshot } from '../../../src/wire/snapshot/snapshot.ts';
import { read } from '../../support/samples.ts';

const protocol = protocolOf('0.7');
const sent = {
  stream: { number: 1, client: '', server: '', protocol, mapChanges: 0 },
  tick: 1,
} as const;

function counted(bytes: Uint8Array, before: Snapshot): Tally {
  const tally = new Tally();
  const payload = new PayloadInts();
  expect(payload.readCompressed(bytes)).toBe(true);
  const delta = new Delta();
  delta.read(payload.ints, payload.length, protocol.sizeOf);
  const { result } = readPayload(unwrap(bytes, 'huffman'), 'delta', protocol, before);
  const entry = { ...sent, kind: 'delta', delta, before } as const;
  countSnapshot(tally, payload, entry, result!, new Players());
  return tally;
}

const partsOf = ({ parts }: Tally) => Object.fromEntries([...parts.values()].map(({ name, bits }) => [name, bits]));

describe('an update', () => {
  const base = readPayload(unwrap(read('vanilla-dm1-tick9324.snapshot.packed'), 'packed'), 'snapshot', protocol);
  const tally = counted(read('vanilla-dm1-tick9326.delta.huff'), base.body as Snapshot);
  const [character] = tally.items.all.filter(({ sent }) => sent > 0);

  // Its 22 ints on the wire, as the README shows them:
  // 02 49 03 00 | 80 04 5f | 00 00 00 00 00 | 2e d9 02 | nine 00
  it('counts the fields whose difference is not 0', () => {
    expect(character).toMatchObject({ name: 'obj_character', updated: 1, new: 0, full: 0, changed: 1 });
    const fields = character!.fields.map(({ name, changed }) => [name, changed]);
    expect(fields.slice(0, 6)).toEqual([
      [undefined, 0],
      ['tick', 1],
      ['x', 1],
      ['y', 1],
      ['vel_x', 0],
      ['vel_y', 1],
    ]);
  });

  // By the codes' lengths: 07 8 bits, 01 4, 00 1, 0a 7. The hexdump says that the item's second int begins at byte 26,
  // bit 1; of 40 bytes 5 bits are padding, and the end symbol has 15.
  it('has the bits of its own bytes', () => {
    const itemAt = 26 * 8 + 1 - 7;
    const end = 40 * 8 - 5 - 15;
    expect(character!.bits).toBe(end - itemAt);
    expect(character!.fields[0]!.bits).toBe(7 + 4);
    expect(partsOf(tally)).toEqual({ snapshot_heads: 8 + 4 + 1, removed_keys: itemAt - 13 });
    expect(tally.bits).toBe(end);
  });

  it('removes items by their types', () => {
    const removed = tally.items.all.filter((item) => item.removed > 0).map((item) => [item.name, item.removed]);
    expect(Object.fromEntries(removed)).toEqual({
      event_explosion: 1,
      event_death: 1,
      event_sound_world: 4,
      event_damage: 1,
    });
  });
});

describe('a new item', () => {
  const tally = counted(read('first.huff'), new Snapshot());

  it('is new and changed', () => {
    expect(tally.items.all.map((item) => [item.name, item.new, item.changed])).toEqual([
      ['obj_game_data', 1, 1],
      ['obj_character', 1, 1],
      ['obj_player_info', 1, 1],
    ]);
  });

  it('belongs to a player where its id is a client', () => {
    const players = tally.players.all.map(({ client, sent }) => [client, sent]);
    expect(players).toEqual([
      [0, 2],
      [undefined, 1],
    ]);
  });
});

describe('a full snapshot', () => {
  const bytes = read('vanilla-dm1-tick9324.snapshot.packed');
  const snapshot = readPayload(unwrap(bytes, 'packed'), 'snapshot', protocol).body as Snapshot;
  const count = (before?: Snapshot) => {
    const tally = new Tally();
    const payload = new PayloadInts();
    payload.readPacked(bytes, [{ length: bytes.length, compressed: false }]);
    countSnapshot(tally, payload, { ...sent, kind: 'snapshot', delta: undefined, before }, snapshot, new Players());
    return tally;
  };

  it('takes eight bits a byte where it is not compressed', () => {
    expect(count().bits).toBe(8 * bytes.length);
  });

  it('has changed where the snapshot before had another value', () => {
    const changed = (tally: Tally) => tally.items.all.reduce((sum, item) => sum + item.changed, 0);
    expect(changed(count())).toBe(snapshot.count);
    expect(changed(count(snapshot))).toBe(0);
  });
});
