import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { DemoReplay } from '../../../src/recording/demo/demo-replay.ts';
import { type ItemCode, itemRows } from '../../../src/recording/games/expectations.ts';
import { maxJoined } from '../../../src/recording/replay/limits.ts';
import type { RecordingEntry } from '../../../src/recording/replay/record.ts';
import { SnapshotFacts } from '../../../src/recording/story/snapshot-facts.ts';
import { SnapshotStory } from '../../../src/recording/story/snapshot-story.ts';
import type { Told } from '../../../src/recording/story/told.ts';
import { readMessage } from '../../../src/wire/packet/message.ts';
import { messageBytes } from '../../../src/wire/packet/write.ts';
import { protocolOf } from '../../../src/wire/protocol/registry.ts';
import { intsOfText, intsOfUuid } from '../../../src/wire/protocol/texts.ts';
import { apply } from '../../../src/wire/snapshot/apply.ts';
import { SnapshotBuilder } from '../../../src/wire/snapshot/builder.ts';
import { createDelta } from '../../../src/wire/snapshot/create-delta.ts';
import { fieldAt } from '../../../src/wire/snapshot/item-fields.ts';
import type { Snapshot } from '../../../src/wire/snapshot/snapshot.ts';
import { seeded } from '../../support/seeded.ts';

// Snapshots by hand: each row of the table is broken by one change of a match that breaks none.

const protocol = protocolOf('0.6');
const typeOf = (name: string) => protocol.byName(name)!;

/** An item with these fields, and 0 in the others. */
function item(name: string, fields: Readonly<Record<string, number>> = {}): number[] {
  const type = typeOf(name);
  const ints = new Array<number>(type.size).fill(0);
  for (const [field, value] of Object.entries(fields)) ints[fieldAt(type, field)!] = value;
  return ints;
}

function infoOf(name: string): number[] {
  const ints = item('obj_client_info');
  const text = intsOfText(name, 4)!;
  for (const [i, int] of [...text].entries()) ints[fieldAt(typeOf('obj_client_info'), 'name')! + i] = int;
  return ints;
}

interface Scene {
  readonly without?: readonly string[];
  readonly fast?: boolean;
  readonly far?: boolean;
  readonly watches?: boolean;
  readonly local?: readonly number[];
  readonly extended?: 'unregistered' | 'unknown';
  readonly isFull?: boolean;
  /** It is sent as a delta on the snapshot so far before it; 0 for a whole one. */
  readonly back?: number;
}

const uuid = '11111111-2222-3333-4444-555555555555';

/** A player `me` who records, and `bob`. */
function scene({ without = [], fast, far, watches, local = [0], extended, isFull }: Scene = {}): Snapshot {
  const all = new SnapshotBuilder();
  const add = (what: string, name: string, id: number, ints: number[]) =>
    without.includes(what) || all.add(typeOf(name).type!, id, ints);
  if (extended === 'unknown') all.add(0, 0x7fff, intsOfUuid(uuid));
  for (const [id, name] of ['me', 'bob'].entries()) {
    const team = id === 0 && watches ? -1 : 0;
    add(
      `${name}'s player`,
      'obj_player_info',
      id,
      item('obj_player_info', { local: Number(local.includes(id)), team }),
    );
    add(`${name}'s info`, 'obj_client_info', id, infoOf(name));
    const speed = id === 1 && fast ? 5_000_000 : 0;
    const place = id === 1 && far ? 5_000_000 : 320;
    add(`${name}'s character`, 'obj_character', id, item('obj_character', { vel_x: speed, x: place }));
  }
  if (extended) all.add(0x7fff, 0, [1, 2, 3]);
  const pickup = item('obj_pickup');
  for (let id = 0; isFull && id < 1024 - 5; id++) all.add(typeOf('obj_pickup').type!, id, pickup);
  return all.build();
}

function told(scenes: readonly Scene[]): Told[] {
  const story = new SnapshotStory(true);
  let before: Snapshot | undefined;
  const all: Snapshot[] = [];
  const found = scenes.flatMap((one, i) => {
    const { back = 0 } = one;
    const base = back > 0 ? all[i - back] : undefined;
    const delta = base && createDelta(base, scene(one), protocol.sizeOf);
    const snapshot = delta ? apply(base, delta) : scene(one);
    all.push(snapshot);
    const tick = 100 + 2 * i;
    const entry = {
      tick,
      base: delta ? tick - 2 * back : -1,
      kind: delta ? 'delta' : 'snapshot',
      delta,
      before,
    } as const;
    before = snapshot;
    return story.add(entry, snapshot, protocol);
  });
  return [...found, ...story.finish()];
}

const times = (count: number, one: Scene): Scene[] => new Array<Scene>(count).fill(one);
const broken: Readonly<Record<ItemCode, readonly [broken: Scene, args: object]>> = {
  player_without_info: [{ without: ["bob's info"] }, { who: 'bob' }],
  character_without_player: [{ without: ["bob's player"] }, { who: 'bob' }],
  impossible_speed: [{ fast: true }, { who: 'bob', vel_x: 5_000_000 }],
  outside_map: [{ far: true }, { who: 'bob', x: 5_000_000 }],
  items_dropped: [
    { isFull: true, without: ["bob's character"] },
    { items: 1024, gone: 'the character of bob' },
  ],
  unregistered_items: [{ extended: 'unregistered' }, { type: 0x7fff }],
  two_recorders: [{ local: [0, 1] }, { who: 'bob' }],
  newer_items: [{ extended: 'unknown' }, { who: uuid }],
  others_absent: [{ watches: true, without: ["me's character", "bob's character"] }, { who: 'bob' }],
};

it('of a usual match nothing is told', () => {
  expect(told(times(5, {}))).toEqual([]);
});

describe.each(Object.values(itemRows).map((row) => [row.code as ItemCode, row] as const))('%s', (code, row) => {
  const [scene, args] = broken[code];
  const least = row.least;

  it('is told with the first and the last tick, and who', () => {
    const span = { first_tick: 104, last_tick: 104 + 2 * (least + 1) };
    const expected = { code, weight: row.weight, tick: 104, args: { ...span, snapshots: least + 2, ...args } };
    expect(told([{}, {}, ...times(least + 2, scene), {}])).toMatchObject([expected]);
    expect(told([{}, {}, ...times(least + 2, scene)])).toMatchObject([expected]);
  });

  it('is told from a number of snapshots on', () => {
    expect(told([{}, ...times(least, scene), {}])).toHaveLength(1);
    expect(told([{}, ...times(least - 1, scene), {}])).toEqual([]);
  });
});

describe('who records', () => {
  const by = (...locals: number[]) => told(locals.map((local): Scene => ({ local: [local] })));

  it('two in turn are two connections in one demo', () => {
    expect(by(0, 1, 0, 1, 0, 1)).toMatchObject([
      {
        code: 'recorders_alternate',
        weight: 'wrong',
        args: { who: 'me, bob', changes: 5, first_tick: 102, last_tick: 110 },
      },
    ]);
  });

  it('the dummy key now and then is a note', () => {
    const minute = new Array<number>(30);
    const now = by(...minute.fill(0), ...minute.slice().fill(1), ...minute, ...minute.slice().fill(1), ...minute);
    expect(now).toMatchObject([{ code: 'recorder_changes', weight: 'note', args: { who: 'me, bob', changes: 4 } }]);
    expect(by(0, 1, 0, 1)).toMatchObject([{ code: 'recorder_changes', args: { changes: 3 } }]);
    expect(by(0, 0, 0)).toEqual([]);
  });
});

const samples = join(import.meta.dirname, '../../../samples');

it.each(['ddnet-race-player.demo', 'vanilla-dm1.demo'])('%s: deltas say what whole snapshots say', (name) => {
  const replay = new DemoReplay();
  const followed = new SnapshotFacts();
  const facts = ['player', 'info', 'character', 'recorder', 'fast', 'outside'] as const;
  const allOf = (of: SnapshotFacts) => [facts.map((fact) => of.clientsWith(fact)), of.team, of.isFull];
  let before: unknown;
  let compared = 0;
  let news = 0;
  const compare = (entries: Iterable<RecordingEntry>) => {
    for (const entry of entries) {
      if (entry.record !== 'snapshot' || !entry.snapshot) continue;
      const whole = new SnapshotFacts();
      const { protocol } = entry.stream;
      whole.read({ tick: entry.tick, base: -1, kind: 'snapshot', delta: undefined }, entry.snapshot, protocol);
      followed.read(entry, entry.snapshot, protocol);
      const isNew = followed.hasOtherClients;
      const now = allOf(followed);
      expect(now).toEqual(allOf(whole));
      if (!isNew) expect(now).toEqual(before);
      before = now;
      compared++;
      if (isNew) news++;
    }
  };
  compare(replay.feed(readFileSync(join(samples, name))));
  compare(replay.finish());
  expect(compared).toBeGreaterThan(100);
  expect(news).toBeLessThan(compared / 4);
});

it.each(['0.6', '0.7'] as const)(
  '%s: a snapshot is full if the largest item has no room beside the items and their offsets',
  (version) => {
    // `CSnapshotBuilder`: 8 bytes, and of each item its offset, key and ints; 0.7.5 has the keys twice.
    const perItem = version === '0.7' ? 12 : 8;
    const items = 800;
    const facts = new SnapshotFacts();
    const isFullWith = (bytes: number) => {
      const ints = (bytes - 8 - items * perItem) / 4;
      const all = new SnapshotBuilder();
      for (let id = 0; id < items; id++)
        all.add(5, id, new Array<number>(id === 0 ? ints - (items - 1) * 10 : 10).fill(0));
      facts.read({ tick: 0, base: -1, kind: 'snapshot', delta: undefined }, all.build(), protocolOf(version));
      return facts.isFull;
    };
    expect([0x10000 - 240, 0x10000 - 236].map(isFullWith)).toEqual([false, true]);
  },
);

it('deltas on any base tell what whole snapshots tell', () => {
  const random = seeded(3);
  const one = <T>(of: readonly T[]) => of[random() % of.length]!;
  const parts = ["bob's player", "bob's info", "bob's character", "me's character", "me's info"];
  const next = (): Scene => ({
    without: parts.filter(() => random() % 4 === 0),
    fast: random() % 6 === 0,
    far: random() % 6 === 0,
    watches: random() % 3 === 0,
    local: one([[], [0], [0], [1]]),
    extended: one([undefined, undefined, 'unregistered', 'unknown']),
  });
  // Which items went depends on the snapshot that a new one is beside.
  const textOf = (all: readonly Told[]) =>
    all.map((one) => JSON.stringify({ ...one, args: { ...one.args, gone: '' } }));
  for (let round = 0; round < 300; round++) {
    const scenes = Array.from({ length: 12 }, () => ({ ...next(), back: one([0, 1, 1, 1, 2, 3]) }));
    const deltas = textOf(told(scenes));
    expect(deltas).toEqual(textOf(told(scenes.map((scene) => ({ ...scene, back: 0 })))));
  }
});

it('of more UUIDs than are kept to the end, that there are more is told', () => {
  const story = new SnapshotStory(true);
  for (let i = 0; i < maxJoined + 2; i++) {
    const name = `11111111-2222-3333-4444-${i.toString(16).padStart(12, '0')}`;
    const snapshot = new SnapshotBuilder()
      .add(0, 0x4000 + i, intsOfUuid(name))
      .add(0x4000 + i, 0, [1])
      .build();
    story.add({ tick: i, base: -1, kind: 'snapshot', delta: undefined, before: undefined }, snapshot, protocol);
  }
  const all = story.finish();
  expect(all.map(({ code }) => code)).toEqual([...new Array(maxJoined).fill('newer_items'), 'limit_reached']);
  expect(all.at(-1)).toMatchObject({ tick: maxJoined, weight: 'warning', args: { of: 'odd_items', limit: maxJoined } });
});

it('clients that messages name are told, as many as a server may have', () => {
  const story = new SnapshotStory(true);
  for (let client = 0; client < 300; client++) {
    const bytes = messageBytes('0.6', 'sv_emoticon', { client_id: client, emoticon: 1 });
    story.addMessage(readMessage(bytes, 0, bytes.length, '0.6'), { tick: client });
  }
  const found = story.finish().map(({ args }) => args.found);
  // 256 and more are none.
  expect(found).toEqual(Array.from({ length: 257 }, (_, i) => i));
});
