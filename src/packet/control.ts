import { enumeration } from '../protocol/meaning.ts';
import type { MessageFieldType } from '../protocol/message.ts';
import type { MessageValue } from './message.ts';
import { controlsOf, type Packet, type PacketVersion } from './packet.ts';

const utf8 = new TextDecoder('utf-8', { ignoreBOM: true });
const text: MessageFieldType = { kind: 'string' };
const bytes: MessageFieldType = { kind: 'data' };

/** What DDNet's client of 0.6 says to be given a token. */
const magic = [0x54, 0x4b, 0x45, 0x4e];
const tokenBytes = 4;
/** What a message without a connection begins with. */
const marker = [0xff, 0xff, 0xff, 0xff];

/**
 * What a control packet says; positions count in the whole packet.
 * ```
 * 0.6   code u8   [reason NUL]   [magic "TKEN"]   [token[4]]                    magic and token of DDNet
 * 0.7   code u8   [reason NUL]   [response_token[4]]   [zeros]
 * ```
 */
export function readControl(packet: Uint8Array, { version, headSize, control }: Packet): MessageValue[] {
  const values = new Values(packet, headSize);
  const isClose = control === 4;
  const isRequest = control === 1 || control === 5;
  values.take('code', enumeration(controlsOf(version)), 1, control);
  if (isClose) values.takeReason();
  if (version === '0.6') {
    if (values.begins(magic)) values.take('magic', text, magic.length);
    if (values.left === tokenBytes) values.take('token', bytes, tokenBytes);
  } else if (control !== 0 && !isClose && values.left >= tokenBytes) {
    values.take('response_token', bytes, tokenBytes);
  }
  if (isRequest) values.takePadding();
  values.takeRest();
  return values.read;
}

/**
 * What a packet without a connection says, behind the bytes that tell so:
 * ```
 * 0.6   ff ff ff ff ff ff   or, of DDNet, "xe" extra[4]       0.7   0x21  token[4]  response_token[4]
 * then  ff ff ff ff  name[4]  data
 * ```
 */
export function readConnless(packet: Uint8Array, { version }: Packet): MessageValue[] {
  const values = new Values(packet, connlessSign(packet, version));
  if (version === '0.7') for (const name of ['token', 'response_token']) values.take(name, bytes, tokenBytes);
  else if (packet[0] !== 0xff) values.take('extra', bytes, 4);
  if (values.begins(marker)) values.take('marker', bytes, marker.length);
  if (values.beginsWithText(nameBytes)) values.take('name', text, nameBytes);
  values.takeRest();
  return values.read;
}

/** The bytes that tell it. */
export function connlessSign(packet: Uint8Array, version: PacketVersion): number {
  if (version === '0.7') return 1;
  return packet[0] === 0xff ? 6 : 2;
}

const nameBytes = 4;

/** Takes the values of a packet one after the other. */
class Values {
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
    this.read.push({ name: 'reason', path: ['reason'], type: text, start, end, value });
    this.#at = end;
  }

  /** Zeros up to the end: a request is made as long as its answer. */
  takePadding(): void {
    if (this.#bytes.subarray(this.#at).every((byte) => byte === 0)) this.take('padding', bytes, this.left);
  }

  takeRest(): void {
    this.take('data', bytes, this.left);
  }
}
