import { CaptureReplay } from '../../src/recording/capture/capture-replay.ts';
import { RecordingSummary } from '../../src/recording/summary/recording-summary.ts';
import { fromHex } from '../../vectors/encode.mjs';
import type { Vector } from '../../vectors/make/vector.ts';
import { type Bytes, file, text } from './bytes.ts';
import { ethernet, ipv4, pcapHeader, pcapRecord, someTime, udp, v4 } from './capture-builder.ts';
import { chunk06, chunk07, ints, packet06, packet07, snapSingle } from './packet-builder.ts';

type End = 'client' | 'server';

/** The token of a server of 0.7. */
const ofServer = [1, 2, 3, 4];

/** A connection in which a vector's packets, message or item occurs, as a capture has it. */
class AskedConnection {
  readonly #is07: boolean;
  readonly #token: Bytes;
  readonly #records: Bytes[] = [];
  readonly #sent = { client: 0, server: 0 };
  #seconds = 0;

  constructor(version: string | undefined, token: string | undefined) {
    this.#is07 = version === '0.7';
    this.#token = token === undefined ? [] : [...fromHex(token)];
  }

  packet(from: End, packet: Iterable<number>, seconds = this.#seconds + 0.1): void {
    this.#seconds = seconds;
    const ports = from === 'client' ? [50000, 8303] : [8303, 50000];
    const time = { seconds: someTime + Math.floor(seconds), fraction: Math.round((seconds % 1) * 1e6) };
    this.#records.push(pcapRecord(ethernet(v4, ipv4(udp([...packet], ports[0], ports[1]))), time));
  }

  control(from: End, content: Bytes, token = this.#token): void {
    this.packet(from, this.#is07 ? [0x04, 0, 0, ...token, ...content] : [0x10, 0, 0, ...content, ...token]);
  }

  message(from: End, message: Bytes, { vital = true, resend = false, at = this.#seconds + 0.1 } = {}): void {
    if (vital && !resend) this.#sent[from]++;
    const chunk = (this.#is07 ? chunk07 : chunk06)(message, vital ? { vital, resend, sequence: this.#sent[from] } : {});
    const ack = resend ? 0 : this.#sent[from === 'client' ? 'server' : 'client'];
    const token = this.#is07 && from === 'client' ? ofServer : this.#token;
    this.packet(from, (this.#is07 ? packet07 : packet06)([chunk], { token, ack }), at);
  }

  /** @param accept what the server says in place of its usual answer */
  handshake(accept?: Bytes): void {
    const none = [255, 255, 255, 255];
    const token = this.#token;
    if (this.#is07) {
      this.control('client', [5, ...token, ...new Array(508).fill(0)], none);
      this.control('server', [5, ...ofServer], token);
      this.control('client', [1, ...token, ...new Array(508).fill(0)], ofServer);
      this.control('server', accept ?? [2]);
      return;
    }
    const mark = token.length > 0 ? text('TKEN') : [];
    this.control('client', [1, ...mark], mark.length > 0 ? none : []);
    this.control('server', [2, ...mark]);
    this.control('client', [3]);
  }

  /** What is told of it. */
  get codes(): ReadonlySet<string> {
    const replay = new CaptureReplay();
    const summary = new RecordingSummary(replay);
    const codes = new Set<string>();
    for (const entries of [replay.feed(file(pcapHeader(), ...this.#records)), replay.finish()])
      for (const entry of entries) {
        summary.add(entry);
        if (entry.record === 'diagnostic') codes.add(entry.diagnostic.code);
      }
    for (const { code } of summary.findings) codes.add(code);
    return codes;
  }
}

const info = (version: string | undefined): Bytes =>
  version === '0.7'
    ? [3, ...text('0.7 802f1be60a05665f'), 0, 0, ...ints(0x705)]
    : [3, ...text('0.6 626fce9a778df4d4'), 0, 0];

/** The codes that are told of what a vector has, where it occurs in a connection. */
export function codesInConnection(vector: Vector): ReadonlySet<string> {
  const { layer, protocol, token = layer === 'connection' ? undefined : '0a0b0c0d' } = vector;
  const connection = new AskedConnection(protocol, token as string | undefined);
  const bytes = [...fromHex(vector.in ?? '')];
  connection.handshake(layer === 'control' ? bytes : undefined);
  if (layer === 'connection') {
    const sent = vector.sent as number;
    for (let i = 0; i < sent; i++) connection.message('client', info(protocol));
    for (const [seconds, hex] of vector.packets as [number, string][]) {
      const at = seconds > 0 ? 1 + seconds : undefined;
      if (at && sent > 0) connection.message('client', info(protocol), { resend: true, at });
      connection.packet('server', fromHex(hex), at);
    }
    // What is right after what may be wrong.
    if (vector.seconds === 0)
      for (let i = 0; i < 3; i++) connection.message('server', ints((2 << 1) | 1), { vital: false });
    return connection.codes;
  }
  if (!vector.before) connection.message('client', info(protocol));
  for (const message of (vector.before as string[] | undefined) ?? [])
    connection.message('client', [...fromHex(message)]);
  if (layer === 'item') {
    const [type, id, data] = (vector.items as [number, number, number[]][])[0]!;
    const sum = data.reduce((all, int) => (all + int) | 0, 0);
    const delta = ints(0, 1, 0, type, id, ...data);
    connection.message('server', snapSingle(protocol === '0.7' ? 8 : 7, 100, 101, sum, delta), { vital: false });
  } else if (layer === 'message') connection.message(vector.from as End, bytes, { vital: vector.vital !== false });
  return connection.codes;
}
