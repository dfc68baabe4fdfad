import { describe, expect, it } from 'vitest';
import { contentsOf } from '../support/edit.ts';
import { runWriting } from '../support/run.ts';
import { read } from '../support/samples.ts';

const demo = () => read('vanilla-dm1.demo');

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
      'broken.demo → whole.demo   1,369 snapshots, 40 messages\n  nothing was wrong\n',
    ]);
    expect(Buffer.compare(out!, demo())).toBe(0);
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

  it('of a demo with damage in the middle names the lost ticks, and the tick after them', async () => {
    const file = demo();
    file.fill(0xff, 30_010, 30_014);
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
    ['text that is no UTF-8', 'text not UTF-8 → UTF-8', (_: DataView, bytes: Uint8Array) => (bytes[73] = 0xff)],
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

  it('reports a map as damaged if it matches neither checksum', async () => {
    const { status, stdout } = await repair(changed((_, bytes) => bytes.fill(0, 1000, 1010)));
    expect([status, stdout]).toEqual([1, expect.stringContaining('map   damaged')]);
  });

  it('of a demo without a snapshot writes nothing, and exits 3', async () => {
    const { status, stderr, out } = await repair(demo().slice(0, 7300));
    expect([status, stderr, out]).toEqual([3, expect.stringContaining('no snapshot that can be read'), undefined]);
    const cut = await repair(demo().slice(0, 100));
    expect([cut.status, cut.stderr]).toEqual([3, expect.stringContaining('truncated_header')]);
  });
});
