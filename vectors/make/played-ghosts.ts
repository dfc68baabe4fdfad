import { type GhostRun, ghostCharacter, ghostTypes, writeGhost } from '../../src/recording/container/ghost/ghost.ts';
import { ByteBuffer, IntBuffer } from '../../src/wire/bytes/buffers.ts';
import { ignore } from '../../src/wire/bytes/diagnostic.ts';
import { compress, decompress } from '../../src/wire/codec/huffman.ts';
import { packInts, unpackInts } from '../../src/wire/codec/varint.ts';
import { intsOfText } from '../../src/wire/protocol/texts.ts';
import { joined } from '../../test/support/damaged-demos.ts';
import { damaged } from '../../test/support/demo-damage.ts';
import { Seeded } from './seeded.ts';
import { splicesOf } from './splices.ts';
import type { About, Vectors } from './vector.ts';

/** Where the values of a header begin, and its end in version 6. */
export const [versionAt, ownerAt, mapAt, ticksAt, timeAt, headerEnd] = [8, 9, 25, 93, 97, 133];

const run: GhostRun = {
  startTick: 1000,
  skin: Int32Array.of(...intsOfText('default', 6)!, 0, 0, 0),
  characters: Array.from({ length: 120 }, (_, i) => {
    const character = new Int32Array(ghostCharacter.size);
    character.set([800 + 11 * i, 600 - (i % 7), 700, -40, 3 * i, 1, 1, i % 5, 810 + i, 590, 1000 + 50 * (i >> 5)]);
    character[ghostCharacter.size - 1] = 1000 + i;
    return character;
  }),
};

/** A chunk of a ghost. */
interface Chunk {
  readonly type: number;
  readonly count: number;
  readonly start: number;
  readonly end: number;
}

/** The chunks of an undamaged ghost. */
export function chunksOf(file: Uint8Array): Chunk[] {
  const chunks: Chunk[] = [];
  for (let start = file[versionAt!]! < 6 ? headerEnd! - 32 : headerEnd!; start < file.length; ) {
    const end = start + 4 + file[start + 2]! * 256 + file[start + 3]!;
    chunks.push({ type: file[start]!, count: file[start + 1]!, start, end });
    start = end;
  }
  return chunks;
}

/** A chunk of ints, packed as the game packs it. */
export function packedChunk(type: number, count: number, ints: readonly number[]): Uint8Array {
  const packed = new ByteBuffer();
  packInts(Int32Array.from(ints), 0, ints.length, packed);
  const data = new ByteBuffer();
  compress(packed.bytes, 0, packed.length, data, 'none');
  const { bytes, length } = data;
  return joined(Uint8Array.of(type, count, length >> 8, length & 0xff), bytes.slice(0, length));
}

export function intsOf(file: Uint8Array, { start, end }: Chunk): number[] {
  const bytes = new ByteBuffer();
  const ints = new IntBuffer();
  decompress(file, start + 4, end, bytes, ignore, 1 << 16);
  unpackInts(bytes.bytes, 0, bytes.length, ints, ignore);
  return [...ints.ints.subarray(0, ints.length)];
}

/** The same in another version: up to 5 without a SHA-256, and in 4 with characters that have no tick, differences on. */
function inVersion(file: Uint8Array, version: 4 | 5): Uint8Array {
  const header = file.slice(0, headerEnd! - 32);
  header[versionAt!] = version;
  const chunks = chunksOf(file)
    .filter(({ type }) => version === 5 || type === ghostTypes.character)
    .map((chunk) => {
      if (version === 5) return file.subarray(chunk.start, chunk.end);
      const ints = intsOf(file, chunk).filter((_, i) => (i + 1) % ghostCharacter.size !== 0);
      return packedChunk(ghostTypes.characterWithoutTick, chunk.count, ints);
    });
  return joined(header, ...chunks);
}

/** The ghosts that are damaged, in each version of the format. */
export function ghosts(): { readonly run: Uint8Array; readonly run5: Uint8Array; readonly run4: Uint8Array } {
  const header = { owner: 'nameless tee', mapName: 'Kobra 4', mapSha256: '5a'.repeat(32), time: 2380 };
  const whole = writeGhost(header, run);
  return { run: whole, run5: inVersion(whole, 5), run4: inVersion(whole, 4) };
}

/** A ghost that is damaged as the seed says: its chunks as bytes, its header, their types and counts, or their ints. */
export function damagedGhost(file: Uint8Array, seed: number): Uint8Array {
  const random = new Seeded(seed);
  const chunks = chunksOf(file);
  const start = chunks[0]!.start;
  if (seed % 3 === 0) return damaged(file, start, Math.floor(seed / 3)).bytes;
  const bytes = file.slice();
  const view = new DataView(bytes.buffer);
  const chunk = random.pick(chunks);
  if (seed % 3 === 1) {
    const odd = random.pick([0, -1, 1, 50, 119, 121, 5000, 0x7fffffff, -0x80000000]);
    switch (random.below(7)) {
      case 0:
        bytes[versionAt!] = random.below(9);
        break;
      case 1:
        bytes[random.pick([ownerAt!, mapAt!]) + random.below(3)] = 0xff;
        break;
      case 2:
        bytes.fill(0x41, ownerAt, ownerAt! + 16);
        break;
      case 3:
        view.setInt32(ticksAt!, odd);
        break;
      case 4:
        view.setInt32(timeAt!, odd);
        break;
      case 5:
        return bytes.subarray(0, random.below(start + 40));
      default:
        bytes[random.below(8)]! ^= 0x20;
    }
    return bytes;
  }
  switch (random.below(6)) {
    case 0:
      bytes[chunk.start] = random.below(6);
      return bytes;
    case 1:
      bytes[chunk.start + 1] = random.pick([0, 1, chunk.count - 1, chunk.count + 1, 200, 255]);
      return bytes;
    case 2:
      return joined(bytes.subarray(0, chunk.start), bytes.subarray(chunk.end));
    case 3:
      return joined(bytes.subarray(0, chunk.end), bytes.subarray(chunk.start));
    case 4:
      view.setUint16(chunk.start + 2, random.pick([0, 1, 6400, 6401, 65535]));
      return bytes;
    default: {
      const ints = intsOf(file, chunk);
      const at = random.below(ints.length);
      if (random.below(2) > 0) ints.splice(at, 1 + random.below(40));
      else ints.splice(at, 0, ...Array.from({ length: 1 + random.below(2000) }, () => random.int()));
      const made = packedChunk(chunk.type, chunk.count, ints);
      return joined(bytes.subarray(0, chunk.start), made, bytes.subarray(chunk.end));
    }
  }
}

type Change = (file: Uint8Array, view: DataView) => Uint8Array | undefined;

const withInt =
  (at: number, value: number): Change =>
  (_, view) => {
    view.setInt32(at, value);
    return undefined;
  };

/** A specimen of each row of the ghosts in `docs/formats/tolerated.md`: what the games do with it is run. */
const changes: Readonly<Record<string, Change>> = {
  'other magic': (file) => file.with(0, 0x41),
  'version below 4 or above 6': (file) => file.with(versionAt!, 7),
  'chunk of an unknown type': (file) => {
    const { start, end } = chunksOf(file)[0]!;
    const chunk = file.slice(start, end);
    chunk[0] = 9;
    return joined(file.subarray(0, start), chunk, file.subarray(start));
  },
  'fewer items than the chunk says': (file) => file.with(chunksOf(file).at(-1)!.start + 1, 21),
  'counts of 0 in the header': (file, view) => {
    withInt(ticksAt!, 0)(file, view);
    return withInt(timeAt!, 0)(file, view);
  },
  'another number of characters than the header says': withInt(ticksAt!, 121),
  'ticks that do not fit the time of the header': withInt(timeAt!, 60_000),
};

/** A chunk after all others, and the number of characters that the header then says. */
const withChunk =
  (type: number, count: number, ints: readonly number[], characters: number): Change =>
  (file, view) => {
    withInt(ticksAt!, characters)(file, view);
    return joined(file, packedChunk(type, count, [...ints]));
  };
const zeros = (size: number) => new Array<number>(size).fill(0);
const { character, characterWithoutTick, skin } = ghostTypes;

/** Bytes of a chunk, of ints and packed: 50 items of 128 bytes. */
const most = 6400;

/** An int of five bytes with short codes. */
const longInt = 1 << 27;

/** A chunk of type 9 before the last one, which is read and skipped; with bytes after its data to have a size. */
const withSkipped =
  (ints: readonly number[], size?: number): Change =>
  (file) => {
    const chunk = packedChunk(9, 1, ints);
    const padding = new Uint8Array(size === undefined ? 0 : 4 + size - chunk.length);
    if (size !== undefined) chunk.set([size >> 8, size & 0xff], 2);
    const at = chunksOf(file).at(-1)!.start;
    return joined(file.subarray(0, at), chunk, padding, file.subarray(at));
  };

/** Changes that no row names. */
const others: Readonly<Record<string, Change>> = {
  'a chunk of 0 characters has one': withChunk(character, 0, zeros(ghostCharacter.size), 121),
  'a character without a tick after others': withChunk(characterWithoutTick, 1, zeros(ghostCharacter.size - 1), 121),
  'a second skin, which is too short, is not read': withChunk(skin, 1, [1], 120),
  'no character, and the header says so': (file, view) => {
    withInt(ticksAt!, 0)(file, view);
    return file.subarray(0, chunksOf(file)[0]!.start);
  },
  'the name of the map is not UTF-8': (file) => file.with(mapAt!, 0xff),
  'a chunk of 6,400 bytes, the most': withSkipped([0], most),
  'a chunk of 6,401 bytes': withSkipped([0], most + 1),
  'a chunk of 6,400 bytes of ints, the most': withSkipped(zeros(most / 4)),
  'a chunk of 6,404 bytes of ints': withSkipped(zeros(most / 4 + 1)),
  'a chunk of 6,400 bytes, decompressed, the most': withSkipped(new Array(most / 5).fill(longInt)),
  'a chunk of 6,405 bytes, decompressed': withSkipped(new Array(most / 5 + 1).fill(longInt)),
  'a chunk of 255 items': withChunk(character, 255, zeros(ghostCharacter.size), 121),
  // Of version 5: the sum of the map is that of the ghost here, and no SHA-256 is read.
  'version 5, with the SHA-256 of version 6': (file) => file.with(versionAt!, 5),
  'version 6, and no SHA-256': (file) => joined(file.subarray(0, headerEnd! - 32), file.subarray(headerEnd!)),
};

const changed = (change: Change) => {
  const file = ghosts().run.slice();
  return change(file, new DataView(file.buffer)) ?? file;
};

/** The rows that have a specimen, and it. */
export const ghostSpecimens: ReadonlyMap<string, Uint8Array> = new Map(
  Object.entries(changes).map(([row, change]) => [`ghost: ${row}`, changed(change)]),
);

/** Damaged ghosts of each version. */
const seeds = 100;

/** Whole ghosts, a specimen of each row, and damage by seed. */
export function makePlayedGhosts(vectors: Vectors): void {
  const load = (name: string, whole: Uint8Array, file: Uint8Array, about: About) =>
    vectors.played(
      'ghost',
      { file: `${name}.gho`, splices: splicesOf(whole, file) },
      { ...about, source: 'CGhostLoader in ghost.cpp' },
    );
  for (const [name, whole] of Object.entries(ghosts())) {
    load(name, whole, whole, { note: 'as it is' });
    if (name === 'run') for (const [row, file] of ghostSpecimens) load(name, whole, file, { row });
    for (let seed = 0; seed < seeds; seed++) load(name, whole, damagedGhost(whole, seed), { note: `damage ${seed}` });
  }
  const { run } = ghosts();
  for (const [note, change] of Object.entries(others)) load('run', run, changed(change), { note });
}
