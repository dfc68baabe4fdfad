import { describe, expect, it } from 'vitest';
import { partBytes } from '../../../src/wire/snapshot/key.ts';
import type { Bytes } from '../../support/bytes.ts';
import { ethernet, ipv4, pcap, udp, v4 } from '../../support/capture-builder.ts';
import { captureFrames, diagnosticsOf } from '../../support/capture-frames.ts';
import { rebuiltOf } from '../../support/cuts.ts';
import { chunk06, ints, packet06 } from '../../support/packet-builder.ts';
import { runWriting } from '../../support/run.ts';
import { read } from '../../support/samples.ts';

const capture = read('ddnet-ipv6.pcap');
const both = new Uint8Array(Buffer.concat([read('duplicate-key.pcap'), read('vanilla-ctf-timeout.pcap').subarray(24)]));

const slice = (line: string, files: Record<string, Uint8Array> = { 'server.pcap': capture }) =>
  runWriting(`slice ${line}`, files);

/** The records of a pcap of little-endian ints, each with its header. */
function recordsOf(file: Uint8Array): Uint8Array[] {
  const records: Uint8Array[] = [];
  for (let at = 24; at < file.length; ) {
    const end = at + 16 + new DataView(file.buffer, file.byteOffset).getUint32(at + 8, true);
    records.push(file.subarray(at, end));
    at = end;
  }
  return records;
}

const datagramsOf = (file: Uint8Array) => captureFrames(file).filter((frame) => 'source' in frame);

/** A capture of datagrams in two fragments where that can be, with another program's packets between these. */
function fragmented(datagrams: ReturnType<typeof datagramsOf>): Uint8Array<ArrayBuffer> {
  const packets = datagrams.flatMap(({ data, sourcePort, destinationPort }, id) => {
    const whole = udp(data, sourcePort, destinationPort);
    const size = 8 * Math.floor(whole.length / 16);
    const other = ethernet(v4, ipv4(udp([1, 2, 3, 4], 53, 99)));
    if (size === 0) return [ethernet(v4, ipv4(whole, { id })), other];
    const head = ipv4(whole.slice(0, size), { id, more: true });
    const tail = ipv4(whole.slice(size), { id, offset: size });
    return [ethernet(v4, head), other, ethernet(v4, tail)];
  });
  return pcap(packets);
}

/** A snapshot of two parts, on the empty one. */
function partsOf(tick: number): Bytes[] {
  const item = new Array<number>(22).fill(0x20000000 + tick);
  const delta = ints(0, 12, 0, ...Array.from({ length: 12 }, (_, id) => [9, id, ...item]).flat());
  const crc = (12 * 22 * item[0]!) | 0;
  return [delta.slice(0, partBytes), delta.slice(partBytes)].map((bytes, part) => [
    ...ints((5 << 1) | 1, tick, tick + 1, 2, part, crc, bytes.length),
    ...bytes,
  ]);
}

describe('slice of a capture', () => {
  it('copies packets as they are, by their numbers', async () => {
    const { status, files } = await slice('server.pcap --frames 10..20 -o cut.pcap');
    expect(status).toBe(0);
    const cut = files.get('cut.pcap')!;
    expect(cut.subarray(0, 24)).toEqual(capture.subarray(0, 24));
    expect(recordsOf(cut)).toEqual(recordsOf(capture).slice(9, 20));
  });

  it('has the packets between the first and the last snapshot of a range, and says which lost their base', async () => {
    const { status, stdout, files } = await slice('server.pcap@0:05..0:10 -o cut.pcap');
    expect(status).toBe(0);
    const [all, own] = [recordsOf(capture), recordsOf(files.get('cut.pcap')!)];
    const first = all.findIndex((record) => Buffer.from(record).equals(own[0]!));
    expect(own).toEqual(all.slice(first, first + own.length));
    const whole = rebuiltOf(capture);
    const ticks = [...whole.keys()].map((key) => Number(key.split(' ')[2]));
    const wanted = ticks.filter((tick) => tick >= ticks[0]! + 250 && tick <= ticks[0]! + 500);
    const piece = rebuiltOf(files.get('cut.pcap')!);
    expect([...piece.keys()].map((key) => Number(key.split(' ')[2]))).toEqual(wanted);
    const lost = [...piece.values()].filter(({ verdict }) => verdict === 'missing_base').length;
    expect(stdout).toContain(`cut.pcap: ${lost} of ${wanted.length} snapshots can't be rebuilt in it`);
  });

  it('from the beginning has the handshake, and rebuilds what the whole does', async () => {
    const { stdout, files } = await slice('server.pcap@..0:05 -o cut.pcapng');
    expect(stdout).not.toContain("can't be rebuilt");
    const [whole, piece] = [rebuiltOf(capture), rebuiltOf(files.get('cut.pcapng')!)];
    expect(piece.size).toBeGreaterThan(100);
    for (const [key, snapshot] of piece) expect(snapshot, key).toEqual(whole.get(key));
    // One section of a pcapng with the packets up to the last snapshot of the range.
    expect(captureFrames(files.get('cut.pcapng')!).length).toBe(Number(/(\d+) of 786/.exec(stdout)![1]));
  });

  it.each(['ddnet-ipv6.pcap', 'vanilla-ctf-timeout.pcap'])(
    'that is self-contained rebuilds all that the whole %s does, with few packets that were not captured',
    async (name) => {
      const input = read(name);
      const { status, stdout, files } = await slice('in.pcap@0:05..0:10 --self-contained -o cut.pcap', {
        'in.pcap': input,
      });
      expect([status, stdout]).toEqual([0, expect.not.stringContaining("can't be rebuilt")]);
      const [whole, piece] = [rebuiltOf(input), rebuiltOf(files.get('cut.pcap')!)];
      expect(piece.size).toBeGreaterThan(100);
      const withoutMaps = new Map([...whole].map(([key, rebuilt]) => [key.replace(/ \d+ /, ' '), rebuilt]));
      for (const [key, snapshot] of piece) {
        expect(snapshot.verdict, key).toBe('ok');
        expect(snapshot, key).toEqual(withoutMaps.get(key.replace(/ \d+ /, ' ')));
      }
      const captured = new Set(recordsOf(input).map((record) => Buffer.from(record).toString('hex')));
      const made = recordsOf(files.get('cut.pcap')!).filter(
        (record) => !captured.has(Buffer.from(record).toString('hex')),
      );
      const count = Number(/(\d+) snapshots? written whole/.exec(stdout)![1]);
      expect(made.length).toBeGreaterThan(0);
      expect(made.length).toBeLessThanOrEqual(2 * count);
      expect(count).toBeLessThan(10);
    },
  );

  it('that is self-contained has no fragment without its datagram, where the cut lies between them', async () => {
    const parts = fragmented(datagramsOf(capture).slice(0, 150));
    const sums = (file: Uint8Array) =>
      new Map([...rebuiltOf(file)].map(([key, { verdict, sum }]) => [key.split(' ')[2], `${verdict} ${sum}`]));
    const whole = sums(parts);
    for (const frames of ['200..400', '201..401', '202..402']) {
      const { files } = await slice(`in.pcap --frames ${frames} --self-contained -o cut.pcap`, { 'in.pcap': parts });
      const cut = files.get('cut.pcap')!;
      expect([diagnosticsOf(cut), datagramsOf(cut).length], frames).toEqual([[], captureFrames(cut).length]);
      const rebuilt = sums(cut);
      expect(rebuilt.size).toBeGreaterThan(10);
      for (const [tick, sum] of rebuilt) expect([tick, sum]).toEqual([tick, whole.get(tick)]);
      expect([...rebuilt.values()].every((sum) => sum.startsWith('ok'))).toBe(true);
    }
  });

  it('that is self-contained has all parts of a snapshot, or none', async () => {
    const packets = [102, 104, 106].flatMap((tick) => partsOf(tick).map((message) => packet06([chunk06(message)])));
    expect(packets).toHaveLength(6);
    const input = pcap(packets.map((packet) => ethernet(v4, ipv4(udp([...packet])))));
    const ticksOf = async (frames: string) => {
      const { files } = await slice(`in.pcap --frames ${frames} --self-contained -o cut.pcap`, { 'in.pcap': input });
      return [...rebuiltOf(files.get('cut.pcap')!)].map(([key, { verdict }]) => `${key.split(' ')[2]} ${verdict}`);
    };
    expect(await ticksOf('2..6')).toEqual(['104 ok', '106 ok']);
    expect(await ticksOf('1..3')).toEqual(['102 ok']);
    expect(await ticksOf('2..3')).toEqual([]);
  });

  it('has one connection', async () => {
    const { status, files } = await slice('two.pcap --client 127.0.0.1:51806 -o one.pcap', { 'two.pcap': both });
    expect(status).toBe(0);
    expect(files.get('one.pcap')).toEqual(read('vanilla-ctf-timeout.pcap'));
  });

  it('has all fragments of the datagrams of a connection', async () => {
    // A connection's first packets, each in two fragments where it can be, and another program's between these.
    const datagrams = datagramsOf(capture).slice(0, 40);
    const { status, files } = await slice('f.pcap --client 29911 -o one.pcap', {
      'f.pcap': fragmented(datagrams),
    });
    expect(status).toBe(0);
    const cut = datagramsOf(files.get('one.pcap')!);
    // Those with bit 0x20 are without a connection: a browser's request and its answer.
    const connection = datagrams.filter(({ data }) => (data[0]! & 0x20) === 0);
    expect(cut.map(({ data, sourcePort }) => [data, sourcePort])).toEqual(
      connection.map(({ data, sourcePort }) => [data, sourcePort]),
    );
  });

  it('begins with the first fragment of the first snapshot of a range', async () => {
    const files = { 'whole.pcap': capture, 'parts.pcap': fragmented(datagramsOf(capture)) };
    const ticksOf = async (name: string) => {
      const cut = (await slice(`${name} --ticks 0:02..0:04 -o cut.pcap`, files)).files.get('cut.pcap')!;
      return [...rebuiltOf(cut).keys()].map((key) => Number(key.split(' ')[2]));
    };
    expect(await ticksOf('parts.pcap')).toEqual(await ticksOf('whole.pcap'));
  });

  it('cuts around what is said, each a file', async () => {
    // The first lines come before the first snapshot, with which they are cut.
    for (const [which, snapshots] of [
      ['1', 10],
      ['last', 20],
    ] as const) {
      const around = `--around chat:/./:${which} --before 1 --after 1`;
      const { status, stdout, files } = await slice(`server.pcap ${around} -o c-%d.pcap`);
      expect([status, stdout]).toEqual([0, expect.stringMatching(/^c-1\.pcap {3}0:0[12]\.\d\d {3}ticks/)]);
      expect(rebuiltOf(files.get('c-1.pcap')!).size).toBeGreaterThan(snapshots);
    }
  });

  it('cuts around what a client named by --client sees, and around what happens to its connection', async () => {
    const arounds = ['chat:/./:last', 'connect', 'enter', 'close', 'announcement:1'];
    const lines = [...arounds.map((around) => ['six', around]), ['1', 'connect'], ['29911', 'close']];
    for (const [client, around] of lines) {
      const { status, stderr, stdout } = await slice(`server.pcap --client ${client} --around ${around} -o c-%d.pcap`);
      expect([status, stderr], `${client} ${around}`).toEqual([0, '']);
      expect(stdout).toMatch(/^c-1\.pcap .* snapshots/);
    }
  });

  it.each([
    ['server.pcap -o x.pcap', 2, 'choose what to cut out'],
    ['server.pcap --frames 1..2 --ticks 5..6 -o x.pcap', 2, 'choose what to cut out'],
    ['server.pcap --frames 5..2 -o x.pcap', 2, 'A..B'],
    ['server.pcap --frames 5000.. -o x.pcap', 3, 'there is no packet of that'],
    ['server.pcap --ticks 5..6 -o x.pcap', 2, 'no snapshot in these ticks: it has'],
    ['server.pcap --ticks 1.. --no-carry -o x.pcap', 2, '--no-carry is for demos'],
    ['match.demo --frames 1..2 -o x.demo', 2, '--frames is for captures'],
    ['match.demo --ticks 1.. --client 1 -o x.demo', 2, '--client is for captures'],
    ['match.demo --ticks 1.. --self-contained -o x.demo', 2, '--self-contained is for captures'],
    ['two.pcap --around chat:/./ --join -o x.pcap', 2, 'several connections: choose one with --client'],
  ])('%s is refused', async (line, expected, reason) => {
    const files = { 'server.pcap': capture, 'match.demo': read('vanilla-dm1.demo'), 'two.pcap': both };
    const { status, stderr, files: written } = await slice(line, files);
    expect([status, stderr]).toEqual([expected, expect.stringContaining(reason)]);
    expect([...written.keys()].filter((name) => name.startsWith('x'))).toEqual([]);
  });

  it('says what damage left out', async () => {
    const damaged = capture.slice();
    // The head of a record.
    damaged.fill(
      0xff,
      recordsOf(capture)[20]!.byteOffset - capture.byteOffset,
      recordsOf(capture)[21]!.byteOffset - capture.byteOffset,
    );
    const { status, stderr, files } = await slice('server.pcap --frames 1.. -o x.pcap', { 'server.pcap': damaged });
    expect([status, stderr]).toEqual([3, expect.stringContaining('server.pcap')]);
    expect(diagnosticsOf(files.get('x.pcap')!)).toEqual([]);
  });
});
