import type { CaptureBlock } from '../../recording/container/capture/capture-frame.ts';
import { dataOf } from '../../recording/container/capture/capture-writer.ts';
import { findIp } from '../../recording/container/net/link-layer.ts';
import type { BlockEntry, PacketEntry, RecordingEntry } from '../../recording/replay/record.ts';
import { connlessVersion, isConnless, isWrittenByGames } from '../../wire/packet/packet.ts';
import type { Addresses } from './addresses.ts';
import { changedFrame } from './changed-frame.ts';
import type { MessageRewriter } from './message-rewriter.ts';
import type { ChangedPacket, PacketRewriter } from './packet-rewriter.ts';

/** A packet of a capture that waits for what its datagram becomes, and for the snapshots in it. */
interface WaitingFrame {
  readonly block: CaptureBlock;
  /** 0 for a block without a packet. */
  readonly number: number;
  readonly ends: BlockEntry['ends'];
  readonly captured: Uint8Array;
  /** `left`: nothing is written of it. Undefined until the record of its packet comes. */
  content: Uint8Array | ChangedPacket | 'left' | undefined;
}

/** A packet that waits for longer than these is left out. */
const maxWaitingFrames = 8192;

type Write = (block: CaptureBlock, comments: readonly Uint8Array[], content: Uint8Array | undefined) => void;

/**
 * Writes a capture anew, without names, addresses, secrets and texts. Its input is the records of a replay with the
 * options `blocks` and `parts`; the order of the packets stays.
 */
export class CaptureAnonymiser {
  readonly #packets: PacketRewriter;
  readonly #messages: MessageRewriter;
  readonly #addresses: Addresses;
  readonly #write: Write;
  readonly #waiting: WaitingFrame[] = [];
  readonly #byNumber = new Map<number, WaitingFrame>();
  /** The packets that were read, and those without a datagram. */
  frames = 0;
  #others = 0;

  constructor(packets: PacketRewriter, messages: MessageRewriter, addresses: Addresses, write: Write) {
    this.#packets = packets;
    this.#messages = messages;
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
    if (this.#others > 0) this.#packets.leftOut.set('packets of something else', this.#others);
  }

  #block({ block, frame = 0, datagram, fragments, ends }: BlockEntry): void {
    this.#flush(maxWaitingFrames);
    if (frame > 0) this.frames++;
    const { packet } = block;
    if (packet && !datagram) {
      this.#others++;
      return;
    }
    if (fragments) this.#others -= fragments.length - 1;
    if (ends && ends.missing > 0) {
      this.#packets.count('packets that the capture cut');
      return;
    }
    const own = { ...block, bytes: block.bytes.slice(), packet: packet && { ...packet } };
    const captured = own.packet ? dataOf(own, own.packet) : own.bytes;
    const waiting = { block: own, number: frame, ends, captured, content: undefined };
    this.#waiting.push(waiting);
    if (frame > 0) this.#byNumber.set(frame, waiting);
  }

  #packet(entry: PacketEntry): void {
    const frame = this.#byNumber.get(entry.frame ?? 0);
    if (!frame || frame.content) return;
    frame.content = (entry.stream ? this.#packets.add(entry) : this.#unconnected(entry.bytes)) ?? 'left';
  }

  #unconnected(bytes: Uint8Array): Uint8Array | undefined {
    const version = connlessVersion(bytes);
    const now = version && isWrittenByGames(bytes) ? this.#messages.connless(bytes, version) : undefined;
    if (!now) this.#packets.count(isConnless(bytes) ? 'connectionless packets' : 'packets without a connection');
    return now;
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

  #isKnown({ block, content }: WaitingFrame): boolean {
    if (!block.packet) return true;
    if (content === undefined) return false;
    return content === 'left' || content instanceof Uint8Array || this.#packets.isKnown(content);
  }

  #writeFrame({ block, content = 'left', ends, captured }: WaitingFrame): void {
    if (!block.packet) {
      this.#write(block, [], undefined);
      return;
    }
    if (content === 'left') return;
    if (!(content instanceof Uint8Array)) this.#packets.giveUp(content);
    const datagrams = content instanceof Uint8Array ? [content] : this.#packets.write(content);
    const at = findIp(captured, 0, captured.length, block.packet.link.type);
    if (!ends || at < 0) return;
    const source = { bytes: captured, linkType: block.packet.link.type, at };
    for (const datagram of datagrams)
      this.#write(block, commentsOf(content), changedFrame(source, ends, datagram, this.#addresses));
  }
}

/** A message that does nothing stands for a vital one that is left out, which nobody sent. */
function commentsOf(content: Uint8Array | ChangedPacket): Uint8Array[] {
  if (content instanceof Uint8Array || content.leftOut.length === 0) return [];
  return [new TextEncoder().encode(`left out: ${content.leftOut.join(', ')}`)];
}
