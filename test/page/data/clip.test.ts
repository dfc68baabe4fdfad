import { expect, it } from 'vitest';
import { clipOf } from '../../../src/page/data/clip.ts';
import { Recording } from '../../../src/page/data/shown-recording.ts';
import { corpusFile, hasCorpus } from '../../support/corpus.ts';
import { dumped, pageDataOf } from '../../support/report.ts';
import { runWriting } from '../../support/run.ts';
import { read } from '../../support/samples.ts';

/** The records of a clip of the page, and of what `slice` cuts out. */
async function cuts(demo: Uint8Array, from: number, to: number) {
  const { tracks, schema, header, mapFile } = await pageDataOf(demo);
  const recording = new Recording({ tracks, schema });
  const first = recording.ticks.from;
  const range = { from: first + from, to: first + to };
  const clip = clipOf(recording, header!, mapFile, range);
  const { files } = await runWriting(`slice file --ticks ${range.from}..${range.to} -o cut.demo`, { file: demo });
  // The page does not have the markers of ticks in which nothing is recorded.
  const records = async (file: Uint8Array) => (await dumped(file)).filter(({ record }) => record !== 'tick');
  return { clip: await records(clip), slice: await records(files.get('cut.demo')!) };
}

it.each([
  [174, 374],
  [0, 200],
  [2702, 2884],
])('a clip of the page has the records that slice writes: %s to %s', async (from, to) => {
  const { clip, slice } = await cuts(read('vanilla-dm1.demo'), from, to);
  expect(slice.length).toBeGreaterThan(50);
  expect(clip).toEqual(slice);
});

it.skipIf(!hasCorpus)('so has that of a demo without a map (needs ../shared)', async () => {
  const { clip, slice } = await cuts(corpusFile('06-ddnet-race-playerdemo-racer.demo'), 20, 120);
  expect(slice.length).toBeGreaterThan(20);
  expect(clip).toEqual(slice);
});
