import { type Bytes, be16, be32, file, u16, u32, zeros } from './bytes.ts';

// Parts of capture files, from the innermost out: `ethernet(0x0800, ipv4(udp(…)))`.

export const toFours = (bytes: Bytes): Bytes => [...bytes, ...zeros(-bytes.length & 3)];

interface PcapOptions {
  readonly little?: boolean;
  readonly nano?: boolean;
  readonly linkType?: number;
  readonly snapLength?: number;
}

export function pcapHeader({
  little = true,
  nano = false,
  linkType = 1,
  snapLength = 262144,
}: PcapOptions = {}): Bytes {
  const magic = nano ? 0xa1b23c4d : 0xa1b2c3d4;
  const [long, short] = [(value: number) => u32(value, little), (value: number) => u16(value, little)];
  return [...long(magic), ...short(2), ...short(4), ...long(0), ...long(0), ...long(snapLength), ...long(linkType)];
}

interface RecordOptions {
  readonly little?: boolean;
  readonly seconds?: number;
  readonly fraction?: number;
  /** The number of bytes that the packet had when it was sent. */
  readonly original?: number;
  /** The number of bytes in the file, according to the record. */
  readonly recorded?: number;
}

export const someTime = 1_700_000_000;

export function pcapRecord(
  packet: Bytes,
  { little = true, seconds = someTime, fraction = 0, original, recorded = packet.length }: RecordOptions = {},
): Bytes {
  const head = [seconds, fraction, recorded, original ?? packet.length];
  return [...head.flatMap((value) => u32(value, little)), ...packet];
}

/** A libpcap file whose packets are one second apart. */
export function pcap(packets: readonly Bytes[], options: PcapOptions = {}): Uint8Array<ArrayBuffer> {
  const { little = true } = options;
  return file(
    pcapHeader(options),
    ...packets.map((packet, i) => pcapRecord(packet, { little, seconds: someTime + i })),
  );
}

/** A block of a pcapng; `size` is the length written at both ends. */
export function block(type: number, body: Bytes, little = true, size = 12 + toFours(body).length): Bytes {
  return [...u32(type, little), ...u32(size, little), ...toFours(body), ...u32(size, little)];
}

export const section = (little = true): Bytes =>
  block(
    0x0a0d0d0a,
    [...u32(0x1a2b3c4d, little), ...u16(1, little), ...u16(0, little), ...new Array(8).fill(255)],
    little,
  );

export const option = (code: number, value: Bytes, little = true): Bytes => [
  ...u16(code, little),
  ...u16(value.length, little),
  ...toFours(value),
];

export const description = (linkType: number, options: Bytes = [], little = true, snapLength = 0): Bytes =>
  block(1, [...u16(linkType, little), 0, 0, ...u32(snapLength, little), ...options], little);

interface EnhancedOptions extends Pick<RecordOptions, 'little' | 'original' | 'recorded'> {
  readonly interface?: number;
  readonly time?: bigint;
  readonly options?: Bytes;
}

const time64 = (time: bigint, little: boolean): Bytes => [
  ...u32(Number(time >> 32n), little),
  ...u32(Number(time & 0xffffffffn), little),
];

/** An enhanced packet block; its time is in units of its interface. */
export function enhanced(packet: Bytes, options: EnhancedOptions = {}): Bytes {
  const { little = true, interface: number = 0, time = BigInt(someTime) * 1_000_000n } = options;
  const { original = packet.length, recorded = packet.length } = options;
  const sizes = [...u32(recorded, little), ...u32(original, little)];
  const body = [...u32(number, little), ...time64(time, little), ...sizes, ...toFours(packet)];
  return block(6, [...body, ...(options.options ?? [])], little);
}

export const simple = (packet: Bytes, original = packet.length, little = true): Bytes =>
  block(3, [...u32(original, little), ...packet], little);

export function obsolete(packet: Bytes, number: number, time: bigint, little = true): Bytes {
  const sizes = [...u32(packet.length, little), ...u32(packet.length, little)];
  return block(2, [...u16(number, little), 0, 7, ...time64(time, little), ...sizes, ...packet], little);
}

export const [v4, v6] = [0x0800, 0x86dd];

/** An Ethernet frame; `tags` are the types before VLAN tags. */
export const ethernet = (type: number, payload: Bytes, ...tags: number[]): Bytes => [
  ...[2, 0, 0, 0, 0, 1, 2, 0, 0, 0, 0, 2],
  ...tags.flatMap((tag, i) => [...be16(tag), 0, i + 1]),
  ...be16(type),
  ...payload,
];

export const cooked = (type: number, payload: Bytes): Bytes => [
  ...[0, 0, 0, 1, 0, 6, 2, 0, 0, 0, 0, 1, 0, 0],
  ...be16(type),
  ...payload,
];

export const cooked2 = (type: number, payload: Bytes): Bytes => [
  ...be16(type),
  ...[0, 0, 0, 0, 0, 1, 3, 4, 0, 6, 2, 0, 0, 0, 0, 1, 0, 0],
  ...payload,
];

const loopback4 = [127, 0, 0, 1];
const loopback6: Bytes = [...zeros(15), 1];

interface V4Options {
  readonly source?: Bytes;
  readonly destination?: Bytes;
  readonly protocol?: number;
  readonly options?: Bytes;
  /** The size of the whole packet according to the header. */
  readonly length?: number;
  readonly id?: number;
  /** The offset of a fragment in bytes. */
  readonly offset?: number;
  readonly more?: boolean;
}

export function ipv4(payload: Bytes, settings: V4Options = {}): Bytes {
  const { source = loopback4, destination = loopback4, protocol = 17, options = [] } = settings;
  const { id = 0, offset = 0, more = false } = settings;
  const headerSize = 20 + options.length;
  const length = be16(settings.length ?? headerSize + payload.length);
  const fragment = be16((more ? 0x2000 : 0) | (offset / 8));
  const head = [0x40 | (headerSize / 4), 0, ...length, ...be16(id), ...fragment, 64, protocol, 0, 0];
  return [...head, ...source, ...destination, ...options, ...payload];
}

interface V6Options {
  readonly source?: Bytes;
  readonly destination?: Bytes;
  readonly next?: number;
  readonly length?: number;
}

export function ipv6(
  payload: Bytes,
  { source = loopback6, destination = loopback6, next = 17, length }: V6Options = {},
): Bytes {
  return [0x60, 0, 0, 0, ...be16(length ?? payload.length), next, 64, ...source, ...destination, ...payload];
}

/** An extension header with its size in bytes, and the payload after it. */
export const extension = (next: number, size: number, payload: Bytes): Bytes => [
  ...[next, size / 8 - 1],
  ...zeros(size - 2),
  ...payload,
];

export const fragment6 = (next: number, offset: number, more: boolean, id: number, payload: Bytes): Bytes => [
  ...[next, 0],
  ...be16(offset | (more ? 1 : 0)),
  ...be32(id),
  ...payload,
];

/** The checksum is wrong, as on loopback devices, which do not compute it. */
export const udp = (payload: Bytes, from = 8303, to = 50000, length = 8 + payload.length): Bytes => [
  ...be16(from),
  ...be16(to),
  ...be16(length),
  ...[0xfe, 0x1b],
  ...payload,
];

/** A record of the games' own log. */
export const netlogRecord = (type: number, data: Bytes, size = data.length): Bytes => [
  ...u32(type, true),
  ...u32(size, true),
  ...data,
];

/** A network log that contains these packets. */
export const netlogOf = (packets: readonly Uint8Array[]): Uint8Array =>
  file(...packets.map((packet) => netlogRecord(0, [...packet])));
