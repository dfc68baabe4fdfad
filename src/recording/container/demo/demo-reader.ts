import {
  type Args,
  attempt,
  type Code,
  DecodeError,
  type Diagnostic,
  type Severity,
} from '../../../wire/bytes/diagnostic.ts';
import { PieceReader, Window } from '../../../wire/bytes/window.ts';
import { endsWithEof } from '../../../wire/codec/huffman.ts';
import { ticksPerSecond } from '../../../wire/protocol/ticks.ts';
import { ChunkHead, DemoFrame, isTick, skipChunks } from './chunk.ts';
import { type DemoHeader, isRightLength, mapBytesOf, mapHeadBytes, maxHeaderBytes, readDemoHeader } from './header.ts';
import { FramingCheck } from './resync.ts';

export type { DemoFrame } from './chunk.ts';

/*
 * The chunks of a demo, piece by piece, and how to go on where they make no sense.
 *
 *   header │ map │ tick snapshot message … tick delta message … tick …
 *     ▼       ▼      ▼
 *   'header' 'map' 'chunks' ──a chunk makes no sense──▶ 'search' ──a keyframe──▶ 'chunks'
 *                     │  ▲                                  └──── none ────▶ 'done'
 *      data are no whole │ the size was right: the data are damaged
 *            stream   ▼  │
 *                   'size' ──the size was wrong──▶ 'search'
 *
 * A chunk has no mark at its beginning, so one wrong size shifts all that follows. What tells it: the data of a chunk
 * are one stream of Huffman's code that ends with the chunk. `endsWithEof` sees that in the last bits of nearly every
 * chunk. Where it does not, resync.ts asks whether valid chunks follow. A decoder that finds a broken stream later says
 * so with `checkSize`, and the same question decides whether the size or the data are damaged.
 *
 * A step that needs more of the file returns 'more' and changes nothing, so the size of the pieces has no effect on the
 * result. The frame is one object, filled again each time.
 */

/**
 * `frame`: a frame was filled; `next`: the state changed; `more`: more of the file is needed, or all of it was read.
 */
type Step = 'frame' | 'next' | 'more';

/** An absolute tick that is further ahead than this, one minute, is accepted only if a chunk follows. */
const usualGap = 3000;
/**
 * A search for a keyframe takes no marker that is further ahead, two days: the last bytes of a message before a
 * snapshot look like a marker in one of eight cases, but its tick is then any number.
 */
const longestGap = 1 << 23;

/**
 * Reads a demo piece by piece as a stream of frames. Memory is bounded by the size of the pieces. If chunk framing is
 * lost, reading continues at the next keyframe. Payloads are not decoded here: the decoder reports their errors to
 * {@link checkSize}.
 *
 * Source: `src/engine/shared/demo.cpp` and `demo.h` of the games.
 */
export class DemoReader extends PieceReader<DemoFrame> {
  header: DemoHeader | undefined;
  skipsMessages = false;
  /** Whether ticks are skipped after which no full snapshot follows. */
  skipsTicks = false;
  readonly #window = new Window();
  readonly #head = new ChunkHead();
  readonly #frame = new DemoFrame();
  #framing = new FramingCheck(this.#window, 0);
  #state: 'header' | 'map' | 'chunks' | 'size' | 'search' | 'done' = 'header';
  readonly #pending: Diagnostic[] = [];
  #mapLeft = 0;
  /**
   * The last chunk with data: the absolute offsets of its head, its data and its end, and whether its size was found to
   * be right.
   */
  readonly #chunk = { offset: 0, dataOffset: 0, endOffset: 0, isSizeRight: false };
  /** The diagnostic to report if the size of the last chunk is right. */
  #ifSizeIsRight: Diagnostic | undefined;
  #searchAt = 0;
  #lost: Lost = { offset: 0 };
  /** What is checked at the end of a whole demo: its first tick, and whether there are another one and a keyframe. */
  readonly #seen = { firstTick: -1, hasMoreTicks: false, hasKeyframe: false };
  #isWhole = true;

  /** A reader that begins inside a file, at a chunk with a known tick. Its pieces are those from `offset` on. */
  static startingAt(header: DemoHeader, tick: number, offset: number): DemoReader {
    const reader = new DemoReader();
    reader.#isWhole = false;
    reader.#open(header);
    reader.#state = 'chunks';
    reader.#frame.tick = tick;
    reader.#window.startAt(offset);
    return reader;
  }

  override add(piece: Uint8Array): void {
    // After an unreadable header nothing else is read, and nothing is kept.
    if (this.#state !== 'done') this.#window.add(piece);
  }

  override end(): void {
    this.#window.ended = true;
  }

  override next(): DemoFrame | undefined {
    while (this.#state !== 'done' || this.#pending.length > 0) {
      const step = this.#step();
      if (step === 'more') return undefined;
      if (step === 'frame') return this.#frame;
    }
    return undefined;
  }

  /**
   * Accepts a diagnostic about the data of the last frame. If the data is not one complete stream, the chunk's size may
   * be wrong: then the next frame is this diagnostic if the size turns out to be right, otherwise one that reports the
   * loss of framing.
   * @returns false for any other diagnostic: the caller has to report it
   */
  checkSize(diagnostic: Diagnostic): boolean {
    if (!ofNoStream.has(diagnostic.code)) return false;
    if (this.#chunk.isSizeRight) {
      this.#pending.push(diagnostic);
      return true;
    }
    this.#ifSizeIsRight = diagnostic;
    this.#state = 'size';
    // The chunk stays in the window, since a wrong size may have consumed a keyframe.
    this.#window.start = this.#window.index(this.#chunk.offset);
    return true;
  }

  #step(): Step {
    if (this.#pending.length > 0) return this.#report(this.#pending.shift()!);
    switch (this.#state) {
      case 'header':
        return this.#readHeader();
      case 'map':
        return this.#readMap();
      case 'chunks':
        return this.#readChunk();
      case 'size':
        return this.#checkSize();
      case 'search':
        return this.#search();
      default:
        return 'more';
    }
  }

  #open(header: DemoHeader): void {
    this.header = header;
    this.#framing = new FramingCheck(this.#window, header.version);
  }

  #readHeader(): Step {
    const window = this.#window;
    if (window.end - window.start < maxHeaderBytes + mapHeadBytes && !window.ended) return 'more';
    const bytes = window.bytes.subarray(window.start, Math.min(window.end, window.start + maxHeaderBytes));
    const header = attempt(() =>
      readDemoHeader(bytes, (code, offset, args) => this.#reportLater('warning', code, offset, args)),
    );
    if (header instanceof DecodeError) {
      this.#state = 'done';
      this.#reportLater('error', header.code, header.offset, header.args);
      return 'next';
    }
    this.#open(header);
    const mapSize = this.#rightMapSize(header);
    if (mapSize === 'more') {
      this.#pending.length = 0;
      return 'more';
    }
    const { mapStart } = header;
    if (mapSize !== header.mapSize) {
      this.header = { ...header, chunksStart: mapStart + mapSize };
      this.#reportLater('error', 'map_size', mapSizeAt, { found: header.mapSize, expected: mapSize });
    }
    this.#mapLeft = mapSize;
    this.#state = 'map';
    const at = window.start;
    window.start += mapStart;
    return this.#data('header', at, window.start);
  }

  /**
   * The size of the map: the one that the map itself states, if that differs from the demo's header and chunks begin
   * after it.
   */
  #rightMapSize({ mapStart, mapSize }: DemoHeader): number | 'more' {
    const { bytes, start, end } = this.#window;
    const at = start + mapStart;
    const own = mapBytesOf(bytes.subarray(at, Math.min(end, at + mapHeadBytes)));
    if (own === undefined || own === mapSize || own > maxMapBytes) return mapSize;
    const follows = this.#framing.doesKeyframeFollow(at + own);
    return follows === 'yes' ? own : follows === 'no' ? mapSize : 'more';
  }

  #readMap(): Step {
    const window = this.#window;
    const { mapStart, chunksStart, mapSize: stated } = this.header!;
    const mapSize = stated < 0 && chunksStart === mapStart ? stated : chunksStart - mapStart;
    if (mapSize < 0) {
      const args = { found: mapSize };
      return this.#lose({ offset: mapSizeAt, ifFound: 'bad_map_size', ifNotFound: 'bad_map_size', args }, window.start);
    }
    const size = Math.min(this.#mapLeft, window.end - window.start);
    this.#mapLeft -= size;
    if (this.#mapLeft === 0) this.#state = 'chunks';
    else if (window.ended) {
      this.#state = 'done';
      const args = { found: mapSize - this.#mapLeft, expected: mapSize };
      this.#reportLater('error', 'truncated_map', window.offset(window.end), args);
    }
    if (size === 0) return this.#state === 'map' ? 'more' : 'next';
    const at = window.start;
    window.start += size;
    return this.#data('map', at, window.start);
  }

  #readChunk(): Step {
    const { version } = this.header!;
    if (this.skipsMessages || this.skipsTicks)
      this.#frame.tick = skipChunks(this.#window, this, version, this.#frame.tick);
    const { start: at, bytes, end, ended } = this.#window;
    const head = this.#head;
    const whole = head.read(bytes, at, end, version);
    const next = at + head.headSize + head.size;
    if (whole && next <= end) return head.kind === 'tick' ? this.#readTick(at, next) : this.#readData(at, next);
    if (!ended) return 'more';
    if (at === end) {
      this.#state = 'done';
      this.#checkWhole();
      return 'next';
    }
    const args = { found: end - at, expected: whole ? next - at : head.headSize };
    return this.#lose({ offset: this.#window.offset(at), ifNotFound: 'truncated_chunk', args });
  }

  #readTick(at: number, next: number): Step {
    const { absolute, keyframe, tick: value } = this.#head;
    const frame = this.#frame;
    const last = frame.tick;
    const offset = this.#window.offset(at);
    if (!absolute && last < 0)
      return this.#lose({ offset, ifFound: 'step_before_tick', ifNotFound: 'step_before_tick' });
    const tick = absolute ? value : last + value;
    if (!isTick(tick))
      return this.#lose({ offset, ifFound: 'bad_tick', ifNotFound: 'bad_tick', args: { found: tick } });
    if (absolute && (tick <= last || tick > last + usualGap)) {
      const follows = this.#framing.doesChunkFollow(next);
      if (follows === 'more') return 'more';
      if (follows === 'no') return this.#lose({ offset });
      if (last >= 0 && tick <= last) this.#reportLater('warning', 'tick_backwards', offset, { found: tick, last });
    }
    this.#window.start = next;
    const seen = this.#seen;
    if (seen.firstTick < 0) seen.firstTick = tick;
    else seen.hasMoreTicks = true;
    seen.hasKeyframe ||= keyframe;
    frame.tick = tick;
    frame.keyframe = keyframe;
    return this.skipsTicks && !keyframe ? 'next' : this.#data('tick', at, next);
  }

  #readData(at: number, next: number): Step {
    const { kind, headSize, size } = this.#head;
    const window = this.#window;
    const start = at + headSize;
    const offset = window.offset(at);
    if (kind === 'snapshot' && this.#frame.tick < 0) {
      const tick = this.#framing.tickBefore(next);
      if (tick === 'more') return 'more';
      this.#frame.tick = tick;
      this.#reportLater('error', 'missing_tick', offset, { tick });
      return 'next';
    }
    this.#chunk.isSizeRight = false;
    const isEndRight = endsWithEof(window.bytes, start, next);
    // The check of the end is wrong in one of several thousand cases: reading the data then shows it.
    if (kind === 'unknown' || !isEndRight) {
      const isSizeRight = this.#framing.isSizeRight(start, next, this.#frame.tick);
      if (isSizeRight === 'more') return 'more';
      if (isSizeRight === 'no') return this.#lose({ offset });
      this.#chunk.isSizeRight = true;
      if (kind === 'unknown') this.#reportLater('warning', 'chunk_type', offset);
      else if (size === 0) this.#reportLater('warning', 'empty_chunk', offset, { kind });
    }
    window.start = next;
    // One that may be damaged is read.
    if (kind === 'message' && this.skipsMessages && isEndRight) return 'next';
    this.#chunk.offset = offset;
    this.#chunk.dataOffset = offset + headSize;
    this.#chunk.endOffset = window.offset(next);
    return this.#data(size === 0 ? 'unknown' : kind, at, next, headSize);
  }

  /** What a demo needs to be played, and what can be told only at its end. */
  #checkWhole(): void {
    const { firstTick, hasMoreTicks, hasKeyframe } = this.#seen;
    const lastTick = this.#frame.tick;
    const end = this.#window.offset(this.#window.end);
    if (!this.#isWhole) return;
    // The ticks that `skipsTicks` leaves out are not seen, but count.
    if (!hasMoreTicks && lastTick === firstTick) {
      this.#reportLater('warning', 'empty_demo', end, { found: firstTick < 0 ? 0 : 1 });
    }
    if (!hasKeyframe) this.#reportLater('warning', 'no_keyframe', end);
    // Ticks that go back before the first one have a finding of their own, and no length.
    if (firstTick < 0 || lastTick < firstTick) return;
    const { length } = this.header!;
    const seconds = (lastTick - firstTick) / ticksPerSecond;
    // Length and markers are written when a recording is stopped.
    if (length === 0 && seconds >= 1) {
      this.#reportLater('warning', 'not_stopped', lengthAt, { markers: this.header!.markers.length });
      return;
    }
    // A negative one has its own finding.
    if (length > 0 && !isRightLength(length, seconds))
      this.#reportLater('warning', 'other_length', lengthAt, { found: length, expected: Math.floor(seconds) });
    const known = new Set<number>();
    for (const [i, tick] of this.header!.markers.entries()) {
      const offset = markersAt + 4 * i;
      const isOutside = tick < firstTick || tick > lastTick;
      if (isOutside) this.#reportLater('warning', 'marker_outside', offset, { tick, from: firstTick, to: lastTick });
      if (known.has(tick)) this.#reportLater('warning', 'marker_twice', offset, { tick });
      known.add(tick);
    }
  }

  #checkSize(): Step {
    const window = this.#window;
    const { offset, dataOffset, endOffset } = this.#chunk;
    const next = window.index(endOffset);
    const isSizeRight = this.#framing.isSizeRight(window.index(dataOffset), next, this.#frame.tick);
    if (isSizeRight === 'more') return 'more';
    if (isSizeRight === 'no') return this.#lose({ offset });
    window.start = next;
    this.#state = 'chunks';
    return this.#report(this.#ifSizeIsRight!);
  }

  /** Framing is lost at a chunk; `from` is where the search begins. */
  #lose(lost: Lost, from = this.#window.index(lost.offset) + 1): Step {
    this.#state = 'search';
    this.#lost = lost;
    this.#searchAt = this.#window.offset(from);
    return 'next';
  }

  #search(): Step {
    const window = this.#window;
    const last = this.#frame.tick < 0 ? Infinity : this.#frame.tick + longestGap;
    const { found, at, tick } = this.#framing.findKeyframe(window.index(this.#searchAt), last);
    window.start = at;
    this.#searchAt = window.offset(at);
    if (found === 'more') return 'more';
    this.#state = found === 'yes' ? 'chunks' : 'done';
    const { offset, ifFound = 'framing_lost', ifNotFound = 'no_keyframe_left' } = this.#lost;
    const args = { ...this.#lost.args, skipped: this.#searchAt - offset, ...(found === 'yes' && { tick }) };
    return this.#report({ severity: 'error', code: found === 'yes' ? ifFound : ifNotFound, offset, args });
  }

  #data(kind: DemoFrame['kind'], at: number, next: number, headSize = 0): Step {
    const frame = this.#frame;
    frame.kind = kind;
    frame.offset = this.#window.offset(at);
    frame.bytes = this.#window.bytes;
    frame.dataOffset = frame.offset + headSize;
    frame.start = at + headSize;
    frame.end = next;
    return 'frame';
  }

  #report(diagnostic: Diagnostic): Step {
    const frame = this.#frame;
    frame.kind = 'diagnostic';
    frame.offset = diagnostic.offset;
    frame.diagnostic = diagnostic;
    return 'frame';
  }

  /** Reports a diagnostic after the frame that is returned now, or next if there is none. */
  #reportLater(severity: Severity, code: Code, offset: number, args: Args = {}): void {
    this.#pending.push({ severity, code, offset, args });
  }
}

/**
 * The position where framing was lost, and the diagnostic codes for when a keyframe is found after it and when none is.
 */
interface Lost {
  readonly offset: number;
  readonly ifFound?: Code;
  readonly ifNotFound?: Code;
  readonly args?: Args;
}

const ofNoStream: ReadonlySet<Code> = new Set(['huffman_no_eof', 'huffman_after_eof', 'huffman_output_full']);

const mapSizeAt = 136;
const lengthAt = 152;
const markersAt = 180;

/** Larger maps are not searched for the chunks after them. */
const maxMapBytes = 1 << 26;
