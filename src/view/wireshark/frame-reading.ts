import type { CaptureBlock } from '../../container/capture/reader.ts';
import type { Stream } from '../../recording/record.ts';
import { CommentLines } from './comment-lines.ts';

/** Comments of values that a frame may have: a packet of some bytes can name large snapshots many times. */
const maxValueComments = 3;

/** A snapshot message in a frame, whose snapshot another frame completes. */
export interface SentPart {
  readonly stream: Stream;
  readonly tick: number;
  readonly frame: FrameReading;
  /** `part 1 of 3 of tick 34174`, or `snapshot of tick 34174`. */
  readonly text: string;
  /** What became of it; undefined while that is not known. */
  ending: string | undefined;
  /** Whether its frame waits for that. */
  isWaiting: boolean;
}

/** A part of a capture, and what is known of the packet in it. */
export class FrameReading {
  /** A copy: its reader reuses what it gives. */
  readonly block: CaptureBlock;
  /** 0 without a packet. */
  readonly number: number;
  readonly time: number;
  readonly parts: SentPart[] = [];
  readonly #snapshots: string[] = [];
  readonly #lines: string[] = [];
  #connection: string | undefined;
  /** Whether some of what is known has no place in the comments: set by {@link comments}. */
  isCut = false;
  readonly #values: CommentLines[] = [];
  #cutValues = 0;
  #bytes: number;
  #isHeld = false;
  #heldLine: string | undefined;

  constructor(block: CaptureBlock, number: number, time: number) {
    this.block = { ...block, bytes: block.bytes.slice(), packet: block.packet && { ...block.packet } };
    this.number = number;
    this.time = time;
    this.#bytes = block.bytes.length;
  }

  /**
   * A record about the packet is still to come. Those of a handshake are held until it is known what becomes of it.
   * @param line says what the packet is, if that is never known
   */
  hold(line: string | undefined): void {
    this.#isHeld = true;
    this.#heldLine = line;
  }

  release(): void {
    this.#isHeld = false;
  }

  get isWaiting(): boolean {
    return this.#isHeld || this.parts.some((part) => part.isWaiting);
  }

  /** About what it takes. */
  get memory(): number {
    return this.#values.reduce((sum, { bytes }) => sum + bytes, this.#bytes);
  }

  addSnapshot(lines: readonly string[]): void {
    for (const line of lines) this.#add(line, this.#snapshots);
  }

  addLine(line: string): void {
    this.#add(line, this.#lines);
  }

  setConnection(line: string): void {
    this.#connection = line;
  }

  #add(line: string, to: string[]): void {
    to.push(line);
    this.#bytes += 2 * line.length;
  }

  /**
   * Adds the values of a snapshot. Lines are asked for as long as there is room; the rest is counted.
   * @param head of each comment with them
   */
  addValues(head: string, count: number, lineAt: (i: number) => string): void {
    const last = this.#values.at(-1);
    let comment = last?.add(head) ? last : this.#begin(head);
    for (let i = 0; i < count; i++) {
      const line = comment ? lineAt(i) : '';
      if (comment?.add(line)) continue;
      if (comment) comment = this.#begin(head);
      if (!comment) {
        this.#cutValues += count - i;
        return;
      }
      // No comment has room for some lines.
      if (!comment.add(line)) this.#cutValues++;
    }
  }

  #begin(head: string): CommentLines | undefined {
    if (this.#values.length === maxValueComments) return undefined;
    const next = new CommentLines();
    next.add(head);
    this.#values.push(next);
    return next;
  }

  /** The comments, the one for people first. @param last the number of the last frame that was read */
  comments(last: number): Uint8Array[] {
    const parts = this.parts.map(({ text, ending }) => `${text}, ${ending ?? `not completed by frame ${last}`}`);
    const lines = [...this.#snapshots, ...parts, ...this.#lines];
    if (this.#isHeld && this.#heldLine !== undefined) lines.push(this.#heldLine);
    if (lines.length === 0) return [];
    const comment = new CommentLines();
    const cutAt = lines.findIndex((line) => !comment.add(line));
    const cut = cutAt < 0 ? 0 : lines.length - cutAt;
    const values = this.#values;
    this.isCut = cut + this.#cutValues > 0;
    return [
      comment.encode(cut, 'lines', this.#connection),
      ...values.map((one, i) => one.encode(i === values.length - 1 ? this.#cutValues : 0, 'items')),
    ];
  }
}
