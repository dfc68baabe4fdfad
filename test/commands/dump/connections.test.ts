import { describe, expect, it } from 'vitest';
import { type Bytes, text, zeros } from '../../support/bytes.ts';
import { ethernet, ipv4, netlogOf, pcap, udp, v4 } from '../../support/capture-builder.ts';
import { samplePcap } from '../../support/corpus.ts';
import { chunk06, control06, ints, packet06, snapSingle } from '../../support/packet-builder.ts';
import { linesOf, run as runLine } from '../../support/run.ts';

async function run(bytes: Uint8Array, line: string) {
  const [command, ...args] = line.split(' ') as [string, ...string[]];
  const { stdout, ...rest } = await runLine([command, 'a.pcap', ...args], { 'a.pcap': bytes });
  return { ...rest, lines: linesOf(stdout) };
}

const server = 8303;
const down = (packet: Uint8Array, client = 50_000, from = server): Bytes =>
  ethernet(v4, ipv4(udp([...packet], from, client)));
const up = (packet: Uint8Array, client = 50_000, to = server): Bytes =>
  ethernet(v4, ipv4(udp([...packet], client, to)));

const connect = control06(1, ...zeros(512));
const map = chunk06([...ints((2 << 1) | 1), ...text('dm1'), 0, ...ints(1, 2)], { vital: true, sequence: 1 });
const motd = (words: string, sequence: number, resend = false) =>
  chunk06([...ints(1 << 1), ...text(words), 0], { vital: true, sequence, resend });
const start = (name: string) =>
  chunk06([...ints(20 << 1), ...text(name), 0, ...text(''), 0, ...ints(-1), ...text('default'), 0, ...ints(0, 0, 0)], {
    vital: true,
    sequence: 1,
  });

// An empty delta on the empty snapshot has the checksum 0.
const snap = (tick: number, delta: number, crc = 0) => chunk06([...snapSingle(7, tick, delta, crc, ints(0, 0, 0))]);

/** A connection in which one chunk is repeated, two chunks are missing, and one datagram is not a packet. */
const unusual = [
  up(connect),
  down(packet06([map])),
  up(packet06([start('ann')])),
  down(packet06([motd('one', 2)])),
  down(packet06([motd('one', 2, true)])),
  down(packet06([motd('five', 5)])),
  down(packet06([snap(100, 101)])),
  down(packet06([snap(102, 50)])),
  down(packet06([snap(104, 105, 77)])),
  down(Uint8Array.from([0x80, 0, 1, ...new Array(30).fill(0xff)])),
  // The client acknowledges all chunks up to the fifth.
  up(packet06([], { ack: 5, resend: true })),
  up(packet06([], { ack: 5, resend: true })),
  down(packet06([motd('eight', 8)])),
  down(control06(4, ...text('too bad'), 0)),
];

describe('a capture with many kinds of faults', () => {
  it('info counts the faults', async () => {
    const { status, lines } = await run(pcap(unusual), 'info');
    expect(status).toBe(3);
    const row = (label: string) => lines.find((line) => line.startsWith(`  ${label}`))?.slice(16);
    expect(lines[0]).toMatch(/✗ damaged: 1 packet can't be read, 1 finding, see tw-snap explain$/);
    expect(row('loss')).toBe("1 chunk sent again, ! 2 chunks not captured, ✗ 1 packet can't be read");
    expect(row('checksums')).toBe('1 match, ✗ 1 mismatched, 1 without their base');
    expect(row('time')).toBe('0:00.00 to 0:13.00, closed by the server (too bad)');
    expect(lines.some((line) => /^127\.0\.0\.1:50000 {3}ann {3}0\.6$/.test(line))).toBe(true);
  });

  it('dump shows the faults', async () => {
    const { status, lines } = await run(pcap(unusual), 'dump --width 160');
    expect(status).toBe(3);
    const reported = lines.join('\n');
    expect(reported).toContain('the checksum is 0; announced 77');
    expect(reported).toContain("✗ packet 10 can't be read to its end: ");
    expect(reported).toContain('is closed by the server (too bad)');
    for (const text of ['one', 'five', 'eight']) expect(reported).toContain(`message of the day: ${text}`);
    expect(reported.indexOf('eight')).toBeLessThan(reported.indexOf('is closed'));
  });

  it('dump -v lists every message and snapshot', async () => {
    const reported = (await run(pcap(unusual), 'dump -v --width 160')).lines.join('\n');
    expect(reported).toContain('gets map_change name="dm1" crc=1 size=2');
    expect(reported).toMatch(/sends cl_startinfo name="ann"/);
    expect(reported).toMatch(/tick 100 on the empty snapshot: 0 items, \d+ bytes/);
    expect(reported).toMatch(/tick 102 on base 52: the base is missing, \d+ bytes/);
  });

  it('dump --type lists only the messages of a kind', async () => {
    const { lines } = await run(pcap(unusual), 'dump --type sv_motd --width 160');
    expect(lines.filter((line) => line.includes('message of the day: '))).toHaveLength(3);
    expect(lines.join('\n')).not.toContain('map_change');
  });

  it('dump --ticks covers only these ticks', async () => {
    const { lines } = await run(pcap(unusual), 'dump --ticks 104..104 --width 160');
    expect(lines.join('\n')).not.toContain('message of the day: one');
    expect(lines.join('\n')).toContain('announced 77');
  });
});

describe('several connections', () => {
  const clients = [1, 2, 3, 4, 5, 6].map((number) => 50_000 + number);
  const joined = clients.flatMap((client, i) => [
    up(connect, client),
    down(packet06([map]), client),
    ...(i < 4 ? [up(packet06([start(i === 1 ? 'a name of many letters' : `tee ${i}`)]), client)] : []),
    down(packet06([snap(100, 101, i === 2 ? 5 : 0)]), client),
  ]);

  it.each([
    ['120', /^ {2}client +player +version +from +to +sent +received +lost +snapshots +end$/],
    ['60', /^ {2}client +player +lost +snapshots +end$/],
  ])('are a table, %s columns wide', async (width, head) => {
    const { lines, status } = await run(pcap(joined), `info --width ${width}`);
    expect([status, lines.slice(0, 2).join(' ')]).toEqual([
      1,
      expect.stringMatching(/✗ 1 checksum mismatched, see +tw-snap explain/),
    ]);
    const rows = lines.slice(lines.findIndex((line) => head.test(line)));
    expect(rows.filter((line) => /^ {2}127\.0\.0\.1:5000\d/.test(line))).toHaveLength(6);
    expect(rows.join('\n')).toContain('a name of many…');
    expect(rows.join('\n')).toContain('✗ 1 mismatched');
    expect(rows.at(-1)).toBe('  -v shows more of each');
  });

  it('are listed one by one with -v', async () => {
    const { lines } = await run(pcap(joined), 'info -v');
    expect(lines.filter((line) => line.startsWith('  checksums'))).toHaveLength(6);
    expect(lines.filter((line) => line.includes('not seen to end'))).toHaveLength(6);
  });

  it('to several servers name them', async () => {
    const { lines } = await run(
      pcap([...joined.slice(0, 4), up(connect, 50_001, 8304), down(packet06([map]), 50_001, 8304)]),
      'info',
    );
    expect(lines.find((line) => line.startsWith('  connections'))).toContain('to 2 servers');
    expect(lines.filter((line) => /^ {2}server +127\.0\.0\.1:830[34]$/.test(line))).toHaveLength(2);
  });
});

describe('traffic outside any connection', () => {
  it('is counted', async () => {
    const connless = Uint8Array.from([...new Array(6).fill(255), ...zeros(4), ...text('gie3'), 0]);
    const { lines, status } = await run(pcap([up(connless), up(Uint8Array.from(new Array(20).fill(0x3f)))]), 'info');
    expect(status).toBe(0);
    expect(lines.find((line) => line.startsWith('  datagrams'))).toMatch(/2 +1 connectionless, 1 of something else/);
    expect(lines.find((line) => line.startsWith('  connections'))).toMatch(/ 0$/);
  });
});

describe('a log without times', () => {
  it('has times counted from its ticks', async () => {
    const records = [
      packet06([map]),
      packet06([motd('one', 2)]),
      packet06([snap(100, 101)]),
      packet06([snap(150, 151)]),
    ];
    const { lines } = await run(netlogOf(records), 'dump -f netlog --width 160');
    expect(lines.join('\n')).toContain('message of the day: one');
    const info = await run(netlogOf(records), 'info -f netlog');
    expect(info.lines[0]).toMatch(/^a\.pcap {3}netlog, \d+ bytes, 0:01\.00, healthy$/);
    expect(info.lines.find((line) => line.startsWith('  time'))).toContain('? to ?');
  });
});

describe('damage of the file', () => {
  it('is reported for the first twenty places', async () => {
    const lost = await run(
      samplePcap().map((byte, at) => (at > 2000 && at % 1500 < 20 ? 0xff : byte)),
      'info',
    );
    expect(lost.status).toBe(3);
    expect(lost.lines[0]).toMatch(/damaged: 18 packets can't be read/);
    expect(lost.lines.filter((line) => /^ {2}✗ \w+ at /.test(line)).length).toBeLessThanOrEqual(20);
    expect(lost.lines.at(-1)).toMatch(/more findings?$/);
    const dump = await run(
      samplePcap().map((byte, at) => (at > 20_000 && at < 22_000 ? 0xff : byte)),
      'dump',
    );
    expect(dump.lines.join('\n')).toContain('✗ records_lost');
  });
});
