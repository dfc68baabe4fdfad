import { describe, expect, it } from 'vitest';
import { DemoReader } from '../../../src/recording/container/demo/demo-reader.ts';
import { linesOf, run } from '../../support/run.ts';
import { read } from '../../support/samples.ts';

const demo = read('vanilla-dm1.demo');

/** The lines of one demo, by their label. */
async function rowsOf(bytes: Uint8Array) {
  const { status, stdout } = await run('info a.demo', { 'a.demo': bytes });
  const [head, ...lines] = linesOf(stdout);
  const row = (label: string) => lines.find((line) => line.startsWith(`  ${label}`))?.slice(16);
  return { status, head, lines, row };
}

function dataOf(bytes: Uint8Array) {
  const found: { kind: string; dataOffset: number; start: number; end: number; number: number }[] = [];
  for (const { kind, dataOffset, start, end } of new DemoReader().feed(bytes)) {
    if (kind === 'snapshot' || kind === 'delta') found.push({ kind, dataOffset, start, end, number: found.length });
  }
  return found;
}

const changed = (...changes: readonly (readonly [at: number, ...bytes: number[]])[]) => {
  const bytes = demo.slice();
  for (const [at, ...values] of changes) bytes.set(values, at);
  return bytes;
};

// docs/formats/demos.md: map_crc at 140, type at 144, length at 152, timestamp at 156, markers after 176; the map
// begins at 436.
const headerBytes = 176 + 4 + 4 * 64;

describe('info of a damaged demo', () => {
  it('reports where the demo is cut', async () => {
    const cut = await rowsOf(demo.slice(0, -3));
    expect([cut.status, cut.head]).toEqual([3, expect.stringMatching(/, damaged: cut at 0x[0-9a-f]+$/)]);
    const inMap = await rowsOf(demo.slice(0, 5000));
    expect(inMap.head).toMatch(/cut at/);
    expect(inMap.row('time')).toBe('no ticks');
    expect(inMap.row('map')).toContain(`${(5000 - headerBytes).toLocaleString('en')} bytes, crc 64548818 ✗ found`);
  });

  it('reports the first three places of the damage', async () => {
    const single = await rowsOf(changed([20_000, ...new Array(200).fill(0xff)]));
    expect([single.status, single.head]).toEqual([3, expect.stringMatching(/damaged at 0x[0-9a-f]+(, 0x[0-9a-f]+)*/)]);
    const all = changed();
    // The contents of every 20th delta are replaced; the chunk headers remain.
    for (const { kind, dataOffset, start, end, number } of dataOf(demo)) {
      if (kind === 'delta' && number % 20 === 0) all.fill(0xff, dataOffset, dataOffset + end - start);
    }
    const { head, lines } = await rowsOf(all);
    expect(head).toMatch(/damaged at 0x\w+, 0x\w+, 0x\w+ and \d+ more places, see tw-snap explain$/);
    expect(lines.filter((line) => /^ {2}[✗!] /.test(line))).toHaveLength(20);
    expect(lines.at(-1)).toMatch(/^ {4}… [\d,]+ more findings$/);
  });

  it('says that there is one more place', async () => {
    const all = changed();
    const deltas = dataOf(demo).filter(({ kind }) => kind === 'delta');
    for (const i of [100, 400, 700, 1000]) {
      const { dataOffset, start, end } = deltas[i]!;
      all.fill(0xff, dataOffset, dataOffset + end - start);
    }
    expect((await rowsOf(all)).head).toMatch(/damaged at 0x\w+, 0x\w+, 0x\w+ and 1 more place, see tw-snap explain$/);
  });

  it('reports a demo without its header as damaged', async () => {
    const { status, head, lines } = await rowsOf(demo.slice(0, 100));
    expect([status, head]).toEqual([3, 'a.demo   demo, 100 bytes, damaged']);
    expect(lines.some((line) => line.includes('✗ truncated_header'))).toBe(true);
    const table = await run('info a.demo b.demo', { 'a.demo': demo.slice(0, 100), 'b.demo': demo });
    expect(table.stdout.split('\n')[1]).toMatch(/^a\.demo +damaged .* 0:00\.00 +0$/);
  });

  it('shows the values of the header, and reports the wrong ones', async () => {
    const unusual = await rowsOf(changed([140, 0, 0, 0, 1], [144, 0], [152, 0, 0, 0, 9], [156, 0x3f, 0]));
    expect(unusual.head).toContain('unknown demo, version 4');
    expect(unusual.row('map')).toContain('crc 00000001 ✗ found 64548818');
    expect(unusual.row('time')).toContain('header says 9 s !');
    expect(unusual.row('recorded')).toMatch(/^\? by a 0\.7/);
    const silent = await rowsOf(changed([152, 0, 0, 0, 0], [156, 0]));
    expect(silent.row('time')).toMatch(/header says nothing$/);
    expect(silent.row('recorded')).toMatch(/^at an unknown time by/);
  });

  it('names markers by tick and time', async () => {
    // 9398 is 500 ticks after the first one, 8898.
    const { row } = await rowsOf(changed([176, 0, 0, 0, 1, 0, 0, 0x24, 0xb6]));
    expect(row('markers')).toBe('9398 (0:10.00)');
  });

  it('accepts a demo without a map', async () => {
    const bytes = Uint8Array.from([...demo.subarray(0, headerBytes), ...demo.subarray(headerBytes + 6793)]);
    bytes.set([0, 0, 0, 0], 136);
    const { status, row } = await rowsOf(bytes);
    expect([status, row('map')]).toEqual([0, 'dm1, not in the file, crc 64548818']);
  });
});
