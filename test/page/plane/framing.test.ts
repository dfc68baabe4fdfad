import { expect, it } from 'vitest';
import { Camera } from '../../../src/page/data/camera.ts';
import { Recording } from '../../../src/page/data/shown-recording.ts';
import { type State, Store } from '../../../src/page/data/store.ts';
import { Framing } from '../../../src/page/plane/framing.ts';
import { dumped, report, reportDataOf } from '../../support/report.ts';
import { read } from '../../support/samples.ts';

const demo = read('vanilla-dm1.demo');
const recording = new Recording(reportDataOf((await report(demo)).page));
for (const _ of recording.readPaths());

/** The middle of the picture of a snapshot without the character of who recorded. */
function middleAt(tick: number): number[] {
  const position = recording.positionOf(tick);
  const camera = new Camera();
  Object.assign(camera, { width: 1280, height: 800 });
  const store = new Store<State>({ recording, position, tick, followed: 'camera' } as Partial<State>);
  const framing = new Framing(store, camera);
  framing.begin([-5000, -5000, 5000, 5000]);
  expect(framing.aim([])).toBeUndefined();
  return camera.toPlane(640, 400).map(Math.round);
}

it('shows where the client of a spectator looks', async () => {
  const [{ items }] = (await dumped(demo, '--ticks 11200 --no-messages')).filter(({ record }) => record === 'snapshot');
  const { x, y } = items.find(({ name }: { name: string }) => name === 'obj_spectator_info').fields;
  expect(middleAt(11_200)).toEqual([x, y]);
});

it('stays where a player died', async () => {
  const snapshots = (await dumped(demo, '--ticks 10200..10384 --no-messages')).filter((r) => r.record === 'snapshot');
  const seen = snapshots.flatMap(({ items }) =>
    items.filter((item: { name: string; id: number }) => item.name === 'obj_character' && item.id === 0),
  );
  const { x, y } = seen.at(-1).fields;
  const [atX, atY] = middleAt(10_384);
  // The last values were sent some ticks before the last snapshot with the player.
  expect(Math.hypot(atX! - x, atY! - y)).toBeLessThan(40);
});
