import { describe, expect, it } from 'vitest';
import { file, text } from '../../support/bytes.ts';
import { ethernet, ipv4, pcapHeader, pcapRecord, someTime, udp, v4 } from '../../support/capture-builder.ts';
import { corpusFile, goldenCaptures, hasCorpus, samplePcap } from '../../support/corpus.ts';
import { serverMessage } from '../../support/made-capture.ts';
import { chunk06, packet06 } from '../../support/packet-builder.ts';
import { recordingStats } from '../../support/recording-stats.ts';
import { run } from '../../support/run.ts';

/** Each packet of a little-endian pcap a second time, as a capture of all interfaces may have it. */
function doubled(bytes: Uint8Array): Uint8Array {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  const pieces = [bytes.subarray(0, 24)];
  for (let at = 24; at < bytes.length; ) {
    const end = at + 16 + view.getUint32(at + 8, true);
    pieces.push(bytes.subarray(at, end), bytes.subarray(at, end));
    at = end;
  }
  return new Uint8Array(Buffer.concat(pieces));
}

const bitsOf = (all: Iterable<{ readonly bits: number }>) => [...all].reduce((sum, { bits }) => sum + bits, 0);

describe('a capture with every packet twice', () => {
  const once = recordingStats(samplePcap());
  const twice = recordingStats(doubled(samplePcap()));

  it('has twice the bytes, all counted', () => {
    expect(twice.bytes).toBe(2 * once.bytes);
    expect(twice.tally.bits).toBe(8 * twice.bytes);
  });

  it('has the same snapshots: the others are resends', () => {
    expect(twice.tally.snapshots.deltas).toBe(once.tally.snapshots.deltas);
    expect(bitsOf(twice.tally.items.all)).toBe(bitsOf(once.tally.items.all));
    const { parts } = once.tally;
    const deltas = bitsOf(once.tally.items.all) + parts.get('snapshot_heads')!.bits + parts.get('removed_keys')!.bits;
    expect(twice.tally.parts.get('resends')!.bits).toBeGreaterThanOrEqual(deltas);
  });

  it('has the headers of all packets', () => {
    expect(twice.tally.parts.get('packet_headers')!.bits).toBe(2 * once.tally.parts.get('packet_headers')!.bits);
  });
});

describe('seconds', () => {
  const info = [...new Array<number>(10).fill(0xff), ...text('gie3'), 7];
  const other = (seconds: number) =>
    pcapRecord(ethernet(v4, ipv4(udp(info, 40000, 8303))), { seconds: someTime + seconds });
  const chat = (seconds: number) =>
    pcapRecord(ethernet(v4, ipv4(udp([...packet06([chunk06(serverMessage('sv_chat', 0, -1, 'hello'))])]))), {
      seconds: someTime + seconds,
    });

  it.each([
    ['from the first packet of a connection to the last', [other(0), chat(2), chat(3), chat(7), other(20)], 5],
    ['from the first datagram to the last without a connection', [other(1), other(5)], 4],
  ])('are the same in info and stats: %s', async (_, records, expected) => {
    const files = { 'a.pcap': file(pcapHeader(), ...records) };
    for (const command of ['info', 'stats'])
      expect([command, JSON.parse((await run(`${command} a.pcap -t json`, files)).stdout)[0].seconds]).toEqual([
        command,
        expected,
      ]);
  });
});

describe('the server', () => {
  const { modes, packets } = recordingStats(samplePcap());

  it('sends slowly until the first snapshot is acknowledged', () => {
    expect(modes.map(({ mode, perSecond }) => [mode, perSecond])).toEqual([
      ['init', 5],
      ['full', 25],
    ]);
    expect(modes.reduce((sum, { snapshots }) => sum + snapshots, 0)).toBe(446);
  });

  it('is distinguished from the client', () => {
    expect([packets.to_client.count, packets.to_server.count, packets.other.count]).toEqual([451, 333, 2]);
  });
});

describe.skipIf(!hasCorpus)('of recordings (needs ../shared)', () => {
  it.each(goldenCaptures(/loss|mapchange|ipv6/))(
    '%s: as many snapshots as other programs counted',
    (name, { snaps, empty }) => {
      const { snapshots, seconds } = recordingStats(corpusFile(name)).tally;
      expect([snapshots.full + snapshots.deltas, snapshots.empty]).toEqual([snaps, empty]);
      expect(seconds.all.reduce((sum, tally) => sum + tally.snapshots, 0)).toBe(snaps + empty);
    },
  );

  it('06-ddnet-loss has the resends that were captured', () => {
    expect(recordingStats(corpusFile('06-ddnet-loss.pcap')).tally.parts.get('resends')!.times).toBe(53);
  });
});
