import { describe, expect, it } from 'vitest';
import { DemoWriter } from '../../../src/recording/container/demo/demo-writer.ts';
import { demoFile } from '../../support/demo-builder.ts';
import { snapshotOf } from '../../support/readers.ts';
import { linesOf, run, runWriting } from '../../support/run.ts';
import { read } from '../../support/samples.ts';

// 57.68 s: ticks 8898 to 11782.
const demo = read('vanilla-dm1.demo');

/** The demo with other ints in its header: the length is at 152, the number of markers at 176, these after it. */
function withInts(...ints: readonly (readonly [offset: number, value: number])[]): Uint8Array {
  const changed = demo.slice();
  for (const [offset, value] of ints) new DataView(changed.buffer).setInt32(offset, value);
  return changed;
}

const found = async (file: Uint8Array) => {
  const { stdout, status } = await run('info file -t json', { file });
  return { status, ...JSON.parse(stdout)[0] };
};

const codesOf = async (file: Uint8Array) =>
  (await found(file)).diagnostics.map(({ code, offset }: { code: string; offset: number }) => [code, offset]);

describe('info of a demo', () => {
  it.each([57, 58, 59, 0])('takes a length of %i s for that of its ticks', async (length) => {
    expect(await codesOf(withInts([152, length]))).toEqual([]);
  });

  it.each([54, 61, 20_000])('says that a length of %i s is another one than that of its ticks', async (length) => {
    const changed = withInts([152, length]);
    expect(await codesOf(changed)).toEqual([['other_length', 152]]);
    expect(await found(changed)).toMatchObject({ status: 0, health: 'healthy' });
    const { stdout } = await run('info file', { file: changed });
    expect(stdout).toContain(`a length of ${length.toLocaleString('en')} seconds; the ticks take 57 seconds`);
    expect(stdout).toContain(`header says ${length} s !`);
  });

  it('counts an item without registration that no delta has again', async () => {
    const writer = new DemoWriter(4);
    const chunk = (kind: 'snapshot' | 'delta', ...ints: number[]) =>
      writer.chunk(kind, writer.encode(Int32Array.from(ints)));
    const [known, local] = [60 << 16, 0x7ffc << 16];
    writer.map(demo.subarray(0, 436 + 6793));
    writer.tick(10, true);
    chunk('snapshot', 16, 2, 0, 8, known, 1, local, 5);
    for (const tick of [12, 14, 16]) {
      writer.tick(tick, false);
      chunk('delta', 0, 1, 0, 60, 0, 1, 1);
    }
    expect(await found(writer.flush().slice())).toMatchObject({ snapshots: 4, findings: 1 });
  });

  it('says nothing of the length of a demo that is cut', async () => {
    expect(await codesOf(demo.slice(0, demo.length / 2))).not.toContainEqual(['other_length', 152]);
  });

  it('names markers outside of it, and those that are there twice', async () => {
    const markers = [8897, 9000, 9000, 11_783, 8898, 11_782];
    const changed = withInts([176, markers.length], ...markers.map((tick, i) => [180 + 4 * i, tick] as const));
    expect(await codesOf(changed)).toEqual([
      ['marker_outside', 180],
      ['marker_twice', 188],
      ['marker_outside', 192],
    ]);
  });
});

describe('info of a demo of few keyframes', () => {
  const made = (...ticks: readonly number[]) => {
    const writer = new DemoWriter(4);
    const snapshot = writer.encode(snapshotOf([9, 0, ...Array.from({ length: 22 }, () => 0)]).toInts()).slice();
    const length = (ticks.at(-1)! - ticks[0]!) / 50;
    writer.header({
      ...{ version: 4, netVersion: '0.6 626fce9a778df4d4', mapName: 'dm1', type: 'client', timestamp: '' },
      ...{ mapSize: 0, mapCrc: 0, length, markers: [] },
    });
    return demoFile(
      writer.flush().slice(),
      ticks.map((tick) => ({ tick, snapshot, messages: [] })),
    );
  };
  const seeking = async (file: Uint8Array) => {
    const { stdout } = await run('info file', { file });
    return linesOf(stdout).find((line) => line.trim().startsWith('seeking'));
  };

  it('says how far they are apart, if that is more than the games leave', async () => {
    const far = made(100, 350, 1350, 1600);
    expect(await seeking(far)).toContain('keyframes up to 0:20.00 apart');
    expect(await found(far)).toMatchObject({ keyframes: 4, longest_replay: 1000 });
    expect(await seeking(made(100, 350, 600))).toBeUndefined();
    expect(await seeking(demo)).toBeUndefined();
  });

  it('says that there is only one', async () => {
    const { files } = await runWriting('slice match.demo --ticks 8898..9100 -o cut.demo', { 'match.demo': demo });
    expect(await seeking(files.get('cut.demo')!)).toContain('1 keyframe: each jump replays from the beginning');
  });
});
