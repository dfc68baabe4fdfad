import type { CaptureBlock } from '../../recording/container/capture/capture-reader.ts';
import { CaptureWriter, hasOptions, maxOptionBytes } from '../../recording/container/capture/capture-writer.ts';
import { Players } from '../../recording/events/players.ts';
import { aheadSeconds } from '../../recording/replay/limits.ts';
import {
  type BlockEntry,
  type DiagnosticEntry,
  isNotRebuilt,
  type PacketEntry,
  type RecordFilter,
  type RecordingEntry,
  type SnapshotEntry,
  type Verdict,
} from '../../recording/replay/record.ts';
import { matchesClient, type Stream } from '../../recording/replay/stream.ts';
import { join } from '../../wire/bytes/copy.ts';
import { getOr } from '../../wire/bytes/get-or.ts';
import { Newest } from '../../wire/bytes/newest.ts';
import { type Message, snapshotMessage } from '../../wire/packet/message.ts';
import { ItemTypes } from '../../wire/snapshot/item-types.ts';
import { reasons } from '../phrases/recording-phrases.ts';
import { pathText } from '../text/escape.ts';
import { count, nonZero, size, thousands } from '../text/number.ts';
import {
  connectionLine,
  controlLine,
  findingText,
  isOwnComment,
  messageLine,
  messagesIn,
  schemaMark,
  snapshotLines,
  unconnectedLine,
  valuesLine,
} from './comments.ts';

interface AnnotatorOptions {
  readonly filter: RecordFilter;
  readonly values: boolean;
  readonly client?: string | undefined;
}

interface StreamState {
  readonly players: Players;
  /** The results of the last snapshots by tick, for repeated messages. */
  readonly endings: Newest<number, string>;
}

const maxEndings = 64;

/** The result that comments show for messages of a snapshot in frames other than the one that has its record. */
function endingOf(verdict: Verdict, number: number): string {
  if (isNotRebuilt(verdict)) return `not rebuilt: ${reasons[verdict]}`;
  return number > 0 ? `completed in frame ${number}` : 'rebuilt at the end of the capture';
}

/**
 * The limits for a waiting frame: a part of a snapshot waits for the other parts, a request for its answer, and each for
 * its own records, which come when it is known what became of its packet.
 */
const maxWaitingFrames = 512;
const maxWaitingBytes = 8 << 20;
const maxWaitingSeconds = aheadSeconds + 1;

/**
 * Writes a capture with decoded packets as comments. Its input is the records of a replay with the options `blocks` and
 * `parts` and without messages. A frame is written when its comments are complete. Later frames wait for it, since the
 * order is preserved.
 */
export class CaptureAnnotator {
  readonly #options: AnnotatorOptions;
  readonly #writer = new CaptureWriter('tw-snap', { isReplaced: isOwnComment });
  readonly #states = new WeakMap<Stream, StreamState>();
  /** The frames that are not written yet, in order. The next records may still belong to the last one. */
  readonly #waiting: FrameReading[] = [];
  #lastFrame = 0;
  readonly #out: Uint8Array[] = [];
  readonly counts = { frames: 0, annotated: 0, cut: 0, withoutPlace: 0, snapshots: 0, mismatches: 0, lost: 0 };

  constructor(options: AnnotatorOptions) {
    this.#options = options;
  }

  add(entry: RecordingEntry): void {
    if (entry.record === 'block') this.#block(entry);
    else if (entry.record === 'packet') this.#packet(entry);
    else if (!matchesClient(entry.stream, this.#options.client)) return;
    else if (entry.record === 'snapshot') this.#snapshot(entry);
    else if (entry.record === 'diagnostic') this.#diagnostic(entry);
  }

  /** Returns the blocks that can be written now. It is called after the records of each piece of the input. */
  take(): Uint8Array {
    this.#write(false);
    return join(this.#out.splice(0));
  }

  /** Returns all blocks without further waiting, at the end of the capture or when its input pauses. */
  flush(): Uint8Array {
    this.#write(true);
    return join(this.#out.splice(0));
  }

  #block({ block, frame = 0, time = Number.NaN, datagram }: BlockEntry): void {
    this.#write(false);
    const reading = new FrameReading(block, frame, time);
    if (datagram) reading.held = { line: this.#unconnected(datagram) };
    this.#waiting.push(reading);
    if (frame > 0) {
      this.#lastFrame = frame;
      this.counts.frames++;
    }
  }

  #packet(entry: PacketEntry): void {
    const frame = this.#frame(entry.frame);
    if (!frame) return;
    frame.held = undefined;
    const { stream, packet, bytes } = entry;
    if (!matchesClient(stream, this.#options.client)) return;
    const line = stream ? undefined : this.#unconnected(bytes);
    if (line) frame.addLine(line);
    if (!stream) return;
    frame.connection = connectionLine(entry);
    if (packet?.kind === 'control') frame.addLine(controlLine(packet));
    else this.#messages(entry, stream, frame);
  }

  #unconnected = (bytes: Uint8Array) => (this.#options.client === undefined ? unconnectedLine(bytes) : undefined);

  #messages(entry: PacketEntry, stream: Stream, frame: FrameReading): void {
    const isToClient = entry.direction === 'to_client';
    const messages = messagesIn(entry);
    for (const entry of messages) {
      const { message } = entry;
      if (isToClient) this.#stateOf(stream).players.onMessage(message);
      if (isToClient && this.#addPart(stream, message, frame)) continue;
      if (this.#options.filter.message(message.type?.name, message.uuid)) frame.addLine(messageLine(entry));
    }
    if (messages.length === 0 && entry.packet) frame.addLine('no messages');
  }

  #snapshot(entry: SnapshotEntry): void {
    const { stream, snapshot, verdict, frame: number = 0 } = entry;
    this.counts.snapshots++;
    if (verdict === 'mismatch') this.counts.mismatches++;
    if (isNotRebuilt(verdict)) this.counts.lost++;
    const ending = endingOf(verdict, number);
    const sent = this.#settle(stream, entry.tick, number, ending);
    // At the end of a capture, records have no frame. The comments of the parts then show why the snapshot was not
    // rebuilt.
    const frame = number > 0 ? this.#frame(number) : snapshot && sent;
    if (!frame) return;
    const { filter } = this.#options;
    const types = new ItemTypes(stream.protocol);
    const { players } = this.#stateOf(stream);
    if (snapshot) {
      types.onSnapshot(snapshot);
      players.onSnapshot(snapshot, stream.protocol);
    }
    frame.addSnapshot(snapshotLines(entry, { types, filter, players }));
    if (!snapshot || !this.#options.values) return;
    const all = Array.from({ length: snapshot.count }, (_, i) => i);
    const shown = all.filter((i) => filter.all || filter.item(types, snapshot.type(i), snapshot.id(i)));
    if (shown.length === 0) return;
    const head = `values of tick ${entry.tick} · ${stream.protocol.version} · schema ${schemaMark(stream.protocol)}`;
    frame.addValues(head, shown.length, (i) => valuesLine(snapshot, shown[i]!, types));
  }

  #diagnostic(entry: DiagnosticEntry): void {
    // A diagnostic of the whole file does not belong to a packet.
    if (!entry.stream && entry.diagnostic.frame === undefined) return;
    const frame = this.#frame(entry.frame);
    frame?.addLine(findingText(entry));
    if (entry.stream && frame) frame.connection = connectionLine(entry);
  }

  /** Adds a message with a snapshot or a part of one to its frame; false for other messages. */
  #addPart(stream: Stream, message: Message, frame: FrameReading): boolean {
    const snapshot = snapshotMessage(message);
    if (!snapshot) return false;
    const { tick, part, parts } = snapshot;
    const known = this.#stateOf(stream).endings.get(tick);
    const text = `${parts === 1 ? 'snapshot' : `part ${part + 1} of ${parts}`} of tick ${tick}`;
    frame.parts.push({ stream, tick, text, ending: known && `again, ${known}`, isSettled: false });
    return true;
  }

  /**
   * Sets the result of a snapshot in the frames with its messages.
   * @param number the number of the frame that has its record, which needs no reference to it
   * @returns the last waiting frame with one of its messages
   */
  #settle(stream: Stream, tick: number, number: number, ending: string): FrameReading | undefined {
    const { endings } = this.#stateOf(stream);
    endings.set(tick, ending);
    let last: FrameReading | undefined;
    for (const frame of this.#waiting) {
      const own = frame.parts.filter((part) => part.stream === stream && part.tick === tick && !part.isSettled);
      if (own.length === 0) continue;
      last = frame;
      for (const part of own) Object.assign(part, { ending, isSettled: true });
      if (frame.number === number) frame.parts = frame.parts.filter((part) => !own.includes(part));
    }
    return last;
  }

  #stateOf(stream: Stream): StreamState {
    return getOr(this.#states, stream, () => ({ players: new Players(), endings: new Newest(maxEndings) }));
  }

  #frame(number: number | undefined): FrameReading | undefined {
    if (!number) return undefined;
    return this.#waiting.findLast((reading) => reading.number === number);
  }

  /** Writes the frames whose comments are complete, or that have reached a limit of waiting. */
  #write(isEnd: boolean): void {
    const waiting = this.#waiting;
    let bytes = waiting.reduce((sum, { memory }) => sum + memory, 0);
    let written = 0;
    for (const frame of waiting) {
      const isOverdue =
        isEnd ||
        waiting.length - written > maxWaitingFrames ||
        bytes > maxWaitingBytes ||
        waiting.at(-1)!.time - frame.time > maxWaitingSeconds;
      if (frame.isWaiting && !isOverdue) break;
      bytes -= frame.memory;
      written++;
      const comments = frame.comments(this.#lastFrame);
      if (comments.length > 0) this.counts[hasOptions(frame.block) ? 'annotated' : 'withoutPlace']++;
      if (frame.isCut) this.counts.cut++;
      this.#out.push(this.#writer.write(frame.block, comments));
    }
    waiting.splice(0, written);
  }
}

/**
 * The maximum number of comments with values in a frame, since a packet of few bytes can refer to large snapshots many
 * times.
 */
const maxValueComments = 3;

interface SentPart {
  readonly stream: Stream;
  readonly tick: number;
  /** `part 1 of 3 of tick 34174`, or `snapshot of tick 34174`. */
  readonly text: string;
  /** The result for its snapshot; its frame waits for it. */
  ending: string | undefined;
  isSettled: boolean;
}

/** A block of a capture, and the comments on the packet in it. */
class FrameReading {
  /** A copy, because the reader reuses its blocks. */
  readonly block: CaptureBlock;
  /** 0 for a block without a packet. */
  readonly number: number;
  readonly time: number;
  parts: SentPart[] = [];
  readonly #snapshots: string[] = [];
  readonly #lines: string[] = [];
  /** The last line of the comment for human readers. */
  connection: string | undefined;
  /** Whether lines were omitted because of the size limit. It is set by {@link comments}. */
  isCut = false;
  readonly #values: CommentLines[] = [];
  #cutValues = 0;
  #bytes: number;
  /** Set while the frame waits for a later record, as in a handshake; the line is used if none comes. */
  held: { readonly line: string | undefined } | undefined;

  constructor(block: CaptureBlock, number: number, time: number) {
    this.block = { ...block, bytes: block.bytes.slice(), packet: block.packet && { ...block.packet } };
    this.number = number;
    this.time = time;
    this.#bytes = block.bytes.length;
  }

  get isWaiting(): boolean {
    return this.held !== undefined || this.parts.some(({ ending }) => ending === undefined);
  }

  get memory(): number {
    return this.#values.reduce((sum, { bytes }) => sum + bytes, this.#bytes);
  }

  addSnapshot(lines: readonly string[]): void {
    for (const line of lines) this.addLine(line, this.#snapshots);
  }

  addLine(line: string, to = this.#lines): void {
    to.push(line);
    this.#bytes += 2 * line.length;
  }

  /** Lines are requested as long as there is room; the others are only counted. Each comment begins with `head`. */
  addValues(head: string, count: number, lineAt: (i: number) => string): void {
    let comment = this.#values.at(-1);
    if (!comment?.add(head)) comment = this.#begin(head);
    for (let i = 0; i < count; i++) {
      const line = comment ? lineAt(i) : '';
      if (comment?.add(line)) continue;
      comment = comment && this.#begin(head);
      // Some lines are too long even for an empty comment.
      if (!comment?.add(line)) this.#cutValues++;
    }
  }

  #begin(head: string): CommentLines | undefined {
    if (this.#values.length === maxValueComments) return undefined;
    const next = new CommentLines();
    next.add(head);
    this.#values.push(next);
    return next;
  }

  /** Returns the comments, first the one for human readers. @param last the number of the last frame that was read */
  comments(last: number): Uint8Array[] {
    const parts = this.parts.map(({ text, ending }) => `${text}, ${ending ?? `not completed by frame ${last}`}`);
    const held = this.held?.line === undefined ? [] : [this.held.line];
    const lines = [...this.#snapshots, ...parts, ...this.#lines, ...held];
    if (lines.length === 0) return [];
    const comment = new CommentLines();
    const cutAt = lines.findIndex((line) => !comment.add(line));
    const cut = cutAt < 0 ? 0 : lines.length - cutAt;
    const values = this.#values;
    this.isCut = cut + this.#cutValues > 0;
    return [
      comment.encode(cut, 'lines', this.connection),
      ...values.map((value, i) => value.encode(i === values.length - 1 ? this.#cutValues : 0, 'items')),
    ];
  }
}

const encoder = new TextEncoder();

/** The number of bytes that are reserved for the line with the number of omitted lines, and for the last line. */
const roomAtEnd = 256;

/** The lines of one comment, as many as fit in a pcapng option. */
class CommentLines {
  readonly #lines: string[] = [];
  /** The number of bytes so far, including a line break after each line. */
  bytes = 0;

  /** Adds a line if there is room for it, and returns whether it was added. */
  add(line: string): boolean {
    const bytes = utf8Length(line) + 1;
    if (this.bytes + bytes > maxOptionBytes - roomAtEnd) return false;
    this.#lines.push(line);
    this.bytes += bytes;
    return true;
  }

  /** The lines with the number of `cut` ones, and a last line that is never omitted. */
  encode(cut: number, what: string, last?: string): Uint8Array {
    const lines = [...this.#lines, ...nonZero([cut, `… ${thousands(cut)} more ${what}`])];
    return encoder.encode((last === undefined ? lines : [...lines, last]).join('\n'));
  }
}

const utf8Length = (text: string) => (/[^\0-\x7f]/.test(text) ? encoder.encode(text).length : text.length);

/** @param names of both files with their numbers of bytes */
export function renderAnnotated(
  [from, bytes]: readonly [string, number],
  [to, writtenBytes]: readonly [string, number],
  { frames, annotated, snapshots, mismatches, lost, cut, withoutPlace }: CaptureAnnotator['counts'],
): string[] {
  const losses = nonZero([mismatches, `${thousands(mismatches)} mismatched`], [lost, `${thousands(lost)} not rebuilt`]);
  const found = [count(snapshots, 'snapshot'), ...losses].join(', ');
  return [
    `${pathText(from)} → ${pathText(to)}   ${thousands(annotated)} of ${count(frames, 'frame')}   ${found}   ${size(bytes)} → ${size(writtenBytes)}`,
    ...nonZero(
      [cut, `${count(cut, 'frame')} with more than its comments can contain: the rest is counted there`],
      [withoutPlace, `${count(withoutPlace, 'frame')} without a comment: simple packet blocks have none`],
    ),
  ];
}
