import { u16be } from '../../bytes/fixed-int.ts';

/**
 * The values of a UDP header. The object is reused. The checksum is ignored, since senders may leave it to the network
 * card.
 */
export class UdpDatagram {
  sourcePort = 0;
  destinationPort = 0;
  /** The length of header and payload as announced. */
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
