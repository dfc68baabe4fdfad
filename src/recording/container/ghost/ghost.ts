import { ByteBuffer } from '../../../wire/bytes/buffers.ts';
import { join } from '../../../wire/bytes/copy.ts';
import { type Args, attempt, type Code, DecodeError, type Severity } from '../../../wire/bytes/diagnostic.ts';
import { i32, u32 } from '../../../wire/bytes/fixed-int.ts';
import { hexText } from '../../../wire/bytes/to-hex.ts';
import { PieceReader, Window } from '../../../wire/bytes/window.ts';
import { compress } from '../../../wire/codec/huffman.ts';
import { packInts } from '../../../wire/codec/varint.ts';
import * as enums from '../../../wire/protocol/enums.ts';
import { type ItemType, item } from '../../../wire/protocol/item.ts';
import { boolean, enumeration, fixed, int, position, text, tick } from '../../../wire/protocol/meaning.ts';
import { protocolOf } from '../../../wire/protocol/registry.ts';
import { ticksPerSecond } from '../../../wire/protocol/ticks.ts';
import { DemoFrame } from '../demo/chunk.ts';
import { readText } from '../demo/header.ts';
import { ghostMagic, isGhost } from '../detect.ts';

/**
 * The values before a ghost's chunks.
 *
 * Source: `src/engine/client/ghost.cpp` of DDNet.
 */
export interface GhostHeader {
  /** 4 to 6. */
  readonly version: number;
  readonly owner: string;
  readonly mapName: string;
  /** Up to version 5. */
  readonly mapCrc: number | undefined;
  /** 64 hex digits, since version 6. */
  readonly mapSha256: string | undefined;
  /** The number of characters; 0 until the recording ended, as is the time. */
  readonly characters: number;
  /** In milliseconds. */
  readonly time: number;
}

/** A ghost as far as it was read: the header, and what its chunks say of the run. */
export interface Ghost extends GhostHeader {
  skin: string;
  /** The tick at which the race began; that of the first character if the ghost does not say it. */
  startTick: number | undefined;
  lastTick: number;
  found: number;
  /** The ticks between two characters, and how often. */
  readonly steps: Map<number, number>;
}

export const runTime = ({ startTick = 0, lastTick }: Pick<Ghost, 'startTick' | 'lastTick'>) =>
  (1000 * (lastTick - startTick)) / ticksPerSecond;

/**
 * Whether that is the time of the header, which is within a tick of it. The game may begin one tick earlier than the
 * server.
 */
export const hasRightTime = (ghost: Ghost) => Math.abs(runTime(ghost) - ghost.time) <= 2 * (1000 / ticksPerSecond);

export const ghostVersions = { oldest: 4, newest: 6 } as const;
/** The bytes of a header, with the SHA-256 of the map, and without. */
const headerBytes = 133;
const oldHeaderBytes = 101;
export const ghostHeaderBytes = (version: number) => (version >= 6 ? headerBytes : oldHeaderBytes);

export const ghostTypes = { skin: 0, characterWithoutTick: 1, character: 2, start: 3 } as const;
const skin = { skin: text(6), use_custom_color: boolean, color_body: int(), color_feet: int() };
const character = {
  x: position,
  y: position,
  vel_x: fixed(256, 'units/tick'),
  vel_y: fixed(256, 'units/tick'),
  angle: fixed(256, 'rad'),
  direction: int(-1, 1),
  weapon: enumeration(enums.heldWeapon),
  hook_state: enumeration(enums.hookState),
  hook_x: position,
  hook_y: position,
  attack_tick: tick,
  tick,
};

/** The items of 0.6 with the fields that a ghost has of them, in its order. The name is the owner's, of the header. */
export const ghostCharacter = item(9, 'obj_character', character);
export const ghostClientInfo = item(11, 'obj_client_info', { name: text(4), ...skin });
export const ghostItems: Readonly<Record<number, ItemType>> = {
  0: item(0, 'skin', skin),
  1: ghostCharacter,
  2: ghostCharacter,
  3: item(3, 'start', { start_tick: tick }),
};
/** The ints of an item of a type; undefined for an unknown type. */
export function ghostItemSize(type: number): number | undefined {
  const size = ghostItems[type]?.size;
  return size !== undefined && type === ghostTypes.characterWithoutTick ? size - 1 : size;
}

export const ghostProtocol = protocolOf('0.6', { items: [ghostCharacter, ghostClientInfo], messages: [] });

/** The most bytes of a chunk, compressed as well as unpacked, and the most items that are written to one. */
export const maxChunkBytes = 6400;
export const maxChunkItems = 50;
export const chunkHeadBytes = 4;

/**
 * Reads a ghost piece by piece as a header and chunks; reading ends at a chunk whose size is wrong. All ints outside of
 * chunks are big-endian.
 * ```
 * "TWGHOST\0"  version u8  owner[16]  map[64]  map_crc u32  characters i32  time i32  version 6: map_sha256[32]
 * chunks       type u8  items u8  size u16  data[size]: ints, packed as varints, compressed
 * ```
 */
export class GhostReader extends PieceReader<DemoFrame> {
  header: GhostHeader | undefined;
  readonly #window = new Window();
  readonly #frame = new DemoFrame();
  #isDone = false;

  override add(piece: Uint8Array): void {
    if (!this.#isDone) this.#window.add(piece);
  }

  override end(): void {
    this.#window.ended = true;
  }

  override next(): DemoFrame | undefined {
    const window = this.#window;
    if (this.#isDone) return undefined;
    const { start: at, end, bytes, ended } = window;
    const left = end - at;
    if (!this.header) {
      const enough = ghostHeaderBytes(bytes[at + ghostMagic.length] ?? ghostVersions.newest);
      if (left < Math.max(enough, oldHeaderBytes) && !ended) return undefined;
      const header = attempt(() => readGhostHeader(bytes.subarray(at, Math.min(end, at + headerBytes))));
      if (header instanceof DecodeError) return this.#stop(header.code, header.offset, header.args);
      this.header = header;
      return this.#found('header', ghostHeaderBytes(header.version), 0);
    }
    if (left === 0) return undefined;
    const size = left < chunkHeadBytes ? 0 : (bytes[at + 2]! << 8) | bytes[at + 3]!;
    const offset = window.offset(at);
    if (left >= chunkHeadBytes && (size === 0 || size > maxChunkBytes)) {
      return size === 0
        ? this.#stop('empty_chunk', offset, { kind: 'ghost' })
        : this.#stop('chunk_too_large', offset, { found: size, limit: maxChunkBytes });
    }
    const expected = chunkHeadBytes + size;
    if (left >= chunkHeadBytes && left >= expected) return this.#found('ghost', expected, chunkHeadBytes);
    return ended ? this.#stop('truncated_chunk', offset, { found: left, expected }) : undefined;
  }

  #found(kind: DemoFrame['kind'], bytes: number, headSize: number): DemoFrame {
    const window = this.#window;
    const frame = this.#frame;
    frame.kind = kind;
    frame.offset = window.offset(window.start);
    frame.dataOffset = frame.offset + headSize;
    frame.bytes = window.bytes;
    frame.start = window.start + headSize;
    frame.end = window.start + bytes;
    window.start = frame.end;
    return frame;
  }

  #stop(code: Code, offset: number, args: Args = {}): DemoFrame {
    this.#isDone = true;
    const severity: Severity = 'error';
    return Object.assign(this.#frame, { kind: 'diagnostic', offset, diagnostic: { severity, code, offset, args } });
  }
}

/** @throws DecodeError `not_a_ghost`, `ghost_version`, `truncated_header` */
function readGhostHeader(bytes: Uint8Array): GhostHeader {
  if (!isGhost(bytes)) throw new DecodeError('not_a_ghost', 0);
  const version = bytes[8] ?? ghostVersions.newest;
  if (version < ghostVersions.oldest || version > ghostVersions.newest) {
    throw new DecodeError('ghost_version', 8, { found: version });
  }
  const expected = ghostHeaderBytes(version);
  if (bytes.length < expected)
    throw new DecodeError('truncated_header', bytes.length, { found: bytes.length, expected });
  return {
    version,
    owner: readText(bytes.subarray(9, 25)),
    mapName: readText(bytes.subarray(25, 89)),
    mapCrc: version < 6 ? u32(bytes, 89, false) : undefined,
    mapSha256: version < 6 ? undefined : hexText(bytes, 101, 133),
    characters: i32(bytes, 93, false),
    time: i32(bytes, 97, false),
  };
}

/** Undoes the differences of a chunk: each item but the first is the difference to the one before. */
export class GhostItems {
  readonly #version: number;
  #type = -1;
  #last = new Int32Array(0);

  constructor(version: number) {
    this.#version = version;
  }

  /** The whole items among the ints of a chunk. */
  *of(type: number, count: number, ints: Int32Array, length: number): Generator<Int32Array, void> {
    const size = ghostItemSize(type) ?? 0;
    // In version 4 the first item is a difference as well, if the chunk before has the same type.
    let hasLast = this.#version === 4 && this.#type === type;
    this.#type = type;
    for (let i = 0; i < count && (i + 1) * size <= length; i++) {
      const values = ints.slice(i * size, (i + 1) * size);
      if (hasLast) for (let k = 0; k < size; k++) values[k]! += this.#last[k]!;
      this.#last = values;
      hasLast = true;
      yield values;
    }
  }
}

export function writeGhost(header: Omit<GhostHeader, 'version' | 'mapCrc' | 'characters'>, run: GhostRun): Uint8Array {
  const head = new Uint8Array(headerBytes);
  const utf8 = new TextEncoder();
  head.set(utf8.encode(`${ghostMagic}\x06`));
  utf8.encodeInto(header.owner, head.subarray(9, 24));
  utf8.encodeInto(header.mapName, head.subarray(25, 88));
  const view = new DataView(head.buffer);
  view.setUint32(93, run.characters.length);
  view.setUint32(97, header.time);
  for (let i = 0; i < 32; i++) head[101 + i] = Number.parseInt(header.mapSha256?.slice(2 * i, 2 * i + 2) || '0', 16);
  const chunks = [chunkOf(ghostTypes.start, [Int32Array.of(run.startTick)]), chunkOf(ghostTypes.skin, [run.skin])];
  for (let at = 0; at < run.characters.length; at += maxChunkItems) {
    chunks.push(chunkOf(ghostTypes.character, run.characters.slice(at, at + maxChunkItems)));
  }
  return join([head, ...chunks]);
}

/** What the chunks of a ghost contain: ints in the order of {@link ghostCharacter}, and of its skin. */
export interface GhostRun {
  readonly startTick: number;
  readonly skin: Int32Array;
  readonly characters: readonly Int32Array[];
}

function chunkOf(type: number, items: readonly Int32Array[]): Uint8Array {
  const size = items[0]!.length;
  const ints = new Int32Array(items.length * size);
  for (const [i, item] of items.entries())
    ints.set(i === 0 ? item : item.map((value, k) => value - items[i - 1]![k]!), i * size);
  const packed = new ByteBuffer();
  packInts(ints, 0, ints.length, packed);
  const data = new ByteBuffer();
  compress(packed.bytes, 0, packed.length, data, 'none');
  return join([
    Uint8Array.of(type, items.length, data.length >> 8, data.length & 0xff),
    data.bytes.subarray(0, data.length),
  ]);
}
