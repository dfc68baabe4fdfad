import type { MessageFieldType } from '../protocol/message.ts';
import type { MessageValue } from './message.ts';

const utf8 = new TextDecoder('utf-8', { ignoreBOM: true });
export const textType: MessageFieldType = { kind: 'string' };
export const bytesType: MessageFieldType = { kind: 'data' };
export const tokenBytes = 4;

/** Reads the values of a packet one after the other. Positions count in the whole packet. */
export class PacketValues {
  readonly #bytes: Uint8Array;
  /** Where `bytes` begin in the packet. */
  readonly #shift: number;
  readonly read: MessageValue[] = [];
  #at: number;

  constructor(bytes: Uint8Array, at: number, shift = 0) {
    this.#bytes = bytes;
    this.#at = at;
    this.#shift = shift;
  }

  /** Of the next value, in the packet. */
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

  /** The next `length` bytes, or nothing where there are none; `value` where they are a number. */
  take(name: string, type: MessageFieldType, length: number, value?: number): void {
    const start = this.#at;
    const end = Math.min(start + length, this.#bytes.length);
    if (end <= start) return;
    const content = this.#bytes.subarray(start, end);
    this.#add(name, type, end, value ?? (type.kind === 'string' ? utf8.decode(content) : content));
  }

  /**
   * The next text with its NUL, or all that is left; false where the NUL is missing.
   * @param mayBeToken whether four bytes that do not end in a NUL are a token instead
   */
  takeReason(mayBeToken: boolean): boolean {
    const length = this.#bytes.subarray(this.#at).indexOf(0);
    const isToken = mayBeToken && this.left === tokenBytes && length !== tokenBytes - 1;
    if (this.left === 0 || isToken) return true;
    const end = length < 0 ? this.#bytes.length : this.#at + length + 1;
    const value = utf8.decode(this.#bytes.subarray(this.#at, length < 0 ? end : end - 1));
    this.#add('reason', textType, end, value);
    return length >= 0;
  }

  /** Zeros up to the end: a request is made as long as its answer. */
  takePadding(): void {
    if (this.#bytes.subarray(this.#at).every((byte) => byte === 0)) this.take('padding', bytesType, this.left);
  }

  takeRest(): void {
    this.take('data', bytesType, this.left);
  }

  #add(name: string, type: MessageFieldType, end: number, value: MessageValue['value']): void {
    const shift = this.#shift;
    this.read.push({ name, path: [name], type, start: shift + this.#at, end: shift + end, value });
    this.#at = end;
  }
}
