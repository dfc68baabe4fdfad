import { describe, expect, it } from 'vitest';
import { ClientTallies } from '../../../src/analysis/stats/client-tallies.ts';
import { ItemCounter } from '../../../src/analysis/stats/item-tallies.ts';
import {
  maxClients,
  maxKinds,
  maxMessages,
  maxPlayers,
  maxPlayersWithItems,
  maxSeconds,
  maxSent,
} from '../../../src/analysis/stats/limits.ts';
import { PlayerTallies } from '../../../src/analysis/stats/player-tallies.ts';
import { Players } from '../../../src/recording/events/players.ts';
import { protocolOf } from '../../../src/wire/protocol/registry.ts';
import { file } from '../../support/bytes.ts';
import { ipv4, pcapHeader, pcapRecord, someTime, udp } from '../../support/capture-builder.ts';
import { chunk06, ints, packet06, snapPart, snapSingle } from '../../support/packet-builder.ts';
import { run as runLine } from '../../support/run.ts';

// What is beyond a limit is counted together, under a name that says so: the sums stay right.

/** A packet of a server for each message, each a number of seconds after the one before. */
function capture(messages: readonly (readonly number[])[], seconds = 1): Uint8Array {
  const records = messages.map((message, i) => {
    const bytes = ipv4(udp([...packet06([chunk06([...message])])], 8303, 50_000));
    return pcapRecord(bytes, { seconds: someTime + Math.floor(i * seconds) });
  });
  return file(pcapHeader({ linkType: 101 }), ...records);
}

async function statsOf(bytes: Uint8Array) {
  const { stdout } = await runLine('stats -t json a.pcap', { 'a.pcap': bytes });
  return JSON.parse(stdout)[0];
}

const numbers = (count: number) => Array.from({ length: count }, (_, i) => i);

const snapshot = snapSingle(7, 100, 101, 300, ints(0, 1, 0, 4, 0, 100, 200, 0, 0));

describe('limits of stats', () => {
  it('messages of more kinds', async () => {
    // System message 0 has a UUID.
    const head = ints(1);
    const all = numbers(maxMessages + 5).map((i) => [...head, i >> 8, i & 0xff, ...new Array(14).fill(7), 0]);
    const { messages } = await statsOf(capture([snapshot, ...all], 0.01));
    const others = messages.filter(({ name }: { name: string }) => name === 'unknown others');
    expect([messages.length, others]).toEqual([maxMessages + 1, [expect.objectContaining({ times: 5 })]]);
  });

  it('items of more kinds', async () => {
    // A part has at most 900 bytes.
    const perSnapshot = 100;
    const all = numbers(Math.ceil((maxKinds + 50) / perSnapshot)).map((n) => {
      const items = numbers(perSnapshot).flatMap((i) => ints(100 + n * perSnapshot + i, 0, 1, 7));
      return snapSingle(7, 100 + 2 * n, 101 + 2 * n, 7 * perSnapshot, [...ints(0, perSnapshot, 0), ...items]);
    });
    const stats = await statsOf(capture(all, 0.04));
    const sent = ({ sent }: { sent: number }) => sent;
    const others = stats.items.filter(({ type, uuid }: { type?: number; uuid?: string }) => type === null && !uuid);
    const kinds = all.length * perSnapshot;
    expect([stats.items.length, others.map(sent)]).toEqual([maxKinds + 1, [kinds - maxKinds]]);
  });

  it('parts of more snapshots than are known at once: copies, which nothing settles, make room', async () => {
    const part = (i: number, part: number) => snapPart(5, 100 + 2 * i, 2, part, new Array(900).fill(0));
    const twice = numbers(maxSent + 50).flatMap((i) => [part(i, 0), part(i, 1), part(i, 0)]);
    const { snapshots, bits } = await statsOf(capture(twice, 0.04));
    expect([snapshots.full + snapshots.deltas, bits > 0]).toEqual([maxSent + 50, true]);
  });

  it('seconds', async () => {
    const stats = await statsOf(capture([snapshot, snapshot, snapshot], maxSeconds));
    // Those of the second and the third are in the last one, and the sum is that of the recording.
    const seconds: { second: number; bits: number }[] = stats.per_second;
    expect(seconds.map(({ second }) => second)).toEqual([0, maxSeconds - 1]);
    expect(seconds.reduce((sum, { bits }) => sum + bits, 0)).toBe(stats.bits);
  });

  it('clients', () => {
    const tallies = new ClientTallies();
    for (const i of numbers(maxClients + 3)) tallies.add(`client ${i}`, 'to_server', 10, 0);
    const { all } = tallies;
    expect([all.length, all.at(-1)!.client, all.at(-1)!.packets.to_server]).toEqual([maxClients + 1, undefined, 3]);
  });

  it('players: more are counted with the world, and no items of their own', () => {
    const item = new ItemCounter(protocolOf('0.6').byName('obj_character'), undefined, undefined);
    const players = new Players();
    const tallies = new PlayerTallies(true);
    const counted = numbers(maxPlayers + 3).filter((client) => {
      tallies.add(item, client, players, 0);
      return tallies.itemOf(item) !== undefined;
    });
    const { all } = tallies;
    expect([all.length, all.at(-1)!.client, all.at(-1)!.sent]).toEqual([maxPlayers + 1, undefined, 3]);
    expect(counted.length).toBe(maxPlayersWithItems);
  });
});
