import { describe, expect, it } from 'vitest';
import { composed, DemoRecorder, edited, joined, Rename, repaired, sliced, writeDemo } from '../../src/api/edit.ts';
import { DecodeError, readDemo } from '../../src/api/index.ts';
import { writeMessage } from '../../src/api/live.ts';
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

describe('composed', () => {
  const recorded = [...readDemo(demo)];
  const snapshots = recorded.flatMap((entry) => (entry.record === 'snapshot' && entry.snapshot ? [entry] : []));
  const ticks = snapshots.map(({ tick, snapshot }) => ({ tick, snapshot: snapshot! }));
  const sums = (file: Uint8Array) =>
    [...readDemo(file)].flatMap((e) => (e.record === 'snapshot' ? [[e.tick, e.kind, e.snapshot?.checksum()]] : []));

  it('makes a demo of snapshots, with the map and messages, which both games play', async () => {
    const file = Buffer.concat(recorded.flatMap((entry) => (entry.record === 'map' ? [entry.piece] : [])));
    const said = writeMessage('0.7', 'sv_chat', { mode: 1, client_id: 0, target_id: -1, message: 'made' });
    const withText = ticks.map((one, i) => ({ ...one, messages: i === 3 ? [said] : [] }));
    const made = writeDemo(composed('0.7', { map: { name: 'dm1', file }, timestamp: '2026-11-20_11-08-13' }, withText));

    expect(sums(made).map(([tick, , sum]) => [tick, sum])).toEqual(sums(demo).map(([tick, , sum]) => [tick, sum]));
    const full = sums(made).filter(([, kind]) => kind === 'snapshot');
    expect(full.length).toBe(sums(demo).filter(([, kind]) => kind === 'snapshot').length);

    const { stdout } = await runWriting('info made -t json', { made });
    const [info] = JSON.parse(stdout);
    expect(info).toMatchObject({ health: 'healthy', version: 4, length: 57, map: { name: 'dm1', ok: true } });
    expect(info.plays.map(({ play }: { play: string }) => play)).toEqual(['plays', 'plays']);
    expect((await runWriting('dump made --events --type chat', { made })).stdout).toContain('corpus: made');
  });

  it('takes the checksums of a map that is not at hand', async () => {
    const map = { name: 'dm1', crc: 0x64548818, sha256: 'ab'.repeat(32) };
    const header = (version: '0.6' | '0.7') =>
      [...readDemo(writeDemo(composed(version, { map }, ticks.slice(0, 2))))].find(({ record }) => record === 'header');
    expect(header('0.6')).toMatchObject({ header: { version: 6, mapSize: 0, mapCrc: map.crc, sha256: map.sha256 } });
    expect(header('0.7')).toMatchObject({ header: { version: 4, mapSize: 0, mapCrc: map.crc } });
  });

  it('refuses ticks that go back', () => {
    const back = composed('0.7', { map: { name: 'dm1', crc: 1 } }, [ticks[1]!, ticks[0]!]);
    expect(() => writeDemo(back)).toThrow(RangeError);
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
