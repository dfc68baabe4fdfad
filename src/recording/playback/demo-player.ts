import { hexText } from '../../wire/bytes/to-hex.ts';
import type { Window } from '../../wire/bytes/window.ts';
import { protocolOf } from '../../wire/protocol/registry.ts';
import { isTick } from '../container/demo/chunk.ts';
import { maxHeaderBytes, maxMarkers, readText, sha256Uuid, wrongTexts } from '../container/demo/header.ts';
import { mayBeDemo } from '../container/detect.ts';
import type { DemoGame, DemoRules, Said } from '../games/demo-rules.ts';
import { ChunkInts } from './chunk-ints.ts';
import { Crash, Unforeseen } from './memory.ts';
import { DdnetSnapshots, type Snapshots, TeeworldsSnapshots } from './snapshots.ts';

/*
 * `CDemoPlayer`, as strict as the games are: it never searches the next chunk that makes sense.
 *
 *   header │ map │ marker snapshot message … marker delta …        the end, or an error
 *     load        ├─ scan: the heads of all chunks, to the end ─▶  may refuse the file
 *                 └─ play: their content, up to the first error
 *
 * A game scans the whole file first and plays then. Both read the same heads, so here one pass does both, over pieces of
 * the file; what the scan says counts more.
 *
 * The player stands for all versions that did the same so far. A rule whose answers differ among them is no value but
 * throws `Fork`: the player is divided, and each half reads the chunk again. So a chunk is read first, and only then
 * anything is changed.
 */

/** What became of a demo in a game. */
export interface Played {
  /** `undefined`: that depends on memory, or on what was played before. */
  readonly outcome: 'refused' | 'stops' | 'crashes' | 'plays' | 'undefined';
  /** What the game says, or why it crashes or cannot be foreseen; empty where it says nothing. */
  readonly sentence: string;
  /** The tick that was played last; -1 before the first. */
  readonly tick: number;
  /** Where the game had read to: after the chunk at which it stops. */
  readonly offset: number;
  /** Deltas and snapshots that were left out. */
  readonly skipped: number;
  /** Whether what is shown depends on what was played before the demo. */
  readonly isOnOther: boolean;
  /** Whether jumping reads beyond the list of keyframes, which is empty. */
  readonly seeksBeyond: boolean;
}

/** What a player gives to its game. */
interface PlayListener {
  onSnapshot(bytes: Uint8Array): void;
  onMessage(bytes: Uint8Array): void;
}

export interface PlayOptions {
  readonly listener?: PlayListener | undefined;
  /** Whether messages are taken for right, as beside a reader that does not read them. */
  readonly skipsMessages?: boolean;
}

/** A rule was asked that the versions of a player do not share. */
export class Fork extends Error {
  readonly rule: keyof DemoRules;

  constructor(rule: keyof DemoRules) {
    super();
    this.rule = rule;
  }
}

/** The rules of several versions; one that they do not share throws {@link Fork}. */
function sharedRules([first, ...others]: readonly DemoGame[]): DemoRules {
  const rules = { ...first!.rules };
  for (const rule of Object.keys(rules) as (keyof DemoRules)[]) {
    if (others.every((other) => other.rules[rule] === rules[rule])) continue;
    Object.defineProperty(rules, rule, {
      get: () => {
        throw new Fork(rule);
      },
    });
  }
  return rules;
}

/** The part of a chunk before its data. @see ChunkHead */
interface Head {
  /** `CHUNKTYPE…`: 1 snapshot, 2 message, 3 delta; with 0x80 a tick marker, and with 0x40 a keyframe. */
  readonly type: number;
  readonly bytes: number;
  readonly dataBytes: number;
  /** Of a marker: its tick, for the player and for the scan. */
  readonly tick: number;
  readonly scanTick: number;
}

const markerFlag = 0x80;
const keyframeFlag = 0x40;
const types = { snapshot: 1, message: 2, delta: 3 } as const;
/** From here on, markers have five bits for a step. */
const shortSteps = 5;

export class DemoPlayer {
  readonly games: readonly DemoGame[];
  readonly #rules: DemoRules;
  readonly #listener: PlayListener | undefined;
  readonly #skipsMessages: boolean;
  /** Where the next chunk begins. */
  at = 0;
  #played: Played | undefined;
  /** What ended the playing, while the scan goes on. */
  #ended: Pick<Played, 'outcome' | 'sentence' | 'tick' | 'offset'> | undefined;
  #format = 0;
  #is07 = false;
  /** `m_PreviousTick`, and `m_CurrentTick`, which is also `m_NextTick` while chunks are read. */
  #previous = -1;
  #tick = -1;
  #scanTick = -1;
  #hasKeyframe = false;
  #skipped = 0;
  #isOnOther = false;
  /** Whether a snapshot was shown in this tick. */
  #hasShown = false;
  /** Where the head of a chunk ends that was read last. */
  #headEnd = 0;
  #ints: ChunkInts | undefined;
  #snapshots: Snapshots | undefined;
  /** What makes the snapshot with which it goes on, when that is needed: after nearly every demo nothing is left to read. */
  #begin: ((snapshots: Snapshots) => void) | undefined;

  constructor(games: readonly DemoGame[], { listener, skipsMessages = false }: PlayOptions = {}) {
    this.games = games;
    this.#skipsMessages = skipsMessages;
    this.#rules = sharedRules(games);
    this.#listener = listener;
  }

  /** Undefined until the file was read as far as the game needs it. */
  get played(): Played | undefined {
    return this.#played;
  }

  /** One player for each answer to a rule. */
  fork(rule: keyof DemoRules): DemoPlayer[] {
    const answers = new Map<unknown, DemoGame[]>();
    for (const game of this.games) {
      const answer = game.rules[rule];
      answers.set(answer, [...(answers.get(answer) ?? []), game]);
    }
    return [...answers.values()].map((games) => this.#copyFor(games));
  }

  #copyFor(games: readonly DemoGame[]): DemoPlayer {
    const copy = new DemoPlayer(games, { listener: this.#listener, skipsMessages: this.#skipsMessages });
    copy.at = this.at;
    copy.#ended = this.#ended;
    copy.#format = this.#format;
    copy.#is07 = this.#is07;
    copy.#previous = this.#previous;
    copy.#tick = this.#tick;
    copy.#scanTick = this.#scanTick;
    copy.#hasKeyframe = this.#hasKeyframe;
    copy.#skipped = this.#skipped;
    copy.#isOnOther = this.#isOnOther;
    copy.#hasShown = this.#hasShown;
    copy.#ints = this.#ints?.copy(copy.#rules);
    copy.#snapshots = this.#snapshots?.copy(copy.#rules);
    copy.#begin = this.#begin;
    return copy;
  }

  /** Reads the header, if all of it is there; false if more of the file is needed. */
  load(window: Window): boolean {
    const { bytes, start, end, ended } = window;
    if (end - start < maxHeaderBytes && !ended) return false;
    const file = bytes.subarray(start, Math.min(end, start + maxHeaderBytes));
    const begin = this.#load(file);
    if (begin === undefined) return true;
    this.at = begin;
    if (!this.#rules.checksTicks) this.#scanTick = 0;
    return true;
  }

  /** Goes on inside of the file, where this is known of it. */
  goOn(at: number, ticks: PlayedTicks, begin: (snapshots: Snapshots) => void): void {
    this.at = at;
    const { firstTick, tick, hasMore, hasKeyframe } = ticks;
    if (tick >= 0) this.#scanTick = tick;
    this.#tick = tick;
    if (this.#previous < 0 && hasMore) this.#previous = firstTick;
    this.#hasKeyframe ||= hasKeyframe;
    if (!this.#ended) this.#begin = begin;
  }

  /** Whether it is before a chunk of a tick, where another reader is, too. */
  isAt(at: number, tick: number): boolean {
    return this.at === at && this.#tick === tick && this.#scanTick === tick;
  }

  /** Another reader has read a whole snapshot as the games do: what was before it is needed no more. */
  rest(): void {
    this.#snapshots = undefined;
    this.#ints = undefined;
    this.#begin = undefined;
  }

  /** Reads all chunks that are there, or those that begin before a position. */
  play(window: Window, until: number = Infinity): void {
    while (!this.#played && this.at < until && this.#readChunk(window));
  }

  // --- load

  /** Returns where the chunks begin; undefined if the header is refused. */
  #load(file: Uint8Array): number | undefined {
    const { only } = this.#rules;
    const base = only ? 176 + 4 + 4 * maxMarkers : 176;
    if (!mayBeDemo(padded(file, base)) || (file.length < base && this.#rules.checksHeader))
      return this.#refuse('header');
    const header = padded(file, maxHeaderBytes);
    if (wrongTexts(header).length > 0 && this.#rules.checksHeader) return this.#refuse('header');
    const format = header[7]!;
    // Without a NUL the text goes on in the next field.
    const netVersion = readText(header.subarray(8));
    if (only && format !== only.format) return this.#refuse('format', format);
    if (only && netVersion !== only.netVersion) return this.#refuse('net_version', netVersion);
    if (format < 3) return this.#refuse('format', format);
    let at = Math.min(base, file.length);
    if (!only && format > 3) {
      at = Math.min(base + 4 + 4 * maxMarkers, file.length);
      if (at < base + 4 + 4 * maxMarkers && this.#rules.checksHeader) return this.#refuse('markers');
    }
    if (!only && format >= 6) {
      const found = Math.min(16, file.length - at);
      if (hexText(header, at, at + 16) === sha256Uuid) {
        at = Math.min(at + 48, file.length);
        if (at < maxHeaderBytes && this.#rules.checksHeader) return this.#refuse('sha256');
        // The game goes back by 16 bytes even if it has read fewer, unless that is before the file.
      } else if (found < 16 && !this.#rules.checksHeader && at + found >= 16) at += found - 16;
    }
    this.#format = format;
    this.#is07 = netVersion.startsWith('0.7') && this.#rules.knows07;
    return this.#afterMap(at, new DataView(header.buffer).getInt32(136));
  }

  #afterMap(at: number, mapSize: number): number | undefined {
    if (mapSize >= 0) return at + mapSize;
    const next = at + (this.#rules.mapSize === 'i32' ? mapSize : mapSize >>> 0);
    if (next >= 0) return next;
    return this.#rules.checksHeader ? this.#refuse('map') : at;
  }

  // --- chunks

  /** Reads the next chunk; false if more of the file is needed, or it was the last one. */
  #readChunk(window: Window): boolean {
    const head = this.#readHead(window);
    if (head === 'more') return false;
    if (head === 'end' || head === 'error') {
      if (!this.#ended) this.#end(head);
      this.#endScan(head === 'end');
      return false;
    }
    if (head.type & markerFlag) this.#onMarker(head);
    else if (!this.#ended && !this.#playChunk(head, window)) return false;
    this.at += head.bytes + head.dataBytes;
    return true;
  }

  /** `CDemoPlayer::ReadChunkHeader` */
  #readHead(window: Window): Head | 'end' | 'error' | 'more' {
    const { bytes, ended } = window;
    const from = window.index(this.at);
    const left = window.end - from;
    this.#headEnd = this.at;
    if (left <= 0) return ended ? this.#atEnd(window.offset(window.end)) : 'more';
    const first = bytes[from]!;
    if (first & markerFlag) return this.#readMarker(first, window);
    const size = first & 0x1f;
    const headBytes = size < 30 ? 1 : size - 28;
    if (left < headBytes) return this.#cut(window);
    let dataBytes = size;
    if (size === 30) dataBytes = bytes[from + 1]!;
    else if (size === 31) dataBytes = bytes[from + 1]! | (bytes[from + 2]! << 8);
    return { type: first >> 5, bytes: headBytes, dataBytes, tick: 0, scanTick: 0 };
  }

  #readMarker(first: number, window: Window): Head | 'end' | 'error' | 'more' {
    const { bytes } = window;
    const from = window.index(this.at);
    const type = first & (markerFlag | keyframeFlag);
    const step = this.#stepOf(first);
    if (step === undefined) {
      if (window.end - from < 5) return this.#cut(window);
      const tick = (bytes[from + 1]! << 24) | (bytes[from + 2]! << 16) | (bytes[from + 3]! << 8) | bytes[from + 4]!;
      this.#headEnd = this.at + 5;
      if (!isTick(tick) && this.#rules.checksTicks) return 'error';
      return { type, bytes: 5, dataBytes: 0, tick, scanTick: tick };
    }
    const tick = (this.#tick + step) | 0;
    this.#headEnd = this.at + 1;
    if ((this.#tick < 0 || !isTick(tick)) && this.#rules.checksTicks) return 'error';
    return { type, bytes: 1, dataBytes: 0, tick, scanTick: (this.#scanTick + step) | 0 };
  }

  /** The step of a marker; undefined if it has the tick itself. */
  #stepOf(first: number): number | undefined {
    const long = first & 0x3f;
    if (long !== 0 && (this.#format < shortSteps || this.#rules.hasLongSteps)) return long;
    return first & 0x20 ? first & 0x1f : undefined;
  }

  #atEnd(fileEnd: number): 'end' {
    // DDNet goes to where the map ends, even beyond the file.
    if (this.at > fileEnd && this.#rules.mapSize === 'read') this.#headEnd = fileEnd;
    return 'end';
  }

  #cut(window: Window): 'end' | 'error' | 'more' {
    if (!window.ended) return 'more';
    this.#headEnd = window.offset(window.end);
    return this.#rules.checksTicks ? 'error' : 'end';
  }

  #onMarker({ type, tick, scanTick }: Head): void {
    // First: the marker is read again if the versions differ in it.
    if (!this.#ended) this.#showLast();
    if (type & keyframeFlag) this.#hasKeyframe = true;
    this.#scanTick = scanTick;
    this.#previous = this.#tick;
    this.#tick = tick;
    this.#hasShown = false;
  }

  /** The content of a chunk; false if more of the file is needed. */
  #playChunk(head: Head, window: Window): boolean {
    const start = window.index(this.at) + head.bytes;
    const end = start + head.dataBytes;
    if (end > window.end) {
      if (window.ended) this.#stop('chunk_data', window.offset(window.end));
      return window.ended;
    }
    const offset = window.offset(end);
    try {
      this.#playData(head.type, window.bytes, start, end, offset);
    } catch (error) {
      if (!(error instanceof Unforeseen || error instanceof Crash)) throw error;
      this.#endWith(error instanceof Crash ? 'crashes' : 'undefined', error.message, offset);
    }
    return true;
  }

  #playData(type: number, file: Uint8Array, start: number, end: number, offset: number): void {
    if (type === types.message && this.#skipsMessages) {
      this.#showLast();
      return;
    }
    const bytes = this.#unpack(file, start, end);
    if (typeof bytes === 'string') this.#stop(bytes, offset);
    else if (type === types.delta) this.#playDelta(bytes, offset);
    else if (type === types.snapshot) this.#show(this.#memory().readFull(bytes));
    else {
      this.#showLast();
      if (type === types.message) this.#listener?.onMessage(this.#memory().chunk.bytes.subarray(0, bytes));
    }
  }

  /** The bytes of the ints in a chunk, or what the game says. A chunk without data has none, and those before stay. */
  #unpack(file: Uint8Array, start: number, end: number): number | Said {
    if (start === end) return 0;
    this.#ints ??= new ChunkInts(this.#rules);
    const packed = this.#ints.decompress(file, start, end);
    if (packed < 0) return 'huffman';
    const bytes = this.#ints.unpack(packed, this.#memory().chunk);
    return bytes < 0 ? 'ints' : bytes;
  }

  #playDelta(bytes: number, offset: number): void {
    const snapshots = this.#memory();
    if (snapshots.hasLast) this.#show(snapshots.readDelta(bytes));
    else if (this.#rules.deltaFirst === 'stops') this.#stop('delta_first', offset);
    else if (this.#rules.deltaFirst === 'skipped') this.#hasShown = true;
    // It makes what nobody can know, or nothing: neither ends the playing.
    else this.#isOnOther = true;
  }

  /** Takes a snapshot of so many bytes, or leaves it out. */
  #show(bytes: number): void {
    if (bytes < 0) {
      // Teeworlds counts it as shown.
      this.#hasShown ||= this.#rules.sortsItems;
      this.#skipped++;
      return;
    }
    const snapshots = this.#memory();
    snapshots.take(bytes);
    this.#isOnOther ||= snapshots.isOnOther;
    this.#hasShown = true;
    this.#listener?.onSnapshot(snapshots.last);
  }

  /** A tick without a snapshot repeats the last one. */
  #showLast(): void {
    if (this.#hasShown || !this.#listener) return;
    const snapshots = this.#begin ? this.#memory() : this.#snapshots;
    if (!snapshots?.hasLast) return;
    this.#hasShown = true;
    this.#listener.onSnapshot(snapshots.last);
  }

  #memory(): Snapshots {
    const { sizeOf } = protocolOf(this.#is07 ? '0.7' : '0.6');
    this.#snapshots ??= this.#rules.sortsItems
      ? new TeeworldsSnapshots(sizeOf)
      : new DdnetSnapshots(this.#rules, sizeOf);
    const begin = this.#begin;
    this.#begin = undefined;
    begin?.(this.#snapshots);
    return this.#snapshots;
  }

  // --- how it ends

  #stop(said: Said, offset: number): void {
    this.#endWith('stops', this.#rules.says[said], offset);
  }

  #end(why: 'end' | 'error'): void {
    if (why === 'error') this.#stop('chunk_head', this.#headEnd);
    else if (this.#previous === -1) this.#stop('empty', this.#headEnd);
    else this.#endWith('plays', this.#rules.says.end, this.#headEnd);
  }

  #endWith(outcome: Played['outcome'], sentence: string, offset: number): void {
    this.#ended = { outcome, sentence, tick: this.#tick, offset };
    this.rest();
  }

  /** @param isWhole whether all heads of the file were right */
  #endScan(isWhole: boolean): void {
    const { outcome, sentence, tick, offset } = this.#ended!;
    if ((isWhole && this.#hasKeyframe) || this.#isLoaded(isWhole)) this.#finish(outcome, sentence, tick, offset);
    else this.#refuse('scan');
  }

  #isLoaded(isWhole: boolean): boolean {
    switch (this.#rules.scan) {
      case 'nothing':
        return true;
      case 'heads':
        return isWhole;
      case 'heads and keyframes':
        return isWhole && this.#hasKeyframe;
      default:
        return !isWhole || this.#hasKeyframe;
    }
  }

  #refuse(said: Said, value: number | string = ''): undefined {
    const sentence = this.#rules.says[said].replace('%', () => String(value));
    this.#finish('refused', sentence, -1, -1);
  }

  #finish(outcome: Played['outcome'], sentence: string, tick: number, offset: number): void {
    const seeksBeyond = outcome !== 'refused' && !this.#hasKeyframe && this.#rules.seeksWithout === 'beyond';
    this.#played = {
      outcome,
      sentence,
      tick,
      offset,
      skipped: this.#skipped,
      isOnOther: this.#isOnOther,
      seeksBeyond,
    };
  }
}

/** What was read of a demo before the player goes on. */
interface PlayedTicks {
  /** -1 before the first marker. */
  readonly firstTick: number;
  readonly tick: number;
  /** Whether there were at least two markers. */
  readonly hasMore: boolean;
  readonly hasKeyframe: boolean;
}

/** The first bytes of a file, with zeros after its end. */
function padded(file: Uint8Array, size: number): Uint8Array {
  const bytes = new Uint8Array(size);
  bytes.set(file.subarray(0, size));
  return bytes;
}
