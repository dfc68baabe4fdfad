import { type Bytes, be16, file } from '../../../test/support/bytes.ts';
import {
  block,
  cooked,
  cooked2,
  description,
  enhanced,
  ethernet,
  extension,
  fragment6,
  ipv4,
  ipv6,
  netlogRecord,
  obsolete,
  option,
  pcapHeader,
  pcapRecord,
  section,
  simple,
  udp,
  v4,
  v6,
} from '../../../test/support/capture-builder.ts';
import type { Random } from '../random.ts';
import { damaged, shuffled } from './bytes.ts';
import { type Material, makePacket, type RecordedPacket } from './packet.ts';

/** A datagram of a recording: direction, time and payload. */
export interface Datagram extends RecordedPacket {
  readonly toServer: boolean;
  /** In microseconds. */
  readonly time: number;
}

/** Some consecutive datagrams of one connection. */
export type Conversation = readonly Datagram[];

/** A capture of recorded packets with changes to their content, their order and the file format. */
export function makeCapture(random: Random, conversations: readonly Conversation[], material: Material): Uint8Array {
  let conversation = random.pick(conversations).slice();
  conversation.length = Math.min(conversation.length, random.between(1, 24));
  if (!random.oneIn(6))
    for (let left = random.few(); left > 0; left--) conversation = changedConversation(random, conversation, material);
  const write = random.pick([pcapOf, pcapOf, pcapngOf, netlogOf]);
  const bytes = write(random, conversation);
  return random.oneIn(3)
    ? damaged(
        random,
        bytes,
        conversation.map((datagram) => datagram.bytes),
      )
    : bytes;
}

function changedConversation(random: Random, conversation: readonly Datagram[], material: Material): Datagram[] {
  const at = random.below(conversation.length);
  const datagram = conversation[at];
  if (!datagram || random.oneIn(3)) return shuffled(random, conversation, datagram ? [datagram] : []);
  switch (random.below(4)) {
    case 0:
      return conversation.with(at, { ...datagram, toServer: !datagram.toServer });
    case 1:
      return conversation.with(at, { ...datagram, time: datagram.time + 1000 * random.int() });
    default:
      return conversation.with(at, { ...datagram, bytes: makePacket(random, material, datagram) });
  }
}

/** The link layers of frames: the link type, and a function that adds the header before the IP packet. */
const links: readonly (readonly [type: number, wrap: (six: boolean, ip: Bytes) => Bytes])[] = [
  [1, (six, ip) => ethernet(six ? v6 : v4, ip)],
  [1, (six, ip) => ethernet(six ? v6 : v4, ip, 0x8100, 0x88a8)],
  [101, (_, ip) => ip],
  [0, (six, ip) => [six ? 30 : 2, 0, 0, 0, ...ip]],
  [113, (six, ip) => cooked(six ? v6 : v4, ip)],
  [276, (six, ip) => cooked2(six ? v6 : v4, ip)],
  [147, (_, ip) => ip],
];

/** The frames of a datagram: one, or one per fragment. */
function framesOf(
  random: Random,
  { bytes, toServer }: Datagram,
  wrap: (six: boolean, ip: Bytes) => Bytes,
  id: number,
): Bytes[] {
  const [from, to] = toServer ? [50_000, 8303] : [8303, 50_000];
  const length = random.oneIn(40) ? random.int() & 0xffff : 8 + bytes.length;
  const payload = udp([...bytes], from, to, length);
  const six = id % 3 === 0;
  if (random.oneIn(12) && payload.length > 16) {
    const cut = 8 * random.between(1, Math.floor(payload.length / 8));
    const [first, second] = [payload.slice(0, cut), payload.slice(cut)];
    const parts = six
      ? [
          ipv6(fragment6(17, 0, true, id, first), { next: 44 }),
          ipv6(fragment6(17, cut, false, id, second), { next: 44 }),
        ]
      : [ipv4(first, { id, more: true }), ipv4(second, { id, offset: cut })];
    const frames = parts.map((part) => wrap(six, part));
    return random.oneIn(4) ? shuffled(random, frames, frames) : frames;
  }
  if (six) return [wrap(true, random.oneIn(10) ? ipv6(extension(17, 8, payload), { next: 0 }) : ipv6(payload))];
  return [
    wrap(false, ipv4(payload, random.oneIn(10) ? { options: [1, 1, 1, 1], protocol: random.pick([17, 6]) } : {})),
  ];
}

function pcapOf(random: Random, conversation: Conversation): Uint8Array {
  const [linkType, wrap] = random.pick(links);
  const [little, nano] = [random.oneIn(2), random.oneIn(2)];
  const snapLength = random.oneIn(20) ? random.int() : 262_144;
  const stated = random.oneIn(30) ? random.below(300) : linkType;
  const parts = [pcapHeader({ little, nano, linkType: stated, snapLength })];
  for (const [i, datagram] of conversation.entries()) {
    for (const frame of framesOf(random, datagram, wrap, i)) {
      const options = {
        little,
        seconds: Math.floor(datagram.time / 1e6),
        fraction: (datagram.time % 1e6) * (nano ? 1000 : 1),
        ...(random.oneIn(30) ? { recorded: random.int() } : {}),
        ...(random.oneIn(30) ? { original: random.int() } : {}),
      };
      const kept = random.oneIn(20) ? frame.slice(0, random.below(frame.length)) : frame;
      parts.push(pcapRecord(kept, { original: frame.length, ...options }));
    }
  }
  return file(...parts);
}

function pcapngOf(random: Random, conversation: Conversation): Uint8Array {
  const [linkType, wrap] = random.pick(links);
  const little = random.oneIn(2);
  const resolution = random.oneIn(3)
    ? [...option(9, [random.byte()], little), ...option(14, [...random.bytes(8)], little)]
    : [];
  const parts: Bytes[] = [
    section(little),
    description(linkType, resolution, little, random.oneIn(9) ? random.int() : 0),
  ];
  for (const [i, { time, ...datagram }] of conversation.entries()) {
    for (const frame of framesOf(random, { ...datagram, time }, wrap, i)) {
      const at = BigInt(Math.trunc(time));
      const number = random.oneIn(30) ? random.below(4) : 0;
      const kind = random.below(12);
      if (kind === 0) parts.push(simple(frame, frame.length, little));
      else if (kind === 1) parts.push(obsolete(frame, number, at, little));
      else if (kind === 2) parts.push(block(random.int(), [...be16(7), ...random.bytes(6)], little));
      const wrongLength = random.oneIn(30) ? { recorded: random.int() } : {};
      parts.push(enhanced(frame, { little, interface: number, time: at, ...wrongLength }));
    }
    if (random.oneIn(20)) parts.push(section(little), description(linkType, [], little));
  }
  return file(...parts);
}

function netlogOf(random: Random, conversation: Conversation): Uint8Array {
  const direction = random.oneIn(2);
  return file(
    ...conversation
      .filter(({ toServer }) => toServer === direction)
      .map(({ bytes }) => {
        const type = random.oneIn(20) ? random.int() : 0;
        return netlogRecord(type, [...bytes], random.oneIn(30) ? random.int() : bytes.length);
      }),
  );
}
