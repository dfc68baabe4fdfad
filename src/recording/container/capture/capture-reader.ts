import type { Args, Code, Diagnostic, Severity } from '../../../wire/bytes/diagnostic.ts';
import { getOr } from '../../../wire/bytes/get-or.ts';
import { Window } from '../../../wire/bytes/window.ts';
import { isPcap, isPcapng } from '../detect.ts';
import { AddressTexts, IpPacket, isSkipped, UdpDatagram, UdpPayload } from '../net/ip.ts';
import { findIp, unknownLink, unreadTypeOf } from '../net/link-layer.ts';
import {
  type CaptureBlock,
  type CapturedPacket,
  type CaptureFormat,
  CaptureFrame,
  type Link,
  type PacketSource,
  undescribed,
} from './capture-frame.ts';
import { Copies, isOfMany, placeOf } from './copies.ts';
import { PcapSource, pcapHeaderBytes } from './pcap.ts';
import { PcapngSource } from './pcapng.ts';
import { TimeOrder } from './time-order.ts';

/*
 * From a capture to the datagrams of UDP. Four layers, each in a file of its own:
 *
 *   pcap.ts, pcapng.ts    records of the file: a time, the bytes of a packet, how long it was
 *   net/link.ts           Ethernet, VLAN, Linux "any", loopback …: where does IP begin?
 *   net/ip.ts             IPv4 and IPv6 with their extension headers, and UDP
 *   here                  the order of these, fragments put together, and what to say about what was not read
 *
 * Each packet is one frame, a `datagram` or `other`; after it, possibly, a `diagnostic`. Fragments are kept until their
 * packet is whole, which then is the datagram of the last fragment that came; such a datagram has no offset in the
 * file.
 *
 * A capture is full of packets that are none of ours, so what cannot be read is mostly no error. Told once for each
 * link: an unknown type, and packets that the recording cut. Told at the end, by kind: tunnels and other layers that
 * may hide games (`UnreadPackets`), as errors if there are more of them than datagrams.
 */

/**
 * The payload of an IP packet, as far as its fragments were captured. All fragments but the last have a multiple of
 * eight bytes.
 */
class Reassembly {
  bytes = new Uint8Array(2048);
  /** The absolute offset of the record with the first captured fragment, and its time. */
  readonly offset: number;
  readonly seconds: number;
  /** The protocol in the fragment at offset 0, -1 before that; other fragments may contain a different one. */
  protocol = -1;
  readonly frames: number[] = [];
  /** The payload's length; -1 before the last fragment. */
  length = -1;
  received = 0;
  #filled = new Uint8Array(2048 / 8);
  #farthest = 0;

  constructor(offset: number, seconds: number) {
    this.offset = offset;
    this.seconds = seconds;
  }

  get isWhole(): boolean {
    return this.received === this.length;
  }

  /** Adds a fragment; returns false if it contradicts earlier ones, which take precedence. */
  add(bytes: Uint8Array, ip: IpPacket): boolean {
    const size = ip.end - ip.start;
    const from = ip.fragmentOffset;
    const to = from + size;
    if (size === 0 || to > maxLength || (!ip.isLastFragment && size % 8 !== 0)) return false;
    if (this.length >= 0 && (to > this.length || (ip.isLastFragment && to !== this.length))) return false;
    if (ip.isLastFragment && to < this.#farthest) return false;
    this.#reserve(to);
    for (let at = from; at < to; at += 8) {
      if (this.#filled[at / 8]) continue;
      this.#filled[at / 8] = 1;
      const until = Math.min(at + 8, to);
      this.bytes.set(bytes.subarray(ip.start + at - from, ip.start + until - from), at);
      this.received += until - at;
    }
    this.#farthest = Math.max(this.#farthest, to);
    if (from === 0) this.protocol = ip.protocol;
    if (ip.isLastFragment) this.length = to;
    return true;
  }

  #reserve(length: number): void {
    if (length <= this.bytes.length) return;
    const bytes = this.bytes;
    const filled = this.#filled;
    const capacity = 2 ** Math.ceil(Math.log2(length));
    this.bytes = new Uint8Array(capacity);
    this.bytes.set(bytes);
    this.#filled = new Uint8Array(capacity / 8);
    this.#filled.set(filled);
  }
}

/**
 * The maximum payload of an IP packet, the maximum number of incomplete packets, and the seconds after which one is
 * dropped.
 */
const maxLength = 0xffff;
const maxPending = 64;
const patience = 30;

/** Reassembles fragmented IP packets. Fragments may arrive in any order, repeatedly, or not at all. */
class Fragments {
  /** By the key that identifies a packet, oldest first. */
  readonly #all = new Map<string, Reassembly>();

  /**
   * Adds a fragment. Returns the completed packet, or whether more fragments are needed or the fragment contradicts
   * others.
   */
  add(
    key: string,
    bytes: Uint8Array,
    ip: IpPacket,
    { offset, seconds, number: frame }: CapturedPacket,
  ): Reassembly | 'waiting' | 'bad' {
    const reassembly = getOr(this.#all, key, () => new Reassembly(offset, seconds));
    const wasWhole = reassembly.isWhole;
    if (!reassembly.add(bytes, ip)) return 'bad';
    if (!wasWhole) reassembly.frames.push(frame);
    return reassembly.isWhole && !wasWhole ? reassembly : 'waiting';
  }

  /**
   * Removes the oldest packet if there are too many or it is too old, and returns it if it is incomplete. Complete ones
   * stay as long, since their fragments may be repeated.
   */
  drop(now: number, kept = maxPending): Reassembly | undefined {
    for (const [key, reassembly] of this.#all) {
      if (this.#all.size <= kept && !(Math.abs(now - reassembly.seconds) > patience)) return undefined;
      this.#all.delete(key);
      if (!reassembly.isWhole) return reassembly;
    }
    return undefined;
  }
}

/** Kinds of packets that are counted on their own; those beyond share a count. */
const maxKinds = 16;

/** Counts the packets of a capture that may contain datagrams of the games, but whose layers are not read. */
class UnreadPackets {
  /** By kind, with the place of the first packet. */
  readonly #kinds = new Map<string, { packets: number; readonly offset: number; readonly frame: number }>();

  add(kind: string, { offset, number: frame }: CapturedPacket): void {
    const name = this.#kinds.has(kind) || this.#kinds.size < maxKinds ? kind : 'other kinds';
    getOr(this.#kinds, name, () => ({ packets: 0, offset, frame })).packets++;
  }

  /**
   * Yields a diagnostic for each kind, and begins anew. They are errors if most packets could not be read.
   * @param datagrams that were read
   */
  *end(datagrams: number): Generator<Diagnostic, void> {
    const kinds = [...this.#kinds];
    this.#kinds.clear();
    const unread = kinds.reduce((sum, [, { packets }]) => sum + packets, 0);
    for (const [what, { packets, offset, frame }] of kinds) {
      const severity = unread > datagrams ? 'error' : 'warning';
      yield { severity, code: 'unread_packets', offset, frame, args: { what, count: packets } };
    }
  }
}

export type { CaptureBlock, CaptureFormat, CaptureFrame } from './capture-frame.ts';

/** The maximum number of datagrams with missing fragments that are reported individually. */
const maxLostReports = 20;

/** IP protocols with packets inside that are not read: IP in IP, IPv6 in IP, GRE, ESP, AH, EtherIP, L2TP. */
const tunnels: ReadonlySet<number> = new Set([4, 41, 47, 50, 51, 97, 115]);

/**
 * Reads the UDP datagrams of a capture piece by piece. Memory is bounded by the size of the pieces and of the largest
 * record.
 *
 * Source: the Internet drafts `draft-ietf-opsawg-pcap` and `draft-ietf-opsawg-pcapng`.
 */
export class CaptureReader {
  format: CaptureFormat | undefined;
  /**
   * Counts of packets, each of which is a frame. `cut` counts the datagrams with an incomplete payload, `copies` those of
   * other interfaces among the other packets.
   */
  readonly counts = { packets: 0, datagrams: 0, other: 0, cut: 0, copies: 0 };
  #window = new Window();
  readonly #ip = new IpPacket();
  readonly #udp = new UdpDatagram();
  readonly #fragments = new Fragments();
  /** The number of datagrams with missing fragments and the bytes of their other fragments. */
  readonly #lost = { datagrams: 0, bytes: 0 };
  readonly #unread = new UnreadPackets();
  readonly #addresses = new AddressTexts();
  readonly #copies = new Copies();
  readonly #times = new TimeOrder();
  readonly #frame = new CaptureFrame();
  readonly #hasBlocks: boolean;
  #source: PacketSource | undefined;
  #refused = false;
  /** Links that were reported as unknown or as having cut packets. */
  readonly #reported = new WeakSet<Link>();

  /** @param hasBlocks whether the parts of the file without a packet are frames, too */
  constructor(hasBlocks = false) {
    this.#hasBlocks = hasBlocks;
  }

  get block(): CaptureBlock {
    const source = this.#source!;
    return {
      format: this.format!,
      bytes: this.#window.bytes.subarray(source.records.start, source.records.end),
      isLittleEndian: source.isLittleEndian,
      packet: this.#frame.kind === 'block' ? undefined : source.packet,
    };
  }

  /** The interfaces; for a pcapng, those of the current section. */
  get links(): readonly Link[] {
    return this.#source?.links ?? [];
  }

  /** The piece is added at once; frames that are not asked for come first from the next one. */
  feed(piece: Uint8Array): Generator<CaptureFrame, void> {
    if (!this.#refused) this.#window.add(piece);
    return this.#frames();
  }

  finish(): Generator<CaptureFrame, void> {
    this.#window.ended = true;
    return this.#frames();
  }

  /** Ends the file, yields its remaining frames, and begins another one, whose frames are numbered on. */
  *restart(): Generator<CaptureFrame, void> {
    yield* this.finish();
    this.#window = new Window();
    this.#source = undefined;
    this.#refused = false;
  }

  // A single generator is faster than a chain, through which each frame would pass.
  *#frames(): Generator<CaptureFrame, void> {
    if (this.#refused) return;
    // Nothing came after a restart.
    if (!this.#source && this.#window.ended && this.#window.start === this.#window.end && this.format) return;
    if (!this.#source) {
      const refusal = this.#open();
      if (refusal) yield this.#report(refusal);
      // The blocks of a pcapng follow; a pcap has only its header.
      if (this.#hasBlocks && this.format === 'pcap') yield this.#block();
    }
    const source = this.#source;
    if (!source) return;
    for (;;) {
      const step = source.next();
      if (step === 'more') return;
      if (step === 'done') break;
      if (step === 'diagnostic' || step === 'block') {
        yield step === 'block' ? this.#block() : this.#report(source.records.diagnostic);
        continue;
      }
      const diagnostic = this.#readPacket(source.packet);
      if (this.#frame.kind === 'datagram') this.#lookForCopy(source.packet);
      const back = this.#times.check(this.#frame, source.packet.link);
      yield this.#frame;
      if (diagnostic) yield this.#report(diagnostic);
      if (back) yield this.#report(back);
      if (this.#ip.isFragment) yield* this.#dropFragments();
    }
    yield* this.#dropFragments(0);
    yield* this.#reportLost();
    for (const diagnostic of this.#unread.end(this.counts.datagrams)) yield this.#report(diagnostic);
  }

  #open(): Diagnostic | undefined {
    const window = this.#window;
    const bytes = window.bytes.subarray(window.start, window.end);
    const found = bytes.length;
    const isOld = isPcap(bytes);
    if (isOld && found >= pcapHeaderBytes) {
      this.format = 'pcap';
      this.#source = new PcapSource(window);
    } else if (isPcapng(bytes)) {
      this.format = 'pcapng';
      this.#source = new PcapngSource(window, this.#hasBlocks);
    } else if (window.ended || found >= pcapHeaderBytes) {
      this.#refused = true;
      const offset = isOld ? found : 0;
      return isOld
        ? { severity: 'error', code: 'truncated_header', offset, args: { found, expected: pcapHeaderBytes } }
        : { severity: 'error', code: 'not_a_capture', offset, args: {} };
    }
    return undefined;
  }

  #readPacket(packet: CapturedPacket): Diagnostic | undefined {
    const { bytes } = this.#window;
    const { start, end, link } = packet;
    const frame = this.#frame;
    const ip = this.#ip;
    frame.kind = 'other';
    frame.offset = packet.offset;
    frame.number = packet.number;
    frame.seconds = packet.seconds;
    frame.nanoseconds = packet.nanoseconds;
    frame.time = packet.seconds + packet.nanoseconds / 1e9;
    frame.bytes = bytes;
    frame.start = start;
    frame.end = end;
    frame.dataOffset = this.#window.offset(start);
    frame.missing = Math.max(0, packet.originalLength - (end - start));
    frame.fragments = undefined;
    this.counts.packets++;
    this.counts.other++;
    ip.isFragment = false;
    const at = findIp(bytes, start, end, link.type);
    if (at < 0) {
      const type = unreadTypeOf(at);
      if (type !== undefined) this.#unread.add(`EtherType 0x${type.toString(16).padStart(4, '0')}`, packet);
      if (at !== unknownLink) return undefined;
      this.#unread.add(link.type === undescribed ? 'interfaces without description' : `link type ${link.type}`, packet);
      return this.#unknownLink(packet);
    }
    const damage = ip.read(bytes, at, end);
    if (damage) {
      return damage !== 'version' && this.#isCut(packet)
        ? this.#cut(packet)
        : this.#diagnostic('error', 'bad_ip', { what: damage });
    }
    if (ip.isFragment) return this.#readFragment(packet);
    if (ip.protocol !== UdpPayload.udp) {
      if (tunnels.has(ip.protocol)) this.#unread.add(`IP protocol ${ip.protocol}`, packet);
      return undefined;
    }
    frame.source = this.#addresses.of(bytes, ip.source, ip.addressSize);
    frame.destination = this.#addresses.of(bytes, ip.destination, ip.addressSize);
    const diagnostic = this.#readUdp(packet, bytes);
    frame.dataOffset = this.#window.offset(frame.start);
    return diagnostic;
  }

  #readUdp(packet: CapturedPacket, bytes: Uint8Array): Diagnostic | undefined {
    const ip = this.#ip;
    const udp = this.#udp;
    const frame = this.#frame;
    const isCut = ip.missing > 0 && this.#isCut(packet);
    const found = ip.end - ip.start;
    if (!udp.read(bytes, ip.start, ip.end, ip.missing)) {
      return isCut ? this.#cut(packet) : this.#diagnostic('error', 'bad_udp_length', { found });
    }
    frame.kind = 'datagram';
    frame.sourcePort = udp.sourcePort;
    frame.destinationPort = udp.destinationPort;
    frame.bytes = bytes;
    frame.start = udp.start;
    frame.end = udp.end;
    frame.missing = udp.missing;
    this.counts.other--;
    this.counts.datagrams++;
    if (udp.missing > 0) this.counts.cut++;
    const { length } = udp;
    // A network card that splits large datagrams receives them without a length.
    if (length === 0) return this.#diagnostic('warning', 'bad_udp_length', { found, expected: length });
    if (length < 8 || length > found + ip.missing) {
      return this.#diagnostic('error', 'bad_udp_length', { found, expected: length });
    }
    if (isCut) return udp.missing > 0 ? this.#cut(packet) : undefined;
    return ip.missing > 0 ? this.#diagnostic('error', 'bad_ip', { what: 'length' }) : undefined;
  }

  #readFragment(packet: CapturedPacket): Diagnostic | undefined {
    const ip = this.#ip;
    const frame = this.#frame;
    const { bytes } = this.#window;
    if (ip.protocol !== UdpPayload.udp && !(ip.addressSize === 16 && isSkipped(ip.protocol))) return undefined;
    if (ip.missing > 0) {
      return this.#isCut(packet) ? this.#cut(packet) : this.#diagnostic('error', 'bad_ip', { what: 'length' });
    }
    const source = this.#addresses.of(bytes, ip.source, ip.addressSize);
    const destination = this.#addresses.of(bytes, ip.destination, ip.addressSize);
    const key = `${source} ${destination} ${ip.fragmentId}`;
    const whole = this.#fragments.add(key, bytes, ip, packet);
    if (whole === 'waiting') return undefined;
    const damage = whole === 'bad' ? 'fragment' : ip.resume(whole.bytes, whole.length, whole.protocol);
    if (damage) return this.#diagnostic('error', 'bad_ip', { what: damage });
    if (whole === 'bad' || ip.protocol !== UdpPayload.udp) return undefined;
    frame.source = source;
    frame.destination = destination;
    const diagnostic = this.#readUdp(packet, whole.bytes);
    frame.dataOffset = -1;
    frame.fragments = whole.frames;
    return diagnostic;
  }

  /** Makes a datagram that another interface has recorded before one of the other packets. */
  #lookForCopy(packet: CapturedPacket): void {
    const { counts } = this;
    const frame = this.#frame;
    if (this.links.length < 2 && !isOfMany(packet.link)) return;
    if (!this.#copies.has(frame, placeOf(this.#window.bytes, packet))) return;
    frame.kind = 'other';
    frame.bytes = this.#window.bytes;
    frame.start = packet.start;
    frame.end = packet.end;
    counts.datagrams--;
    counts.other++;
    counts.copies++;
  }

  #unknownLink({ link }: CapturedPacket): Diagnostic | undefined {
    if (!this.#isFirst(link)) return undefined;
    const { type, number } = link;
    return type === undescribed
      ? this.#diagnostic('error', 'unknown_interface', { interface: number })
      : this.#diagnostic('error', 'unknown_link_type', { found: type, interface: number });
  }

  #isCut({ start, end, originalLength }: CapturedPacket): boolean {
    return originalLength > end - start;
  }

  /** A recording cuts either all long packets or none, so only the first is reported. */
  #cut({ link, start, end, originalLength }: CapturedPacket): Diagnostic | undefined {
    if (!this.#isFirst(link)) return undefined;
    return this.#diagnostic('error', 'cut_packet', {
      found: end - start,
      expected: originalLength,
      interface: link.number,
    });
  }

  #isFirst(link: Link): boolean {
    const first = !this.#reported.has(link);
    this.#reported.add(link);
    return first;
  }

  *#dropFragments(kept?: number): Generator<CaptureFrame, void> {
    for (;;) {
      const dropped = this.#fragments.drop(this.#frame.seconds, kept);
      if (!dropped) return;
      const { offset, received } = dropped;
      this.#lost.datagrams++;
      this.#lost.bytes += received;
      if (this.#lost.datagrams > maxLostReports) continue;
      yield this.#report({ severity: 'warning', code: 'missing_fragments', offset, args: { found: received } });
    }
  }

  /** Reports the number of datagrams with missing fragments that were not reported individually. */
  *#reportLost(): Generator<CaptureFrame, void> {
    const { datagrams, bytes } = this.#lost;
    if (datagrams <= maxLostReports) return;
    const args = { found: bytes, datagrams };
    yield this.#report({ severity: 'warning', code: 'missing_fragments', offset: this.#frame.offset, args });
  }

  #diagnostic(severity: Severity, code: Code, args: Args): Diagnostic {
    const { offset, number: frame } = this.#frame;
    return { severity, code, offset, frame, args };
  }

  #block(): CaptureFrame {
    const frame = this.#frame;
    frame.kind = 'block';
    frame.offset = this.#window.offset(this.#source!.records.start);
    return frame;
  }

  #report(diagnostic: Diagnostic): CaptureFrame {
    const frame = this.#frame;
    frame.kind = 'diagnostic';
    frame.offset = diagnostic.offset;
    frame.diagnostic = diagnostic;
    return frame;
  }
}
