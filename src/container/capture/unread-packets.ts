import type { Diagnostic } from '../../bytes/diagnostic.ts';
import type { CapturedPacket } from './captured-packet.ts';

/** Kinds of packets that are counted on their own; those beyond share a count. */
const maxKinds = 16;

interface UnreadKind {
  packets: number;
  readonly offset: number;
  readonly frame: number;
}

/** Counts the packets of a capture that may contain datagrams of the games, but whose layers are not read. */
export class UnreadPackets {
  readonly #kinds = new Map<string, UnreadKind>();

  /** @param kind the layer that is not read */
  add(kind: string, { offset, number: frame }: CapturedPacket): void {
    const name = this.#kinds.has(kind) || this.#kinds.size < maxKinds ? kind : 'other kinds';
    const known = this.#kinds.get(name);
    if (known) known.packets++;
    else this.#kinds.set(name, { packets: 1, offset, frame });
  }

  /**
   * Yields a diagnostic for each kind, and begins anew. They are errors where less was read than was not.
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
