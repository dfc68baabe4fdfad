import { describe, expect, it } from 'vitest';
import { DemoWriter } from '../../../../src/recording/container/demo/demo-writer.ts';
import { demoFile, packed } from '../../../support/demo-builder.ts';
import { many, runDivided } from '../../../support/divided.ts';
import { read } from '../../../support/samples.ts';

const lines = [
  'dump -t ndjson',
  'dump -t ndjson --changes',
  'dump -t csv --type obj_character',
  'dump -t csv --type sv_chat',
  'dump -t ndjson --type ddnet_laser',
  'checksum',
  'checksum --list',
  'checksum -t ndjson',
  'checksum --summary -t json',
  'checksum -t junit',
  'info',
  'info -t json --strict',
  'info -t csv',
  'stats',
  'stats --by second -t csv',
  'stats --by player -t ndjson',
  'stats --by field -t csv --type obj_character,sv_chat',
];

describe('a demo that is divided among threads', () => {
  it.each(lines)('prints what one thread prints: %s', async (line) => {
    const demo = read('vanilla-dm1.demo');
    const divided = await runDivided(demo, line, many);
    // 12 keyframes, and the header before the first.
    expect(divided.parts).toBe(13);
    expect(divided.printed).toEqual((await runDivided(demo, line, 1)).printed);
  });

  it.each([...lines, 'stats -t json', 'info -t json'])(
    'prints the same as the only file of a folder: %s',
    async (line) => {
      const demo = read('vanilla-dm1.demo');
      const [single, divided] = [1, many].map((jobs) => runDivided(demo, line, jobs, 'demos/a.demo', 'demos'));
      expect((await divided)!.parts).toBe(13);
      expect((await divided)!.printed).toEqual((await single)!.printed);
    },
  );

  it('is not divided where its records depend on those before, or one thread is asked for', async () => {
    const demo = read('vanilla-dm1.demo');
    const lines = ['dump', 'dump -t csv --ticks 9000..9100', 'checksum --ticks 9000..9100', 'checksum --base empty'];
    for (const line of lines) {
      const { parts, printed } = await runDivided(demo, line, many);
      expect([line, parts]).toEqual([line, 1]);
      expect(printed).toEqual((await runDivided(demo, line, 1)).printed);
    }
    expect((await runDivided(demo, 'dump -t ndjson', 1)).parts).toBe(1);
  });
});

it('info counts an item without registration that no delta of a part contains', async () => {
  const writer = new DemoWriter(4);
  const chunk = (kind: 'snapshot' | 'delta', ...ints: number[]) =>
    writer.chunk(kind, writer.encode(Int32Array.from(ints)));
  const [known, local] = [60 << 16, 0x7ffc << 16];
  writer.map(read('vanilla-dm1.demo').subarray(0, 436 + 6793));
  writer.tick(10, true);
  chunk('snapshot', 16, 2, 0, 8, known, 1, local, 5);
  for (const tick of [12, 14, 16]) {
    writer.tick(tick, false);
    chunk('delta', 0, 1, 0, 60, 0, 1, 1);
  }
  const demo = writer.flush().slice();
  const [single, divided] = await Promise.all([1, many].map((jobs) => runDivided(demo, 'info -t json', jobs)));
  expect(divided!.parts).toBeGreaterThan(1);
  expect(JSON.parse(single!.printed.stdout)[0].findings).toBe(1);
  expect(divided!.printed).toEqual(single!.printed);
});

it('stats counts the seconds of a divided demo from its first tick, also if that is 0', async () => {
  const snapshot = packed(new Uint8Array(8));
  const ticks = Array.from({ length: 40 }, (_, second) => ({ tick: 50 * second, snapshot, messages: [] }));
  // The header and the map.
  const demo = demoFile(read('vanilla-dm1.demo').subarray(0, 436 + 6793), ticks);
  const { parts, printed } = await runDivided(demo, 'stats --by second -t csv', many);
  expect(parts).toBeGreaterThan(2);
  expect(printed).toEqual((await runDivided(demo, 'stats --by second -t csv', 1)).printed);
});

it('stats reads a divided demo once, also if its header states a wrong length', async () => {
  const right = read('vanilla-dm1.demo');
  const wrong = right.slice();
  // The length in seconds, in the header.
  new DataView(wrong.buffer).setInt32(152, 1);
  const [inParts, ofRight, asOne] = await Promise.all([
    runDivided(wrong, 'stats', many),
    runDivided(right, 'stats', many),
    runDivided(wrong, 'stats', 1),
  ]);
  expect(inParts.printed).toEqual(asOne.printed);
  expect(inParts.printed.stderr).toContain('other_length');
  expect(inParts.opened).toBe(ofRight.opened);
});

it('stats reads a demo as one if its parts together have more kinds of messages than are counted separately', async () => {
  const snapshot = packed(new Uint8Array(8));
  const messages = (tick: number) =>
    Array.from({ length: 20 }, (_, i) => Uint8Array.of(0x80 | ((2 * i) & 0x3f), 10 + tick, 0, 0));
  for (const [ticks, isFull] of [
    [40, false],
    [60, true],
  ] as const) {
    const all = Array.from({ length: ticks }, (_, tick) => ({ tick, snapshot, messages: messages(tick) }));
    const demo = demoFile(read('vanilla-dm1.demo'), all);
    const { parts, printed } = await runDivided(demo, 'stats -t csv', many);
    expect(parts).toBeGreaterThan(2);
    expect(printed).toEqual((await runDivided(demo, 'stats -t csv', 1)).printed);
    expect(printed.stdout.includes('unknown others')).toBe(isFull);
  }
});
