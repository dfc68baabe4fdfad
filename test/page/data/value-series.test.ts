import { describe, expect, it } from 'vitest';
import { valuePlot } from '../../../src/page/data/series.ts';
import { Recording } from '../../../src/page/data/shown-recording.ts';
import { corpusFile, hasCorpus } from '../../support/corpus.ts';
import { dumped, pageDataOf } from '../../support/report.ts';
import { read } from '../../support/samples.ts';

const demo = read('vanilla-dm1.demo');

async function recordingOf(file: Uint8Array): Promise<Recording> {
  const { tracks, schema } = await pageDataOf(file);
  return new Recording({ tracks, schema });
}

/** A field in all snapshots: ticks and values. */
function seriesOf(recording: Recording, name: string): [tick: number, value: number | null][] {
  const reading = valuePlot(recording, [name]);
  for (;;) {
    const { done, value } = reading.next();
    if (done) return [...value.lines[0]!.values].map((one, i) => [value.x[i]!, one]);
  }
}

/** The values of an item's field by tick, from the output of dump. */
async function dumpedValues(file: Uint8Array, name: string, id: number, field: string) {
  const records = (await dumped(file, '--no-messages')).filter(({ record }) => record === 'snapshot');
  return records.map(({ tick, items }) => {
    const item = items.find((one: { name: string; id: number }) => one.name === name && one.id === id);
    return [tick, item ? item.fields[field] : null];
  });
}

describe('a value over time', () => {
  it('has the values that dump prints, and null where the item does not exist', async () => {
    expect(seriesOf(await recordingOf(demo), 'obj_character/1/x')).toEqual(
      await dumpedValues(demo, 'obj_character', 1, 'x'),
    );
  });

  it('has one name in links and on the command line', async () => {
    const recording = await recordingOf(demo);
    const values = seriesOf(recording, 'obj_character/1.x');
    expect(values).toEqual(seriesOf(recording, 'obj_character/1/x'));
    expect(values.some(([, value]) => value !== null)).toBe(true);
  });

  it('is nowhere if its name is none', async () => {
    const values = seriesOf(await recordingOf(demo), 'obj_character');
    expect(new Set(values.map(([, value]) => value))).toEqual(new Set([null]));
  });

  it.skipIf(!hasCorpus)('also of a UUID item, whose number is local to a snapshot (needs ../shared)', async () => {
    const file = corpusFile('ddnet20/06-ddnet20-coverage-finishes-client.demo');
    const values = await dumpedValues(file, 'ddnet_character', 0, 'target_x');
    expect(seriesOf(await recordingOf(file), 'ddnet_character/0/target_x')).toEqual(values);
    expect(values.some(([, value]) => value !== null && value !== 0)).toBe(true);
  });
});
