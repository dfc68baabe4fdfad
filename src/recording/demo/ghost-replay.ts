import {
  type Args,
  attempt,
  type Code,
  DecodeError,
  type Diagnostic,
  type Severity,
} from '../../wire/bytes/diagnostic.ts';
import { PieceReader } from '../../wire/bytes/window.ts';
import { encode } from '../../wire/payload/encoding-layers.ts';
import { PayloadReader } from '../../wire/payload/payload-reader.ts';
import { intsOfText, textOfInts } from '../../wire/protocol/texts.ts';
import { SnapshotBuilder } from '../../wire/snapshot/builder.ts';
import type { Snapshot } from '../../wire/snapshot/snapshot.ts';
import type { DemoFrame } from '../container/demo/demo-reader.ts';
import {
  type Ghost,
  GhostItems,
  GhostReader,
  ghostCharacter,
  ghostClientInfo,
  ghostItemSize,
  ghostProtocol,
  ghostTypes,
  hasRightTime,
  runTime,
} from '../container/ghost/ghost.ts';
import { GhostPlays } from '../playback/ghost-plays.ts';
import { maxSteps, maxWithoutTick } from '../replay/limits.ts';
import type { RecordingEntry } from '../replay/record.ts';
import type { ReadOptions, Replay } from '../replay/replay.ts';
import type { Stream } from '../replay/stream.ts';

const nameInts = 4;
const skinInts = 6;
const tickAt = ghostCharacter.size - 1;
const attackTickAt = tickAt - 1;

/** Reads a ghost as the recording of one player: a snapshot for each character. */
export class GhostReplay extends PieceReader<RecordingEntry> implements Replay {
  readonly container = 'ghost';
  readonly datagrams = undefined;
  readonly #options: ReadOptions;
  readonly #reader = new GhostReader();
  readonly #plays = new GhostPlays();
  /** The warnings of the last chunk: what no game writes. */
  readonly #odd: Pick<Diagnostic, 'code' | 'args'>[] = [];
  readonly #payload = new PayloadReader(() => 0, { warn: (code, _, args = {}) => this.#odd.push({ code, args }) });
  readonly #stream: Stream = { number: 1, client: '', server: '', mapChanges: 0, protocol: ghostProtocol };
  #before: Snapshot | undefined;
  #items = new GhostItems(0);
  #info = new Int32Array(ghostClientInfo.size);
  #hasSkin = false;
  #ghost: Ghost | undefined;
  #hasErrors = false;
  #hasMoreSteps = false;
  /** Whether there are more characters without ticks than are kept. */
  #isTooLong = false;
  #lastTick = -1;
  #isEnded = false;
  readonly #withoutTick: Int32Array[] = [];
  /** The records that come next. Characters become records one by one. */
  #pending: (RecordingEntry | Int32Array)[] = [];
  #next = 0;
  #offset = 0;

  constructor(options: ReadOptions = {}) {
    super();
    this.#options = options;
  }

  get streams(): readonly Stream[] {
    return [this.#stream];
  }

  override add(piece: Uint8Array): void {
    this.#reader.add(piece);
    this.#plays.players.add(piece);
  }

  override end(): void {
    this.#reader.end();
    this.#plays.finish();
    this.#isEnded = true;
  }

  override next(): RecordingEntry | undefined {
    for (;;) {
      const pending = this.#pending[this.#next++];
      if (pending instanceof Int32Array) return this.#characterOf(pending);
      if (pending) return pending;
      this.#pending = [];
      this.#next = 0;
      const frame = this.#reader.next();
      if (frame) this.#onFrame(frame);
      else if (this.#isEnded) {
        this.#isEnded = false;
        this.#finish();
      } else return undefined;
    }
  }

  #onFrame(frame: DemoFrame): void {
    const stream = this.#stream;
    if (frame.kind === 'diagnostic') {
      const { severity, code, offset, args } = frame.diagnostic!;
      this.#report(severity, code, offset, args);
      return;
    }
    if (this.#options.parts) this.#pending.push({ record: 'chunk', stream, chunk: frame });
    if (frame.kind === 'ghost') this.#onChunk(frame);
    else {
      const header = this.#reader.header!;
      const ghost: Ghost = {
        ...header,
        skin: 'default',
        startTick: undefined,
        lastTick: 0,
        found: 0,
        steps: new Map(),
      };
      this.#ghost = ghost;
      this.#items = new GhostItems(ghost.version);
      this.#info.set(intsOfText(ghost.owner, nameInts) ?? []);
      this.#info.set(intsOfText(ghost.skin, skinInts)!, nameInts);
      this.#pending.push({ record: 'ghost', stream, ghost, plays: this.#plays });
    }
  }

  #characterOf(values: Int32Array): RecordingEntry {
    const ghost = this.#ghost!;
    const tick = values[tickAt]!;
    const step = tick - this.#lastTick;
    if (ghost.found++ > 0) {
      if (ghost.steps.size < maxSteps || ghost.steps.has(step)) ghost.steps.set(step, (ghost.steps.get(step) ?? 0) + 1);
      else this.#hasMoreSteps = true;
    }
    ghost.startTick ??= tick;
    ghost.lastTick = tick;
    this.#lastTick = tick;
    const snapshot = new SnapshotBuilder()
      .add(ghostCharacter.type!, 0, values)
      .add(ghostClientInfo.type!, 0, this.#info)
      .build();
    const before = this.#before;
    this.#before = snapshot;
    return {
      record: 'snapshot',
      stream: this.#stream,
      tick,
      kind: 'snapshot',
      base: -1,
      snapshot,
      before,
      // A ghost has no snapshots: the payload is the one that it would have.
      payload: encode(snapshot, 'packed'),
      payloadKind: 'snapshot',
      encoding: 'packed',
      offset: this.#offset,
      parts: 1,
      bytes: 0,
      delta: undefined,
      announced: undefined,
      verdict: 'unchecked',
      cause: undefined,
      uncertain: false,
    };
  }

  #onChunk({ bytes, start, end, offset, dataOffset }: DemoFrame): void {
    const type = bytes[start - 4]!;
    const count = bytes[start - 3]!;
    this.#offset = dataOffset;
    const size = ghostItemSize(type);
    if (size === undefined) {
      this.#report('warning', 'ghost_type', offset, { found: type });
      return;
    }
    this.#odd.length = 0;
    const failure = attempt(() => this.#payload.unpack(bytes, 'huffman', start, end));
    if (failure instanceof DecodeError) this.#report('error', failure.code, dataOffset, failure.args);
    // A chunk that is written otherwise may have one for each int.
    else if (this.#odd[0]) this.#report('warning', this.#odd[0].code, dataOffset, this.#odd[0].args);
    const { ints, length } = this.#payload.ints;
    let found = 0;
    for (const values of this.#items.of(type, count, ints, length)) {
      found++;
      if (type === ghostTypes.start) this.#ghost!.startTick = values[0];
      else if (type === ghostTypes.skin) this.#onSkin(values);
      else if (type === ghostTypes.character) this.#pending.push(values);
      else if (this.#withoutTick.length < maxWithoutTick) this.#withoutTick.push(values);
      else this.#isTooLong = true;
    }
    if (failure instanceof DecodeError) return;
    if (found < count) this.#report('error', 'ghost_items', dataOffset, { found, expected: count });
    else if (length > count * size)
      this.#report('warning', 'excess_ints', dataOffset, { found: length - count * size });
  }

  /** Only the first one counts. */
  #onSkin(values: Int32Array): void {
    if (this.#hasSkin) return;
    this.#hasSkin = true;
    this.#info.set(values, nameInts);
    this.#ghost!.skin = textOfInts(values, 0, skinInts) ?? '';
  }

  /** The characters without ticks, and once they were read, whether all agrees with the header. */
  #finish(): void {
    const ghost = this.#ghost;
    if (!ghost) return;
    const all = this.#withoutTick.splice(0);
    if (all.length > 0) {
      // As the game does: an attack shows which tick its entry has, and the others have one each.
      let first = ghost.startTick ?? 0;
      for (let i = 1; i < all.length; i++) {
        const attack = all[i]![attackTickAt]!;
        if (attack !== all[i - 1]![attackTickAt]) first = attack - i;
      }
      this.#isEnded = true;
      for (const [i, values] of all.entries()) this.#pending.push(Int32Array.of(...values, first + i));
      return;
    }
    const { characters, time, found } = ghost;
    if (this.#hasMoreSteps) this.#report('warning', 'limit_reached', 0, { of: 'different_steps', limit: maxSteps });
    if (this.#isTooLong)
      this.#report('error', 'limit_reached', 0, { of: 'characters_without_tick', limit: maxWithoutTick });
    else if (characters === 0 && time === 0) this.#report('warning', 'ghost_unfinished', 93);
    else {
      if (found !== characters) this.#report('error', 'ghost_count', 93, { found, expected: characters });
      else if (!hasRightTime(ghost))
        this.#report('warning', 'ghost_time', 97, { found: runTime(ghost), expected: time });
    }
    const { notPlayed } = this.#plays;
    if (notPlayed && !this.#hasErrors)
      this.#pending.push({ record: 'diagnostic', stream: this.#stream, diagnostic: notPlayed });
  }

  #report(severity: Severity, code: Code, offset: number, args: Args = {}): void {
    this.#hasErrors ||= severity === 'error';
    this.#pending.push({ record: 'diagnostic', stream: this.#stream, diagnostic: { severity, code, offset, args } });
  }
}
