import { expect, it } from 'vitest';
import { DemoWriter } from '../../src/recording/container/demo/demo-writer.ts';
import { Snapshot } from '../../src/wire/snapshot/snapshot.ts';
import { demoFile, packed } from '../support/demo-builder.ts';
import { contentsOf } from '../support/edit.ts';
import { messageBytes } from '../support/recording.ts';
import { runWriting } from '../support/run.ts';
import { read } from '../support/samples.ts';

async function concat(line: string) {
  const demos = { 'a.demo': read('vanilla-dm1.demo'), 'b.demo': read('ddnet-race-player.demo') };
  const { files, ...rest } = await runWriting(`concat ${line}`, demos);
  return { ...rest, out: files.get('out.demo') };
}

it('puts demos after one another, and prints where each begins', async () => {
  const { status, stdout, out } = await concat('a.demo a.demo -o out.demo');
  expect(status).toBe(0);
  expect(stdout).toContain('a.demo   from tick 8898 on\n  a.demo   from tick 11783 on\n');
  const { ticks, header, diagnostics } = contentsOf(out!);
  expect([ticks[0], ticks.at(-1), diagnostics]).toEqual([8898, 11782 + 2885, []]);
  // 5,769 ticks at 50 per second.
  expect(header.length).toBe(115);
});

it('refuses another protocol or map, and writes nothing', async () => {
  const { status, stderr, out } = await concat('a.demo b.demo -o out.demo');
  expect([status, stderr, out]).toEqual([2, expect.stringContaining('b.demo: it has another protocol'), undefined]);
});

it('refuses demos whose ticks would be higher than any that the games read', async () => {
  const cut = await runWriting('slice a.demo --ticks 8898..8990 -o late.demo', { 'a.demo': read('vanilla-dm1.demo') });
  const late = cut.files.get('late.demo')!.slice();
  // The first marker is at 7229, after the map; 0x6fffff00 leaves room for 255 ticks.
  expect(late[7229]).toBe(0xc0);
  new DataView(late.buffer).setInt32(7230, 0x6fffff00);
  const { status, stderr, files } = await runWriting('concat late.demo a.demo -o out.demo', {
    'late.demo': late,
    'a.demo': read('vanilla-dm1.demo'),
  });
  expect([status, stderr, files.get('out.demo')]).toEqual([
    2,
    expect.stringContaining('ticks would be too high'),
    undefined,
  ]);
});

it('names a file that is not a demo', async () => {
  const { status, stderr } = await concat('a.demo none.demo -o out.demo');
  expect([status, stderr]).toEqual([3, expect.stringContaining('none.demo')]);
});

it('says how many markers a header has no room for', async () => {
  const markers = Array.from({ length: 40 }, (_, i) => `--marker +${8898 + 60 * i}`).join(' ');
  const marked = await runWriting(`edit a.demo ${markers} -o m.demo`, { 'a.demo': read('vanilla-dm1.demo') });
  const { status, stderr, files } = await runWriting('concat m.demo m.demo -o out.demo', {
    'm.demo': marked.files.get('m.demo')!,
  });
  // 80 markers, of which a header holds 64.
  expect([status, stderr]).toEqual([
    0,
    'tw-snap: out.demo: 16 markers left out: over 64 or less than a second apart\n',
  ]);
  expect(contentsOf(files.get('out.demo')!).header.markers).toHaveLength(64);
});

const writer = new DemoWriter(4);

/** The header of a demo of 0.6, without a map. */
function head(type: string): Uint8Array {
  const names = { netVersion: '0.6 626fce9a778df4d4', mapName: 'dm1', type, timestamp: '' };
  writer.header({ ...names, version: 4, mapSize: 0, mapCrc: 0, length: 0, markers: [] });
  return writer.flush().slice();
}

const empty = () => writer.encode(new Snapshot().toInts()).slice();
const chat = (text: string) => messageBytes('0.6', 'sv_chat', [0, -1, text]);

it('keeps the message of a later demo without ticks, at the last tick before it', async () => {
  const first = demoFile(head('client'), [{ tick: 100, snapshot: empty(), messages: [chat('before')] }]);
  writer.map(head('client'));
  writer.chunk('message', packed(chat('without a tick')));
  const second = writer.flush().slice();
  const { status, files } = await runWriting('concat a b a -o out', { a: first, b: second });
  const { messages, ticks } = contentsOf(files.get('out')!);
  expect([status, ticks]).toEqual([0, [100, 101]]);
  const texts = messages.map(({ tick, bytes }) => [tick, new TextDecoder().decode(bytes)]);
  expect(texts).toEqual([
    [100, expect.stringContaining('before')],
    [100, expect.stringContaining('without a tick')],
    [101, expect.stringContaining('before')],
  ]);
});

it('says how many snapshots for clients it leaves out of what it moves', async () => {
  const sent = messageBytes('0.6', 'snap_single', [100, 101, 0, 0]);
  const demo = demoFile(head('server'), [{ tick: 100, snapshot: empty(), messages: [sent, chat('hello'), sent] }]);
  const { status, stdout } = await runWriting('concat a a -o out', { a: demo });
  expect([status, stdout]).toEqual([
    0,
    expect.stringContaining('left out: 2 snapshots that the server sent to its clients'),
  ]);
});
