import { expect, it } from 'vitest';
import { main } from '../../commands/index.ts';
import { DemoReader } from '../../src/container/demo.ts';
import { fakeIo } from '../support/fake-io.ts';
import { read } from '../support/samples.ts';

const recording = read('vanilla-dm1.demo');

/** The recording up to its last full snapshot, and the tick of that. */
function upToKeyframe(): { readonly bytes: Uint8Array; readonly tick: number } {
  let found = { bytes: recording, tick: -1 };
  for (const { kind, tick, dataOffset, start, end } of new DemoReader().feed(recording)) {
    if (kind === 'snapshot') found = { bytes: recording.subarray(0, dataOffset + end - start), tick };
  }
  return found;
}

async function decoded(bytes: Uint8Array, place: string) {
  const isPiped = place.startsWith('@');
  const io = fakeIo(isPiped ? { stdin: bytes } : { files: { 'a.demo': bytes } });
  const status = await main(['decode', place, '-t', 'json'], io);
  return { status, stdout: io.stdout.text, stderr: io.stderr.text.replaceAll('standard input', 'a.demo') };
}

it('a tick at the last keyframe, behind which no tick marker stands, is found by it as from the beginning', async () => {
  const { bytes, tick } = upToKeyframe();
  const sought = await decoded(bytes, `a.demo@${tick}`);
  expect(sought.status).toBe(0);
  expect(sought).toEqual(await decoded(bytes, `@${tick}`));
});

it('a tick behind the end names the last one', async () => {
  const { bytes, tick } = upToKeyframe();
  const { status, stderr } = await decoded(bytes, `a.demo@${tick + 1}`);
  expect([status, stderr]).toEqual([2, `tw-snap: a.demo: there is no tick ${tick + 1}: it ends at ${tick}\n`]);
});
