import { describe, expect, it } from 'vitest';
import { writeDemo } from '../../../src/editing/write-demo.ts';
import { DemoReplay } from '../../../src/recording/demo/demo-replay.ts';
import type { RecordingEntry } from '../../../src/recording/replay/record.ts';
import { protocolOf } from '../../../src/wire/protocol/registry.ts';
import { intsOfUuid } from '../../../src/wire/protocol/texts.ts';
import { readSchema } from '../../../src/wire/schema/read-schema.ts';
import { SnapshotBuilder } from '../../../src/wire/snapshot/builder.ts';
import { runWriting } from '../../support/run.ts';
import { read } from '../../support/samples.ts';

/** The declaration of a server's item, without and with a further field. */
const schemaOf = (more: object) =>
  JSON.stringify({
    items: [{ name: 'boat', uuid_name: 'boat@boats.example', fields: { x: 'int', y: 'int', ...more } }],
    messages: [],
  });
const [old, now] = [schemaOf({}), schemaOf({ heading: { absent: 0, of: 'int' } })];

/** A server's demo of 200 snapshots with three boats, whose heading changes in every one. */
function serverDemo(declared: string): Uint8Array {
  const protocol = protocolOf('0.6', readSchema(declared));
  const { uuid, size } = protocol.byName('boat')!;
  const [header, map] = [...new DemoReplay().feed(read('ddnet-race-player.demo'))] as RecordingEntry[];
  if (header?.record !== 'header') throw new Error('no header');
  const records: RecordingEntry[] = [header];
  if (map?.record === 'map') records.push(map);
  for (let tick = 100; tick < 500; tick += 2) {
    const builder = new SnapshotBuilder().add(0, 0x7fff, intsOfUuid(uuid!));
    for (let id = 0; id < 3; id++) builder.add(0x7fff, id, [100 * id + tick, 200, 1000 + 37 * tick].slice(0, size));
    records.push({ record: 'tick', tick, keyframe: tick === 100 } as RecordingEntry);
    records.push({
      record: 'snapshot',
      tick,
      kind: 'snapshot',
      snapshot: builder.build(),
      verdict: 'unchecked',
    } as unknown as RecordingEntry);
  }
  return writeDemo(
    records.map((record) =>
      record.record === 'snapshot' && record.tick > 100 ? { ...record, kind: 'delta' as const } : record,
    ) as RecordingEntry[],
  );
}

const files = { 'old.py': old, 'new.py': now, 'before.demo': serverDemo(old), 'after.demo': serverDemo(now) };
const run = (line: string, more = {}, world = {}) => runWriting(`stats ${line}`, { ...files, ...more }, world);

const saved = async (line = 'before.demo --schema old.py') => {
  const { status, files: written, stderr } = await run(`${line} --save budget.json`);
  expect([status, stderr]).toEqual([0, '']);
  return Buffer.from(written.get('budget.json')!).toString();
};

describe('a budget', () => {
  it('has bytes per snapshot of each item and field, which add up to those of stats', async () => {
    const budget = JSON.parse(await saved());
    const [stats] = JSON.parse((await run('before.demo --schema old.py -t json')).stdout);
    const snapshots = stats.snapshots.full + stats.snapshots.deltas;
    expect(snapshots).toBe(200);
    const boat = stats.items.find(({ name }: { name: string }) => name === 'boat');
    expect(budget.items.boat.bytes).toBeCloseTo(boat.bits / 8 / snapshots, 3);
    expect(Object.keys(budget.items.boat.fields)).toEqual(['_key', 'x', 'y']);
    const sum = Object.values<number>(budget.items.boat.fields).reduce((a, b) => a + b);
    expect(sum).toBeCloseTo(budget.items.boat.bytes, 2);
    expect(budget.tolerance).toEqual({ percent: 10, bytes: 0.1 });
    // 3 boats of 2 ints, the registration of 4, each with a key and an offset, and the head of 2.
    expect(budget.largest_snapshot).toMatchObject({ items: 4, bytes: 4 * (2 + 4 + 4 + 3 * 2 + 4), parts: 1 });
    expect(Object.keys(budget.around)).not.toContain('map');
  });

  it('is kept by the recording that it is of, with any tolerance', async () => {
    const budget = JSON.stringify({ ...JSON.parse(await saved()), tolerance: { percent: 0, bytes: 0 } });
    const { status, stdout, stderr } = await run('before.demo --schema old.py --budget b.json', { 'b.json': budget });
    expect([status, stderr]).toEqual([0, '']);
    expect(stdout).toContain('within the budget of b.json');
  });

  it('names the field that was added to an item', async () => {
    const budget = await saved();
    const { status, stdout } = await run('after.demo --schema new.py --budget b.json', { 'b.json': budget });
    expect(status).toBe(1);
    const rows = stdout.split('\n').filter((line) => /^ {2}boat/.test(line));
    expect(rows[0]).toMatch(/^ {2}boat\.heading +0\.00 +0\.10 +\d+\.\d\d +new$/);
    expect(rows[1]).toMatch(/^ {2}boat +\d+\.\d\d +\d+\.\d\d +\d+\.\d\d +\+\d+\.\d%$/);
    // Each of three boats has a varint of at least a byte more in 199 of 200 snapshots, with at most 10 bits for a
    // byte.
    const [, grown] = /heading +\S+ +\S+ +(\S+)/.exec(stdout)!;
    expect(Number(grown)).toBeGreaterThan(1);
    expect(Number(grown)).toBeLessThan(8);
  });

  it('names it as the rest of the item without its new declaration', async () => {
    const { status, stdout } = await run('after.demo --schema old.py --budget b.json', { 'b.json': await saved() });
    expect(status).toBe(1);
    expect(stdout).toMatch(/^ {2}boat\._rest .* new$/m);
  });

  it('is a failure in JUnit, an annotation, and a key in JSON', async () => {
    const more = { 'b.json': await saved() };
    const line = 'after.demo before.demo --schema new.py --budget b.json';
    const junit = await run(`${line} -t junit --annotations github`, more);
    expect(junit.status).toBe(1);
    expect(junit.stdout).toContain('tests="2" failures="1" errors="0"');
    expect(junit.stdout).toMatch(
      /<failure type="finding" message="boat\.heading: \d\.\d\d bytes per snapshot, 0\.00 in the budget, new">/,
    );
    expect(junit.stderr).toMatch(/^::error file=after.demo,title=tw-snap stats::after.demo: boat.heading: [^\n]*\n$/);
    const json = await run(`${line} -t json`, more);
    expect(json.status).toBe(1);
    const [after, before] = JSON.parse(json.stdout);
    expect(after.budget.grown[0]).toMatchObject({
      what: 'field',
      name: 'boat',
      field: 'heading',
      unit: 'bytes per snapshot',
      budget: 0,
      allowed: 0.1,
    });
    expect(before.budget).toEqual({ file: 'b.json', percent: 10, bytes: 0.1, grown: [] });
  });

  it('has the tolerance of its file, also after it is saved again', async () => {
    const wide = JSON.stringify({ ...JSON.parse(await saved()), tolerance: { percent: 900, bytes: 9 } });
    expect((await run('after.demo --schema new.py --budget b.json', { 'b.json': wide })).status).toBe(0);
    const { files: written } = await run('after.demo --schema new.py --save b.json', { 'b.json': wide });
    expect(JSON.parse(Buffer.from(written.get('b.json')!).toString())).toMatchObject({
      tolerance: { percent: 900, bytes: 9 },
      items: { boat: { fields: { heading: expect.any(Number) } } },
    });
  });

  it('does not compare what its file leaves out', async () => {
    const { items, around, bytes_per_second, bytes_per_snapshot, largest_snapshot, ...rest } = JSON.parse(
      await saved(),
    );
    const status = async (budget: object) =>
      (await run('after.demo --schema new.py --budget b.json', { 'b.json': JSON.stringify(budget) })).status;
    expect(await status(rest)).toBe(0);
    expect(await status({ ...rest, bytes_per_second })).toBe(1);
    expect(await status({ ...rest, bytes_per_snapshot })).toBe(1);
    expect(await status({ ...rest, largest_snapshot })).toBe(1);
    expect(await status({ ...rest, items })).toBe(1);
    expect(await status({ ...rest, items: { ...items, boat: { bytes: 1000 } } })).toBe(0);
    expect(await status({ ...rest, around })).toBe(0);
  });

  it('is compared before damage is told: both are findings', async () => {
    const cut = files['after.demo'].slice(0, files['after.demo'].length - 1);
    const { status, stdout } = await run('after.demo --schema new.py --budget b.json -t junit', {
      'after.demo': cut,
      'b.json': await saved(),
    });
    expect(status).toBe(3);
    expect(stdout).toContain('errors="1"');
    expect(stdout).toContain('boat.heading');
  });
});

describe('is refused', () => {
  it.each([
    ['before.demo after.demo --save b.json', '--save is for a single recording'],
    ['before.demo --save b.json --budget b.json', '--save and --budget: compare first, then save'],
    ['before.demo -t junit', '-t junit reports what grew: with --budget'],
    ['before.demo --budget b.json -t csv', '--budget prints what grew: -t table, json, ndjson or junit'],
    ['before.demo --budget b.json --by field', '--budget prints what grew: --by has no effect'],
    ['before.demo --budget b.json --top 3', '--budget prints what grew: --top has no effect'],
  ])('%s', async (line, message) => {
    const { status, stdout, stderr } = await run(line, { 'b.json': await saved() });
    expect([status, stdout]).toEqual([2, '']);
    expect(stderr).toContain(message);
  });

  it.each([
    ['', /b\.json: .*(empty|JSON)/],
    ['[]', /b\.json: .*found a list, expected an object/],
    ['{"tolerance":{"percent":-1}}', /b\.json: .*tolerance\.percent: found -1, expected a number from 0/],
    ['{"tolerance":{},"item":{}}', /b\.json: .*found the key item, expected tolerance, bytes_per_second/],
    ['{"tolerance":{},"items":{"boat":{"bytes":"1"}}}', /b\.json: .*items\.boat\.bytes: found .*1/],
    ['{"tolerance":{},"items":{"boat":{"bytes":1,"fields":{"x":null}}}}', /items\.boat\.fields\.x: found null/],
  ])('the budget %s', async (text, message) => {
    const { status, stdout, stderr } = await run('before.demo --budget b.json', { 'b.json': text });
    expect([status, stdout]).toEqual([3, '']);
    expect(stderr).toMatch(message);
  });

  it('a budget that is missing, and a recording without snapshots', async () => {
    expect(await run('before.demo --budget none.json')).toMatchObject({ status: 3, stdout: '' });
    const head = { 'head.demo': read('vanilla-dm1.demo').slice(0, 7000) };
    const { status, stderr } = await run('head.demo --save b.json', head);
    expect(status).toBe(3);
    expect(stderr).toContain('it has no snapshots to compare with a budget');
  });

  it('the names of a budget are those of any mod', async () => {
    const text =
      '{"tolerance":{"percent":1},"items":{"__proto__":{"bytes":1},"constructor":{"bytes":2}},"around":{"__proto__":3}}';
    expect((await run('before.demo --schema old.py --budget b.json', { 'b.json': text })).status).toBe(1);
  });
});
