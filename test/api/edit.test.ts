import { describe, expect, it } from 'vitest';
import { DemoRecorder, edited, joined, Rename, repaired, sliced, writeDemo } from '../../src/api/edit.ts';
import { DecodeError, readDemo } from '../../src/api/index.ts';
import { runWriting } from '../support/run.ts';
import { read } from '../support/samples.ts';

const demo = read('vanilla-dm1.demo');
const files = { a: demo };
/** Everything after the header, whose times and lengths the commands correct. */
const chunksOf = (file: Uint8Array) => Buffer.from(file.subarray(176 + 6793));

describe('edits as functions from records to records', () => {
  it('change names as edit --rename does', async () => {
    const { bytes } = await runWriting('edit a --rename stress2=rival -o -', files);
    const renamed = edited(readDemo(demo), new Rename(new Map([['stress2', 'rival']])));
    expect(chunksOf(writeDemo(renamed)).equals(chunksOf(bytes))).toBe(true);
  });

  it('cut as slice does', async () => {
    const { bytes } = await runWriting('slice a --ticks 9000..9500 -o -', files);
    expect(chunksOf(writeDemo(sliced(readDemo(demo), { from: 9000, to: 9500 }))).equals(chunksOf(bytes))).toBe(true);
  });

  it('join as concat does', async () => {
    const { bytes } = await runWriting('concat a a -o -', files);
    expect(chunksOf(writeDemo(joined(readDemo(demo), readDemo(demo)))).equals(chunksOf(bytes))).toBe(true);
  });

  it('leave a demo without damage as it is', () => {
    expect(chunksOf(writeDemo(repaired(readDemo(demo)))).equals(chunksOf(demo))).toBe(true);
  });
});

describe('what no demo can be made of is a DecodeError', () => {
  const thrown = (make: () => unknown): unknown => {
    try {
      return make();
    } catch (error) {
      return error instanceof DecodeError ? error.code : error;
    }
  };
  const changed = (at: number, byte: number) => demo.map((value, i) => (i === at ? byte : value));

  it('a header that cannot be read, with its code', () => {
    expect(thrown(() => writeDemo(edited(readDemo(changed(7, 2)))))).toBe('demo_version');
    expect(thrown(() => writeDemo(repaired(readDemo(demo.subarray(0, 100)))))).toBe('truncated_header');
    expect(thrown(() => writeDemo([]))).toBe('not_a_demo');
  });

  it('a damaged demo without a snapshot, as repair refuses it', async () => {
    const cut = demo.subarray(0, 176 + 260 + 100);
    expect((await runWriting('repair a -o -', { a: cut })).status).toBe(3);
    expect(thrown(() => writeDemo(repaired(readDemo(cut))))).toBe('no_snapshot_before');
  });
});

it('the header of a written demo has the size of the map that is in it', () => {
  const cut = edited([...readDemo(demo)].filter(({ record }) => record !== 'map'));
  const [header] = [...readDemo(writeDemo(cut))];
  expect(header).toMatchObject({ record: 'header', header: { mapSize: 0 } });
});

describe('a DemoRecorder that is told a wrong length', () => {
  const recorder = new DemoRecorder();
  const withoutLength = [...readDemo(demo)].map((entry) =>
    entry.record === 'header' ? { ...entry, header: { ...entry.header, length: 0 } } : entry,
  );

  it('writes its own, 57 seconds as the sample has, if the bytes are taken at the end', () => {
    for (const entry of withoutLength) recorder.add(entry);
    recorder.finish();
    const [header] = readDemo(recorder.flush());
    expect(header).toMatchObject({ header: { length: 57 } });
  });

  it('has the bytes to be written over the header of a demo that was taken piece by piece', () => {
    const pieces: Uint8Array[] = [];
    const piecewise = new DemoRecorder();
    for (const entry of withoutLength) {
      piecewise.add(entry);
      pieces.push(piecewise.flush());
    }
    piecewise.finish();
    const bytes = Buffer.concat([...pieces, piecewise.flush()]);
    expect([...readDemo(bytes)][0]).toMatchObject({ header: { length: 0 } });
    bytes.set(piecewise.finalHeader());
    expect([...readDemo(bytes)][0]).toMatchObject({ header: { length: 57 } });
  });
});
