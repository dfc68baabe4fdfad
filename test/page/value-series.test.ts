import { describe, expect, it } from 'vitest';
import { Recording } from '../../src/page/recording.ts';
import { csvOf, readValueSeries, type ValueSeries } from '../../src/page/series.ts';
import { corpusFile, hasCorpus } from '../support/corpus.ts';
import { dumped, report, reportDataOf } from '../support/report.ts';
import { read } from '../support/samples.ts';

const demo = read('vanilla-dm1.demo');

async function recordingOf(file: Uint8Array): Promise<Recording> {
  const { tracks, schema } = reportDataOf((await report(file)).page);
  return new Recording(tracks[0]!, schema);
}

function seriesOf(recording: Recording, item: string, label: string): ValueSeries {
  const reading = readValueSeries(recording, item, label);
  for (;;) {
    const step = reading.next();
    if (step.done) return step.value;
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
    const { ticks, values } = seriesOf(await recordingOf(demo), 'obj_character/1', 'x');
    expect(values.map((value, i) => [ticks[i], value])).toEqual(await dumpedValues(demo, 'obj_character', 1, 'x'));
  });

  it.skipIf(!hasCorpus)(
    'also of a UUID item, whose number is local to a snapshot (needs ../shared/corpus)',
    async () => {
      const file = corpusFile('ddnet20/06-ddnet20-coverage-finishes-client.demo');
      const { ticks, values } = seriesOf(await recordingOf(file), 'ddnet_character/0', 'target_x');
      expect(values.map((value, i) => [ticks[i], value])).toEqual(
        await dumpedValues(file, 'ddnet_character', 0, 'target_x'),
      );
      expect(values.some((value) => value !== null && value !== 0)).toBe(true);
    },
  );

  it('marks the ticks in which the item was sent, among them those in which its value changes', async () => {
    const { values, isSent } = seriesOf(await recordingOf(demo), 'obj_character/1', 'x');
    expect(isSent.some((sent, i) => !sent && values[i] !== null)).toBe(true);
    for (const [i, value] of values.entries()) {
      if (i > 0 && value !== null && value !== values[i - 1]) expect(isSent[i]).toBe(true);
    }
  });

  it('as CSV: a row for each tick with a value', async () => {
    const recording = await recordingOf(demo);
    const [x, y] = ['x', 'y'].map((label) => seriesOf(recording, 'obj_character/1', label));
    const [head, ...rows] = csvOf([x!, y!]).trimEnd().split('\n');
    expect(head).toBe('tick,obj_character/1 x,obj_character/1 x sent,obj_character/1 y,obj_character/1 y sent');
    const expected = await dumpedValues(demo, 'obj_character', 1, 'y');
    expect(rows.map((row) => row.split(',')).map(([tick, , , value]) => [Number(tick), Number(value)])).toEqual(
      expected.filter(([, value]) => value !== null),
    );
  });
});
