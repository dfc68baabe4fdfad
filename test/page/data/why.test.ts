import { expect, it } from 'vitest';
import { Recording } from '../../../src/page/data/shown-recording.ts';
import { whySo } from '../../../src/page/data/why.ts';
import { ValuePath } from '../../../src/wire/annotate/value-path.ts';
import { pageDataOf } from '../../support/report.ts';
import { run } from '../../support/run.ts';
import { read } from '../../support/samples.ts';

it('the page goes to the snapshot that trace names', async () => {
  const demo = read('vanilla-dm1.demo');
  const { tracks, schema } = await pageDataOf(demo);
  const recording = new Recording({ tracks, schema });
  const answer = (tick: number, name: string) => {
    const steps = whySo(recording, recording.positionOf(tick), ValuePath.parse(name)!);
    for (let next = steps.next(); ; next = steps.next()) if (next.done) return next.value;
  };
  for (const [tick, item, field] of [
    [10_398, 'obj_character/2', 'weapon'],
    [9898, 'obj_character/0', 'x'],
    [9898, 'obj_character/0', 'weapon'],
  ] as const) {
    const line = `trace m.demo@${tick} ${item}.${field} -t json`;
    const trace = JSON.parse((await run(line, { 'm.demo': demo })).stdout);
    expect(recording.snapshot(answer(tick, `${item}/${field}`)!).tick, line).toBe(trace.set_by.tick);
  }
  expect(answer(9898, 'obj_character/55/x')).toBeUndefined();
});
