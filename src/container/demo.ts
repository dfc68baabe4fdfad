import { ByteBuffer } from '../bytes/buffers.ts';
import { type Args, type Code, DecodeError, type Severity, type Warn } from '../bytes/diagnostic.ts';
import { Window } from '../bytes/window.ts';
import { decompress, endsWithEof } from '../codec/huffman.ts';
import { ChunkHead, maxTick } from './demo-chunk.ts';
import { type DemoHeader, maxHeaderBytes, readDemoHeader } from './demo-header.ts';

/** One part of a demo, with its place in the file. The same object is filled for each: valid until the next one is asked for. */
export interface DemoFrame {
  kind: 'header' | 'map' | 'tick' | 'snapshot' | 'message' | 'delta' | 'unknown' | 'trouble';
  /** Absolute offset of its first byte, head included. */
  offset: number;
  /** Absolute offset of its data. */
  dataOffset: number;
  /** Its data, `bytes[start]` up to `bytes[end]`; of the map, a piece of it. */
  bytes: Uint8Array;
  start: number;
  end: number;
  /** The current tick, -1 before the first. */
  tick: number;
  /** Of ticks: whether a full snapshot follows. */
  keyframe: boolean;
  /** Of troubles: what is odd or wrong with the framing at `offset`. */
  severity: Severity;
  code: Code;
  args: Args;
}

/** Chunks that have to be in order before framing is trusted again. */
const trustedChunks = 3;

/**
 * Reads a demo piece by piece, as a stream of frames; memory stays bounded by the pieces. Where chunks can't be followed any
 * more, reading goes on at the next keyframe. Payloads are not decoded here: who does, and finds one damaged, says so by
 * {@link doubt}.
 */
export class DemoReader {
  header: DemoHeader | undefined;
  readonly #window = new Window();
  readonly #head = new ChunkHead();
  readonly #ahead = new ChunkHead();
  readonly #scratch = new ByteBuffer();
  readonly #frame: DemoFrame = {
    kind: 'header',
    offset: 0,
    dataOffset: 0,
    bytes: this.#window.bytes,
    start: 0,
    end: 0,
    tick: -1,
    keyframe: false,
    severity: 'warning',
    code: 'empty_input',
    args: {},
  };
  #state: 'header' | 'map' | 'chunks' | 'doubt' | 'searching' | 'done' = 'header';
  #mapLeft = 0;
  /** While in doubt or searching: where trust ended, where the doubted chunk does, and from where the search goes on. */
  #lostAt = 0;
  #nextAt = 0;
  #searchAt = 0;
  /** What to say when the search finds nothing. */
  #onNothing: { code: Code; args: Args } = { code: 'no_keyframe_left', args: {} };
  /** Whether the damage that is searched behind was told already. */
  #told = false;

  /** A reader that begins inside a file: at a chunk, under its tick. The pieces are then those from `offset` on. */
  static startingAt(header: DemoHeader, tick: number, offset: number): DemoReader {
    const reader = new DemoReader();
    reader.header = header;
    reader.#state = 'chunks';
    reader.#frame.tick = tick;
    reader.#window.startAt(offset);
    return reader;
  }

  /** Adds a piece of the file and gives the frames that are whole now. */
  *feed(piece: Uint8Array): Generator<DemoFrame, void> {
    this.#window.add(piece);
    yield* this.#frames();
  }

  /** The file has ended: gives what is left. */
  *finish(): Generator<DemoFrame, void> {
    this.#window.ended = true;
    yield* this.#frames();
  }

  /** Says that the payload of the last frame was damaged: whether its size was right is then looked at. */
  doubt(): void {
    if (this.#state !== 'chunks') return;
    const window = this.#window;
    this.#state = 'doubt';
    this.#lostAt = this.#frame.offset;
    this.#nextAt = window.offset(window.start);
    // Kept, for its size may have lied and swallowed a keyframe.
    window.start = window.index(this.#lostAt);
  }

  *#frames(): Generator<DemoFrame, void> {
    for (;;) {
      const before = this.#state;
      if (this.#state === 'header') yield* this.#readHeader();
      else if (this.#state === 'map') yield* this.#readMap();
      else if (this.#state === 'chunks') yield* this.#readChunks();
      else if (this.#state === 'doubt') this.#settleDoubt();
      else if (this.#state === 'searching') yield* this.#search();
      if (this.#state === before || this.#state === 'done') return;
    }
  }

  *#readHeader(): Generator<DemoFrame, void> {
    const window = this.#window;
    if (window.end - window.start < maxHeaderBytes && !window.ended) return;
    const warnings: Parameters<Warn>[] = [];
    const bytes = window.bytes.subarray(window.start, Math.min(window.end, window.start + maxHeaderBytes));
    try {
      this.header = readDemoHeader(bytes, (...warning) => warnings.push(warning));
    } catch (error) {
      if (!(error instanceof DecodeError)) throw error;
      this.#state = 'done';
      yield this.#trouble('error', error.code, error.offset, error.args);
      return;
    }
    this.#mapLeft = this.header.mapSize;
    this.#state = 'map';
    yield this.#data('header', window.start, window.start + this.header.mapStart);
    window.start += this.header.mapStart;
    for (const [code, offset, args] of warnings) yield this.#trouble('warning', code, offset, args);
  }

  *#readMap(): Generator<DemoFrame, void> {
    const window = this.#window;
    const size = Math.min(this.#mapLeft, window.end - window.start);
    if (size > 0) {
      const frame = this.#data('map', window.start, window.start + size);
      window.start += size;
      this.#mapLeft -= size;
      yield frame;
    }
    if (this.#mapLeft === 0) this.#state = 'chunks';
    else if (window.ended) {
      this.#state = 'done';
      const expected = this.header!.mapSize;
      yield this.#trouble('error', 'truncated_map', window.offset(window.end), {
        found: expected - this.#mapLeft,
        expected,
      });
    }
  }

  *#readChunks(): Generator<DemoFrame, void> {
    const window = this.#window;
    const head = this.#head;
    const { version } = this.header!;
    while (this.#state === 'chunks') {
      const at = window.start;
      const whole = head.read(window.bytes, at, window.end, version);
      const next = at + head.headSize + head.size;
      if (!whole || next > window.end) {
        if (!window.ended) return;
        if (at === window.end) this.#state = 'done';
        else {
          const args = { found: window.end - at, expected: whole ? head.headSize + head.size : head.headSize };
          this.#lose(window.offset(at), false, { code: 'truncated_chunk', args });
        }
        return;
      }
      window.start = next;
      if (head.kind === 'tick') yield* this.#readTick(at);
      else yield* this.#readData(at, next);
    }
  }

  *#readTick(at: number): Generator<DemoFrame, void> {
    const frame = this.#frame;
    const head = this.#head;
    const offset = this.#window.offset(at);
    if (!head.absolute && frame.tick < 0) {
      this.#lose(offset, true);
      yield this.#trouble('error', 'step_before_tick', offset);
      return;
    }
    const tick = head.absolute ? head.tick : frame.tick + head.tick;
    if (tick < 0 || tick >= maxTick) {
      this.#lose(offset, true);
      yield this.#trouble('error', 'bad_tick', offset, { found: tick });
      return;
    }
    const last = frame.tick;
    frame.tick = tick;
    frame.keyframe = head.keyframe;
    yield this.#data('tick', at, this.#window.start);
    if (head.absolute && last >= 0 && tick <= last) {
      yield this.#trouble('warning', 'tick_backwards', offset, { found: tick, last });
    }
  }

  *#readData(at: number, next: number): Generator<DemoFrame, void> {
    const { kind, headSize, size } = this.#head;
    const offset = this.#window.offset(at);
    const frame = this.#data(kind, at, next, headSize);
    if (kind === 'unknown') {
      yield frame;
      yield this.#trouble('warning', 'chunk_type', offset);
      this.#frame.offset = offset;
      this.doubt();
      return;
    }
    yield frame;
    if (size === 0) yield this.#trouble('warning', 'empty_chunk', offset, { kind });
  }

  /** After a damaged payload: goes on where it ended when chunks follow there, else looks for the next keyframe. */
  #settleDoubt(): void {
    const window = this.#window;
    const follows = this.#chunksFollow(window.index(this.#nextAt), trustedChunks);
    if (follows === undefined) return;
    if (follows) {
      window.start = window.index(this.#nextAt);
      this.#state = 'chunks';
    } else this.#lose(this.#lostAt, true);
  }

  #lose(
    offset: number,
    told: boolean,
    onNothing: { code: Code; args: Args } = { code: 'no_keyframe_left', args: {} },
  ): void {
    this.#state = 'searching';
    this.#window.start = this.#window.index(offset);
    this.#lostAt = offset;
    this.#searchAt = offset + 1;
    this.#told = told;
    this.#onNothing = onNothing;
  }

  *#search(): Generator<DemoFrame, void> {
    const window = this.#window;
    let at = window.index(this.#searchAt);
    let found: boolean | undefined = false;
    while (at < window.end) {
      found = this.#isKeyframe(at);
      if (found !== false) break;
      at++;
    }
    window.start = at;
    this.#searchAt = window.offset(at);
    const skipped = this.#searchAt - this.#lostAt;
    if (found) {
      this.#state = 'chunks';
      yield this.#trouble(this.#told ? 'warning' : 'error', 'framing_lost', this.#lostAt, {
        skipped,
        tick: this.#ahead.tick,
      });
    } else if (window.ended) {
      this.#state = 'done';
      const { code, args } = this.#onNothing;
      yield this.#trouble(this.#told ? 'warning' : 'error', code, this.#lostAt, { skipped, ...args });
    }
  }

  /** Whether a keyframe begins at `at`: an absolute tick and a snapshot that is one compressed stream, with a chunk behind it. */
  #isKeyframe(at: number): boolean | undefined {
    const { bytes, end, ended } = this.#window;
    const { version } = this.header!;
    const first = bytes[at]!;
    if (version >= 5 ? (first & 0xe0) !== 0xc0 : first !== 0xc0) return false;
    const head = this.#ahead;
    if (!head.read(bytes, at, end, version)) return ended ? false : undefined;
    const { tick } = head;
    if (tick < 0 || tick >= maxTick) return false;
    const whole = head.read(bytes, at + 5, end, version);
    const start = at + 5 + head.headSize;
    const next = start + head.size;
    if (!whole || (head.kind === 'snapshot' && next > end)) return ended ? false : undefined;
    if (head.kind !== 'snapshot' || !this.#isStream(start, next)) return false;
    const follows = this.#chunksFollow(next, 1);
    head.tick = tick;
    return follows;
  }

  /** Whether chunks in good order begin at `at`; undefined when that can't be said before more is read. */
  #chunksFollow(at: number, chunks: number): boolean | undefined {
    const { bytes, end, ended } = this.#window;
    const head = this.#ahead;
    for (let i = 0; i < chunks; i++) {
      if (at === end) return ended ? true : undefined;
      const whole = head.read(bytes, at, end, this.header!.version);
      const start = at + head.headSize;
      at = start + head.size;
      if (!whole || at > end) return ended ? i > 0 : undefined;
      if (
        head.kind === 'tick' ? head.absolute && !(head.tick >= 0 && head.tick < maxTick) : !this.#isStream(start, at)
      ) {
        return false;
      }
    }
    return true;
  }

  /** Whether data is one compressed stream, ended where its chunk does. */
  #isStream(start: number, end: number): boolean {
    const { bytes } = this.#window;
    if (!endsWithEof(bytes, start, end)) return false;
    let clean = true;
    try {
      decompress(
        bytes,
        start,
        end,
        this.#scratch,
        () => {
          clean = false;
        },
        1 << 17,
      );
    } catch {
      return false;
    }
    return clean;
  }

  #data(kind: DemoFrame['kind'], start: number, end: number, headSize = 0): DemoFrame {
    const frame = this.#frame;
    frame.kind = kind;
    frame.offset = this.#window.offset(start);
    frame.bytes = this.#window.bytes;
    frame.dataOffset = frame.offset + headSize;
    frame.start = start + headSize;
    frame.end = end;
    return frame;
  }

  #trouble(severity: Severity, code: Code, offset: number, args: Args = {}): DemoFrame {
    const frame = this.#frame;
    frame.kind = 'trouble';
    frame.offset = offset;
    frame.severity = severity;
    frame.code = code;
    frame.args = args;
    return frame;
  }
}
