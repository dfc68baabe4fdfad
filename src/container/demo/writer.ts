import { AppendBuffer } from '../../bytes/append-buffer.ts';
import { ByteBuffer } from '../../bytes/buffers.ts';
import { DecodeError } from '../../bytes/diagnostic.ts';
import { compress, type LastByte } from '../../codec/huffman.ts';
import { packInts } from '../../codec/varint.ts';
import { isTick } from './chunk.ts';
import { type DemoHeaderFields, writeDemoHeader } from './write-header.ts';

/**
 * The content of a chunk with data.
 *
 * @example
 * ```ts
 * import type { ChunkKind } from 'tw-snap/recording';
 *
 * const kind: ChunkKind = 'snapshot';
 * ```
 */
export type ChunkKind = 'snapshot' | 'message' | 'delta';

const chunkTypes = { snapshot: 1, message: 2, delta: 3 } as const satisfies Record<ChunkKind, number>;

/** A chunk's size is 16 bits. */
const maxChunkBytes = 0xffff;
/** The games unpack at most 64 KiB of packed ints. */
const maxPackedBytes = 1 << 16;

/**
 * Writes a demo part by part as the games' recorders do: header, map, then tick markers and chunks. {@link flush}
 * returns the bytes written since its last call.
 *
 * Source: `src/engine/shared/demo.cpp` and `demo.h` of the games.
 *
 * @example
 * ```ts
 * import { Snapshot } from 'tw-snap';
 * import { DemoWriter } from 'tw-snap/recording';
 *
 * const writer = new DemoWriter(6);
 * writer.header({
 *   version: 6,
 *   netVersion: '0.6 626fce9a778df4d4',
 *   mapName: 'dm1',
 *   mapSize: 0,
 *   mapCrc: 0,
 *   type: 'client',
 *   length: 0,
 *   timestamp: '2026-11-20_12-00-00',
 *   markers: [],
 * });
 * writer.tick(100, true);
 * writer.chunk('snapshot', writer.encode(new Snapshot().toInts()));
 * console.log(writer.flush().length);
 * ```
 */
export class DemoWriter {
  readonly version: number;
  /** How the compressed streams of {@link encode} end. */
  lastByte: LastByte;
  /** The ticks of the first and the last marker; -1 before the first. */
  firstTick = -1;
  lastTick = -1;
  readonly #out = new AppendBuffer(1 << 16);
  readonly #packed = new ByteBuffer();
  readonly #compressed = new ByteBuffer();
  /** The number of bytes that were flushed. */
  #taken = 0;

  /** @param version 3 to 6 */
  constructor(version: number, lastByte: LastByte = 'extra') {
    this.version = version;
    this.lastByte = lastByte;
  }

  /** Bytes written so far. */
  get length(): number {
    return this.#taken + this.#out.length;
  }

  /** The bytes written since the last call. */
  flush(): Uint8Array<ArrayBuffer> {
    const bytes = this.#out.flush();
    this.#taken += bytes.length;
    return bytes;
  }

  /** Writes the header with this writer's version, whatever `fields.version` is. */
  header(fields: DemoHeaderFields): void {
    this.#out.bytes(writeDemoHeader({ ...fields, version: this.version }));
  }

  /** Writes a piece of the map, after the header, which contains the size of the whole map. */
  map(piece: Uint8Array): void {
    this.#out.bytes(piece);
  }

  /**
   * Writes a tick marker. A small step from the preceding marker takes one byte; the first marker, a keyframe and any
   * other step take five.
   * ```
   * version ≥ 5:  101S SSSS  tick += S, 0 to 31       version 3, 4:  10SS SSSS  tick += S, 1 to 63
   *               1K00 0000  tick i32be                             1K00 0000  tick i32be
   * ```
   * @param keyframe whether a full snapshot follows
   * @throws DecodeError `bad_tick` for a tick that no game writes; then nothing is written
   */
  tick(tick: number, keyframe: boolean): void {
    if (!isTick(tick)) throw new DecodeError('bad_tick', this.length, { found: tick });
    const step = tick - this.lastTick;
    // In versions 3 and 4 a step of 0 means an absolute tick.
    const [least, most, flag] = this.version >= 5 ? [0, 31, 0xa0] : [1, 63, 0x80];
    if (this.lastTick < 0 || keyframe || step < least || step > most) {
      this.#out.byte(keyframe ? 0xc0 : 0x80);
      this.#out.i32be(tick);
    } else this.#out.byte(flag | step);
    if (this.firstTick < 0) this.firstTick = tick;
    this.lastTick = tick;
  }

  /**
   * A chunk of data, compressed: as it was recorded, or from {@link encode}.
   * ```
   * 0TTL LLLL  T 1 snapshot, 2 message, 3 delta · L size; 30: u8 follows, 31: u16 little-endian follows
   * ```
   * @throws DecodeError `chunk_too_large`; then nothing is written
   */
  chunk(kind: ChunkKind, payload: Uint8Array): void {
    const size = payload.length;
    if (size > maxChunkBytes)
      throw new DecodeError('chunk_too_large', this.length, { found: size, limit: maxChunkBytes });
    const type = chunkTypes[kind] << 5;
    if (size < 30) this.#out.byte(type | size);
    else if (size < 256) {
      this.#out.byte(type | 30);
      this.#out.byte(size);
    } else {
      this.#out.byte(type | 31);
      this.#out.byte(size & 0xff);
      this.#out.byte(size >>> 8);
    }
    this.#out.bytes(payload);
  }

  /**
   * Packs and compresses the ints of a snapshot, a delta or a message.
   * @returns a view that is valid until the next call
   * @throws DecodeError `chunk_too_large` if the packed ints exceed what the games read
   */
  encode(ints: Int32Array, length: number = ints.length): Uint8Array {
    packInts(ints, 0, length, this.#packed);
    const packed = this.#packed.length;
    if (packed > maxPackedBytes) {
      throw new DecodeError('chunk_too_large', this.length, { found: packed, limit: maxPackedBytes });
    }
    compress(this.#packed.bytes, 0, packed, this.#compressed, this.lastByte);
    return this.#compressed.bytes.subarray(0, this.#compressed.length);
  }
}
