import { beforeAll, describe, expect, it } from 'vitest';
import { Camera } from '../../../src/page/data/camera.ts';
import { beginOf, isDuring, sceneOf, showScene } from '../../../src/page/data/scene.ts';
import { Recording } from '../../../src/page/data/shown-recording.ts';
import { corpusFile, hasCorpus } from '../../support/corpus.ts';
import { dumped, report, reportDataOf } from '../../support/report.ts';
import { read } from '../../support/samples.ts';

async function recordingOf(file: Uint8Array): Promise<Recording> {
  return new Recording(reportDataOf((await report(file)).page));
}

interface Message {
  readonly record: string;
  readonly name: string;
  readonly tick: number;
  readonly fields: { readonly killer: number; readonly victim: number; readonly weapon: number };
}

const files: [name: string, file: () => Uint8Array, size: readonly [number, number]][] = [
  ['vanilla-dm1.demo', () => read('vanilla-dm1.demo'), [60 * 32, 50 * 32]],
];
if (hasCorpus)
  files.push(['34 players', () => corpusFile('06-ddnet-dm1-34players-client-BENCH.demo'), [60 * 32, 50 * 32]]);

describe.each(files)('the kills of %s', (_, file, [width, height]) => {
  let recording: Recording;

  beforeAll(async () => {
    recording = await recordingOf(file());
  });

  it('are events to watch, with those who kill and those who die', async () => {
    // Weapon -3 is the game: a player left or changed the team, which the line of that says.
    const kills = ((await dumped(file())) as Message[]).filter(
      ({ name, fields }) => name === 'sv_killmsg' && fields.weapon !== -3,
    );
    const watched = recording.eventLines.filter(({ topic }) => topic === 'deaths');
    expect(kills.length).toBeGreaterThan(0);
    for (const { fields } of kills) {
      const { killer, victim } = fields;
      const all = watched.flatMap(({ actors }) => actors!);
      expect(all).toContainEqual({ client: victim, dies: true });
      if (killer !== victim && killer >= 0) expect(all).toContainEqual({ client: killer, dies: false });
    }
  });

  it.each([
    [834, 551],
    [390, 590],
  ])('show all players of a kill whom the snapshots contain, in a picture of %i × %i', (across, down) => {
    const kills = recording.eventLines.filter(({ topic }) => topic === 'deaths');
    let shown = 0;
    for (const kill of kills) {
      const scene = sceneOf(recording, kill);
      const begin = recording.positionOf(beginOf(scene));
      for (let position = begin; recording.snapshot(position).tick < kill.tick; position++) {
        const { tick } = recording.snapshot(position);
        if (!isDuring(scene, tick)) continue;
        const camera = new Camera();
        Object.assign(camera, { width: across, height: down, all: { x: 0, y: 0, width, height }, place: undefined });
        showScene(camera, scene, tick, (client) => recording.placeOf(position, client));
        for (const { client } of kill.actors!) {
          const place = recording.placeOf(position, client);
          if (!place) continue;
          const [x, y] = camera.toPixels(place.x, place.y);
          expect([x >= 0, y >= 0, x <= across, y <= down]).toEqual([true, true, true, true]);
          shown++;
        }
      }
    }
    expect(shown).toBeGreaterThan(0);
  });
});
