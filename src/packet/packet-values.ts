import type { MessageFieldType } from '../protocol/message.ts';
import type { MessageValue } from './message-reader.ts';

const utf8 = new TextDecoder('utf-8', { ignoreBOM: true });
export const textType: MessageFieldType = { kind: 'string' };
export const bytesType: MessageFieldType = { kind: 'data' };
export const tokenBytes = 4;

/** Reads the values of a packet in sequence. Positions are offsets in the whole packet. */
export class PacketValues {
  readonly #bytes: Uint8Array;
  /** The offset of `bytes` in the packet. */
  readonly #shift: number;
  readonly read: MessageValue[] = [];
  #at: number;

  constructor(bytes: Uint8Array, at: number, shift = 0) {
    this.#bytes = bytes;
    this.#at = at;
    this.#shift = shift;
  }

  /** The offset of the next value in the packet. */
  get position(): number {
    return this.#shift + this.#at;
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

  /** Adds the next `length` bytes as a value if there are any; `value` replaces them if they are a number. */
  add(name: string, type: MessageFieldType, length: number, value?: number): void {
    const start = this.#at;
    const end = Math.min(start + length, this.#bytes.length);
    if (end <= start) return;
    const content = this.#bytes.subarray(start, end);
    this.#push(name, type, end, value ?? (type.kind === 'string' ? utf8.decode(content) : content));
  }

  /**
   * Adds the next text with its NUL, or all remaining bytes; returns false if the NUL is missing.
   * @param mayBeToken whether four bytes that do not end in a NUL are a token instead
   */
  addReason(mayBeToken: boolean): boolean {
    const length = this.#bytes.subarray(this.#at).indexOf(0);
    const isToken = mayBeToken && this.left === tokenBytes && length !== tokenBytes - 1;
    if (this.left === 0 || isToken) return true;
    const end = length < 0 ? this.#bytes.length : this.#at + length + 1;
    const value = utf8.decode(this.#bytes.subarray(this.#at, length < 0 ? end : end - 1));
    this.#push('reason', textType, end, value);
    return length >= 0;
  }

  /** Adds zeros up to the end: a request is padded to the length of its answer. */
  addPadding(): void {
    if (this.#bytes.subarray(this.#at).every((byte) => byte === 0)) this.add('padding', bytesType, this.left);
  }

  addRest(): void {
    this.add('data', bytesType, this.left);
  }

  #push(name: string, type: MessageFieldType, end: number, value: MessageValue['value']): void {
    const shift = this.#shift;
    this.read.push({ name, path: [name], type, start: shift + this.#at, end: shift + end, value });
    this.#at = end;
  }
}
