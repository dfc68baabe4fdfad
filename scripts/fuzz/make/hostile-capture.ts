import { type Bytes, file, text, zeros } from '../../../test/support/bytes.ts';
import { ipv4, pcapHeader, pcapRecord, udp } from '../../../test/support/capture-builder.ts';
import { chunk06, chunk07, ints, packet06, packet07, snapSingle } from '../../../test/support/packet-builder.ts';
import type { Random } from '../random.ts';

/**
 * A capture of honest sessions with forged and stray packets between them, and the snapshots that a reader must find in
 * it.
 */
interface HostileCapture {
  readonly bytes: Uint8Array;
  /** Snapshots with an announced checksum that the servers sent, by client and tick. */
  readonly snapshots: readonly string[];
}

interface Sent {
  readonly from: Bytes;
  readonly fromPort: number;
  readonly to: Bytes;
  readonly toPort: number;
  readonly packet: Uint8Array;
}

type Kind = '0.6' | '0.6 with tokens' | '0.7';

const kinds: readonly Kind[] = ['0.6', '0.6 with tokens', '0.7'];
const [client, server, otherServer] = [
  [10, 0, 0, 1],
  [10, 0, 0, 2],
  [10, 0, 0, 3],
] as const;
const [clientPort, serverPort] = [50_000, 8303];
const none = [255, 255, 255, 255];
/**
 * The maximum displacement of a packet, and the number of first packets in a session that stay in order, since a
 * handshake requires that.
 */
const [maxOff, settled] = [3, 12];

export function hostileCapture(random: Random): HostileCapture {
  const snapshots: string[] = [];
  const all: Sent[] = [];
  const sessions = random.between(1, 2);
  const servers = random.oneIn(2) ? [server, otherServer] : [server, server];
  for (let i = 0; i < sessions; i++) {
    const name = i === 0 ? '10.0.0.1:50000' : '10.0.0.1:50000#2';
    all.push(...session(random, servers[i]!, name, i === 0 && random.oneIn(4), snapshots));
  }
  if (random.oneIn(4)) all.splice(random.below(all.length), 0, ...spoofed(random));
  const records = all.map((sent, i) =>
    pcapRecord(ipv4(udp([...sent.packet], sent.fromPort, sent.toPort), { source: sent.from, destination: sent.to }), {
      seconds: 1_700_000_000 + Math.floor(i / 50),
      fraction: (i % 50) * 20_000,
    }),
  );
  return { bytes: file(pcapHeader({ linkType: 101 }), ...records), snapshots };
}

/**
 * Creates the packet of a snapshot with a token, which a server without tokens omits, and the ack of the client's first
 * message.
 */
type MakeSnapshot = (
  tick: number,
  base: number,
  crc: number,
  delta: Bytes,
  options?: { readonly key?: Bytes; readonly ack?: number },
) => Uint8Array;

/** One session with forged packets. */
function session(random: Random, at: Bytes, name: string, isLate: boolean, snapshots: string[]): Sent[] {
  const kind = random.pick(kinds);
  const token = () => Array.from({ length: 4 }, () => random.between(1, 250));
  const [own, other] = [token(), token()];
  const up = (packet: Uint8Array): Sent => ({ from: client, fromPort: clientPort, to: at, toPort: serverPort, packet });
  const down = (packet: Uint8Array): Sent => ({
    from: at,
    fromPort: serverPort,
    to: client,
    toPort: clientPort,
    packet,
  });
  const packets = isLate ? [] : handshake(kind, own, other, up, down);
  const isOf07 = kind === '0.7';
  const snapshot: MakeSnapshot = (tick, base, crc, delta, { key = own, ack = 1 } = {}) =>
    isOf07
      ? packet07([chunk07(snapSingle(8, tick, tick - base, crc, delta))], { token: key, ack })
      : packet06([chunk06(snapSingle(7, tick, tick - base, crc, delta))], { token: kind === '0.6' ? [] : key, ack });
  const rest = isOf07 ? [0, 0] : [0, 0, 0];
  const sums = new Map<number, number>();
  let tick = random.between(50, 100_000);
  for (let i = 0; i < random.between(20, 60); i++) {
    tick += 2;
    const bases = [...sums.keys()].slice(-5, -1);
    const base = bases.length > 0 && !random.oneIn(10) ? random.pick(bases) : -1;
    const step = random.between(-50, 50);
    const crc = ((sums.get(base) ?? 0) + step) | 0;
    sums.set(tick, crc);
    snapshots.push(`${name} ${tick}`);
    packets.push(down(snapshot(tick, base, crc, ints(0, 1, 0, 4, 0, step, ...rest))));
    if (packets.length > settled && random.oneIn(8))
      packets.push(...forged(random, kind, tick, up, down, snapshot, other));
  }
  return shuffled(random, packets);
}

function handshake(
  kind: Kind,
  own: Bytes,
  other: Bytes,
  up: (packet: Uint8Array) => Sent,
  down: (packet: Uint8Array) => Sent,
): Sent[] {
  const control06 = (...bytes: Bytes) => Uint8Array.from([0x10, 0, 0, ...bytes]);
  const control07 = (to: Bytes, ...bytes: Bytes) => Uint8Array.from([0x04, 0, 0, ...to, ...bytes]);
  const info = [3, ...text('0.6 626fce9a778df4d4'), 0, 0];
  const first = { vital: true, sequence: 1 };
  if (kind === '0.7') {
    return [
      up(control07(none, 5, ...own, ...zeros(508))),
      down(control07(own, 5, ...other)),
      up(control07(other, 1, ...own, ...zeros(508))),
      down(control07(own, 2)),
      up(packet07([chunk07(info, first)], { token: other })),
    ];
  }
  const end = kind === '0.6' ? [] : own;
  const magic = kind === '0.6' ? [] : text('TKEN');
  return [
    up(control06(1, ...magic, ...(kind === '0.6' ? [] : none))),
    down(control06(2, ...magic, ...end)),
    up(control06(3, ...end)),
    up(packet06([chunk06(info, first)], { token: end })),
  ];
}

/** Packets of an attacker who does not know the tokens, and the replies that the server sends to them. */
function forged(
  random: Random,
  kind: Kind,
  tick: number,
  up: (packet: Uint8Array) => Sent,
  down: (packet: Uint8Array) => Sent,
  snapshot: MakeSnapshot,
  other: Bytes,
): Sent[] {
  const wrong = [9, 9, 9, random.between(1, 250)];
  const jump = random.pick([2 ** 30, 2 ** 31 - 1, tick + 50_000, -7]);
  switch (random.below(6)) {
    case 0:
      return [up(Uint8Array.from([0x10, 0, 0, 1, ...text('TKEN'), ...none]))];
    case 1:
      return [
        up(Uint8Array.from([0x04, 0, 0, ...none, 5, ...wrong, ...zeros(508)])),
        down(Uint8Array.from([0x04, 0, 0, ...wrong, 5, ...other])),
      ];
    case 2:
      return [down(snapshot(jump, -1, 0, [0, 0, 0], { key: wrong }))];
    case 3:
      return [
        down(
          kind === '0.7'
            ? Uint8Array.from([0x04, 0, 0, ...wrong, 4, 0])
            : Uint8Array.from([0x10, 0, 0, 4, 0, ...(kind === '0.6' ? [] : wrong)]),
        ),
      ];
    case 4:
      return [down(Uint8Array.from([0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, ...text('inf3')]))];
    default:
      // Forged packets never count, whatever their tick: they lack the token or, without tokens, the ack.
      return [
        down(snapshot(tick + 2, -1, 0, [0, 0, 0], { key: wrong, ack: random.pick([0, random.between(300, 1000)]) })),
      ];
  }
}

/** Single packets from many addresses. */
const spoofed = (random: Random): Sent[] =>
  Array.from({ length: random.between(1, 300) }, (_, i) => ({
    from: [11, random.below(256), i >> 8, i & 255],
    fromPort: random.between(1024, 65_535),
    to: server,
    toPort: serverPort,
    packet: random.oneIn(2)
      ? Uint8Array.from([0x10, 0, 0, 1])
      : Uint8Array.from([0x04, 0, 0, ...none, 5, 1, 2, 3, 4, ...zeros(508)]),
  }));

/** Some packets are captured twice, some a few positions too early or late. */
function shuffled(random: Random, packets: readonly Sent[]): Sent[] {
  const isMoved = random.oneIn(2);
  return packets
    .flatMap((packet, i) => (i > settled && random.oneIn(20) ? [packet, packet] : [packet]))
    .map((packet, i) => ({ packet, place: i > settled && isMoved ? i + random.below(maxOff * 100) / 100 : i }))
    .sort((a, b) => a.place - b.place)
    .map(({ packet }) => packet);
}
