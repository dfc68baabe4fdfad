import { ByteBuffer, IntBuffer } from '../bytes/buffers.ts';
import { ignore } from '../bytes/diagnostic.ts';
import { unpackHuffman } from '../codec/huffman-ints.ts';
import { readInts } from '../codec/int32.ts';
import { unpackInts } from '../codec/varint.ts';
import { maxPayloadBytes } from '../decode/encoding-layers.ts';
import type { Kind } from '../decode/payload.ts';
import type { SizeOf } from '../protocol/registry.ts';
import { Delta } from '../snapshot/delta.ts';
import { Snapshot } from '../snapshot/snapshot.ts';
import type { TrackSnapshot } from './track.ts';

/** Reads payloads without positions and warnings, into buffers that are used again. */
export class PayloadReader {
  readonly #sizeOf: SizeOf;
  readonly #bytes = new ByteBuffer();
  readonly #ints = new IntBuffer();
  readonly #delta = new Delta();

  constructor(sizeOf: SizeOf) {
    this.#sizeOf = sizeOf;
  }

  /**
   * A snapshot of its own, or a delta that is valid until the next call.
   * @throws DecodeError
   */
  read(payload: Uint8Array, encoding: TrackSnapshot['encoding'], kind: Kind): Snapshot | Delta {
    const ints = this.#ints;
    if (encoding === 'huffman') {
      unpackHuffman(payload, 0, payload.length, this.#bytes, ints, ignore, maxPayloadBytes);
    } else if (encoding === 'packed') unpackInts(payload, 0, payload.length, ints, ignore);
    else readInts(payload, 0, payload.length, ints);
    const body = kind === 'snapshot' ? new Snapshot() : this.#delta;
    body.read(ints.ints, ints.length, this.#sizeOf, ignore);
    return body;
  }
}
