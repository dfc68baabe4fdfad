import { describe, expect, it } from 'vitest';
import { CharacterCore, Collision } from '../../../src/page/data/character-core.ts';
import { Characters } from '../../../src/page/data/characters.ts';
import { Recording } from '../../../src/page/data/shown-recording.ts';
import { corpusFile, hasCorpus } from '../../support/corpus.ts';
import { pageDataOf } from '../../support/report.ts';
import { read } from '../../support/samples.ts';

const { tracks, schema, map } = await pageDataOf(read('vanilla-dm1.demo'));

interface Step {
  /** The ticks between the old values and the new ones. */
  readonly ticks: number;
  /** The distance in units between the old and the new position, and between the computed and the new position. */
  readonly way: number;
  readonly error: number;
}

/** Computes each character from its old values to the tick at which the server sent it again. */
function* steps(recording: Recording, collision: Collision): Generator<Step> {
  const type = recording.protocol.byName('obj_character')!;
  const placeOf = new Map(type.fields.map(({ name, at }) => [name, at]));
  const place = (field: string) => placeOf.get(field)!;
  const last = new Map<number, Int32Array>();
  for (const index of recording.shown) {
    const snapshot = recording.reader.snapshot(index)!;
    const present = recording.characters.all(snapshot);
    for (const id of last.keys()) if (!present.some((i) => snapshot.id(i) === id)) last.delete(id);
    for (const i of present) {
      const ints = snapshot.item(i).slice();
      const was = last.get(snapshot.id(i));
      last.set(snapshot.id(i), ints);
      const ticks = was ? ints[place('tick')]! - was[place('tick')]! : 0;
      if (!was || ticks <= 0) continue;
      const core = new CharacterCore((field) => was[place(field)]!);
      for (let tick = 0; tick < ticks; tick++) core.step(collision);
      const [x, y] = [ints[place('x')]!, ints[place('y')]!];
      yield {
        ticks,
        way: Math.hypot(x - was[place('x')]!, y - was[place('y')]!),
        error: Math.hypot(x - core.x, y - core.y),
      };
    }
  }
}

const share = <One>(all: readonly One[], test: (one: One) => boolean) => all.filter(test).length / all.length;

describe('the motion of characters', () => {
  it('leads from the values that a server sent to those that it sends next, unless the player did something', () => {
    const recording = new Recording({ tracks, schema });
    const moved = [...steps(recording, new Collision(map!))].filter(({ ticks, way }) => ticks > 2 && way > 4);
    expect(moved.length).toBeGreaterThan(500);
    expect(share(moved, ({ error }) => error === 0)).toBeGreaterThan(0.75);
    // Input of the last two ticks: running changes the position by some units, a jump by 26.
    expect(share(moved, ({ error }) => error <= 6)).toBeGreaterThan(0.9);
    expect(share(moved, ({ way }) => way <= 6)).toBeLessThan(0.05);
  });

  // A server sends a character that it predicts correctly again after three seconds.
  it.skipIf(!hasCorpus)('is exact over the three seconds in which nothing disturbed it (needs ../shared)', async () => {
    const other = await pageDataOf(corpusFile('07-vanilla-dm1-auto-markers-client.demo'));
    const recordings = [{ tracks, schema, map }, other];
    const long = recordings.flatMap((one) => [
      ...steps(new Recording({ tracks: one.tracks, schema: one.schema }), new Collision(one.map!)),
    ]);
    const errors = long.filter(({ ticks }) => ticks > 150).map(({ error }) => error);
    expect(errors.length).toBeGreaterThan(3);
    expect(new Set(errors)).toEqual(new Set([0]));
  });

  const standing: Partial<Record<string, number>> = { x: 0, y: 0, hooked_player: -1 };
  const core = (fields: Partial<Record<string, number>>) =>
    new CharacterCore((field) => ({ ...standing, ...fields })[field] ?? 0);

  const air = new Collision({ ...map!, layers: [{ name: 'game', types: new Uint8Array(map!.width * map!.height) }] });

  it('is a fall by the sum of the velocities, with the gravity of half a unit per tick', () => {
    const falling = core({ x: 960, y: 300 });
    // After four ticks: 0.5 + 1 + 1.5 + 2, each rounded to whole units, halves away from 0.
    for (let i = 0; i < 4; i++) falling.step(air);
    expect([falling.x, falling.y]).toEqual([960, 300 + 1 + 1 + 2 + 2]);
  });

  it('ends below a ceiling, and the fall begins from rest', () => {
    const types = new Uint8Array(map!.width * map!.height).fill(1, 8 * map!.width, 9 * map!.width);
    const ceiling = new Collision({ ...map!, layers: [{ name: 'game', types }] });
    // The tiles end at 288, 14 units above the centre of a character that touches them.
    const rising = core({ x: 960, y: 303, vel_y: -10 * 256 });
    rising.step(ceiling);
    expect(rising.y).toBe(302);
    for (let i = 0; i < 4; i++) rising.step(ceiling);
    expect(rising.y).toBe(302 + 1 + 1 + 2 + 2);
  });

  it('is pulled by a hook that is more than 46 units away, by 2.25 units in the first tick', () => {
    for (const [distance, x] of [
      [46, 960],
      [47, 962],
    ]) {
      const hooked = core({ x: 960, y: 300, hook_state: 5, hook_x: 960 + distance!, hook_y: 300 });
      hooked.step(air);
      expect(hooked.x).toBe(x);
    }
  });

  it('is not computed from impossible velocities or hooks', () => {
    expect(core({ vel_y: 0x7fffffff }).isPlausible).toBe(false);
    expect(core({ hook_state: 4, hook_dx: -0x80000000 }).isPlausible).toBe(false);
    expect(core({ vel_x: 256 * 100, hook_dx: 256 }).isPlausible).toBe(true);
  });
});

describe('the characters of a snapshot', () => {
  const recording = new Recording({ tracks, schema });
  const old = recording.shown.flatMap((index, position) => {
    const snapshot = recording.reader.snapshot(index)!;
    const { tick } = recording.snapshot(position);
    return recording.characters.all(snapshot).map((i) => ({ snapshot, i, tick, item: snapshot.item(i) }));
  });

  it('have the tick at which they were sent, if that is before the snapshot', () => {
    for (const { snapshot, i, tick, item } of old) {
      const { sentAt } = recording.characters.at(snapshot, i, tick);
      expect(sentAt ?? tick).toBe(item[0]);
    }
  });

  it('are as sent without a map', () => {
    for (const { snapshot, i, tick, item } of old) {
      const { core } = new Characters(recording.protocol).at(snapshot, i, tick);
      expect([core.x, core.y]).toEqual([item[1], item[2]]);
    }
  });

  it('are as sent if they are far older than the three seconds after which a server sends them again', () => {
    const characters = new Characters(recording.protocol, map);
    for (const { snapshot, i, item } of old.slice(0, 50)) {
      const { core } = characters.at(snapshot, i, item[0]! + 100_000);
      expect([core.x, core.y]).toEqual([item[1], item[2]]);
    }
  });
});
