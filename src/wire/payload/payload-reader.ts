import { ByteBuffer, IntBuffer } from '../bytes/buffers.ts';
import { DecodeError, ignore, type Warn } from '../bytes/diagnostic.ts';
import { decompress } from '../codec/huffman.ts';
import { decodeWhole } from '../codec/huffman-blocks.ts';
import { readInts } from '../codec/int32.ts';
import { type UserOfUnpacked, unpacked, unpackedFrom } from '../codec/unpacked.ts';
import { unpackInts } from '../codec/varint.ts';
import { unpackDecoded, unpackWhole } from '../codec/varint-blocks.ts';
import type { SizeOf } from '../protocol/registry.ts';
import { applyInto } from '../snapshot/apply.ts';
import { Delta } from '../snapshot/delta.ts';
import type { Snapshot } from '../snapshot/snapshot.ts';
import { type BinaryEncoding, maxPayloadBytes } from './encoding-layers.ts';
import type { Kind } from './payload.ts';

/**
 * Reads many payloads fast: all buffers are reused, and offsets of errors and warnings are those of the layer that was
 * read. `readPayload` reads one payload with the position of every int and diagnostic in the file.
 * ```ts
 * const reader = new PayloadReader(protocol.sizeOf);
 * reader.readSnapshot(keyframe, 'huffman', before);
 * reader.readDelta(payload, 'huffman');
 * reader.applyTo(before, snapshot);
 * ```
 */
export class PayloadReader {
  /** The delta that was read last, valid until anything else is read. */
  readonly delta = new Delta();
  /** The ints of the last {@link unpack}. */
  readonly ints: IntBuffer;
  /** The packed bytes of these ints; only for a compressed payload, and only with positions. */
  readonly bytes = new ByteBuffer();
  /** The bit after the end symbol of the compressed payload that was unpacked last. */
  endBit = 0;
  /** Agreed sizes of items. */
  sizeOf: SizeOf;
  /** The bytes of the largest snapshot; undefined for that of the games. */
  maxSnapshotBytes: number | undefined;
  readonly #warn: Warn;

  /** @param options.positions whether `ints` has the byte at which each int begins, which is slower */
  constructor(sizeOf: SizeOf, options: { readonly warn?: Warn; readonly positions?: boolean } = {}) {
    this.sizeOf = sizeOf;
    this.#warn = options.warn ?? ignore;
    this.ints = new IntBuffer({ positions: options.positions ?? false });
  }

  /** Reads the ints of the payload `bytes[start, end)`. @throws DecodeError */
  unpack(bytes: Uint8Array, encoding: BinaryEncoding, start = 0, end = bytes.length): void {
    if (encoding === 'huffman') {
      // As its user, the delta of the last payload does not copy its ints out of `unpacked`: it is not valid any more.
      const endBit = unpackHuffman(bytes, start, end, this.bytes, this.ints, this.#warn, maxPayloadBytes, this.delta);
      this.endBit = endBit - 8 * start;
    } else if (encoding === 'packed') unpackInts(bytes, start, end, this.ints, this.#warn);
    else readInts(bytes, start, end, this.ints);
  }

  /** Reads the full snapshot `bytes[start, end)` into `snapshot`. @throws DecodeError */
  readSnapshot(
    bytes: Uint8Array,
    encoding: BinaryEncoding,
    snapshot: Snapshot,
    start = 0,
    end: number = bytes.length,
  ): void {
    const { ints, length } = this.#intsOf(bytes, encoding, start, end);
    snapshot.read(ints, length, this.sizeOf, this.#warn, this.maxSnapshotBytes);
  }

  /** Reads the delta `bytes[start, end)` into {@link delta}. @throws DecodeError */
  readDelta(bytes: Uint8Array, encoding: BinaryEncoding, start = 0, end: number = bytes.length): void {
    const { ints, length } = this.#intsOf(bytes, encoding, start, end);
    this.delta.read(ints, length, this.sizeOf, this.#warn);
  }

  /**
   * The ints of a payload: in {@link unpacked} if they need no warnings or positions, which saves a copy, otherwise in
   * {@link ints}.
   */
  #intsOf(
    bytes: Uint8Array,
    encoding: BinaryEncoding,
    start: number,
    end: number,
  ): { readonly ints: Int32Array<ArrayBuffer>; readonly length: number } {
    let count = -1;
    if (!this.ints.offsets) {
      if (encoding === 'packed') count = unpackWhole(bytes, start, end, this.delta);
      const whole = encoding === 'huffman' ? decodeWhole(bytes, start, end) : undefined;
      if (whole && whole.length <= maxPayloadBytes) count = unpackDecoded(whole.length, this.delta);
    }
    if (count >= 0) return { ints: unpacked, length: count };
    this.unpack(bytes, encoding, start, end);
    return this.ints;
  }

  /**
   * Makes `result` of a payload: a full snapshot, or a delta that is applied to `base`. Returns the error if it fails.
   */
  rebuild(
    kind: Kind,
    bytes: Uint8Array,
    encoding: BinaryEncoding,
    base: Snapshot,
    result: Snapshot,
  ): DecodeError | undefined {
    try {
      if (kind === 'snapshot') this.readSnapshot(bytes, encoding, result);
      else this.readDelta(bytes, encoding);
      if (kind === 'delta') this.applyTo(base, result);
      return undefined;
    } catch (error) {
      if (error instanceof DecodeError) return error;
      throw error;
    }
  }

  /** Applies {@link delta} to `base`, into `result`. @throws DecodeError */
  applyTo(base: Snapshot, result: Snapshot): void {
    applyInto(base, this.delta, result, this.#warn, this.maxSnapshotBytes);
  }
}

/**
 * Decompresses and unpacks `src[start, end)`: in one step if it needs no warning or positions. @returns the bit after
 * the end symbol
 */
export function unpackHuffman(
  src: Uint8Array,
  start: number,
  end: number,
  between: ByteBuffer,
  into: IntBuffer,
  warn: Warn,
  limit: number,
  user?: UserOfUnpacked,
): number {
  const whole = into.offsets ? undefined : decodeWhole(src, start, end);
  const count = whole && whole.length <= limit ? unpackDecoded(whole.length, user) : -1;
  if (count >= 0) {
    into.reserve(count);
    into.ints.set(unpackedFrom.first(count));
    into.length = count;
    return 8 * start + whole!.endBit;
  }
  const endBit = decompress(src, start, end, between, warn, limit);
  unpackInts(between.bytes, 0, between.length, into, warn);
  return endBit;
}
