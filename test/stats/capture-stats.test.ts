import { describe, expect, it } from 'vitest';
import { statsOf } from '../../src/api/recording.ts';
import { corpusFile, goldenCaptures, hasCorpus, samplePcap } from '../support/corpus.ts';

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
  const once = statsOf(samplePcap());
  const twice = statsOf(doubled(samplePcap()));

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

describe('the server', () => {
  const { modes, packets } = statsOf(samplePcap());

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

describe.skipIf(!hasCorpus)('of recordings (needs ../shared/corpus)', () => {
  it.each(goldenCaptures().filter(([name]) => /loss|mapchange|ipv6/.test(name)))(
    '%s: as many snapshots as other programs counted',
    (name, { snaps, empty }) => {
      const { snapshots, seconds } = statsOf(corpusFile(name)).tally;
      expect([snapshots.full + snapshots.deltas, snapshots.empty]).toEqual([snaps, empty]);
      expect(seconds.all.reduce((sum, one) => sum + one.snapshots, 0)).toBe(snaps + empty);
    },
    60_000,
  );

  it('06-ddnet-loss has the resends that were captured', () => {
    expect(statsOf(corpusFile('06-ddnet-loss.pcap')).tally.parts.get('resends')!.times).toBe(53);
  });
});
