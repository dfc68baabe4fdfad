import { describe, expect, it } from 'vitest';
import { main } from '../../commands/index.ts';
import { fakeIo } from '../support/fake-io.ts';
import { runOn, runWriting } from '../support/run.ts';
import { read } from '../support/samples.ts';

// Two 0.7 snapshots as JSON: one pickup is removed, one moves, a character turns and switches to the gun, an explosion
// is added.
const character = (over: Record<number, number>) => Array.from({ length: 22 }, (_, i) => over[i] ?? 0);
const json = (items: readonly object[]) => JSON.stringify({ kind: 'snapshot', protocol: '0.7', items });
const old = json([
  { type: 4, id: 1, data: [32, 64, 0] },
  { type: 4, id: 2, data: [32, 64, 1] },
  { type: 10, id: 0, data: character({ 0: 100, 1: 784, 7: 1, 15: 10 }) },
]);
const now = json([
  { type: 4, id: 2, data: [64, 64, 1] },
  { type: 10, id: 0, data: character({ 0: 102, 1: 790, 7: 2, 15: 4, 18: 1 }) },
  { type: 17, id: 0, data: [5, 6] },
]);

const demo = read('vanilla-dm1.demo');
const run = runOn({ 'old.json': old, 'now.json': now });

describe('diff', () => {
  it('lists what is removed, added and changed, field by field', async () => {
    const { stdout, status } = await run('diff old.json now.json');
    expect(status).toBe(1);
    expect(stdout).toContain('1 removed, 1 added, 2 changed, 0 as before');
    expect(stdout).toMatch(/x +784 → 790 +\+6 +\+0\.19 tiles/);
    expect(stdout).toMatch(/jumped +1 → 2 +\+1 +\+air_jump -jump/);
    expect(stdout).toMatch(/weapon +0 → 1 +\+1 +hammer → gun/);
    expect(stdout).toMatch(/^\+ event_explosion 0 +x=5 y=6$/m);
    expect(stdout).toMatch(/^- obj_pickup 1 +x=32 y=64 type=0 \(health\)$/m);
    expect(stdout).toContain('health 10 → 4 (hit)');
    for (const line of stdout.split('\n')) expect(line.length).toBeLessThanOrEqual(100);
  });

  it('exits 0 where nothing selected differs, else 1', async () => {
    expect((await run('diff old.json old.json')).status).toBe(0);
    expect((await run('diff old.json now.json --type laser')).status).toBe(0);
    expect((await run('diff old.json now.json --type pickup --id 2 --ignore x')).status).toBe(0);
    expect((await run('diff old.json now.json --type pickup --id 2 --ignore y')).status).toBe(1);
  });

  it('refuses a field to ignore that no item has', async () => {
    const { status, stderr } = await run('diff old.json now.json --ignore x,tik');
    expect([status, stderr]).toEqual([2, "tw-snap: no field 'tik' (--ignore); did you mean tick?\n"]);
  });

  it.each(['@9000 @9100', '- @9100', '@9000 -'])('reads standard input once: %s', async (moments) => {
    const { status, stderr } = await runWriting(`diff ${moments}`, {}, { stdin: demo });
    expect([status, stderr.split('\n').at(-2)]).toEqual([2, 'tw-snap: standard input can be read only once']);
  });

  it('takes a moment of standard input', async () => {
    const { status, stdout } = await runWriting('diff @9000 m.demo@9100', { 'm.demo': demo }, { stdin: demo });
    expect([status, stdout]).toEqual([1, expect.stringMatching(/^standard input@9000 → m\.demo@9100 /)]);
    const dashed = await runWriting('diff -@9000 m.demo@9100', { 'm.demo': demo }, { stdin: demo });
    expect([dashed.status, dashed.stdout]).toEqual([1, stdout]);
  });

  it('quotes an empty path, as of a variable that is not set', async () => {
    const { status, stderr } = await run("diff '' now.json");
    expect([status, stderr]).toEqual([3, "tw-snap: '': can't be read: no such file\n"]);
  });

  it('creates the delta, and apply accepts the delta', async () => {
    const io = fakeIo({ files: { 'old.json': old, 'now.json': now } });
    for (const encoding of ['huffman', 'packed', 'ints', 'hex']) {
      expect(await main(['diff', 'old.json', 'now.json', '-t', encoding, '-o', `d.${encoding}`], io)).toBe(1);
      expect(await main(['apply', 'old.json', `d.${encoding}`, '-t', 'json', '-o', `r.${encoding}`], io)).toBe(0);
      const { items } = JSON.parse(new TextDecoder().decode(io.files.get(`r.${encoding}`)));
      expect(
        items.map(({ type, id, data }: { type: number; id: number; data: number[] }) => ({ type, id, data })),
      ).toEqual(JSON.parse(now).items);
    }
    // [removed 1, updates 3, 0, key of pickup 1, …] by hand.
    expect([...io.files.get('d.ints')!.subarray(0, 16)]).toEqual([1, 0, 0, 0, 3, 0, 0, 0, 0, 0, 0, 0, 1, 0, 4, 0]);
  });

  it('reports items that are only in another order', async () => {
    const [first, second] = JSON.parse(old).items;
    const io = fakeIo({ files: { 'a.json': json([first, second]), 'b.json': json([second, first]) } });
    expect(await main(['diff', 'a.json', 'b.json'], io)).toBe(1);
    expect(io.stdout.text).toContain('in another order');
  });

  it('does not write bytes to a terminal', async () => {
    const io = fakeIo({ files: { 'old.json': old, 'now.json': now }, terminal: true });
    expect(await main(['diff', 'old.json', 'now.json', '-t', 'huffman'], io)).toBe(2);
    expect(io.stderr.text).toContain('-o');
  });
});

describe('apply', () => {
  it('compares the result with --expect', async () => {
    const io = fakeIo({ files: { 'old.json': old, 'now.json': now } });
    await main(['diff', 'old.json', 'now.json', '-t', 'packed', '-o', 'd'], io);
    // 64+64+1 + 102+790+2+4+1 + 5+6 = 1039
    expect(await main(['apply', 'old.json', 'd', '--expect', '1039'], io)).toBe(0);
    expect(await main(['apply', 'old.json', 'd', '--expect', '1040'], io)).toBe(1);
    expect(io.stderr.text).toContain('the checksum is 1039; expected 1040');
  });

  it('refuses a delta of another base, and a snapshot in place of a delta', async () => {
    const race = JSON.stringify({
      kind: 'delta',
      protocol: '0.7',
      removed: [],
      items: [{ type: 23, id: 0, data: [1, 2] }],
    });
    const io = fakeIo({
      files: { 'base.json': json([{ type: 23, id: 0, data: [1] }]), 'd.json': race, 'now.json': now },
    });
    expect(await main(['apply', 'base.json', 'd.json'], io)).toBe(3);
    expect(io.stderr.text).toContain('size_differs');
    expect(await main(['apply', 'base.json', 'now.json'], io)).toBe(3);
    expect(io.stderr.text).toContain('expected a delta');
    expect(io.stdout.text).toBe('');
  });
});

describe('checksum', () => {
  it('prints a line a file', async () => {
    const io = fakeIo({ files: { 'old.json': old, 'now.json': now } });
    expect(await main(['checksum', 'old.json', 'now.json', '-o', 'list'], io)).toBe(0);
    // 32+64+0 + 32+64+1 + 100+784+1+10 = 1088
    expect(new TextDecoder().decode(io.files.get('list'))).toBe('       1088  old.json\n       1039  now.json\n');
    await main(['checksum', 'now.json', '-t', 'ndjson'], io);
    expect(io.stdout.text).toContain(
      '{"record":"snapshot","file":"now.json","kind":"snapshot","items":3,"crc":1039}\n',
    );
  });

  it('continues after a file that cannot be read', async () => {
    const io = fakeIo({ files: { 'now.json': now } });
    expect(await main(['checksum', 'missing', 'now.json'], io)).toBe(3);
    expect(io.stdout.text).toBe('       1039  now.json\n');
    expect(io.stderr.text).toContain("missing: can't be read: no such file");
  });
});

it('says the same of a difference that wraps as its rows', async () => {
  // A character whose x is the largest int, and in the other snapshot the smallest: a delta has 1.
  const files = Object.fromEntries(
    [0x7fffffff, -0x80000000].map((x, i) => {
      const character = [0, x, 320, ...new Array(19).fill(0)];
      return [i === 0 ? 'old' : 'now', new Uint8Array(Int32Array.of(92, 1, 0, (9 << 16) | 1, ...character).buffer)];
    }),
  );
  const { stdout } = await runOn(files)('diff old now -p 0.6');
  expect(stdout).toContain('moved 0.03 right');
  expect(stdout).toMatch(/x {3}2147483647 → -2147483648 {3}\+1 {3}\+0\.03 tiles/);
});
