import type { BlockEntry, PacketEntry } from '../../recording/replay/record.ts';
import { connlessVersion, isConnless, isWrittenByGames } from '../../wire/packet/packet.ts';
import type { Rules } from './capture-rewriter.ts';
import type { MessageRewriter } from './message-rewriter.ts';
import type { ChangedPacket, PacketRewriter } from './packet-rewriter.ts';

/** What can't be made sure of is left out, and counted. */
export class AnonymisingRules implements Rules {
  readonly #packets: PacketRewriter;
  readonly #messages: MessageRewriter;
  #others = 0;

  constructor(packets: PacketRewriter, messages: MessageRewriter) {
    this.#packets = packets;
    this.#messages = messages;
  }

  packet(entry: PacketEntry): Uint8Array | ChangedPacket | 'left' {
    return (entry.stream ? this.#packets.add(entry) : this.#unconnected(entry.bytes)) ?? 'left';
  }

  other(): 'left' {
    this.#others++;
    return 'left';
  }

  cut(): 'left' {
    this.#packets.count('packets that the capture cut');
    return 'left';
  }

  /** A datagram in fragments is one packet. */
  block({ fragments }: BlockEntry): void {
    if (fragments) this.#others -= fragments.length - 1;
  }

  finish(): void {
    if (this.#others > 0) this.#packets.leftOut.set('packets of something else', this.#others);
  }

  #unconnected(bytes: Uint8Array): Uint8Array | undefined {
    const version = connlessVersion(bytes);
    const now = version && isWrittenByGames(bytes) ? this.#messages.connless(bytes, version) : undefined;
    if (!now) this.#packets.count(isConnless(bytes) ? 'connectionless packets' : 'packets without a connection');
    return now;
  }
}
