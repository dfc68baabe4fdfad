import type { CaptureBlock } from '../../recording/container/capture/capture-frame.ts';
import { dataOf } from '../../recording/container/capture/capture-writer.ts';
import { findIp } from '../../recording/container/net/link-layer.ts';
import type { BlockEntry, PacketEntry, RecordingEntry } from '../../recording/replay/record.ts';
import { changedFrame, type NewAddresses } from './changed-frame.ts';
import type { ChangedPacket, PacketRewriter } from './packet-rewriter.ts';

/** A packet of a capture that waits for what its datagram becomes, and for the snapshots in it. */
interface WaitingFrame {
  readonly block: CaptureBlock;
  /** 0 for a block without a packet. */
  readonly number: number;
  readonly ends: BlockEntry['ends'];
  readonly captured: Uint8Array;
  /** A datagram that comes in fragments is written in one packet, which has the place of the last. */
  readonly joined: Uint8Array | undefined;
  /** Undefined until the record of its packet comes. */
  content: Uint8Array | ChangedPacket | Fate | undefined;
}

/** A packet that waits for longer than these is left out. */
const maxWaitingFrames = 8192;

type Write = (block: CaptureBlock, comments: readonly Uint8Array[], content: Uint8Array | undefined) => void;

/** `left`: nothing is written of a packet; `copied`: it stays as it is. */
type Fate = 'left' | 'copied';

export interface Rules {
  /** What the datagram of a packet becomes. */
  packet(entry: PacketEntry): Uint8Array | ChangedPacket | Fate;
  /** A packet without a datagram. */
  other(entry: BlockEntry): Fate;
  /** A datagram that the capture cut. */
  cut(entry: BlockEntry): Fate;
}

/**
 * Writes a capture with other packets. Its input is the records of a replay with the options `blocks` and `parts`; the
 * order of the packets stays.
 */
export class CaptureRewriter {
  readonly #packets: PacketRewriter;
  readonly #rules: Rules;
  readonly #addresses: NewAddresses;
  readonly #write: Write;
  readonly #waiting: WaitingFrame[] = [];
  readonly #byNumber = new Map<number, WaitingFrame>();
  /** The number of packets that were read. */
  frames = 0;

  constructor(packets: PacketRewriter, rules: Rules, addresses: NewAddresses, write: Write) {
    this.#packets = packets;
    this.#rules = rules;
    this.#addresses = addresses;
    this.#write = write;
  }

  add(entry: RecordingEntry): void {
    if (entry.record === 'block') this.#block(entry);
    else if (entry.record === 'packet') this.#packet(entry);
    else if (entry.record === 'snapshot') this.#packets.snapshot(entry);
  }

  finish(): void {
    this.#flush(0);
  }

  #block(entry: BlockEntry): void {
    const { block, frame = 0, datagram, ends, fragments } = entry;
    this.#flush(maxWaitingFrames);
    if (frame > 0) this.frames++;
    const { packet } = block;
    let content: Fate | undefined = packet ? undefined : 'copied';
    if (packet && !datagram) content = this.#rules.other(entry);
    else if (ends && ends.missing > 0) content = this.#rules.cut(entry);
    if (content === 'left') return;
    const own = { ...block, bytes: block.bytes.slice(), packet: packet && { ...packet } };
    const captured = own.packet ? dataOf(own, own.packet) : own.bytes;
    const joined = fragments && datagram?.slice();
    const waiting: WaitingFrame = { block: own, number: frame, ends, captured, joined, content };
    this.#waiting.push(waiting);
    if (frame > 0 && !content) this.#byNumber.set(frame, waiting);
  }

  #packet(entry: PacketEntry): void {
    const frame = this.#byNumber.get(entry.frame ?? 0);
    if (frame && !frame.content) frame.content = this.#rules.packet(entry);
  }

  /** Writes what is known, up to the first packet that waits. */
  #flush(most: number): void {
    let written = 0;
    for (const frame of this.#waiting) {
      const isOverdue = this.#waiting.length - written > most;
      if (!this.#isKnown(frame) && !isOverdue) break;
      written++;
      this.#byNumber.delete(frame.number);
      this.#writeFrame(frame);
    }
    this.#waiting.splice(0, written);
  }

  #isKnown({ content }: WaitingFrame): boolean {
    if (content === undefined) return false;
    return !isChanged(content) || this.#packets.isKnown(content);
  }

  #writeFrame({ block, content: becomes = 'left', ends, captured, joined }: WaitingFrame): void {
    if (becomes === 'left') return;
    if (isChanged(becomes)) this.#packets.giveUp(becomes);
    const isCopied = becomes === 'copied' || (isChanged(becomes) && isCopy(becomes));
    const content = isCopied ? joined : becomes;
    if (!content) {
      this.#write(block, [], undefined);
      return;
    }
    const datagrams = content instanceof Uint8Array ? [content] : this.#packets.write(content);
    const linkType = block.packet!.link.type;
    const at = findIp(captured, 0, captured.length, linkType);
    if (!ends || at < 0) return;
    const source = { bytes: captured, linkType, at };
    for (const datagram of datagrams)
      this.#write(block, commentsOf(content), changedFrame(source, ends, datagram, this.#addresses));
  }
}

const isChanged = (content: Uint8Array | ChangedPacket | Fate): content is ChangedPacket =>
  typeof content !== 'string' && !(content instanceof Uint8Array);

/** Whether a packet of which snapshots may be changed has none that is. */
const isCopy = ({ places }: ChangedPacket) => {
  const snapshots = places.flatMap((place) => ('snapshot' in place ? [place.snapshot] : []));
  return snapshots.length > 0 && snapshots.every(({ isCopied }) => isCopied);
};

/** What of a packet was not captured. */
function commentsOf(content: Uint8Array | ChangedPacket): Uint8Array[] {
  if (content instanceof Uint8Array) return [];
  const { leftOut, places } = content;
  const whole = places.flatMap((place) => ('snapshot' in place && place.snapshot.note ? [place.snapshot.note] : []));
  const lines = [...(leftOut.length > 0 ? [`left out: ${leftOut.join(', ')}`] : []), ...whole];
  return lines.map((line) => new TextEncoder().encode(line));
}
