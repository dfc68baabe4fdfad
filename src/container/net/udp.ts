import { u16be } from '../../bytes/fixed-int.ts';

/**
 * What the header of a UDP datagram says. Filled again and again. Its checksum is not looked at: senders may leave it to the card.
 */
export class UdpDatagram {
  sourcePort = 0;
  destinationPort = 0;
  /** Header and payload, by its own account. */
  length = 0;
  /** The payload, `bytes[start]` up to `bytes[end]`, as far as it is there, and how many bytes of it are not. */
  start = 0;
  end = 0;
  missing = 0;

  /**
   * Reads the datagram in `bytes[at]` up to `bytes[end]`, behind which `missing` bytes were not recorded; false when no header
   * is there. A length below that of the header is not believed.
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
