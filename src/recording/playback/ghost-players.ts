import { Window } from '../../wire/bytes/window.ts';
import { isText } from '../container/demo/header.ts';
import { isGhost } from '../container/detect.ts';
import {
  chunkHeadBytes,
  ghostHeaderBytes,
  ghostItemSize,
  ghostTypes,
  ghostVersions,
  maxChunkBytes,
} from '../container/ghost/ghost.ts';
import { type GhostGame, type GhostRules, type GhostSaid, ghostGames } from '../games/ghost-rules.ts';
import { ChunkInts } from './chunk-ints.ts';
import { Crash, GameBuffer, Unforeseen } from './memory.ts';

/*
 * `CGhostLoader`, and `CGhost::Load` which asks it: what each version of the games does with a ghost. The loader reads
 * chunk after chunk; each says the type of its items and how many they are. Only the sizes of items matter to it, not
 * their values.
 *
 *   header │ type count size data │ type count size data │ …        the end, or an error
 *
 * A ghost is played if as many characters were read as its header says, whatever ended the reading.
 */

/** What became of a ghost in a game. */
export interface GhostPlayed {
  /** `undefined`: that depends on memory. */
  readonly outcome: 'refused' | 'crashes' | 'plays' | 'undefined';
  /** What the game says last, or why it crashes or cannot be foreseen; empty where it says nothing. */
  readonly sentence: string;
  /** Where the game had read to. */
  readonly offset: number;
  readonly characters: number;
  /** Whether values come from memory that other chunks have left. */
  readonly isOnOther: boolean;
}

const ownerAt = 9;
const mapAt = 25;
const crcAt = 89;
const ticksAt = 93;
const timeAt = 97;
/** Beyond this, the memory for so many characters decides. */
const mostCharacters = 1 << 24;
/** Beyond this there is none, by an overflow. */
const mostChunked = 0x7fffffff - 1499;

/** The data of a chunk, as a loader unpacks it. */
interface Data {
  /** The bytes of the ints. */
  readonly bytes: number;
  readonly error: 'huffman' | 'ints' | undefined;
}

class GhostPlayer {
  readonly game: GhostGame;
  played: GhostPlayed | undefined;
  readonly #rules: GhostRules;
  #version = 0;
  #characters = 0;
  #wanted = 0;
  #hasSkin = false;
  #hasTicks: boolean | undefined;
  /** The type of the item that was read last, if the next one is a difference to it. */
  #lastType: number | undefined;
  #isOnOther = false;
  #said = '';

  constructor(game: GhostGame) {
    this.game = game;
    this.#rules = game.rules;
  }

  /** @param bytes the first bytes of the file, as many as a header has or the file. Returns where chunks begin. */
  load(bytes: Uint8Array): number {
    const { checksHeader, oldHeaderBytes } = this.#rules;
    const header = new Uint8Array(133);
    header.set(bytes.subarray(0, 133));
    const view = new DataView(header.buffer);
    const whole = header[8]! >= 6 ? 133 : oldHeaderBytes;
    const at = Math.min(bytes.length, checksHeader ? oldHeaderBytes : 133);
    if (checksHeader && bytes.length < oldHeaderBytes) return this.#refuse('header', bytes.length);
    if (!isGhost(header)) return this.#refuse('magic', at);
    this.#version = header[8]!;
    if (this.#version < ghostVersions.oldest || this.#version > ghostVersions.newest)
      return this.#refuse('version', at, this.#version);
    if (checksHeader && !isText(header.subarray(ownerAt, mapAt))) return this.#refuse('owner', at);
    if (checksHeader && !isText(header.subarray(mapAt, crcAt))) return this.#refuse('map', at);
    this.#wanted = view.getInt32(ticksAt!);
    const time = view.getInt32(timeAt!);
    // The game goes back by the 32 bytes of a SHA-256 even if it has read fewer.
    const back = this.#version < 6 && bytes.length >= 32 ? 32 : 0;
    const start = Math.min(bytes.length, 133) - back;
    if (checksHeader) {
      if (this.#wanted <= 0) return this.#refuse('ticks', at, this.#wanted);
      if (time <= 0) return this.#refuse('time', at, time);
      if (bytes.length < whole) return this.#refuse('sha256', bytes.length);
    } else if (this.#wanted <= 0 || time <= 0) return this.#refuse('ticks', start);
    if (this.#wanted > mostCharacters && this.#wanted <= mostChunked)
      return this.#finish('undefined', 'memory for the characters', start);
    const chunks = ghostHeaderBytes(this.#version);
    if (start < chunks && oldHeaderBytes === 133) return this.#finish('undefined', 'chunks in the header', start);
    return chunks;
  }

  /** @param end where the chunk ends */
  chunk(type: number, count: number, data: Data, end: number): void {
    if (data.error) {
      this.stop(data.error, end);
      return;
    }
    if (this.#version !== 4) this.#lastType = undefined;
    try {
      this.#items(type, count, data.bytes, end);
    } catch (error) {
      if (!(error instanceof Unforeseen || error instanceof Crash)) throw error;
      this.#finish(error instanceof Crash ? 'crashes' : 'undefined', error.message, end);
    }
  }

  /** Reading ends here: the game looks whether all characters were read. */
  stop(why: GhostSaid | undefined, offset: number): void {
    if (this.played) return;
    if (why) this.#say(why);
    if (this.#characters === this.#wanted) this.#finish('plays', this.#said, offset);
    else this.#refuse('count', offset, this.#characters, this.#wanted);
  }

  /** At least one item is read, even if the chunk has none. */
  #items(type: number, count: number, bytes: number, end: number): void {
    let at = 0;
    let read = 0;
    do {
      const isCharacter = type === ghostTypes.character || type === ghostTypes.characterWithoutTick;
      if (isCharacter && this.#characters === this.#wanted) {
        this.#refuse('too_many', end, this.#characters, this.#wanted);
        return;
      }
      const size = 4 * (ghostItemSize(type) ?? 0);
      if (size === 0 || (type === ghostTypes.skin && this.#hasSkin)) return;
      if (isCharacter && !this.#mayHave(type)) {
        this.#refuse('mixed', end);
        return;
      }
      if (isCharacter && this.#wanted > mostChunked) throw new Crash('a character without memory is written to');
      if (isCharacter) this.#characters++;
      if (!this.#read(type, at, size, bytes)) {
        this.#refuse(itemNames[type]!, end, this.#characters, this.#wanted);
        return;
      }
      if (type === ghostTypes.skin) this.#hasSkin = true;
      at += size;
    } while (++read < count);
  }

  #mayHave(type: number): boolean {
    const hasTicks = type === ghostTypes.character;
    const isMixed = this.#hasTicks !== undefined && this.#hasTicks !== hasTicks;
    if (isMixed && !this.#rules.mixesCharacters) return false;
    this.#hasTicks = hasTicks;
    return true;
  }

  /** Reads an item; false if the chunk does not have it. */
  #read(type: number, at: number, size: number, bytes: number): boolean {
    if (at + size > bytes) {
      if (this.#rules.checksItems) return false;
      if (at + size > maxChunkBytes) throw new Unforeseen('items beyond their buffer');
      this.#isOnOther = true;
    }
    if (this.#lastType !== undefined && this.#lastType !== type && this.#rules.failsOnTypes)
      throw new Crash('Type mismatch between current and last item');
    this.#lastType = type;
    return true;
  }

  #say(said: GhostSaid, ...values: readonly number[]): void {
    let i = 0;
    const sentence = this.#rules.says[said].replace(/%/g, () => String(values[i++]));
    if (sentence !== '') this.#said = sentence;
  }

  #refuse(said: GhostSaid, offset: number, ...values: readonly number[]): number {
    this.#say(said, ...values);
    return this.#finish('refused', this.#said, offset);
  }

  #finish(outcome: GhostPlayed['outcome'], sentence: string, offset: number): number {
    this.played = { outcome, sentence, offset, characters: this.#characters, isOnOther: this.#isOnOther };
    return offset;
  }
}

const itemNames: Readonly<Record<number, GhostSaid>> = {
  0: 'skin',
  1: 'character_without_tick',
  2: 'character',
  3: 'start',
};

/** What every version does with a ghost, whose bytes arrive in pieces. */
export class GhostPlayers {
  readonly #window = new Window();
  readonly #players = ghostGames.map((game) => new GhostPlayer(game));
  /** Those from which a code that the end cuts is an error, and others. */
  readonly #strict = new ChunkInts({ checksCodes: true, readsIntsPastEnd: false }, maxChunkBytes);
  readonly #lax = new ChunkInts({ checksCodes: false, readsIntsPastEnd: false }, maxChunkBytes);
  readonly #ints = new GameBuffer();
  #isLoaded = false;

  add(piece: Uint8Array): void {
    this.#window.add(piece);
    this.#play();
  }

  finish(): void {
    this.#window.ended = true;
    this.#play();
  }

  /** What each version does, in the order of the list; empty before the end of the file. */
  get results(): { readonly game: GhostGame; readonly played: GhostPlayed }[] {
    return this.#players.flatMap(({ game, played }) => (played ? { game, played } : []));
  }

  #play(): void {
    const window = this.#window;
    if (!this.#isLoaded) {
      if (window.end - window.start < 133 && !window.ended) return;
      this.#isLoaded = true;
      const header = window.bytes.slice(window.start, Math.min(window.end, window.start + 133));
      const starts = this.#players.map((player) => player.load(header));
      const goesOn = this.#players.findIndex(({ played }) => !played);
      window.start += goesOn < 0 ? 0 : starts[goesOn]!;
    }
    while (this.#players.some(({ played }) => !played) && this.#readChunk());
  }

  /** Reads the next chunk; false if more of the file is needed, or it was the last one. */
  #readChunk(): boolean {
    const window = this.#window;
    const { bytes, start, end, ended } = window;
    const left = end - start;
    if (left < chunkHeadBytes) {
      if (ended) this.#stop(left > 0 ? 'chunk_head' : undefined, window.offset(end));
      return false;
    }
    const size = (bytes[start + 2]! << 8) | bytes[start + 3]!;
    const dataStart = start + chunkHeadBytes;
    if (size === 0 || size > maxChunkBytes) this.#stop('chunk_size', window.offset(dataStart));
    else if (dataStart + size > end) {
      if (ended) this.#stop('chunk_data', window.offset(end));
      return false;
    } else {
      this.#chunk(bytes[start]!, bytes[start + 1]!, dataStart, dataStart + size);
      window.start = dataStart + size;
    }
    return true;
  }

  #chunk(type: number, count: number, start: number, end: number): void {
    const offset = this.#window.offset(end);
    const strict = this.#unpack(this.#strict, start, end);
    let lax: Data | undefined;
    for (const player of this.#players) {
      if (player.played) continue;
      if (strict.error && !player.game.rules.checksCodes) lax ??= this.#unpack(this.#lax, start, end);
      player.chunk(type, count, player.game.rules.checksCodes ? strict : (lax ?? strict), offset);
    }
  }

  #unpack(by: ChunkInts, start: number, end: number): Data {
    const packed = by.decompress(this.#window.bytes, start, end);
    if (packed < 0) return { bytes: 0, error: 'huffman' };
    const bytes = by.unpack(packed, this.#ints);
    return bytes < 0 ? { bytes: 0, error: 'ints' } : { bytes, error: undefined };
  }

  #stop(why: GhostSaid | undefined, offset: number): void {
    for (const player of this.#players) player.stop(why, offset);
  }
}
