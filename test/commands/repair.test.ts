import { describe, expect, it } from 'vitest';
import { main } from '../../commands/index.ts';
import { rewriteMessage } from '../../src/editing/editor.ts';
import type { MessageEntry } from '../../src/recording/replay/record.ts';
import { PayloadReader } from '../../src/wire/payload/payload-reader.ts';
import { contentsOf, edited, entriesOf, rewritten } from '../support/edit.ts';
import { fakeIo } from '../support/fake-io.ts';
import { runWriting } from '../support/run.ts';
import { read } from '../support/samples.ts';

const demo = () => read('vanilla-dm1.demo');
const playerDemo = () => read('ddnet-race-player.demo');

const checksumStatus = (file: Uint8Array) =>
  main(['checksum', '--summary', 'one.demo'], fakeIo({ files: { 'one.demo': file } }));

const intsOf = (payload: Uint8Array) => {
  const reader = new PayloadReader(() => 0);
  reader.unpack(payload, 'huffman');
  return reader.ints.ints.slice(0, reader.ints.length);
};

/** Where the data of a chunk begin in the file, by its kind and number. */
function dataOffsetOf(file: Uint8Array, chunk: string): number {
  const counts: Record<string, number> = {};
  for (const entry of entriesOf(file)) {
    if (entry.record !== 'chunk') continue;
    const { kind, dataOffset } = entry.chunk;
    counts[kind] = (counts[kind] ?? 0) + 1;
    if (`${kind} ${counts[kind]}` === chunk) return dataOffset;
  }
  throw new Error(`no ${chunk}`);
}

async function repair(file: Uint8Array) {
  const { files, ...rest } = await runWriting('repair broken.demo -o whole.demo', { 'broken.demo': file });
  return { ...rest, out: files.get('whole.demo') };
}

const changed = (change: (view: DataView, bytes: Uint8Array) => void, file = demo()) => {
  change(new DataView(file.buffer), file);
  return file;
};

describe('repair', () => {
  it('of a healthy demo writes the same bytes', async () => {
    const { status, stdout, out } = await repair(demo());
    expect([status, stdout]).toEqual([
      0,
      'broken.demo → whole.demo   1,369 snapshots, 40 messages\n  nothing was wrong\n  plays in   DDNet 18.5 to 20.1 ✓, Teeworlds 0.7.5 ✓\n',
    ]);
    expect(Buffer.compare(out!, demo())).toBe(0);
  });

  it('says what is still suspect: a keyframe that goes back is whole, and kept', async () => {
    // A marker of five bytes and a head of three are before the snapshot.
    const at = dataOffsetOf(demo(), 'snapshot 2') - 8;
    const back = changed((view, bytes) => {
      expect(bytes[at]).toBe(0xc0);
      view.setInt32(at + 1, 8000);
    });
    const { status, stdout } = await repair(back);
    expect(status).toBe(1);
    expect(stdout).toContain('1,369 snapshots, 40 messages\n  still   ✗ suspect: 1 sign of damage\n  plays in');
  });

  it('says what the games say of what it writes, if they do not play it', async () => {
    const { header } = contentsOf(demo());
    // Up to the second tick marker.
    const cut = demo().slice(0, dataOffsetOf(demo(), 'tick 2'));
    const { status, stdout } = await repair(cut);
    expect(header.version).toBe(4);
    expect([status, stdout]).toEqual([1, expect.stringMatching(/ {2}plays in {3}DDNet .* ✗ stops .*: "Empty demo"/)]);
  });

  it('of a demo with a cut end keeps all whole chunks', async () => {
    const { status, stdout, out } = await repair(demo().slice(0, 40_000));
    expect(status).toBe(1);
    expect(stdout).toMatch(/from \d+ on {3}lost {3}nothing follows {3}truncated_chunk at /);
    const { ticks, header, diagnostics } = contentsOf(out!);
    expect(diagnostics).toEqual([]);
    expect(header.length).toBe(Math.floor((ticks.at(-1)! - ticks[0]!) / 50));
    expect(stdout).toContain(`header   length 57 s → ${header.length} s`);
  });

  it.each([
    ['four bytes', 30_010, [0xff, 0xff, 0xff, 0xff]],
    // These are markers by which the tick is 9656, after that of the next full snapshot, 9654.
    ['steps of the tick', 19_636, [0xe0, 0xff, 0xff]],
  ])('of a demo with damage in the middle, %s, names the lost ticks, and the tick after them', async (_, at, bytes) => {
    const file = demo();
    file.set(bytes, at);
    const { status, stdout, out } = await repair(file);
    expect(status).toBe(1);
    const [, from, to, next] = /^ {2}(\d+) to (\d+) {3}lost {3}.*goes on at (\d+)/m.exec(stdout)!.map(Number);
    expect(next).toBe(to! + 1);
    const { ticks, snapshots } = contentsOf(out!);
    expect(ticks.filter((tick) => tick >= from! && tick <= to!)).toEqual([]);
    expect(snapshots.get(next!)!.kind).toBe('snapshot');
  });

  it.each([
    ['length', 'length 0 s → 57 s', (view: DataView) => view.setInt32(152, 0)],
    ['count of markers', 'markers 70 → 64\n  header   markers 64 → 0', (view: DataView) => view.setInt32(176, 70)],
    [
      'markers that are outside',
      'markers 1 → 0',
      (_: DataView, bytes: Uint8Array) => bytes.set([0, 0, 0, 1, 0, 0, 0, 5], 176),
    ],
    ['type', 'type cliant → client', (_: DataView, bytes: Uint8Array) => (bytes[147] = 0x61)],
    [
      'text that is no UTF-8',
      'text not UTF-8 with a NUL → UTF-8 with a NUL',
      (_: DataView, bytes: Uint8Array) => (bytes[73] = 0xff),
    ],
  ])('corrects the header: %s', async (_, words, change) => {
    const { status, stdout, out } = await repair(changed(change));
    expect([status, stdout]).toEqual([0, expect.stringContaining(`header   ${words}`)]);
    const { header, diagnostics } = contentsOf(out!);
    expect([diagnostics, header.length, header.markers, header.type]).toEqual([[], 57, [], 'client']);
  });

  it('names the right checksums of the map: the crc, and the sha256 of version 6', async () => {
    const { files } = await runWriting('edit match.demo --demo-version 6 -o six.demo', { 'match.demo': demo() });
    const six = files.get('six.demo')!;
    const wrong = six.slice();
    wrong.fill(0, 452, 484);
    const { status, stdout, out } = await repair(wrong);
    expect([status, stdout]).toEqual([0, expect.stringContaining('header   map sha256 00000000… → 491af17a…')]);
    expect(Buffer.compare(out!, six)).toBe(0);
  });

  it('leaves a map out that matches neither checksum, and keeps the sums of the right one', async () => {
    const { status, stdout, out } = await repair(changed((_, bytes) => bytes.fill(0, 1000, 1010)));
    expect([status, stdout]).toEqual([1, expect.stringContaining('map   left out: its crc is ')]);
    const { header } = contentsOf(out!);
    // The sum is the one that was there before the map was damaged.
    expect([header.mapSize, header.mapCrc]).toEqual([0, new DataView(demo().buffer, demo().byteOffset).getUint32(140)]);
  });

  // The player's demo has a full snapshot at tick 180 and at tick 432; its delta 50 is of tick 296, 68 steps of two
  // ticks before that.
  it('leaves out snapshots whose checksum is not the announced one, up to the next that is right', async () => {
    const file = rewritten(playerDemo(), (writer, chunk, payload) => {
      if (chunk !== 'delta 50') return false;
      const ints = intsOf(payload);
      ints[ints.length - 1]! ^= 1;
      writer.chunk('delta', writer.encode(ints));
      return true;
    });
    expect(await checksumStatus(file)).toBe(1);
    const { status, stdout, out } = await repair(file);
    expect([status, stdout]).toEqual([
      1,
      expect.stringContaining('  checksums   54 of 122 announced match, 68 mismatched\n'),
    ]);
    const [, from, to, next] = /^ {2}(\d+) to (\d+) {3}in doubt {3}68 snapshots, goes on at (\d+) {3}wrong_checksum at/m
      .exec(stdout)!
      .map(Number);
    expect([to, next]).toEqual([431, 432]);
    // The cause is in the snapshot that is lost first, not in one that is made from it.
    expect(stdout).toContain(`wrong_checksum at 0x${dataOffsetOf(file, 'delta 50').toString(16)}: `);
    expect(await checksumStatus(out!)).toBe(0);
    const [now, whole] = [contentsOf(out!), contentsOf(playerDemo())];
    expect(now.ticks.filter((tick) => tick < from! || tick > to!)).toEqual(
      whole.ticks.filter((tick) => tick < from! || tick > to!),
    );
    // But for the announcements of what is left out.
    expect(now.messages.length).toBe(whole.messages.length - 68);
  });

  /** The player's demo with another sum in the announcements that `isWrong` selects, counted from 1. */
  function announcing(isWrong: (number: number) => boolean): Uint8Array {
    let announced = 0;
    const message = ({ message, bytes }: MessageEntry) =>
      message.type?.name === 'snap_single' && isWrong(++announced)
        ? rewriteMessage(message, bytes, ({ name, value }) => (name === 'crc' ? Number(value) ^ 1 : undefined))
        : undefined;
    return edited(playerDemo(), [{ message }]);
  }

  it('leaves out one whose announcement may be wrong, with that, and the next: its checksum may fit by chance', async () => {
    const file = announcing((number) => number === 50);
    expect(await checksumStatus(file)).toBe(1);
    const { status, stdout, out } = await repair(file);
    expect([status, stdout]).toEqual([
      1,
      expect.stringContaining('broken.demo → whole.demo   120 snapshots (2 more were there), 336 messages\n'),
    ]);
    expect(stdout).toContain('  checksums   121 of 122 announced match, 1 mismatched\n');
    expect(await checksumStatus(out!)).toBe(0);
  });

  it('keeps all if no announced checksum is right, and says so', async () => {
    const { status, stdout, out } = await repair(announcing(() => true));
    const kept = '0 of 122 announced match, 122 mismatched; 122 snapshots are kept: no checksum before was right';
    expect([status, stdout]).toEqual([
      1,
      expect.stringContaining(`122 snapshots, 338 messages\n  checksums   ${kept}\n`),
    ]);
    expect(contentsOf(out!).snapshots.size).toBe(122);
  });

  it('keeps a full snapshot without an announced checksum after one whose checksum is wrong', async () => {
    const isSumOfFull = ({ message, tick }: MessageEntry) => message.type?.name === 'snap_single' && tick === 432;
    const withoutSum = edited(playerDemo(), [{ message: (entry) => (isSumOfFull(entry) ? 'drop' : undefined) }]);
    const file = rewritten(withoutSum, (writer, chunk, payload) => {
      // That of tick 430, the last before it.
      if (chunk !== 'delta 117') return false;
      const ints = intsOf(payload);
      ints[ints.length - 1]! ^= 1;
      writer.chunk('delta', writer.encode(ints));
      return true;
    });
    const { stdout, out } = await repair(file);
    expect(stdout).toMatch(/^ {2}430 to 431 {3}in doubt {3}1 snapshot, goes on at 432 {3}wrong_checksum at/m);
    expect(contentsOf(out!).snapshots.get(432)!.kind).toBe('snapshot');
  });

  it('keeps snapshots after bits that the games ignore, if their checksums are right', async () => {
    const file = rewritten(playerDemo(), (writer, chunk, payload) => {
      if (chunk !== 'delta 50') return false;
      // A byte after the end of the stream, which all readers ignore with a warning.
      writer.chunk('delta', Uint8Array.of(...payload, 1, 1));
      return true;
    });
    expect(await checksumStatus(file)).toBe(0);
    const { status, stdout } = await repair(file);
    expect([status, stdout]).toEqual([0, expect.stringContaining('122 snapshots, 338 messages\n  nothing was wrong')]);
  });

  it('of a demo without a snapshot writes nothing, and exits 3', async () => {
    const { status, stderr, out } = await repair(demo().slice(0, 7300));
    expect([status, stderr, out]).toEqual([3, expect.stringContaining('no snapshot that can be read'), undefined]);
    const cut = await repair(demo().slice(0, 100));
    expect([cut.status, cut.stderr]).toEqual([3, expect.stringContaining('truncated_header')]);
  });
});
