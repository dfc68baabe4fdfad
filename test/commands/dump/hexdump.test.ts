import { describe, expect, it } from 'vitest';
import { samplePcap } from '../../support/corpus.ts';
import { run } from '../../support/run.ts';
import { read } from '../../support/samples.ts';

const demo = read('vanilla-dm1.demo');

const dump = (bytes: Uint8Array, line = '') => run(`dump a.demo -t hexdump ${line}`, { 'a.demo': bytes });

const changed = (at: number, value: number) => Object.assign(demo.slice(), { [at]: value });

describe('dump -t hexdump', () => {
  it('shows the header, the map in one line, ticks and chunks', async () => {
    const { status, stdout, stderr } = await dump(demo, '--ticks 8898..8900');
    expect([status, stderr]).toEqual([0, '']);
    // TWDEMO, NUL, version 4, as in docs/formats/demos.md.
    expect(stdout).toMatch(/^ 0000 {2}54 57 44 45 {2}TWDE/);
    expect(stdout).toContain('… the map, 6,793 bytes');
    // 0x22c2 is 8898.
    expect(stdout).toMatch(/c0 00 00 22 .*tick=8898 \(keyframe\)/);
    expect(stdout).toMatch(/chunk=snapshot/);
    expect(stdout).toMatch(/chunk=message/);
    expect(stdout).toContain('sv_chat');
    expect(stdout).not.toContain('tick=8904');
  });

  it('shows a demo of the other protocol, too', async () => {
    expect((await dump(read('ddnet-race-player.demo'), '--ticks ..182')).stdout).toContain('0.6 ');
  });

  it('shows damage where it is, and exits 3', async () => {
    // A cut map, a cut chunk, an impossible size of the map.
    expect((await dump(demo.slice(0, 5000))).stdout).toContain('✗ truncated_map at');
    const cut = await dump(demo.slice(0, 12_000));
    expect([cut.status, cut.stdout.trimEnd().split('\n').at(-1)]).toEqual([
      3,
      expect.stringContaining('✗ truncated_chunk'),
    ]);
    expect((await dump(changed(136, 0xff))).stdout).toContain('✗ map_size at 0x0088');
    // The type of the demo is unknown, but nothing is lost.
    const unusual = await dump(changed(144, 0x78), '--ticks 8898..8899');
    expect([unusual.status, unusual.stdout]).toEqual([0, expect.stringContaining('! demo_type')]);
  });

  it('continues after a damaged snapshot', async () => {
    const first = demo.findIndex((byte, i) => byte === 0xc0 && demo[i + 3] === 0x22 && demo[i + 4] === 0xc2);
    const inside = first + 12;
    const { status, stdout } = await dump(
      Object.assign(demo.slice(), { [inside]: demo[inside]! ^ 0xff }),
      '--ticks 8898..9400',
    );
    expect(status).toBe(3);
    expect(stdout).toMatch(/^ {2}✗ /m);
    expect(stdout).toContain('tick=9398');
  });

  it('shows the packets of a capture under their frame numbers', async () => {
    const { status, stdout } = await dump(samplePcap());
    expect(status).toBe(0);
    expect(stdout).toMatch(/^\n#1 \S+ -> \S+ {3}packet · 0\.6/);
    expect(stdout).toContain('control: connectaccept');
    expect(stdout).toContain('snap_single');
  });

  it('covers only the selected items, ids and messages', async () => {
    const { stdout } = await dump(demo, '--type obj_character --id 0 --ticks 8898..8898');
    expect(stdout).toMatch(/^ 1c42 .*chunk=snapshot/);
    expect(stdout).toContain('obj_character 0');
    expect(stdout).not.toMatch(/obj_character 1|obj_pickup|sv_|tick=8898 \(/);
    const early = '--ticks 8898..9100';
    const [{ stdout: all }, { stdout: none }] = [await dump(demo, early), await dump(demo, `${early} --no-messages`)];
    expect(all).toContain('chunk=message');
    expect(none).not.toContain('chunk=message');
    const { stdout: chat } = await dump(demo, '--type sv_chat');
    expect(chat.match(/chunk=\w+/g)).toEqual(chat.match(/chunk=message/g));
  });
});
it('dump -t ndjson has the messages before the first tick marker', async () => {
  const { stdout } = await run('dump a.demo -t ndjson', { 'a.demo': read('ddnet-race-player.demo') });
  const messages = stdout.split('\n').filter((line) => line.startsWith('{"record":"message"'));
  // The player's demo holds 338 messages, 334 of them after a tick marker.
  expect(messages).toHaveLength(338);
  expect(messages.filter((line) => line.includes('"tick":-1,'))).toHaveLength(4);
});
