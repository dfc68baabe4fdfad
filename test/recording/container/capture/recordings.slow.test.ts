import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { type CaptureFrame, CaptureReader } from '../../../../src/recording/container/capture/capture-reader.ts';
import { type Bytes, be32, file } from '../../../support/bytes.ts';
import { description, enhanced, option, section } from '../../../support/capture-builder.ts';
import { framesOf } from '../../../support/capture-frames.ts';
import { corpusFiles, hasCorpus } from '../../../support/corpus.ts';
import { execFileSync, hasTool, tool } from '../../../support/host.ts';

const corpus = new URL('../../../../../shared/corpus/', import.meta.url);
const names = corpusFiles(/\.pcap(ng)?$/);

const golden: Record<string, { packets: number }> = !hasCorpus
  ? {}
  : JSON.parse(readFileSync(new URL('golden/captures.json', corpus), 'utf8'));

const recording = (name: string) => new Uint8Array(readFileSync(new URL(name, corpus)));

/** What tshark prints of a datagram: number, time, source, destination, ports, length. */
function fieldsOf(frame: CaptureFrame): string {
  const { number, seconds, nanoseconds, source, destination, sourcePort, destinationPort, start, end, kind } = frame;
  if (kind === 'diagnostic') return `${frame.diagnostic!.code} ${frame.offset}`;
  const time = `${seconds}.${String(nanoseconds).padStart(9, '0')}`;
  return [number, time, source, destination, sourcePort, destinationPort, 8 + end - start].join('\t');
}

const datagrams = (bytes: Uint8Array, pieceSize = 65536) => framesOf(new CaptureReader(), bytes, fieldsOf, pieceSize);

function tshark(path: string): string[] {
  const fields = 'frame.number frame.time_epoch ip.src ipv6.src ip.dst ipv6.dst udp.srcport udp.dstport udp.length';
  const args = ['-r', path, '-Y', 'udp and not icmp and not icmpv6', '-T', 'fields'];
  for (const field of fields.split(' ')) args.push('-e', field);
  const lines = execFileSync(tool('tshark'), args, {
    encoding: 'utf8',
    maxBuffer: 1 << 26,
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  // One of the two kinds of addresses is empty.
  return lines
    .trimEnd()
    .split('\n')
    .map((line) => line.split('\t').filter(Boolean).join('\t'));
}

/** The whole file with all header ints in the other byte order, and its fractions in nanoseconds. */
function bigEndianNano(pcap: Uint8Array): Uint8Array {
  const [from, to] = [new DataView(pcap.buffer, pcap.byteOffset), new DataView(pcap.slice().buffer)];
  to.setUint32(0, 0xa1b23c4d);
  for (const at of [4, 6]) to.setUint16(at, from.getUint16(at, true));
  for (const at of [8, 12, 16, 20]) to.setUint32(at, from.getUint32(at, true));
  for (let at = 24; at < pcap.length; at += 16 + from.getUint32(at + 8, true)) {
    for (const field of [0, 8, 12]) to.setUint32(at + field, from.getUint32(at + field, true));
    to.setUint32(at + 4, 1000 * from.getUint32(at + 4, true));
  }
  return new Uint8Array(to.buffer);
}

/**
 * The same packets in a big-endian pcapng of several sections, times counted as an interface with this resolution does.
 */
function asPcapng(pcap: Uint8Array, resolution: number, perSecond: bigint): Uint8Array {
  const from = new DataView(pcap.buffer, pcap.byteOffset);
  const resolved = [...option(9, [resolution], false), ...option(14, [...be32(0), ...be32(1000)], false)];
  const blocks: Bytes[] = [];
  for (let at = 24, i = 0; at < pcap.length; at += 16 + from.getUint32(at + 8, true), i++) {
    if (i % 1000 === 0) blocks.push(section(false), description(from.getUint32(20, true), resolved, false));
    const [seconds, micros, size] = [0, 4, 8].map((field) => from.getUint32(at + field, true)) as [
      number,
      number,
      number,
    ];
    // Rounded up, since a unit may not divide a microsecond.
    const time = BigInt(seconds - 1000) * perSecond + (BigInt(micros) * perSecond + 999_999n) / 1_000_000n;
    blocks.push(enhanced([...pcap.subarray(at + 16, at + 16 + size)], { little: false, time }));
  }
  return file(...blocks);
}

describe.skipIf(!hasCorpus)('captures (needs ../shared)', () => {
  it.each(names)('%s has the packets of its golden, all UDP, and no diagnostics', (name) => {
    const reader = new CaptureReader();
    const bytes = recording(name);
    let diagnostics = 0;
    for (const frame of reader.feed(bytes)) if (frame.kind === 'diagnostic') diagnostics++;
    for (const _ of reader.finish()) diagnostics++;
    const { packets } = golden[name.replace(/ng$/, '')]!;
    expect([reader.counts, diagnostics]).toEqual([{ packets, datagrams: packets, other: 0, cut: 0, copies: 0 }, 0]);
  });

  it('07-vanilla-dm1 is the same in both formats', () => {
    expect(datagrams(recording('07-vanilla-dm1.pcapng'))).toEqual(datagrams(recording('07-vanilla-dm1.pcap')));
  });

  it.each(corpusFiles(/\.pcap$/))('%s is the same, turned around and in other units', (name) => {
    const bytes = recording(name);
    const expected = datagrams(bytes);
    expect(datagrams(bytes, 1000)).toEqual(expected);
    expect(datagrams(bigEndianNano(bytes))).toEqual(expected);
    if (bytes.length > 1 << 20) return;
    expect(datagrams(asPcapng(bytes, 6, 10n ** 6n))).toEqual(expected);
    expect(datagrams(asPcapng(bytes, 9, 10n ** 9n))).toEqual(expected);
    const roughly = (line: string) => line.replace(/(\.\d{6})\d+/, '$1');
    expect(datagrams(asPcapng(bytes, 0x9e, 1n << 30n)).map(roughly)).toEqual(expected.map(roughly));
  });

  it.skipIf(!hasTool('tshark')).each(names)('%s is what tshark reads (needs tshark)', (name) => {
    expect(datagrams(recording(name))).toEqual(tshark(fileURLToPath(new URL(name, corpus))));
  });
});
