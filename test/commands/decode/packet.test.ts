import { describe, expect, it } from 'vitest';
import { text, zeros } from '../../support/bytes.ts';
import { ipv4, ipv6, udp } from '../../support/capture-builder.ts';
import { firstPacked } from '../../support/first.ts';
import {
  chunk06,
  chunk07,
  ints,
  packet06,
  packet07,
  snapPart,
  snapSingle,
  someToken,
  tcpdump,
} from '../../support/packet-builder.ts';
import { run as runLine } from '../../support/run.ts';
import { read } from '../../support/samples.ts';

const run = (stdin: Uint8Array | string, line = '') =>
  runLine(/^(-|$)/.test(line) ? `decode ${line}` : line, {}, { stdin });

const json = async (input: Uint8Array | string, line = '') => JSON.parse((await run(input, `-t json ${line}`)).stdout);
const hex = (src: Iterable<number>) => Array.from(src, (byte) => byte.toString(16).padStart(2, '0')).join(' ');

/** A packet as a network carries it. */
const datagram4 = (packet: Uint8Array) => ipv4(udp([...packet]), { destination: [127, 0, 0, 2] });
const datagram6 = (packet: Uint8Array) => ipv6(udp([...packet]), { destination: [...zeros(15), 2] });

const first = [...firstPacked];
const timing = chunk07(ints(21, 100, 5));
const snap = packet07([timing, chunk07(snapSingle(8, 1243, 5, 77, first))], { compressed: true, ack: 9 });
const chat = packet06([chunk06([...ints(6, 0, 3), ...text('hi\0')], { vital: true, sequence: 12 })], {
  token: someToken,
});

describe('a packet', () => {
  it('is recognised, and shown with the bytes of the file and the decompressed ones', async () => {
    const { status, stdout, stderr } = await run(snap);
    expect(status).toBe(0);
    expect(stderr).toBe(
      'tw-snap: standard input: read as packet · 0.7 (without --base, updated items show differences)\n',
    );
    const lines = stdout.split('\n');
    expect(lines.slice(0, 8)).toEqual([
      'standard input',
      `  packet · 0.7   ${snap.length} bytes → 65 bytes   input_timing, snap_single`,
      '  0 removed, 3 items, values are differences',
      '',
      ' file  unpacked',
      '  0.0  0000  10 09 02 12  ....  flags=compressed ack=9 num_chunks=2 token=12345678',
      '  4.0  0004  34 56 78 00  4Vx.  chunk_flags=0',
      '  7.1  0008  04 15 a4 01  ....  chunk_size=4 msg=21 input_timing (system 10) input_pred_tick=100',
    ]);
    expect(stdout).toMatch(/crc=77\n.* {2}size=43 removed_items=0 num_item_deltas=3\n/);
    expect(stdout).toMatch(/ EOF, \d+ bits? of padding/);
  });

  it('is decoded alike from hex, from its own dump, and with its encoding stated', async () => {
    const whole = await json(snap);
    expect(await json(hex(snap))).toEqual(whole);
    expect(await json(snap, '-f packet -p 0.7')).toEqual(whole);
    const dump = await run(snap, '--width 160');
    expect(await json(dump.stdout)).toEqual(whole);
    expect((await json((await run(chat)).stdout)).chunks).toEqual((await json(chat)).chunks);
  });

  it('as JSON has the delta inside its message', async () => {
    const { chunks } = await json(snap);
    const { removed, items } = await json(firstPacked);
    expect(chunks[1].message).toMatchObject({ name: 'snap_single', fields: { tick: 1243, size: 43 } });
    expect(chunks[1].message.delta).toEqual({ base: null, removed, items });
    const part = packet07([chunk07(snapPart(6, 9, 2, 0, first.slice(0, 30)))]);
    expect((await json(part)).chunks[0].message.delta).toMatchObject({ partial: true });
    const later = packet07([timing, chunk07(snapPart(6, 9, 2, 1, first))]);
    expect((await json(later)).chunks[1].message).not.toHaveProperty('delta');
  });

  it('reports in which part of a snapshot its data ends', async () => {
    const part = await run(packet07([timing, chunk07(snapPart(6, 9, 2, 0, first.slice(0, 30)))]));
    expect(part.status).toBe(0);
    expect(part.stdout).toContain('part 1 of 2, 0 removed, 1 of 3 items');
    expect((await run(packet07([timing, chunk07(snapPart(6, 9, 2, 1, first))]))).stdout).toContain('part 2 of 2\n');
  });

  it('with a base shows the changes, and its checksum is compared', async () => {
    const { stdout } = await run(snap, '--base empty');
    expect(stdout).toContain('crc=77 (rebuilt: ');
    const onNothing = packet07([timing, chunk07(snapSingle(8, 5, 6, 3577, first))]);
    expect((await run(onNothing)).stdout).toContain('crc=3577 (matches)');
  });

  it('is an input of other commands, which use the delta in it', async () => {
    const { status, stdout } = await run(snap, 'apply empty - -t json');
    // The checksum that it announces is made up.
    expect([status, JSON.parse(stdout).items.length]).toEqual([1, 3]);
    // It removes an item that the base lacks, and its checksum is that of another base.
    const wrong = await run(read('ddnet-loss-tick2434.packet'), 'apply empty - -t json');
    expect([wrong.status, JSON.parse(wrong.stdout).items.length]).toEqual([1, 1]);
    const none = await run(chat, 'apply empty -');
    expect([none.status, none.stderr]).toEqual([
      3,
      'tw-snap: standard input: this packet contains no delta; expected one whole delta (tw-snap decode shows it)\n',
    ]);
    const part = await run(packet07([timing, chunk07(snapPart(6, 9, 2, 1, first))]), 'apply empty -');
    expect(part.stderr).toContain('this packet contains a part of a delta; expected one whole delta');
    // A compressed packet that is cut lacks the end of its bits; what is lost may have had one.
    for (const command of ['apply empty -', 'diff empty -', 'checksum', 'dump', 'decode']) {
      const { status, stderr } = await run(snap.subarray(0, 30), `${command} -f packet`);
      expect([command, status, stderr]).toEqual([command, 3, expect.stringContaining('huffman_no_eof at ')]);
    }
    const both = packet07([chunk07(snapPart(6, 9, 2, 1, first)), chunk07(snapSingle(8, 11, 12, 3577, first))]);
    for (const command of ['apply empty -', 'diff empty -', 'checksum', 'dump']) {
      const { stdout, stderr } = await run(both, command);
      expect([command, stdout === '', stderr]).toEqual([
        command,
        false,
        expect.stringContaining('standard input: a part of another delta is left out (tw-snap decode shows it)'),
      ]);
    }
  });

  it('that is damaged shows what was read, and the error last', async () => {
    const { status, stdout, stderr } = await run(snap.subarray(0, 30), '-f packet');
    expect(status).toBe(3);
    expect(stdout.trimEnd().split('\n').at(-1)).toMatch(/^ {1,2}1e\.0 {2}\w{4} {2}✗ huffman_no_eof: /);
    expect(stdout).toContain('tick=1243');
    expect(stderr).toContain('huffman_no_eof at 0x001e');
    const errors = await json(packet07([chunk07([0x06, 1]), timing, chunk07([0x06, 1, 2])]), '-f packet');
    expect(errors.diagnostics.map(({ code }: { code: string }) => code)).toEqual([
      'truncated_message',
      'truncated_message',
    ]);
  });

  it('with a warning is a finding only with --strict', async () => {
    const unusual = packet07([timing, timing], { excess: [1] });
    expect((await run(unusual, '-f packet')).status).toBe(0);
    const strict = await run(unusual, '-f packet --strict');
    expect([strict.status, strict.stderr]).toEqual([1, expect.stringContaining('--strict: packet_excess')]);
  });
});

describe('text pasted from tcpdump', () => {
  const ethernet = [...zeros(12), 0x08, 0x00];
  it.each([
    ['-x', tcpdump(datagram4(snap)), 28, '127.0.0.1:8303 > 127.0.0.2:50000'],
    ['-x of IPv6', tcpdump(datagram6(snap)), 48, '[::1]:8303 > [::2]:50000'],
    ['-xx', tcpdump([...ethernet, ...datagram4(snap)]), 42, '127.0.0.1:8303 > 127.0.0.2:50000'],
    ['-xx with a VLAN', tcpdump([...zeros(12), 0x81, 0, 0, 1, 8, 0, ...datagram4(snap)]), 46, '127.0.0.1:8303 > '],
    ['-xx in plain hex', hex([...ethernet, ...datagram4(snap)]), 42, '127.0.0.1:8303 > 127.0.0.2:50000'],
  ])('%s is the packet after the network headers', async (_, paste, headers, ends) => {
    const { status, stderr } = await run(paste);
    expect(status).toBe(0);
    expect(stderr).toContain('read as packet · 0.7 from text (');
    expect(stderr).toContain(`tw-snap: the UDP packet ${ends}`);
    expect(stderr).toContain(`: ${headers} bytes of network headers left out\n`);
    expect(await json(paste)).toEqual(await json(snap));
  });

  it('may be cut, and have more packets', async () => {
    const cut = await run(tcpdump(datagram4(snap).slice(0, 60)));
    expect([cut.status, cut.stderr]).toEqual([
      3,
      expect.stringContaining(`${snap.length - 32} bytes of it not recorded`),
    ]);
    const two = await run(tcpdump(datagram4(snap)) + tcpdump(datagram4(chat)));
    expect(two.stderr).toContain('2 packets from text (tcpdump); --nth N shows one alone');
  });

  it('among damaged ones is one of many: lines in which nothing makes sense are not joined', async () => {
    let state = 1;
    const random = () => {
      state = (state * 1103515245 + 12345) & 0x7fffffff;
      return (state >> 8) & 255;
    };
    const row = () =>
      Array.from({ length: 20 + (random() % 36) }, () => random().toString(16).padStart(2, '0')).join('');
    const rows = Array.from({ length: 8 }, row);
    const { stderr } = await run(rows.join('\n'));
    expect(stderr).toContain('8 packets from text (hex)');
  });

  it('may still be the bytes of a delta', async () => {
    expect(await json(tcpdump(first))).toMatchObject({ kind: 'delta', protocol: '0.7' });
  });
});

describe('a message', () => {
  const single = Uint8Array.from(snapSingle(8, 1243, 5, 77, first));
  it('is read where it is stated', async () => {
    const { chunks } = await json(snap);
    const message = await json(single, '-f message -p 0.7');
    expect(message).toEqual({
      ...{ kind: 'message', encoding: 'message', protocol: '0.7' },
      ...chunks[1].message,
      diagnostics: [],
    });
    expect((await run(single, '-f message')).stderr).toContain('read as message · 0.7');
    const { stdout } = await run(single, '-f message -t table');
    expect(stdout).toContain('snap_single                              system 8, 50 bytes\n  tick    1243   24.86 s\n');
  });

  it('is read where no other reading is plausible', async () => {
    const { kind, name, fields } = await json(
      Uint8Array.from([...ints(24, 1), ...text(`${'kick all cheaters '.repeat(6)}\0`)]),
      '-p 0.7',
    );
    expect([kind, name, fields.description[0].length]).toEqual(['message', 'sv_voteoptionlistadd', 108]);
    const { diagnostics } = await json(Uint8Array.from(ints(6, 1, 3, -1)));
    expect(diagnostics.at(-1).severity).toBe('error');
  });
});

describe('input that is plausible as a snapshot or delta', () => {
  it.each(['00 00 00', '00 03 00', '00 01 00 11 05 90 0c b0 04'])('is not read as another kind: %s', async (src) => {
    expect((await json(src)).kind).toBe('delta');
  });

  it('is read in the stated kind or encoding', async () => {
    expect(await json(snap, '-k snapshot')).toMatchObject({ kind: 'snapshot' });
    expect(await json(snap, '-f packed')).toMatchObject({ encoding: 'packed' });
  });
});

const packets = ['ddnet-loss-tick2434.packet', 'vanilla-dm1-tick9892.packet', 'ddnet-no-07-close.packet'];

describe.each(packets)('%s', (name) => {
  it('looks the same at every width', async () => {
    const tokens = async (width: string) =>
      (await run(read(name), `--width ${width} -t table`)).stdout.replaceAll(/\s+/g, ' ');
    expect(await tokens('80')).toBe(await tokens('160'));
    for (const width of ['80', '100', '160', '240']) {
      const { stdout } = await run(read(name), `--width ${width}`);
      expect(stdout.split('\n').filter((line) => line.length > Number(width) + 40)).toEqual([]);
      expect(await json(stdout)).toEqual(await json(read(name)));
    }
  });
});

describe('more bytes than a datagram holds', () => {
  // A connectionless packet of 0.6 begins with six bytes 0xff.
  const noise = Uint8Array.from({ length: 100_000 }, (_, i) => (i < 6 ? 255 : (i * 151 + (i >> 3)) & 255));

  it('are refused before they are shown', async () => {
    const { status, stdout, stderr } = await run(noise);
    expect([status, stdout]).toEqual([3, '']);
    expect(stderr).toContain('packet_too_large');
  });

  it('of a stated packet are shown as far as packets go, with -v all', async () => {
    const { status, stdout } = await run(noise, '- -k packet -p 0.6');
    expect(status).toBe(3);
    const rows = stdout.split('\n');
    expect(rows.length).toBeLessThan(1000);
    expect(rows.filter((row) => /… 97,\d{3} bytes of the same value \(-v\)/.test(row))).toHaveLength(1);
    expect((await run(noise, '- -k packet -p 0.6 -v')).stdout.split('\n').length).toBeGreaterThan(25_000);
  });
});

describe('what follows the last field of a message', () => {
  it('has its first 64 bytes shown, and all with -v', async () => {
    // Three bytes of the message, then 200 without a meaning: four bytes a row.
    const broadcast = hex([...ints(4), ...text('x\0'), ...Array.from({ length: 200 }, (_, i) => i)]);
    const rows = async (line: string) => (await run(broadcast, `-k message -p 0.6 ${line}`)).stdout.split('\n');
    const short = await rows('');
    const fold = short.findIndex((row) => row.includes('…'));
    expect(short[fold]!.trim()).toBe('… 132 bytes of the same value (-v)');
    expect([short[fold - 1], short[fold + 1]].map((row) => row!.trim().slice(0, 4))).toEqual(['0040', '00c8']);
    expect((await rows('-v')).filter((row) => row.includes('rest=')).length).toBe(51);
  });
});
