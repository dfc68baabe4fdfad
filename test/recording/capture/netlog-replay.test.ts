import { describe, expect, it } from 'vitest';
import { NetlogReplay } from '../../../src/recording/capture/netlog-replay.ts';
import { maxConnections } from '../../../src/recording/replay/limits.ts';
import type { RecordingEntry } from '../../../src/recording/replay/record.ts';
import { be32, file, text, zeros } from '../../support/bytes.ts';
import { netlogOf, netlogRecord } from '../../support/capture-builder.ts';
import { chunk06, chunk07, control06, ints, packet06, packet07 } from '../../support/packet-builder.ts';

const replayed = (bytes: Uint8Array, options = {}) => {
  const replay = new NetlogReplay(options);
  const records: RecordingEntry[] = [...replay.feed(bytes), ...replay.finish()];
  return { replay, records };
};

const input = packet06([chunk06([...ints((16 << 1) | 1, 5, 9, 0), ...zeros(10)])]);
// The first message of a client is `info` (1), that of a server `map_change` (2).
const fromClient = packet06([
  chunk06([...ints((1 << 1) | 1), ...text('0.6 626fce9a778df4d4'), 0, 0], { vital: true, sequence: 1 }),
]);
const fromServer = packet06([
  chunk06([...ints((2 << 1) | 1), ...text('dm1'), 0, ...ints(1, 2)], { vital: true, sequence: 1 }),
]);
const connless = Uint8Array.from([255, 255, 255, 255, 255, 255, ...zeros(4), ...text('gie3'), 0]);

const directions = (records: readonly RecordingEntry[]) => [
  ...new Set(records.flatMap((record) => (record.record === 'message' ? [record.direction] : []))),
];

describe('a log of the network', () => {
  it('is of one side, decided by the first packet that identifies the side', () => {
    const client = replayed(netlogOf([control06(0), fromClient, input]));
    expect([client.replay.streams.length, directions(client.records)]).toEqual([1, ['to_server']]);
    const server = replayed(netlogOf([control06(0), fromServer]));
    expect([server.replay.streams.length, directions(server.records)]).toEqual([1, ['to_client']]);
  });

  it("is assumed to be a client's where no packet identifies the side", () => {
    const short = replayed(netlogOf([control06(0)]));
    expect(short.replay.streams.map(({ client, server }) => [client, server])).toEqual([['client', 'server']]);
    // Records are returned before the end, so fewer packets are held.
    const replay = new NetlogReplay();
    expect([...replay.feed(netlogOf(Array.from({ length: 40 }, () => control06(0))))].length).toBeGreaterThan(0);
    expect(replay.datagrams.total).toBe(40);
  });

  it('counts packets that belong to no connection', () => {
    const { replay, records } = replayed(netlogOf([connless, Uint8Array.from(new Array(20).fill(0x3f)), connless]), {
      parts: true,
    });
    expect(replay.datagrams).toMatchObject({
      total: 3,
      connless: 2,
      handshakes: 0,
      dropped: { connections: 0, packets: 0, undecodable: 0 },
      other: 1,
    });
    expect(replay.streams).toEqual([]);
    expect(records.map(({ record }) => record)).toEqual(['packet', 'packet', 'packet']);
  });

  it('follows the first connections; the packets of the others are counted', () => {
    const with07 = (token: number) => packet07([chunk07(ints((16 << 1) | 1, 5, 9, 0))], { token: be32(token) });
    const all = Array.from({ length: maxConnections + 3 }, (_, i) => [with07(i + 1), with07(i + 1)]).flat();
    const { replay, records } = replayed(netlogOf(all));
    expect(replay.streams).toHaveLength(maxConnections);
    expect(replay.datagrams.dropped).toMatchObject({ connections: 3, packets: 6 });
    const codes = records.flatMap((record) => (record.record === 'diagnostic' ? [record.diagnostic.code] : []));
    expect(codes.at(-1)).toBe('too_many_connections');
  });

  it('that ends in a record is reported', () => {
    const whole = netlogOf([fromClient]);
    const { records } = replayed(file([...whole], netlogRecord(0, [1, 2, 3], 9)));
    const diagnostics = records.flatMap((record) => (record.record === 'diagnostic' ? [record.diagnostic.code] : []));
    expect(diagnostics).toEqual(['truncated_record']);
  });
});
