import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, it, test } from 'vitest';
import { main } from '../../../commands/index.ts';
import { GhostRuns } from '../../../src/editing/ghost-run.ts';
import { GhostReader, ghostCharacter, writeGhost } from '../../../src/recording/container/ghost/ghost.ts';
import { DemoReplay } from '../../../src/recording/demo/demo-replay.ts';
import { GhostReplay } from '../../../src/recording/demo/ghost-replay.ts';
import { maxSteps, maxWithoutTick } from '../../../src/recording/replay/limits.ts';
import type { RecordingEntry } from '../../../src/recording/replay/record.ts';
import { ByteBuffer } from '../../../src/wire/bytes/buffers.ts';
import { compress } from '../../../src/wire/codec/huffman.ts';
import { packInts } from '../../../src/wire/codec/varint.ts';
import { intsOfText } from '../../../src/wire/protocol/texts.ts';
import { corpusFile, corpusFolder, hasCorpus } from '../../support/corpus.ts';
import { fakeIo } from '../../support/fake-io.ts';
import { reportDataOf } from '../../support/report.ts';
import { seeded } from '../../support/seeded.ts';

const sha256 = '0123456789abcdef'.repeat(4);

/** A run to the right with ticks 101, 103, …: x grows by 10, and the hook is in flight from the third character on. */
const characterAt = (i: number) =>
  Int32Array.of(100 + 10 * i, -5, 256 * i, 0, -400, 1, i % 6, i < 2 ? 0 : 4, 2 * i, -3 * i, 90 + i, 101 + 2 * i);
const run = (count: number) => ({
  startTick: 100,
  skin: Int32Array.of(...intsOfText('bluekitty', 6)!, 1, 65408, -1),
  characters: Array.from({ length: count }, (_, i) => characterAt(i)),
});
const made = (count: number, time = 20 * (2 * count - 1)) =>
  writeGhost({ owner: 'nameless tee', mapName: 'Multeasymap', mapSha256: sha256, time }, run(count));

/** A snapshot is filled again, so what is kept of it is copied while it is read. */
function readEach(bytes: Uint8Array, pieceBytes: number, take: (entry: RecordingEntry) => void): void {
  const replay = new GhostReplay();
  for (let at = 0; at < bytes.length; at += pieceBytes) {
    for (const entry of replay.feed(bytes.subarray(at, at + pieceBytes))) take(entry);
  }
  for (const entry of replay.finish()) take(entry);
}

function recordsOf(bytes: Uint8Array, pieceBytes = bytes.length): RecordingEntry[] {
  const records: RecordingEntry[] = [];
  readEach(bytes, pieceBytes, (entry) => records.push({ ...entry } as RecordingEntry));
  return records;
}

/** The ints of each character. */
function charactersOf(bytes: Uint8Array, pieceBytes = bytes.length): number[][] {
  const found: number[][] = [];
  readEach(bytes, pieceBytes, (entry) => {
    if (entry.record === 'snapshot') found.push([...entry.snapshot!.item(0)]);
  });
  return found;
}

const codesOf = (records: readonly RecordingEntry[]) =>
  records.flatMap((entry) => (entry.record === 'diagnostic' ? entry.diagnostic.code : []));

const run120 = Array.from({ length: 120 }, (_, i) => [...characterAt(i)]);

describe('a written ghost', () => {
  const bytes = made(120);

  it('has the header that DDNet documents', () => {
    const text = new TextDecoder().decode(bytes.subarray(0, 40));
    expect(text.slice(0, 22)).toBe('TWGHOST\0\x06nameless tee\0');
    expect([...bytes.subarray(93, 101)]).toEqual([0, 0, 0, 120, 0, 0, (20 * 239) >> 8, (20 * 239) & 0xff]);
    expect(Buffer.from(bytes.subarray(101, 133)).toString('hex')).toBe(sha256);
    // The start tick, the skin, and characters in chunks of 50.
    const reader = new GhostReader();
    const chunks = [...reader.feed(bytes), ...reader.finish()].length;
    expect(chunks).toBe(1 + 2 + 3);
  });

  it.each([bytes.length, 1, 7, 100])('is read again in pieces of %i bytes', (pieceBytes) => {
    expect(charactersOf(bytes, pieceBytes)).toEqual(run120);
    expect(codesOf(recordsOf(bytes, pieceBytes))).toEqual([]);
  });
});

/** A ghost of another version or with other chunks. */
function ghostOf(
  version: number,
  chunks: readonly (readonly [type: number, items: number, ints: readonly number[]])[],
) {
  const head = made(1).slice(0, version < 6 ? 101 : 133);
  head[8] = version;
  head.set([0xca, 0xfe, 0xba, 0xbe], 89);
  const bytesOf = ([type, items, ints]: (typeof chunks)[number]) => {
    const packed = new ByteBuffer();
    packInts(Int32Array.from(ints), 0, ints.length, packed);
    const data = new ByteBuffer();
    compress(packed.bytes, 0, packed.length, data, 'none');
    return [type, items, data.length >> 8, data.length & 0xff, ...data.bytes.subarray(0, data.length)];
  };
  return Uint8Array.from([...head, ...chunks.flatMap(bytesOf)]);
}

/** A ghost of one chunk, whose data have one byte more than their stream. */
const afterEnd = (ghost: Uint8Array) => Uint8Array.from([...ghost, 1]).fill(ghost[136]! + 1, 136, 137);

const [first, second, third] = [0, 1, 2].map((i) => [...characterAt(i)]) as [number[], number[], number[]];
const step = (from: readonly number[], to: readonly number[]) => to.map((value, i) => value - from[i]!);

describe('versions and chunks', () => {
  it('begins each chunk with a whole character from version 5 on', () => {
    const chunks = [
      [2, 2, [...first, ...step(first, second)]],
      [2, 1, third],
    ] as const;
    expect(charactersOf(ghostOf(5, chunks))).toEqual([first, second, third]);
  });

  it('goes on with differences in the next chunk of version 4', () => {
    const chunks = [
      [2, 2, [...first, ...step(first, second)]],
      [2, 1, step(second, third)],
    ] as const;
    expect(charactersOf(ghostOf(4, chunks))).toEqual([first, second, third]);
  });

  it('gives characters without ticks one tick each, by their last attack', () => {
    const noTick = (attack: number) => [...first.slice(0, 10), attack];
    const ints = [noTick(50), noTick(50), noTick(72), noTick(72)];
    const flat = ints.flatMap((int, i) => (i === 0 ? int : step(ints[i - 1]!, int)));
    const ticks = charactersOf(ghostOf(5, [[1, 4, flat]])).map((numbers) => numbers.at(-1));
    expect(ticks).toEqual([70, 71, 72, 73]);
  });

  it('has more steps than are counted, or characters without ticks than are kept: that is said', () => {
    let snapshots = 0;
    const limitsIn = (bytes: Uint8Array) => {
      const found: unknown[] = [];
      snapshots = 0;
      readEach(bytes, bytes.length, (entry) => {
        if (entry.record === 'snapshot') snapshots++;
        const { severity, code, args } = entry.record === 'diagnostic' ? entry.diagnostic : {};
        if (code === 'limit_reached') found.push([severity, args]);
      });
      return found;
    };
    const stepping = (count: number) =>
      ghostOf(
        5,
        Array.from({ length: count + 1 }, (_, i) => [2, 1, [...first.slice(0, -1), (i * (i + 1)) / 2]] as const),
      );
    expect(limitsIn(stepping(maxSteps))).toEqual([]);
    expect(limitsIn(stepping(maxSteps + 1))).toEqual([['warning', { of: 'different_steps', limit: maxSteps }]]);
    const chunk = [1, 128, [...first.slice(0, 11), ...new Array(127 * 11).fill(0)]] as const;
    const [none, one] = [ghostOf(5, []), ghostOf(5, [chunk])];
    const chunks = new Array<Uint8Array>(maxWithoutTick / 128 + 1).fill(one.subarray(none.length));
    const more = Uint8Array.from(Buffer.concat([none, ...chunks]));
    expect(limitsIn(more)).toEqual([['error', { of: 'characters_without_tick', limit: maxWithoutTick }]]);
    expect(snapshots).toBe(maxWithoutTick);
  });

  it('skips unknown types, and takes the first skin and the last start tick', () => {
    const skin = (name: string) => [...intsOfText(name, 6)!, 0, 0, 0];
    const bytes = ghostOf(6, [
      [3, 1, [5]],
      [9, 3, [1, 2, 3]],
      [0, 1, skin('one')],
      [0, 1, skin('two')],
      [3, 1, [100]],
      [2, 1, first],
    ]);
    const records = recordsOf(bytes);
    const [ghost] = records.flatMap((entry) => (entry.record === 'ghost' ? entry.ghost : []));
    expect(ghost).toMatchObject({ skin: 'one', startTick: 100, found: 1, mapSha256: sha256 });
    expect(codesOf(records)).toEqual(['ghost_type']);
  });

  it.each([
    ['version 7', () => made(2).fill(7, 8, 9), ['ghost_version']],
    ['another marker', () => made(2).fill(0x41, 6, 7), ['not_a_ghost']],
    ['a cut header', () => made(2).subarray(0, 120), ['truncated_header']],
    ['a cut chunk', () => made(60).subarray(0, -3), ['truncated_chunk', 'ghost_count']],
    ['no counts', () => made(2).fill(0, 93, 101), ['ghost_unfinished', 'not_played']],
    ['another count', () => made(2).fill(9, 96, 97), ['ghost_count']],
    ['another time', () => made(2, 9000), ['ghost_time']],
    ['a chunk of no bytes', () => Uint8Array.from([...made(2), 2, 1, 0, 0]), ['empty_chunk']],
    ['a chunk of 6,401 bytes', () => Uint8Array.from([...made(2), 2, 1, 0x19, 0x01]), ['chunk_too_large']],
    [
      'fewer items than announced',
      () =>
        ghostOf(6, [
          [3, 1, [100]],
          [2, 2, first],
        ]),
      ['ghost_items'],
    ],
    [
      'ints left over',
      () =>
        ghostOf(6, [
          [3, 1, [100]],
          [2, 1, [...first, 1]],
        ]),
      ['excess_ints'],
    ],
    ['a byte after the end symbol', () => afterEnd(ghostOf(6, [[2, 1, first]])), ['huffman_after_eof']],
  ])('%s is reported', (_, make, codes) => {
    expect(codesOf(recordsOf(make()))).toEqual(codes);
  });
});

// `CGhostHeader::GetTicks` and `GetTime` are ints: the games say -1 and -5.
it('the counts of the header have a sign', () => {
  const ghost = made(2).fill(0xff, 93, 97);
  ghost.set([0xff, 0xff, 0xff, 0xfb], 97);
  const header = recordsOf(ghost).find((entry) => entry.record === 'ghost');
  expect(header?.ghost).toMatchObject({ characters: -1, time: -5 });
});

it('300 damaged ghosts are read to their end', () => {
  const random = seeded(36);
  const source = made(120);
  const outcomes = new Set<string>();
  for (let i = 0; i < 300; i++) {
    const bytes = source.slice(0, i % 3 === 0 ? random() % source.length : undefined);
    for (let k = random() % 8; k >= 0; k--) bytes[random() % bytes.length] = random();
    const records = recordsOf(bytes, 1 + (random() % 500));
    expect(records.length).toBeLessThan(5000);
    for (const code of codesOf(records)) outcomes.add(code);
  }
  expect(outcomes.size).toBeGreaterThan(6);
});

describe('commands', () => {
  const io = () => fakeIo({ files: { 'run.gho': made(120) }, columns: 100 });

  it('info compares the header with the content', async () => {
    const there = io();
    expect(await main(['info', 'run.gho'], there)).toBe(0);
    expect(there.stdout.text).toMatch(/run\.gho +ghost, version 6, .*, healthy/);
    expect(there.stdout.text).toMatch(/player +nameless tee, +skin bluekitty/);
    expect(there.stdout.text).toMatch(/time +0:04\.78 ticks 101 to 339, header says 4,780 ms ✓/);
    expect(there.stdout.text).toMatch(/characters +120, +header says 120 ✓/);
    expect(there.stdout.text).toMatch(/steps +119 of 2 ticks/);
  });

  it.each([
    ['characters', 120, 121, 4780, /characters +120, +header says 121 !/],
    ['characters', 120, 119, 4780, /characters +120, +header says 119 !/],
    ['milliseconds', 120, 120, 4880, /header says 4,880 ms !/],
  ])('info marks a wrong number of %s', async (_, count, stated, time, expected) => {
    const file = made(count, time);
    // Version 6: 8 bytes of magic, version, owner[16], map[64], 4 bytes, then the number of characters and the time,
    // big-endian.
    const at = 8 + 1 + 16 + 64 + 4;
    const view = new DataView(file.buffer, file.byteOffset);
    expect([view.getUint32(at), view.getUint32(at + 4)]).toEqual([count, time]);
    view.setUint32(at, stated);
    const there = fakeIo({ files: { 'run.gho': file }, columns: 100 });
    await main(['info', 'run.gho'], there);
    expect(there.stdout.text).toMatch(expected);
  });

  it.each([0, 100])('info says in JSON, as in the text, whether it ends early: %i bytes less', async (less) => {
    const files = { 'run.gho': made(120).slice(0, made(120).length - less) };
    const [text, json] = [fakeIo({ files }), fakeIo({ files })];
    await main(['info', 'run.gho'], text);
    await main(['info', 'run.gho', '-t', 'json'], json);
    const [values] = JSON.parse(json.stdout.text);
    expect(values.cut).toBe(less > 0);
    expect(text.stdout.text.includes('damaged: cut at')).toBe(less > 0);
  });

  it('dump prints a table, CSV and records', async () => {
    const [table, csv, records] = [io(), io(), io()];
    await main(['dump', 'run.gho'], table);
    expect(table.stdout.text.split('\n')).toHaveLength(122);
    expect(table.stdout.text).toMatch(/\n +107 +0:00\.14 +4\.06 +-0\.16 +3\.00 .* right +grenade +flying\n/);
    await main(['dump', 'run.gho', '-t', 'csv', '--type', 'obj_character'], csv);
    const [head, row] = csv.stdout.text.split('\n').map((line) => line.split(','));
    const cells = Object.fromEntries(head!.map((name, i) => [name, row![i]]));
    expect(cells).toMatchObject({
      x: '100',
      y: '-5',
      hook_state: '0',
      attack_tick: '90',
      tick: '101',
      jumped: '',
      health: '',
    });
    await main(['dump', 'run.gho', '-t', 'ndjson'], records);
    const lines = records.stdout.text
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(lines[0]).toMatchObject({ record: 'header', format: 'ghost', player: 'nameless tee', characters: 120 });
    expect(lines).toHaveLength(121);
  });

  it('the annotated bytes cover the file, and stats count each of its bits', async () => {
    const [hex, stats] = [io(), io()];
    await main(['dump', 'run.gho', '-t', 'hexdump'], hex);
    expect(hex.stdout.text).toContain('start_tick=100');
    expect(hex.stdout.text).toContain('skin="bluekitty"');
    await main(['stats', 'run.gho', '-t', 'json'], stats);
    const [{ bytes, items, parts }] = JSON.parse(stats.stdout.text);
    const sum = [...items, ...parts].reduce((all: number, { bits }: { bits: number }) => all + bits, 0);
    expect(bytes).toBe(made(120).length);
    expect(sum).toBe(8 * bytes);
  });

  it('export has its characters, and null where it lacks a field', async () => {
    const there = io();
    await main(['export', 'run.gho', '-o', 'tables', '-t', 'csv'], there);
    const name = [...there.files.keys()].find((path) => /obj_character/.test(path))!;
    const rows = new TextDecoder().decode(there.files.get(name)!).trim().split('\n');
    expect(rows).toHaveLength(121);
    const column = rows[0]!.split(',').indexOf('health');
    expect(rows[1]!.split(',')[column]).toBe('');
  });

  it('report shows the path', async () => {
    const there = io();
    expect(await main(['report', 'run.gho', '-o', 'run.html'], there)).toBe(0);
    expect(there.files.has('run.html')).toBe(true);
  });

  it.each([
    'slice --ticks 101..110 -o a.demo',
    'edit --name a=b -o a.demo',
    'extract --map -o a.map',
    'extract --demo -o a.demo',
  ])('%s refuses it', async (line) => {
    const there = io();
    const [command, ...words] = line.split(' ') as [string, ...string[]];
    expect(await main([command, 'run.gho', ...words], there)).toBeGreaterThan(1);
    expect(there.stderr.text).not.toMatch(/internal error/);
  });
});

const ghostOfRun = (step: number) => {
  const characters = Array.from({ length: 101 }, (_, i) => {
    const tick = 100 + step * Math.min(i, 50) + 2 * Math.max(0, i - 50);
    return Int32Array.of(32 * i, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, tick + 1);
  });
  const time = 20 * (characters.at(-1)!.at(-1)! - 100);
  return writeGhost({ owner: 'a', mapName: 'm', mapSha256: sha256, time }, { ...run(1), characters });
};

describe('diff of two runs', () => {
  /** A run of 100 tiles to the right, a tile every `step` ticks up to the middle, and every two after it. */
  const files = { 'one.gho': ghostOfRun(2), 'other.gho': ghostOfRun(3) };

  it('says where time was lost', async () => {
    const io = fakeIo({ files });
    expect(await main(['diff', 'one.gho', 'other.gho', '-t', 'json'], io)).toBe(1);
    const { places } = JSON.parse(io.stdout.text);
    const at = (way: number) => places.find((place: { way: number }) => Math.abs(place.way - way) < 0.01);
    // 50 tiles at three ticks each take one second more than at two; nothing is lost in the second half.
    expect(at(0.5)).toMatchObject({ x: 1600, first: 2.02, second: 3.02 });
    expect(at(1).second - at(1).first).toBeCloseTo(1, 5);
    expect(at(0.75).lost).toBeCloseTo(0, 5);
    expect(at(0.25).lost).toBeCloseTo(0.1, 5);
  });

  it('is a table, with status 0 for equal runs', async () => {
    const [different, equal] = [fakeIo({ files }), fakeIo({ files })];
    await main(['diff', 'one.gho', 'other.gho'], different);
    expect(different.stdout.text).toMatch(/ 50% +50\.0, 0\.0 +2\.02 +3\.02 +\+1\.00 +\+0\.10\n/);
    expect(different.stdout.text).toMatch(/the second run is 1\.00 s slower/);
    expect(await main(['diff', 'one.gho', 'one.gho'], equal)).toBe(0);
  });
});

describe('report --against', () => {
  it('plots how far a run is behind another one', async () => {
    const io = fakeIo({ files: { 'one.gho': ghostOfRun(2), 'other.gho': ghostOfRun(3) } });
    expect(await main(['report', 'other.gho', '--against', 'one.gho', '-o', 'x.html'], io)).toBe(0);
    const { title, ticks, behind } = reportDataOf(new TextDecoder().decode(io.files.get('x.html')!)).lost!;
    expect(title).toBe('milliseconds behind one.gho');
    // Half the way, 50 tiles at three ticks each, takes the run to 3.02 s, one more than the other; in the rest nothing
    // is lost.
    const half = ticks.findIndex((tick) => tick >= 100 + 3.02 * 50);
    expect([behind[0], behind[half], behind.at(-1)]).toEqual([0, 1000, 1000]);
    expect([...behind].sort((a, b) => a! - b!)).toEqual(behind);
  });

  it('needs two runs', async () => {
    const io = fakeIo({ files: { 'one.gho': ghostOfRun(2), x: new TextEncoder().encode('hello') } });
    expect(await main(['report', 'one.gho', '--against', 'x', '-o', 'x.html'], io)).toBe(3);
    expect(io.stderr.text).toBe('tw-snap: x: this is not a ghost or demo\n');
  });
});

describe('extract --ghost', () => {
  const demo = new Uint8Array(readFileSync(new URL('../../../samples/ddnet-race-player.demo', import.meta.url)));

  it('has the positions of the demo, from start to finish', async () => {
    const io = fakeIo({ files: { 'race.demo': demo } });
    expect(await main(['extract', 'race.demo', '--ghost', '-o', 'run.gho'], io)).toBe(0);
    // The chat says 0.20 seconds; the finish is in tick 438.
    expect(io.stderr.text).toMatch(/racer, 0\.20 s, ticks 428 to 438, 5 characters/);
    const positions = charactersOf(io.files.get('run.gho')!).map((ints) => [ints.at(-1), ints[0], ints[1]]);
    const expected: number[][] = [];
    const replay = new DemoReplay();
    for (const entry of [...replay.feed(demo)].length > 0 ? new DemoReplay().feed(demo) : []) {
      if (entry.record !== 'snapshot' || !entry.snapshot) continue;
      const at = [...entry.snapshot].find(({ type, id }) => type === 9 && id === 0);
      if (at && at.data[0]! > 428 && at.data[0]! <= 438) expected.push([at.data[0]!, at.data[1]!, at.data[2]!]);
    }
    expect(positions).toEqual(expected);
  });

  it('names a player who is not there, and one who does not finish', async () => {
    const io = fakeIo({ files: { 'race.demo': demo } });
    expect(await main(['extract', 'race.demo', '--ghost', '--player', 'nobody', '-o', 'run.gho'], io)).toBe(1);
    expect(io.stderr.text).toMatch(/race\.demo: --player selects nobody; there is .*racer/);
    const other = fakeIo({ files: { 'race.demo': demo } });
    expect(await main(['extract', 'race.demo', '--ghost', '--player', '/^bot/', '-o', 'run.gho'], other)).toBe(3);
    expect(other.stderr.text).toBe('tw-snap: race.demo: /^bot/ does not finish a race\n');
  });

  it.each(['racer', '/^RAC/i', '0'])('takes the player %s', async (who) => {
    const io = fakeIo({ files: { 'race.demo': demo } });
    expect(await main(['extract', 'race.demo', '--ghost', '--player', who, '-o', 'run.gho'], io)).toBe(0);
    const own = fakeIo({ files: { 'race.demo': demo } });
    await main(['extract', 'race.demo', '--ghost', '-o', 'run.gho'], own);
    expect(io.files.get('run.gho')).toEqual(own.files.get('run.gho'));
  });
});

/**
 * The recordings of the corpus in which the recorded player finishes a race, with the number of finishes that the
 * server announces.
 */
const races = [
  ['06-ddnet-race-client-auto.demo', 1],
  ['06-ddnet-race-playerdemo-racer.demo', 1],
  ['ddnet20/06-ddnet20-coverage-finishes-client.demo', 6],
  ['ddnet20/06-ddnet20-playerdemo-zed2.demo', 1],
  ['ddnet20/06-ddnet20-race-client-autorace.demo', 1],
] as const;

function runsIn(bytes: Uint8Array) {
  const runs = new GhostRuns();
  /** The ints of the characters by tick and position. */
  const recorded = new Set<string>();
  const replay = new DemoReplay();
  for (const entries of [replay.feed(bytes), replay.finish()]) {
    for (const entry of entries) {
      runs.add(entry);
      if (entry.record !== 'snapshot' || !entry.snapshot) continue;
      for (const { type, data } of entry.snapshot) if (type === 9) recorded.add(data.subarray(0, 3).join());
    }
  }
  return { runs: runs.runs, recorded };
}

describe.skipIf(!hasCorpus)('the runs in recordings (needs ../shared)', () => {
  it.each(races)('%s: the positions are those of the demo, from the start to the finish', (name, count) => {
    const { runs, recorded } = runsIn(corpusFile(name));
    expect(runs).toHaveLength(count);
    for (const { characters, startTick, finishTick, time } of runs) {
      const ticks = characters.map((ints) => ints.at(-1)!);
      expect(ticks).toEqual([...new Set(ticks)].sort((a, b) => a - b));
      expect(ticks[0]).toBeGreaterThan(startTick);
      expect(ticks.at(-1)).toBeLessThanOrEqual(finishTick);
      expect(Math.abs(20 * (finishTick - startTick) - time)).toBeLessThanOrEqual(100);
      for (const ints of characters) expect(recorded).toContain([ints.at(-1), ints[0], ints[1]].join());
    }
  });

  it('takes a player who did not record the demo, whose finish the chat announces', async () => {
    const io = fakeIo({ files: { 'x.demo': corpusFile('ddnet20/06-ddnet20-coverage-finishes-client.demo') } });
    expect(await main(['extract', 'x.demo', '--ghost', '--player', 'cov2-bob', '-o', 'run.gho'], io)).toBe(0);
    // *** cov2-bob finished in: 0 minute(s)  1.20 second(s), in tick 454
    expect(io.stderr.text).toMatch(/: cov2-bob, 1\.20 s, ticks 394 to 454, /);
  });

  it('a run begins where the client began its own ghost, though the server then shifts the race time', () => {
    const own = recordsOf(corpusFile('ghosts/06-ddnet20-coverage.gho')).find((entry) => entry.record === 'ghost');
    const { ghost } = own as RecordingEntry & { record: 'ghost' };
    const [first] = charactersOf(corpusFile('ghosts/06-ddnet20-coverage.gho'));
    const { runs } = runsIn(corpusFile('ghosts/06-ddnet20-coverage-client.demo'));
    const run = runs.find(({ startTick }) => startTick === ghost.startTick);
    expect(run).toMatchObject({ time: ghost.time, finishTick: ghost.lastTick });
    // The demo has the character once; the client computed its further positions.
    expect(run!.characters.map((ints) => [...ints])).toEqual([first]);
  });
});

/** Two ghosts of a public repository, which are not part of the corpus: put them beside its ghost to run this. */
const publicGhosts = [
  ['run_dead_silence-291.gho', 291, 11_625],
  ['run_dead_silence-694.gho', 694, 13_880],
] as const;
const hasPublicGhosts = publicGhosts.every(([name]) => existsSync(`${corpusFolder}ghosts/${name}`));

test.skipIf(!hasPublicGhosts)('public ghosts are read whole, with the time of the header (needs ../shared)', () => {
  for (const [name, count, time] of publicGhosts) {
    const records = recordsOf(corpusFile(`ghosts/${name}`));
    const [ghost] = records.flatMap((entry) => (entry.record === 'ghost' ? entry.ghost : []));
    expect(codesOf(records)).toEqual([]);
    expect(ghost).toMatchObject({ found: count, characters: count, time });
    expect(Math.abs(20 * (ghost!.lastTick - ghost!.startTick!) - time)).toBeLessThanOrEqual(20);
  }
  expect(ghostCharacter.fields.map(({ name }) => name).at(-1)).toBe('tick');
  expect(new GhostRuns().runs).toEqual([]);
});
