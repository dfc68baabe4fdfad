import { readFileSync } from 'node:fs';
import process from 'node:process';
import { describe, expect, it } from 'vitest';
import { type DemoChunk, demoChunks } from '../support/demo-chunks.ts';
import { run } from '../support/run.ts';
import { read } from '../support/samples.ts';
import { seeded } from '../support/seeded.ts';

const demo = read('vanilla-dm1.demo');

const commands = [
  'info FILE',
  'checksum FILE',
  'checksum FILE --summary',
  'checksum FILE --messages',
  'stats FILE',
  'dump FILE -t ndjson',
  'report FILE',
  'export FILE --tables kills -t csv',
];
const statusOf = async (line: string, name: string, bytes: Uint8Array) =>
  (await run(line.replace('FILE', name), { [name]: bytes }, { hasNoProgram: true })).status;

describe('a demo with damage inside a message', () => {
  const [, { payload }] = demoChunks(demo).chunks.filter(({ kind }) => kind === 'message') as [DemoChunk, DemoChunk];
  const at = payload.byteOffset - demo.byteOffset + 82;
  // The stream still ends where the chunk does, but its last int needs another byte.
  const bytes = demo.with(at, demo[at]! ^ 1);

  it.each([...commands.filter((line) => !line.startsWith('checksum')), 'checksum FILE --messages', 'explain FILE'])(
    'exits 3: %s',
    async (line) => expect(await statusOf(line, 'a.demo', bytes)).toBe(3),
  );

  it.each([
    ['--summary', /; messages not read; no checksum confirms it$/m],
    ['--summary -t json', /"messages":null/],
    ['-t junit', /; messages not read; no checksum confirms it<\/system-out>/],
  ])('is not found by checksum %s, which says that messages were not read', async (line, note) => {
    const { status, stdout } = await run(`checksum a.demo ${line}`, { 'a.demo': bytes });
    expect(status).toBe(0);
    expect(stdout).toMatch(note);
  });

  it('is found by checksum --messages, which counts the messages', async () => {
    const { stdout } = await run('checksum a.demo --messages --summary -t json', { 'a.demo': demo });
    expect(JSON.parse(stdout)[0].messages).toBe(40);
  });
});

/** Foreign bytes: those of a seeded generator, and of a program without its signature. */
const foreign = {
  'random.bin': Uint8Array.from({ length: 2000 }, seeded(5)),
  'program.bin': new Uint8Array(readFileSync(process.execPath).subarray(5000, 45_000)),
};

describe.each(Object.entries(foreign))('%s', (name, bytes) => {
  it.each(['decode', 'checksum', 'report'])('%s says that no reading is plausible', async (command) => {
    const { status, stdout, stderr } = await run(`${command} ${name}`, { [name]: bytes }, { hasNoProgram: true });
    expect([status, stdout]).toEqual([3, '']);
    expect(stderr).toMatch(`tw-snap: ${name}: unrecognised at 0x0000: no reading is plausible`);
  });

  it('explain takes it neither for a delta nor for a snapshot', async () => {
    const { status, stderr } = await run(`explain ${name}`, { [name]: bytes });
    expect(status).toBe(3);
    expect(stderr).toMatch(`tw-snap: ${name}: this is not a demo, capture or log; `);
  });
});
