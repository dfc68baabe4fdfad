import { AppendBuffer, ByteBuffer } from '../../../wire/bytes/buffers.ts';
import { DecodeError } from '../../../wire/bytes/diagnostic.ts';
import { compress, type LastByte } from '../../../wire/codec/huffman.ts';
import { packInts } from '../../../wire/codec/varint.ts';
import { isTick } from './chunk.ts';
import { type DemoHeader, lastVersion, maxHeaderBytes, maxMarkers, readText, sha256Uuid } from './header.ts';

/** The values of a header. {@link readDemoHeader} shows its layout. */
export type DemoHeaderFields = Omit<DemoHeader, 'mapStart' | 'chunksStart' | 'bytes'> &
  Partial<Pick<DemoHeader, 'bytes'>>;

/**
 * Writes a header: 176 bytes in version 3, 436 in versions 4 and 5, 484 in version 6, 436 in version 6 without a
 * SHA-256. Texts that are too long are truncated. If `bytes`, the header that was read, has the same values, its other
 * bytes stay: recorders leave garbage in unused markers (DDNet 16's player demos do).
 * @throws RangeError for a version other than 3 to 6, more than 64 markers, or a SHA-256 that is not 64 hex digits
 */
export function writeDemoHeader(header: DemoHeaderFields): Uint8Array<ArrayBuffer> {
  const { version, markers, sha256, bytes: recorded } = header;
  if (version < 3 || version > lastVersion) throw new RangeError(`demo version ${version}`);
  if (markers.length > maxMarkers) throw new RangeError(`${markers.length} markers`);
  const bytes = new Uint8Array(maxHeaderBytes);
  if (recorded) bytes.set(recorded.subarray(0, markersEnd));
  const view = new DataView(bytes.buffer);
  bytes.set(utf8.encode('TWDEMO\0'));
  bytes[7] = version;
  writeText(bytes, 8, 64, header.netVersion);
  writeText(bytes, 72, 64, header.mapName);
  view.setInt32(136, header.mapSize);
  view.setUint32(140, header.mapCrc);
  writeText(bytes, 144, 8, header.type);
  view.setInt32(152, header.length);
  writeText(bytes, 156, 20, header.timestamp);
  if (version < 4) return bytes.slice(0, markersAt);

  if (!hasMarkers(view, markers)) {
    bytes.fill(0, markersAt, markersEnd);
    view.setInt32(markersAt, markers.length);
    for (const [i, tick] of markers.entries()) view.setInt32(markersAt + 4 + 4 * i, tick);
  }
  if (version < 6 || sha256 === undefined) return bytes.slice(0, markersEnd);
  if (!/^[0-9a-f]{64}$/i.test(sha256)) throw new RangeError(`sha256 ${sha256}`);
  bytes.set(fromHex(sha256Uuid), markersEnd);
  bytes.set(fromHex(sha256), markersEnd + 16);
  return bytes;
}

const markersAt = 176;
const markersEnd = markersAt + 4 + 4 * maxMarkers;

/** Whether the header has these markers; an out-of-range count was read as the nearest valid one. */
function hasMarkers(view: DataView, markers: readonly number[]): boolean {
  const count = Math.max(0, Math.min(view.getInt32(markersAt), maxMarkers));
  return count === markers.length && markers.every((tick, i) => view.getInt32(markersAt + 4 + 4 * i) === tick);
}

const utf8 = new TextEncoder();

function writeText(bytes: Uint8Array, at: number, room: number, text: string): void {
  const field = bytes.subarray(at, at + room);
  if (readText(field) === text) return;
  field.fill(0);
  utf8.encodeInto(text, field.subarray(0, room - 1));
}

const fromHex = (hex: string) => Uint8Array.from(hex.match(/../g)!, (digits) => Number.parseInt(digits, 16));

/** The content of a chunk with data. */
export type ChunkKind = 'snapshot' | 'message' | 'delta';

const chunkTypes = { snapshot: 1, message: 2, delta: 3 } as const satisfies Record<ChunkKind, number>;

const maxChunkBytes = 0xffff;
/** The games read at most 64 KiB of ints, packed and unpacked. */
const maxIntBytes = 1 << 16;

/**
 * Writes a demo part by part as the games' recorders do: header, map, then tick markers and chunks. {@link flush}
 * returns the bytes written since its last call.
 *
 * Source: `src/engine/shared/demo.cpp` and `demo.h` of the games.
 */
export class DemoWriter {
  readonly version: number;
  /** How the compressed streams of {@link encode} end. */
  lastByte: LastByte;
  firstTick = -1;
  lastTick = -1;
  readonly #out = new AppendBuffer(1 << 16);
  readonly #packed = new ByteBuffer();
  readonly #compressed = new ByteBuffer();
  #taken = 0;

  constructor(version: number, lastByte: LastByte = 'extra') {
    this.version = version;
    this.lastByte = lastByte;
  }

  get length(): number {
    return this.#taken + this.#out.length;
  }

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
   * @throws DecodeError `chunk_too_large` if the ints exceed what the games read
   */
  encode(ints: Int32Array, length: number = ints.length): Uint8Array {
    packInts(ints, 0, length, this.#packed);
    const packed = this.#packed.length;
    const found = Math.max(packed, 4 * length);
    if (found > maxIntBytes) throw new DecodeError('chunk_too_large', this.length, { found, limit: maxIntBytes });
    compress(this.#packed.bytes, 0, packed, this.#compressed, this.lastByte);
    return this.#compressed.bytes.subarray(0, this.#compressed.length);
  }
}
