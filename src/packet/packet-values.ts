import type { MessageFieldType } from '../protocol/message.ts';
import type { MessageValue } from './message.ts';

const utf8 = new TextDecoder('utf-8', { ignoreBOM: true });
export const textType: MessageFieldType = { kind: 'string' };
export const bytesType: MessageFieldType = { kind: 'data' };
export const tokenBytes = 4;

/** Reads the values of a packet one after the other. Positions count in the whole packet. */
export class PacketValues {
  readonly #bytes: Uint8Array;
  readonly read: MessageValue[] = [];
  #at: number;

  constructor(bytes: Uint8Array, at: number) {
    this.#bytes = bytes;
    this.#at = at;
  }

  get left(): number {
    return this.#bytes.length - this.#at;
  }

  begins(with_: readonly number[]): boolean {
    return with_.every((byte, i) => this.#bytes[this.#at + i] === byte);
  }

  beginsWithText(length: number): boolean {
    const start = this.#bytes.subarray(this.#at, this.#at + length);
    return start.length === length && start.every((byte) => byte >= 0x20 && byte < 0x7f);
  }

  /** The next `length` bytes, or nothing where there are none; `value` where they are a number. */
  take(name: string, type: MessageFieldType, length: number, value?: number): void {
    const start = this.#at;
    const end = Math.min(start + length, this.#bytes.length);
    if (end <= start) return;
    const content = this.#bytes.subarray(start, end);
    this.read.push({
      name,
      path: [name],
      type,
      start,
      end,
      value: value ?? (type.kind === 'string' ? utf8.decode(content) : content),
    });
    this.#at = end;
  }

  /** Text with its NUL; four bytes without one are a token instead. */
  takeReason(): void {
    const length = this.#bytes.subarray(this.#at).indexOf(0);
    const isToken = this.left === tokenBytes && length !== tokenBytes - 1;
    if (this.left === 0 || isToken) return;
    const start = this.#at;
    const end = length < 0 ? this.#bytes.length : start + length + 1;
    const value = utf8.decode(this.#bytes.subarray(start, length < 0 ? end : end - 1));
    this.read.push({ name: 'reason', path: ['reason'], type: textType, start, end, value });
    this.#at = end;
  }

  /** Zeros up to the end: a request is made as long as its answer. */
  takePadding(): void {
    if (this.#bytes.subarray(this.#at).every((byte) => byte === 0)) this.take('padding', bytesType, this.left);
  }

  takeRest(): void {
    this.take('data', bytesType, this.left);
  }
}
