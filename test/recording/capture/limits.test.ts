import { describe, expect, it } from 'vitest';
import { maxBases, maxDone, maxHandshakePackets, maxHeld, maxPartial } from '../../../src/recording/replay/limits.ts';
import { file } from '../../support/bytes.ts';
import { ipv4, pcapHeader, pcapRecord, someTime, udp } from '../../support/capture-builder.ts';
import { chunk06, control06, ints, packet06, snapPart, snapSingle } from '../../support/packet-builder.ts';
import { run as runLine } from '../../support/run.ts';

// A limit that is reached is said, and what it leaves out is never healthy.

/** A packet of a server for each message, 50 in a second. */
function capture(messages: readonly (readonly number[])[]): Uint8Array {
  const records = messages.map((message, i) => {
    const bytes = ipv4(udp([...packet06([chunk06([...message])])], 8303, 50_000));
    return pcapRecord(bytes, { seconds: someTime + Math.floor(i / 50), fraction: (i % 50) * 20_000 });
  });
  return file(pcapHeader({ linkType: 101 }), ...records);
}

const run = (bytes: Uint8Array, line: string) => runLine(`${line} a.pcap`, { 'a.pcap': bytes });

async function infoOf(bytes: Uint8Array) {
  const { status, stdout } = await run(bytes, 'info -t json');
  const [info] = JSON.parse(stdout);
  return { status, info };
}

const numbers = (count: number) => Array.from({ length: count }, (_, i) => i);
const onePickup = ints(0, 1, 0, 4, 0, 100, 200, 0, 0);
const full = (tick: number) => snapSingle(7, tick, tick + 1, 300, onePickup);
/** A difference of nothing to the snapshot of another tick. */
const delta = (tick: number, base: number) => snapSingle(7, tick, tick - base, 300, ints(0, 0, 0));

describe('limits of a connection', () => {
  it('more snapshots with missing parts than are kept: those that are given up are counted', async () => {
    const first = numbers(3 * maxPartial).map((i) => snapPart(5, 100 + 2 * i, 2, 0, new Array(900).fill(0)));
    const { info } = await infoOf(capture([full(98), ...first]));
    expect([info.health, info.snapshots, info.connections[0].missing_part]).toEqual([
      'incomplete',
      1 + 3 * maxPartial,
      3 * maxPartial,
    ]);
    const { stdout } = await run(capture([full(98), ...first]), 'checksum');
    expect(stdout).toMatch(/snapshots +matched +empty +no base +no part +mismatched\n.* 97 +1 +0 +0 +96 +0\n/);
  });

  it('more bases than are kept: a delta on one that is forgotten lacks it', async () => {
    const between = numbers(maxBases + 60).map((i) => delta(100 + i, 98));
    const last = 99 + maxBases + 62;
    const { info } = await infoOf(capture([full(98), ...between, delta(last, 100)]));
    expect([info.health, info.connections[0].missing_base]).toEqual(['incomplete', 1]);
    // A base that is kept.
    const kept = await infoOf(capture([full(98), ...between, delta(last, last - 10)]));
    expect([kept.info.health, kept.info.connections[0].missing_base]).toEqual(['healthy', 0]);
  });

  it('more messages with an unexpected tick than are held: they are counted as rejected, all of them', async () => {
    const forged = numbers(2 * maxHeld).map((i) => full(1_000_000 + 10_000 * (i % 2 === 0 ? i : -i)));
    const bytes = capture([full(98), delta(100, 98), ...forged, delta(102, 98)]);
    const { info } = await infoOf(bytes);
    expect([info.snapshots, info.connections[0].matched, info.rejected]).toEqual([3, 3, 2 * maxHeld]);
    expect((await run(bytes, 'info')).stdout).toMatch(/rejected +128|128 .*rejected/);
  });

  it('more settled ticks than are remembered: a copy of a recent one is none, and all are counted once', async () => {
    const count = 3 * maxDone;
    const between = numbers(count).map((i) => delta(100 + 2 * i, 98 + 2 * i));
    const copies = numbers(10).map((i) => delta(100 + 2 * (count - 10 + i), 98 + 2 * (count - 10 + i)));
    const { info } = await infoOf(capture([full(98), ...between, ...copies]));
    expect([info.health, info.snapshots, info.connections[0].matched]).toEqual(['healthy', count + 1, count + 1]);
  });
});

describe('limits of a handshake', () => {
  const client = { port: 50_000, server: 8303 };
  const connect = control06(1, 0x54, 0x4b, 0x45, 0x4e, 0xff, 0xff, 0xff, 0xff);
  const accept = control06(2, 0x54, 0x4b, 0x45, 0x4e, 1, 2, 3, 4);

  function handshakes(asks: number, isAnswered: boolean): Uint8Array {
    const { port, server } = client;
    const asked = numbers(asks).map(() => ipv4(udp([...connect], port, server)));
    const all = isAnswered ? [...asked, ipv4(udp([...accept], server, port))] : asked;
    const records = all.map((bytes, i) =>
      pcapRecord(bytes, { seconds: someTime + Math.floor(i / 2), fraction: (i % 2) * 500_000 }),
    );
    return file(pcapHeader({ linkType: 101 }), ...records);
  }

  it('more packets than are kept, and no answer: all are counted, and it is not healthy', async () => {
    const asks = 3 * maxHandshakePackets;
    const { status, info } = await infoOf(handshakes(asks, false));
    expect([status, info.health, info.handshakes]).toEqual([1, 'suspect', asks]);
  });

  it('and an answer: the connection has all of them', async () => {
    const asks = 3 * maxHandshakePackets;
    const { stdout } = await run(handshakes(asks, true), 'info -v');
    expect(stdout).toContain(`${asks + 1} packets`);
  });
});
