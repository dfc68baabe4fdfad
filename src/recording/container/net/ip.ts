import { i32, u16be, u32 } from '../../../wire/bytes/fixed-int.ts';

/** `127.0.0.1:8303`, `[::1]:8303` */
export const endpointText = (address: string, port: number): string =>
  address.includes(':') ? `[${address}]:${port}` : `${address}:${port}`;

export function addressText(bytes: Uint8Array, at: number, size: number): string {
  return size === 4 ? v4Text(bytes, at) : v6Text(bytes, at);
}

function v4Text(bytes: Uint8Array, at: number): string {
  return `${bytes[at]}.${bytes[at + 1]}.${bytes[at + 2]}.${bytes[at + 3]}`;
}

/** RFC 5952: lower case, no leading zeros, and `::` for the first of the longest runs of at least two zeros. */
function v6Text(bytes: Uint8Array, at: number): string {
  const groups = Array.from({ length: 8 }, (_, i) => u16be(bytes, at + 2 * i));
  if (groups[5] === 0xffff && groups.slice(0, 5).every((group) => group === 0))
    return `::ffff:${v4Text(bytes, at + 12)}`;
  let runStart = 0;
  let runLength = 1;
  for (let i = 0, length = 0; i < 8; i++) {
    length = groups[i] === 0 ? length + 1 : 0;
    if (length > runLength) {
      runStart = i + 1 - length;
      runLength = length;
    }
  }
  const text = (from: number, to: number) =>
    groups
      .slice(from, to)
      .map((group) => group.toString(16))
      .join(':');
  return runLength < 2 ? text(0, 8) : `${text(0, runStart)}::${text(runStart + runLength, 8)}`;
}

const slots = 1024;

export class AddressTexts {
  readonly #texts = new Array<string>(slots).fill('');
  /** The size and the words of each address. */
  readonly #words = new Int32Array(5 * slots);

  of(bytes: Uint8Array, at: number, size: number): string {
    const words = this.#words;
    const isV6 = size > 4;
    const a = i32(bytes, at, false);
    const b = isV6 ? i32(bytes, at + 4, false) : 0;
    const c = isV6 ? i32(bytes, at + 8, false) : 0;
    const d = isV6 ? i32(bytes, at + 12, false) : 0;
    const slot = Math.imul(a ^ Math.imul(b ^ Math.imul(c ^ Math.imul(d, 31), 31), 31), scatter) >>> slotShift;
    const i = 5 * slot;
    const isKnown = words[i] === size && words[i + 1] === a && words[i + 2] === b && words[i + 3] === c;
    if (!isKnown || words[i + 4] !== d) {
      words.set([size, a, b, c, d], i);
      this.#texts[slot] = addressText(bytes, at, size);
    }
    return this.#texts[slot]!;
  }
}

/** The upper ten bits of a product with this number select the slot. */
const scatter = 0x9e3779b1;
const slotShift = 22;

export const UdpPayload = { hopByHop: 0, udp: 17, routing: 43, fragment: 44, destination: 60 } as const;

type IpDamage = 'version' | 'header' | 'length' | 'extension';

/** The values of an IP packet's headers. The object is reused. */
export class IpPacket {
  /** The indexes of the addresses, and their size, 4 or 16 bytes. */
  source = 0;
  destination = 0;
  addressSize = 0;
  /**
   * The protocol of the payload, its captured range `bytes[start]` up to `bytes[end]`, and the number of bytes missing
   * from it.
   */
  protocol = 0;
  start = 0;
  end = 0;
  missing = 0;
  /** Whether the payload is a fragment, and its offset in the original payload. */
  isFragment = false;
  fragmentOffset = 0;
  isLastFragment = false;
  fragmentId = 0;

  /** Reads the headers of a packet that begins at `at` and ends by `end`. Ethernet pads short packets. */
  read(bytes: Uint8Array, at: number, end: number): IpDamage | undefined {
    if (at >= end) return 'header';
    this.isFragment = false;
    const version = bytes[at]! >> 4;
    if (version === 4) return this.#readV4(bytes, at, end);
    return version === 6 ? this.#readV6(bytes, at, end) : 'version';
  }

  /**
   * ```
   * 0100 HHHH  service u8  length u16  id u16  .DMO OOOO OOOO OOOO  ttl u8  protocol u8  checksum u16  source[4]  destination[4]
   * options up to 4*H         M more fragments · O offset of the fragment in eights
   * ```
   */
  #readV4(bytes: Uint8Array, at: number, end: number): IpDamage | undefined {
    const headerSize = 4 * (bytes[at]! & 0x0f);
    if (headerSize < 20 || at + headerSize > end) return 'header';
    const length = u16be(bytes, at + 2);
    if (length !== 0 && length < headerSize) return 'length';
    this.#setEnd(end, length === 0 ? end : at + length);
    this.start = at + headerSize;
    this.protocol = bytes[at + 9]!;
    this.source = at + 12;
    this.destination = at + 16;
    this.addressSize = 4;
    const fragment = u16be(bytes, at + 6);
    if (fragment & 0x3fff) this.#setFragment(8 * (fragment & 0x1fff), (fragment & 0x2000) === 0, u16be(bytes, at + 4));
    return undefined;
  }

  /**
   * ```
   * 0110 ....  ... u24  length u16  protocol u8  hops u8  source[16]  destination[16]       length without these 40 bytes
   * ```
   */
  #readV6(bytes: Uint8Array, at: number, end: number): IpDamage | undefined {
    if (at + 40 > end) return 'header';
    const length = u16be(bytes, at + 4);
    this.#setEnd(end, length === 0 ? end : at + 40 + length);
    this.start = at + 40;
    this.protocol = bytes[at + 6]!;
    this.source = at + 8;
    this.destination = at + 24;
    this.addressSize = 16;
    return this.#readExtensions(bytes);
  }

  resume(bytes: Uint8Array, end: number, protocol: number): IpDamage | undefined {
    this.start = 0;
    this.#setEnd(end, end);
    this.protocol = protocol;
    this.isFragment = false;
    const damage = this.addressSize === 16 ? this.#readExtensions(bytes) : undefined;
    return this.isFragment ? 'extension' : damage;
  }

  /**
   * ```
   * options, routing   protocol u8  size u8 (in eights, the first not counted)  data
   * fragment           protocol u8  .. u8  OOOO OOOO OOOO O..M  id u32       O offset in eights · M more follow
   * ```
   */
  #readExtensions(bytes: Uint8Array): IpDamage | undefined {
    for (;;) {
      const { start, protocol } = this;
      const isFragment = protocol === UdpPayload.fragment;
      if (!isFragment && !isSkipped(protocol)) return undefined;
      if (start + 8 > this.end) return 'extension';
      const size = isFragment ? 8 : 8 * (bytes[start + 1]! + 1);
      if (start + size > this.end) return 'extension';
      this.protocol = bytes[start]!;
      this.start = start + size;
      if (!isFragment) continue;
      const fragment = u16be(bytes, start + 2);
      // With an offset of 0 and no further fragments, this is the whole packet.
      if ((fragment & 0xfff9) === 0) continue;
      this.#setFragment(fragment & 0xfff8, (fragment & 1) === 0, u32(bytes, start + 4, false));
      return undefined;
    }
  }

  /** A length of 0 was left for the network card to fill in; then the payload ends with the captured bytes. */
  #setEnd(end: number, announced: number): void {
    this.end = Math.min(end, announced);
    this.missing = Math.max(0, announced - end);
  }

  #setFragment(offset: number, last: boolean, id: number): void {
    this.isFragment = true;
    this.fragmentOffset = offset;
    this.isLastFragment = last;
    this.fragmentId = id;
  }
}

export function isSkipped(protocol: number): boolean {
  return protocol === UdpPayload.hopByHop || protocol === UdpPayload.routing || protocol === UdpPayload.destination;
}

/**
 * The values of a UDP header. The object is reused. The checksum is ignored, since senders may leave it to the network
 * card.
 */
export class UdpDatagram {
  sourcePort = 0;
  destinationPort = 0;
  length = 0;
  /** The captured range of the payload, `bytes[start]` up to `bytes[end]`, and the number of bytes missing from it. */
  start = 0;
  end = 0;
  missing = 0;

  /**
   * Reads the datagram in `bytes[at]` up to `bytes[end]`, after which `missing` bytes were not recorded. Returns false
   * if the header is incomplete. A length shorter than the header is ignored.
   * ```
   * source_port u16  destination_port u16  length u16  checksum u16  payload
   * ```
   */
  read(bytes: Uint8Array, at: number, end: number, missing: number): boolean {
    if (at + 8 > end) return false;
    this.sourcePort = u16be(bytes, at);
    this.destinationPort = u16be(bytes, at + 2);
    this.length = u16be(bytes, at + 4);
    const announced = this.length < 8 ? end + missing : at + this.length;
    this.start = at + 8;
    this.end = Math.min(announced, end);
    this.missing = announced - this.end;
    return true;
  }
}
