import { describe, expect, it } from 'vitest';
import { Recording } from '../../../src/page/data/shown-recording.ts';
import { DrawnItems } from '../../../src/page/plane/drawn-items.ts';
import { corpusFile, hasCorpus } from '../../support/corpus.ts';
import { dumped, pageDataOf } from '../../support/report.ts';
import { read } from '../../support/samples.ts';

const demo = read('vanilla-dm1.demo');
const { tracks, schema } = await pageDataOf(demo);
const recording = new Recording({ tracks, schema });
const items = new DrawnItems(recording);
const snapshots = (await dumped(demo, '--no-messages')).filter(({ record }) => record === 'snapshot');

const at = (tick: number, share = 0) => {
  const position = recording.positionOf(tick);
  const snapshot = (place: number) => recording.reader.snapshot(recording.shown[place]!)!;
  return items.at({
    now: snapshot(position),
    tick: recording.snapshot(position).tick,
    next: snapshot(position + 1),
    nextTick: recording.snapshot(position + 1).tick,
    share,
  });
};

interface Dumped {
  readonly name: string;
  readonly id: number;
  readonly fields: Readonly<Record<string, number>>;
}

describe('drawn items', () => {
  it('are the items of the snapshot with a position, at the values that dump prints', () => {
    for (const { tick, items: all } of snapshots.slice(0, 600)) {
      const placed = (all as Dumped[]).filter(
        ({ name, fields }) => 'x' in fields && !name.startsWith('obj_projectile'),
      );
      const drawn = at(tick).filter(({ kind }) => kind !== 'projectile');
      expect(drawn.map(({ link, x, y }) => [link, x, y]).sort()).toEqual(
        placed
          .filter(({ name }) => name !== 'obj_spectator_info')
          .map(({ name, id, fields }) => [`${name}/${id}`, fields.x, fields.y])
          .sort(),
      );
    }
  });

  it('players are last, so that players are drawn above all other items', () => {
    const kinds = at(9326).map(({ kind }) => kind);
    expect(kinds.slice(kinds.indexOf('player')).every((kind) => kind === 'player')).toBe(true);
  });

  it('between two snapshots are interpolated between both positions', () => {
    const [a, b] = [snapshots[100], snapshots[101]];
    const of = ({ items: all }: { items: Dumped[] }) => all.find(({ name }) => name === 'obj_character')!.fields;
    const [from, to] = [of(a), of(b)];
    const player = at(a.tick, 0.25).find(({ kind }) => kind === 'player')!;
    expect(player.x).toBeCloseTo(from.x! + (to.x! - from.x!) / 4);
    expect(player.y).toBeCloseTo(from.y! + (to.y! - from.y!) / 4);
  });

  it('a projectile flies from where it was fired: a bullet 44 units in a tick', () => {
    const { tick, items: all } = snapshots[0];
    const { fields, id } = (all as Dumped[]).find(({ name }) => name === 'obj_projectile')!;
    const drawn = at(tick).find(({ link }) => link === `obj_projectile/${id}`)!;
    const way = (tick - fields.start_tick!) * (2200 / 50);
    expect(drawn.x).toBeCloseTo(fields.x! + (fields.vel_x! / 100) * way);
    expect(drawn.y).toBeCloseTo(fields.y! + (fields.vel_y! / 100) * way + (1.25 / 10_000) * way * way);
    // It points where it is a moment later.
    const later = at(tick, 0.001).find(({ link }) => link === `obj_projectile/${id}`)!;
    expect(drawn.angle).toBeCloseTo(Math.atan2(later.y - drawn.y, later.x - drawn.x), 3);
  });

  it.skipIf(!hasCorpus)('a bullet has the speed that the server announces (needs ../shared)', async () => {
    // sv_tuneparams: gun_speed 1400, gun_curvature 0.
    const race = corpusFile('06-ddnet-race-client-auto.demo');
    const one = new Recording(await pageDataOf(race));
    const position = one.positionOf(642);
    const now = one.reader.snapshot(one.shown[position]!)!;
    const bullet = new DrawnItems(one).at({ now, tick: 642, share: 0 }).find(({ kind }) => kind === 'projectile')!;
    const [{ items: all }] = (await dumped(race, '--no-messages --ticks 642')).filter((r) => r.record === 'snapshot');
    const { fields } = (all as Dumped[]).find(({ name }) => name === 'ddrace_projectile')!;
    const way = (642 - fields.start_tick!) * (1400 / 50);
    expect(way).toBeGreaterThan(0);
    const from = [fields.x! / 100, fields.y! / 100] as const;
    expect(Math.hypot(bullet.x - from[0], bullet.y - from[1])).toBeCloseTo(way, 0);
  });

  it('a player attacked as long ago as the tick of the attack says', () => {
    const { tick, items: all } = snapshots[300];
    const character = (all as Dumped[]).find(({ name }) => name === 'obj_character')!;
    const player = at(tick).find(({ link }) => link === `obj_character/${character.id}`)!;
    expect(player.sinceAttack).toBeCloseTo((tick - character.fields.attack_tick!) / 50);
  });

  it.skipIf(!hasCorpus)(
    'a character is frozen if its ddnet_character says so: until a later tick, or for good (needs ../shared)',
    async () => {
      const race = corpusFile('06-ddnet-race-client-auto.demo');
      const data = await pageDataOf(race);
      const one = new Recording({ tracks: data.tracks, schema: data.schema });
      const drawn = new DrawnItems(one);
      const counts = { frozen: 0, free: 0 };
      for (const { tick, items: all, record } of await dumped(race, '--no-messages')) {
        if (record !== 'snapshot') continue;
        const now = one.reader.snapshot(one.shown[one.positionOf(tick)]!)!;
        for (const { key, kind, isFrozen } of drawn.at({ now, tick, share: 0 })) {
          if (kind !== 'player') continue;
          const state = (all as Dumped[]).find(({ name, id }) => name === 'ddnet_character' && id === (key & 0xffff));
          const end = state?.fields.freeze_end ?? 0;
          expect(isFrozen).toBe(end === -1 || end > tick);
          counts[isFrozen ? 'frozen' : 'free']++;
        }
      }
      expect(Math.min(counts.frozen, counts.free)).toBeGreaterThan(100);
    },
  );
});
