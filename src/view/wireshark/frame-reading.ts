import { maxOptionBytes } from '../../container/capture/pcapng-writer.ts';
import type { CaptureBlock } from '../../container/capture/reader.ts';
import type { Stream } from '../../recording/stream.ts';
import { nonZero, thousands } from '../text/number.ts';

/** The maximum number of comments with values in a frame, since a packet of few bytes can refer to large snapshots many times. */
const maxValueComments = 3;

/** A message with a snapshot, or with a part of one. */
export interface SentPart {
  readonly stream: Stream;
  readonly tick: number;
  /** `part 1 of 3 of tick 34174`, or `snapshot of tick 34174`. */
  readonly text: string;
  /** The result for its snapshot; its frame waits for it. */
  ending: string | undefined;
  isSettled: boolean;
}

/** A block of a capture, and the comments on the packet in it. */
export class FrameReading {
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
  /**
   * Set while the frame waits for a later record about its packet, as packets of a handshake do until its outcome is known. The line
   * describes the packet if that record never arrives.
   */
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

  /** The approximate size in memory, in bytes. */
  get memory(): number {
    return this.#values.reduce((sum, { bytes }) => sum + bytes, this.#bytes);
  }

  addSnapshot(lines: readonly string[]): void {
    for (const line of lines) this.#add(line, this.#snapshots);
  }

  addLine(line: string): void {
    this.#add(line, this.#lines);
  }

  #add(line: string, to: string[]): void {
    to.push(line);
    this.#bytes += 2 * line.length;
  }

  /**
   * Adds the values of a snapshot. Lines are requested as long as there is room; the others are only counted.
   * @param head the first line of each comment with values
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
      // Some lines are too long even for an empty comment.
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
      ...values.map((one, i) => one.encode(i === values.length - 1 ? this.#cutValues : 0, 'items')),
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

  /**
   * The comment as UTF-8.
   * @param cut the number of omitted lines
   * @param what the noun for these lines
   * @param last a line that is never omitted
   */
  encode(cut: number, what: string, last?: string): Uint8Array {
    const lines = [...this.#lines, ...nonZero([cut, `… ${thousands(cut)} more ${what}`])];
    return encoder.encode((last === undefined ? lines : [...lines, last]).join('\n'));
  }
}

const utf8Length = (text: string) => (/[^\0-\x7f]/.test(text) ? encoder.encode(text).length : text.length);
