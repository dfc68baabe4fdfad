import { describe, expect, it } from 'vitest';
import { DemoReader } from '../../../../src/recording/container/demo/demo-reader.ts';
import { packed } from '../../../support/demo-builder.ts';
import { run as runLine, runOn } from '../../../support/run.ts';
import { read } from '../../../support/samples.ts';

const recording = read('vanilla-dm1.demo');

/** The recording up to its last full snapshot, and the tick of this snapshot. */
function upToKeyframe(): { readonly bytes: Uint8Array; readonly tick: number } {
  let found = { bytes: recording, tick: -1 };
  for (const { kind, tick, dataOffset, start, end } of new DemoReader().feed(recording)) {
    if (kind === 'snapshot') found = { bytes: recording.subarray(0, dataOffset + end - start), tick };
  }
  return found;
}

async function decoded(bytes: Uint8Array, place: string) {
  const world = place.startsWith('@') ? { stdin: bytes } : { files: { 'a.demo': bytes } };
  const { stderr, ...rest } = await runLine(`decode ${place} -t json`, {}, world);
  return { ...rest, stderr: stderr.replaceAll('standard input', 'a.demo') };
}

it('a tick at the last keyframe, with no tick marker after it, is the same found by keyframe as from the beginning', async () => {
  const { bytes, tick } = upToKeyframe();
  const sought = await decoded(bytes, `a.demo@${tick}`);
  expect(sought.status).toBe(0);
  expect(sought).toEqual(await decoded(bytes, `@${tick}`));
});

it('a tick after the end is an error that names the last one', async () => {
  const { bytes, tick } = upToKeyframe();
  const { status, stderr } = await decoded(bytes, `a.demo@${tick + 1}`);
  expect([status, stderr]).toEqual([2, `tw-snap: a.demo: there is no tick ${tick + 1}: it ends at ${tick}\n`]);
});

describe('after damage', () => {
  const frames = Array.from(new DemoReader().feed(recording), (frame) => ({ ...frame })).filter(
    ({ kind }) => kind === 'snapshot' || kind === 'delta',
  );
  // Between two full snapshots, with room for the damage.
  const at = frames.findIndex(({ kind, start, end }, i) => i > 500 && kind === 'delta' && end - start > 12);
  const { tick, dataOffset } = frames[at]!;
  const before = frames[at - 1]!.tick;
  const after = frames[at + 1]!.tick;
  const keyframe = frames.slice(at).find(({ kind }) => kind === 'snapshot')!.tick;
  const damaged = recording.slice();
  // Five items are announced, and none follows.
  damaged.set(packed(Uint8Array.of(0, 0, 0, 0, 5, 0, 0, 0, 0, 0, 0, 0)), dataOffset);
  const why = /truncated_delta at (byte 0x|0x|bit )/;

  const run = runOn({ 'a.demo': damaged, 'sound.demo': recording });

  it('reports a snapshot that was rebuilt on damaged data, and exits 3', async () => {
    for (const line of [
      `decode a.demo@${after}`,
      `decode a.demo@${after} -t json`,
      `checksum a.demo@${after}`,
      `extract a.demo@${after} -t hex`,
      `diff a.demo@${after} sound.demo@${after}`,
      `diff sound.demo@${after} a.demo@${after} -t hex`,
      `report a.demo@${after}`,
    ]) {
      const { status, stdout, stderr } = await run(line);
      expect(stderr, line).toContain(`tw-snap: a.demo@${after}: may be wrong: truncated_delta at `);
      expect(stdout, line).not.toBe('');
      expect(status, line).toBe(3);
    }
  });

  it('has no delta for another base than that of the recording', async () => {
    const next = frames[at + 2]!.tick;
    for (const line of [
      `apply a.demo@${after} sound.demo@${next}`,
      `decode sound.demo@${next} --base a.demo@${after}`,
    ]) {
      const { status, stdout, stderr } = await run(line);
      expect([status, stdout], line).toEqual([3, '']);
      expect(stderr).toContain(`sound.demo@${next}: this delta has another base, the snapshot of tick ${after}`);
    }
    const right = await run(`apply sound.demo@${after} sound.demo@${next} -t json`);
    expect(JSON.parse(right.stdout).crc).toBe(
      Number((await run(`checksum sound.demo@${next}`)).stdout.trim().split(' ')[0]),
    );
  });

  it('names the tick shown in place of an unreadable one', async () => {
    const { status, stdout, stderr } = await run(`decode a.demo@${tick}`);
    expect([status, stdout]).toEqual([3, expect.stringContaining(`a.demo@${before}\n`)]);
    expect(stderr).toMatch(why);
    expect(stderr).toContain(`tw-snap: a.demo@${before}: may not hold at ${tick} any more: `);
  });

  it('reports nothing for ticks before the damage, and from the next full snapshot on', async () => {
    for (const sure of [before, keyframe, keyframe + 2]) {
      const { status, stdout, stderr } = await run(`checksum a.demo@${sure}`);
      expect([status, stderr], `${sure}`).toEqual([0, '']);
      expect(stdout).toBe((await run(`checksum sound.demo@${sure}`)).stdout.replaceAll('sound.demo', 'a.demo'));
    }
  });

  it('reports that the last readable tick may not be the last one', async () => {
    const { status, stderr } = await runLine('decode a.demo@last', { 'a.demo': recording.subarray(0, -5) });
    expect([status, stderr]).toEqual([3, expect.stringMatching(/: the last that can be read: truncated_chunk at 0x/)]);
  });
});
