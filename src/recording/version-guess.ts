import type { PacketVersion } from '../packet/packet.ts';
import { fitPacket } from '../packet/version.ts';
import type { Schema } from '../protocol/schema.ts';

/** The difference of penalties from which the version is certain: two valid packets are enough. */
const sureDifference = 60;

/** Guesses the version of a connection whose handshake was not captured: the one in which its packets are more plausible. */
export class VersionGuess {
  readonly #schema: Schema | undefined;
  /** How much more plausible the packets so far are in 0.7 than in 0.6. */
  #preference07 = 0;

  constructor(schema: Schema | undefined) {
    this.#schema = schema;
  }

  get isSure(): boolean {
    return Math.abs(this.#preference07) >= sureDifference;
  }

  /** Adds a packet and returns the version that is more plausible now. */
  add(bytes: Uint8Array): PacketVersion {
    const [best, other] = fitPacket(bytes, this.#schema);
    this.#preference07 += best.version === '0.7' ? other.penalty - best.penalty : best.penalty - other.penalty;
    return this.#preference07 > 0 ? '0.7' : '0.6';
  }
}
