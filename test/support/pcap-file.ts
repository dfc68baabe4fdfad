import { CaptureReader } from '../../src/recording/container/capture/capture-reader.ts';

/** Splits a libpcap file in the machine's byte order into the records of its packets. */
export class PcapFile {
  readonly #head: Uint8Array;
  readonly records: readonly Uint8Array[];

  constructor(bytes: Uint8Array) {
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    const records: Uint8Array[] = [];
    for (let at = 24; at < bytes.length; ) {
      const end = at + 16 + view.getUint32(at + 8, true);
      records.push(bytes.subarray(at, end));
      at = end;
    }
    this.#head = bytes.subarray(0, 24);
    this.records = records;
  }

  /** The file with other records. */
  with(records: readonly Uint8Array[]): Uint8Array {
    return new Uint8Array(Buffer.concat([this.#head, ...records]));
  }
}

/** A UDP datagram of a capture: the number of its packet, and the position of its payload in the file. */
export interface Datagram {
  readonly number: number;
  readonly from: number;
  readonly to: number;
}

export function datagramsOf(bytes: Uint8Array): Datagram[] {
  const reader = new CaptureReader();
  const found: Datagram[] = [];
  for (const { kind, number, dataOffset, start, end } of reader.feed(bytes)) {
    if (kind === 'datagram') found.push({ number, from: dataOffset, to: dataOffset + end - start });
  }
  return found;
}

/** A copy with one byte changed. */
export function flipped(bytes: Uint8Array, at: number, mask = 0xff): Uint8Array {
  const copy = bytes.slice();
  copy[at]! ^= mask;
  return copy;
}
