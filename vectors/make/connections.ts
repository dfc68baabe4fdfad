import { chunkHead, compress, flags, fromHex, intsHex, nulText, packetHead, toHex } from '../encode.mjs';
import { Seeded } from './seeded.ts';
import type { About, Vectors } from './vector.ts';

type Version = '0.6' | '0.7';
const versions = ['0.6', '0.7'] as const;

/** The numbers of vital messages count modulo this. */
const modulus = 1024;

/** One end of a connection that is online. */
interface End {
  readonly protocol: Version;
  /** What the packets to it have. Those of 0.6 have none if the connection has none. */
  readonly token?: string;
  /** The number of the vital message that it took last. */
  readonly last: number;
  /** Vital messages that it has sent, with the numbers from 1 on; none is acknowledged. */
  readonly sent: number;
}

/** A message: vital if it has a number. */
type Message = readonly [sequence: number | null, hex: string, resent?: boolean];

interface Packet {
  readonly ack?: number;
  readonly messages?: readonly Message[];
  readonly token?: string;
  readonly compressed?: boolean;
  readonly resend?: boolean;
  /** The chunks that the header announces beyond those that are there. */
  readonly missing?: number;
  /** A control packet: its code, and what follows it. */
  readonly control?: readonly number[];
  /** Seconds since the messages of this end were sent. */
  readonly at?: number;
}

const ownToken = '0a1b2c3d';
const otherToken = '0a1b2c3e';

const end = (protocol: Version, { last = 0, sent = 0, token = ownToken }: Partial<End> = {}): End => ({
  protocol,
  ...(token && { token }),
  last,
  sent,
});

/** In 0.7 a token is in the header, in 0.6 it follows the messages. */
function hexOf({ protocol, token: right }: End, packet: Packet): string {
  const { ack = 0, messages = [], compressed, resend, control } = packet;
  const token = packet.token ?? right ?? '';
  const bit = flags[protocol];
  const set = (control ? bit.control : 0) | (resend ? bit.resend : 0) | (compressed ? bit.compressed : 0);
  const chunks = messages.map(([sequence, hex, resent = false]) => {
    const head = { vital: sequence !== null, resend: resent, size: hex.length / 2, sequence: sequence ?? 0 };
    return chunkHead(protocol, head) + hex;
  });
  const payload = (control ? toHex(control) : chunks.join('')) + (protocol === '0.6' ? token : '');
  const head = packetHead(set, ack, messages.length + (packet.missing ?? 0), protocol === '0.7' ? token : '');
  return head + (compressed ? toHex(compress(fromHex(payload))) : payload);
}

const questionOf = (own: End, packets: readonly Packet[], seconds = 0) => ({
  ...own,
  packets: packets.map((packet) => [packet.at ?? 0, hexOf(own, packet)]),
  seconds,
});

type Taken = readonly [packet: number, hex: string];

/** Which messages are taken, by the rules of the games, and what the next packet says. */
function received({ last, sent, token }: End, packets: readonly Packet[]) {
  const taken: Taken[] = [];
  let [ack, acknowledged, resend] = [last, 0, false];
  for (const [i, packet] of packets.entries()) {
    if (packet.token !== undefined && packet.token !== token) continue;
    const steps = ((packet.ack ?? 0) - acknowledged + modulus) % modulus;
    if (steps > sent - acknowledged) continue;
    acknowledged = packet.ack ?? 0;
    for (const [sequence, hex] of packet.messages ?? []) {
      const ahead = sequence === null ? 0 : (sequence - ack + modulus) % modulus;
      if (sequence === null || ahead === 1) taken.push([i, hex]);
      if (ahead === 1) ack = sequence!;
      else if (ahead > 1 && ahead < modulus / 2) resend = true;
    }
  }
  return { state: 'online', taken, ack, resend };
}

const wrongAck =
  "connection: ack lower than the last one, or higher than the other side's last sequence number, with or without tokens";

const source = 'CNetConnection::Feed in network_conn.cpp, CPacketChunkUnpacker::UnpackNextChunk in network.cpp';
const row = (text: string, note?: string): About => ({ source, row: `connection: ${text}`, ...(note && { note }) });

export function makeConnections(vectors: Vectors): void {
  const reading =
    (protocol: Version): Read =>
    (own, packets, about) => {
      const receiver = end(protocol, own);
      vectors.valid('connection', questionOf(receiver, packets), received(receiver, packets), { source, ...about });
    };
  for (const protocol of versions) {
    const read = reading(protocol);
    makeOrders(read);
    makeAcks(read);
    makeRandom(protocol, read);
    makeTokens(vectors, protocol, read);
    makeEnds(vectors, protocol);
  }
  for (const protocol of versions) makeMany(protocol, reading(protocol));
}

type Read = (own: Partial<End>, packets: readonly Packet[], about: About) => void;

const [a, b, c]: Message[] = [
  [1, 'a1'],
  [2, 'b2b2'],
  [3, 'c3'],
];
const loose: Message = [null, 'ff'];

function makeOrders(read: Read): void {
  read({}, [], { note: 'no packet' });
  read({}, [{ messages: [a!, b!] }, { messages: [c!] }], { note: 'in order' });
  read({}, [{ messages: [loose] }, { messages: [loose, a!, loose] }], { note: 'others have no order' });
  read({}, [{ messages: [a!, b!], compressed: true }], { note: 'compressed' });
  read({}, [{ messages: [a!] }, { messages: [[1, 'a1', true], b!] }], { note: 'one that is here already' });
  read({ sent: 2 }, [{ messages: [loose, a!], resend: true }], {
    note: 'a packet that asks for messages again has its own, and nothing is missing here',
  });
  read({}, [{ messages: [a!, loose], missing: 1 }, { messages: [b!] }], {
    row: 'packet: fewer chunks than announced',
    note: 'those that are there are taken',
  });
  const early = row('vital chunk out of order');
  read({}, [{ messages: [b!] }], early);
  read({}, [{ messages: [b!, loose, a!] }], { ...early, note: 'the one after it is taken' });
  const again: Message[] = [
    [1, 'a1', true],
    [2, 'b2b2', true],
    [3, 'c3', true],
  ];
  read({}, [{ messages: [b!, c!] }, { messages: again }], { ...early, note: 'all come again' });
  read({ last: 1023 }, [{ messages: [[0, 'a1']] }, { messages: [[1, 'b2']] }], { note: '0 follows 1023' });
  read({ last: 1022 }, [{ messages: [[0, 'a1']] }], { ...early, note: '0 is after 1023' });
  read({ last: 3 }, [{ messages: [[1020, 'a1']] }], { note: '1020 was before 3' });
  read({ last: 100 }, [{ messages: [[611, 'a1']] }], { ...early, note: '511 steps ahead' });
  read({ last: 100 }, [{ messages: [[612, 'a1']] }], { note: '512 steps ahead are 512 behind' });
  read({ last: 600 }, [{ messages: [[88, 'a1']] }], { note: '512 steps behind' });
  read({ last: 600 }, [{ messages: [[87, 'a1']] }], { ...early, note: '513 behind are 511 ahead' });
  const changed = row('vital chunk sent again with other content');
  read({}, [{ messages: [a!] }, { messages: [[1, 'eeee', true]] }], { ...changed, note: 'the first one counts' });
  read({}, [{ messages: [b!] }, { messages: [a!, [2, 'eeee', true]] }], {
    ...changed,
    note: 'the one that came early does not',
  });
}

function makeAcks(read: Read): void {
  const wrong = { row: wrongAck };
  read({}, [{ ack: 5, control: [4] }, { messages: [a!] }], { ...wrong, note: 'of a close, which then closes nothing' });
  read({ sent: 2 }, [{ ack: 2, messages: [a!] }], { note: 'all is acknowledged' });
  read(
    { sent: 2 },
    [
      { ack: 1, messages: [a!] },
      { ack: 1, messages: [b!] },
    ],
    { note: 'the same ack again' },
  );
  read(
    { sent: 2 },
    [
      { ack: 3, messages: [a!] },
      { ack: 2, messages: [a!] },
    ],
    { ...wrong, note: 'never sent' },
  );
  read(
    { sent: 2 },
    [
      { ack: 2, messages: [a!] },
      { ack: 1, messages: [b!] },
    ],
    { ...wrong, note: 'lower' },
  );
  read({}, [{ ack: 1023, messages: [a!] }], { ...wrong, note: 'nothing was sent' });
  read(
    { sent: 2 },
    [
      { ack: 2, control: [0] },
      { ack: 1, messages: [a!] },
    ],
    {
      ...wrong,
      note: 'lower than that of a keep-alive',
    },
  );
}

/** Messages that get lost, come twice, late and with others. */
function makeRandom(protocol: Version, read: Read): void {
  const random = new Seeded(protocol === '0.7' ? 77 : 66);
  for (let i = 0; i < 16; i++) {
    const last = random.pick([0, 0, 500, 1018, 1022]);
    const sent = random.below(6);
    let ack = 0;
    const packets = Array.from({ length: 2 + random.below(7) }, (): Packet => {
      ack = Math.min(sent, ack + random.below(2));
      const messages = Array.from({ length: 1 + random.below(3) }, (): Message => {
        const hex = toHex(random.bytes(1 + random.below(4)));
        if (random.next() < 0.3) return [null, hex];
        return [(last + 1 + random.below(5)) % modulus, hex, random.next() < 0.4];
      });
      const isOdd = random.next() < 0.15;
      return { messages, ack: isOdd ? sent + 3 : ack, compressed: random.next() < 0.3 };
    });
    read({ last, sent }, packets, {});
  }
}

function makeTokens(vectors: Vectors, protocol: Version, read: Read): void {
  const wrong = row('wrong token');
  read({}, [{ messages: [a!], token: otherToken }, { messages: [a!, b!] }], wrong);
  read({}, [{ control: [4, ...nulText('forged')], token: otherToken }, { messages: [a!] }], {
    ...wrong,
    note: 'of a close',
  });
  if (protocol === '0.6') {
    read({}, [{ messages: [a!], token: '' }], { ...wrong, note: 'no token' });
    read({ token: '' }, [{ messages: [a!] }, { messages: [b!] }], { note: 'a connection without tokens' });
    read({ token: '', sent: 1 }, [{ ack: 2, messages: [a!] }], { row: wrongAck, note: 'without tokens' });
    return;
  }
  // Teeworlds looks at the ack first.
  const receiver = end(protocol, { sent: 2 });
  const packets = [
    { ack: 2, messages: [a!], token: otherToken },
    { ack: 1, messages: [a!] },
  ];
  const out = received(receiver, packets);
  vectors.acceptable(
    'connection',
    questionOf(receiver, packets),
    out,
    [
      { does: 'accepted', out },
      { does: 'accepted', out: { ...out, taken: [], ack: 0 } },
    ],
    { ...wrong, note: 'its ack counts in Teeworlds, so that of the next packet is lower' },
  );
}

function makeEnds(vectors: Vectors, protocol: Version): void {
  const receiver = end(protocol);
  const closed = (packets: readonly Packet[], taken: readonly Taken[], note: string) =>
    vectors.valid('connection', questionOf(receiver, packets), { state: 'closed', taken }, { source, note });
  closed([{ control: [4] }], [], 'closed without a reason');
  const close = { control: [4, ...nulText('bye')] };
  closed([{ messages: [a!] }, close, { messages: [b!] }], [[0, 'a1']], 'what comes after a close is of no connection');

  const update = 'CNetConnection::Update in network_conn.cpp';
  const alive = (...times: number[]) => times.map((at): Packet => ({ at, control: [0] }));
  const waiting = end(protocol, { sent: 1 });
  const weak = { source: update, note: 'the other end is there, and acknowledges nothing' };
  const over = { state: 'closed', taken: [] };
  const online = { state: 'online', taken: [] };
  const question = questionOf(waiting, alive(4, 8, 12), 13);
  const deeds = [
    { does: 'accepted', out: online },
    { does: 'stops', out: over },
  ] as const;
  vectors.acceptable('connection', question, online, deeds, weak);
  vectors.valid('connection', questionOf(waiting, alive(4, 8), 9), online, { source: update, note: '9 seconds' });
  const tens = [10, 20, 30, 40, 50, 60, 70, 80, 90, 100];
  vectors.valid('connection', questionOf(waiting, alive(...tens), 101), over, weak);
  const answered = tens.map((at): Packet => ({ at, control: [0], ack: 1 }));
  vectors.valid('connection', questionOf(waiting, answered, 105), online, {
    source: update,
    note: 'all is acknowledged',
  });
  vectors.valid('connection', questionOf(receiver, alive(5), 106), over, { source: update, note: 'silence' });
  const forged = questionOf(receiver, [{ at: 60, control: [0], token: otherToken }], 110);
  vectors.valid('connection', forged, over, { source, note: 'a packet with a wrong token breaks no silence' });
}

/** What only several packets show. */
function makeMany(protocol: Version, read: Read): void {
  const wrong = Array.from({ length: 8 }, (): Packet => ({ messages: [loose], token: otherToken }));
  read({}, wrong, row('most packets of a server with a token, an ack or a tick that its client does not expect'));
  const last = (content: string): Message => [null, `${snap[protocol]}${intsHex([100, 101, 2, 1, 0, 3])}${content}`];
  const changed = row(
    'part of a snapshot with another number of parts, checksum or base than those before, or other content',
    'the last part comes twice',
  );
  read({}, [{ messages: [last('000000')] }, { messages: [last('010000')] }], changed);
}

/** The first byte of a message with a part of a snapshot: number 5, in 0.7 6, and the bit of system messages. */
const snap = { '0.6': '0b', '0.7': '0d' } as const;
