import { type Bytes, file } from '../bytes.ts';
import { ethernet, ipv4, pcapHeader, pcapRecord, someTime, udp, v4 } from '../capture-builder.ts';
import { chunk06, chunk07, control06, control07, ints, packet06, packet07, someToken } from '../packet-builder.ts';
import { GameClient, type Outcome, partBytes } from './game-client.ts';
import { checksumOf, type DeltaOptions, gameDelta, type ServerSnapshot } from './game-delta.ts';
import type { Scenario } from './scenario.ts';

/** The actions of a server that a fault changes. `step` counts the snapshots. */
export interface Switches {
  /** The server's snapshot, whose checksum is announced and which is a base later. */
  readonly items?: (items: ServerSnapshot, step: number) => ServerSnapshot;
  /** The items whose checksum is announced, and those to which the delta leads, if they are others. */
  readonly counted?: (items: ServerSnapshot, step: number) => ServerSnapshot;
  readonly sent?: (items: ServerSnapshot, step: number) => ServerSnapshot;
  readonly checksum?: (items: ServerSnapshot) => number;
  readonly delta?: (from: ServerSnapshot, to: ServerSnapshot, step: number) => Partial<DeltaOptions>;
  /** The ints of the delta that are sent; undefined for an empty snapshot in place of it. */
  readonly ints?: (
    delta: Int32Array<ArrayBuffer>,
    from: ServerSnapshot,
    step: number,
  ) => Int32Array<ArrayBuffer> | undefined;
  /** The tick that is announced as the base. */
  readonly announcedBase?: (base: number) => number;
  /** The tick of the base that is used, if it is not the announced one. */
  readonly usedBase?: (announced: number, stored: ReadonlyMap<number, ServerSnapshot>) => number;
  readonly payload?: (payload: Uint8Array, step: number) => Uint8Array;
  /** Whether the map changes before a snapshot. */
  readonly mapChange?: (step: number) => boolean;
  /** The snapshot of another server, which its client never gets. */
  readonly also?: (step: number) => { readonly tick: number; readonly items: ServerSnapshot } | undefined;
  /** What is compressed in place of a message with its head. */
  readonly message?: (message: Bytes) => Bytes;
  /** The byte whose Huffman code a byte of a packet is given. */
  readonly symbol?: (byte: number) => number;
  /**
   * The parts that are sent; undefined for one that is not.
   * @param previous the parts of the snapshot before, before this function changed them
   */
  readonly parts?: (
    parts: readonly Uint8Array[],
    previous: readonly Uint8Array[],
    step: number,
  ) => readonly (Uint8Array | undefined)[];
}

interface Sent {
  readonly tick: number;
  readonly base: number;
  readonly outcome: Outcome | 'empty' | 'lost';
  /** The announced minus the rebuilt checksum, if both are known. */
  readonly difference: number;
  /** Whether the client's base is that of the server. */
  readonly isOwnBase: boolean;
  /** The client's base and the ints of the delta, if the sum is wrong on a base that is the server's, too. */
  readonly seen: { readonly from: ServerSnapshot; readonly ints: Int32Array } | undefined;
}

export interface Played {
  readonly capture: Uint8Array<ArrayBuffer>;
  /** The result of each snapshot in a game's client. */
  readonly sent: readonly Sent[];
  /** The log of a DDNet client. */
  readonly log: string;
}

interface PlayOptions {
  /** The first step with the fault, and the first one after it. */
  readonly from: number;
  readonly to: number;
  /** The number of snapshots until an acknowledgement arrives. */
  readonly lag?: number;
}

/** Plays a recording to a client as a server would, with one fault during some snapshots, and captures the packets. */
export function play(scenario: Scenario, switches: Switches, { from, to, lag = 2 }: PlayOptions): Played {
  const { version, protocol, steps } = scenario;
  const client = new GameClient(protocol.sizeOf);
  const stored = new Map<number, ServerSnapshot>([[-1, []]]);
  const acknowledged: number[] = [];
  const sent: Sent[] = [];
  const frames: Bytes[] = [frame(connectRequest(version), true)];
  if (switches.symbol) frames.push(...handshakeOf(version));
  let previous: readonly Uint8Array[] = [];
  let log = '';

  for (const [step, { tick, items }] of steps.entries()) {
    const on: Switches = step >= from && step < to ? switches : {};
    const { delta, usedBase, payload, parts: cut } = on;
    const snapshot = on.items?.(items, step) ?? items;
    stored.set(tick, snapshot);
    acknowledged.push(client.acknowledged);
    const acked = acknowledged[Math.max(0, step - lag)]!;
    const isOwnBase = client.has(acked, stored.get(acked)!);
    const made = stored.get(usedBase?.(acked, stored) ?? acked)!;
    const base = on.announcedBase?.(acked) ?? acked;
    const result = on.sent?.(snapshot, step) ?? snapshot;
    const options = { sizeOf: protocol.sizeOf, ...delta?.(made, snapshot, step) };
    const right = gameDelta(made, result, options);
    const deltaInts = right && on.ints ? on.ints(right, made, step) : right;
    const send = (messages: readonly Bytes[]) => {
      for (const message of messages) frames.push(frame(packet(version, message, on), false));
    };
    if (on.mapChange?.(step)) {
      send([mapChange(version)]);
      client.changeMap();
    }
    const other = on.also?.(step);
    if (other) {
      const full = split(Uint8Array.from(ints(...gameDelta([], other.items, { sizeOf: protocol.sizeOf })!)));
      const crc = checksumOf(other.items);
      send(full.map((part, i) => snapMessage(version, other.tick, other.tick + 1, full.length, i, crc, part)));
    }
    if (!deltaInts) {
      send([[...ints(idOf(version, 'empty'), tick, tick - base)]]);
      client.receiveEmpty(tick, base);
      sent.push({ tick, base, outcome: 'empty', difference: 0, isOwnBase, seen: undefined });
      continue;
    }
    const packed = Uint8Array.from(ints(...deltaInts));
    const whole = split(payload?.(packed, step) ?? packed);
    const parts = cut?.(whole, previous, step) ?? whole;
    previous = whole;
    const crc = (on.checksum ?? checksumOf)(on.counted?.(snapshot, step) ?? snapshot);
    const got = parts.filter((part) => part !== undefined);
    send(
      parts.flatMap((part, i) => (part ? [snapMessage(version, tick, tick - base, parts.length, i, crc, part)] : [])),
    );
    if (got.length < parts.length) {
      sent.push({ tick, base, outcome: 'lost', difference: 0, isOwnBase, seen: undefined });
      continue;
    }
    const outcome = on.symbol || on.message ? 'unpack_failed' : client.receive(tick, base, crc, got);
    const difference = outcome === 'crc_error' ? (crc - client.rebuilt) | 0 : 0;
    const seen = outcome === 'crc_error' && isOwnBase ? { from: stored.get(acked)!, ints: deltaInts } : undefined;
    sent.push({ tick, base, outcome, difference, isOwnBase, seen });
    if (outcome === 'crc_error') log += crcErrorLine(client, { tick, base, crc, parts: got });
  }
  const records = frames.map((bytes, i) =>
    pcapRecord(bytes, { seconds: someTime + Math.floor(i / 25), fraction: (i % 25) * 40_000 }),
  );
  return { capture: file(pcapHeader(), ...records), sent, log };
}

interface Snapped {
  readonly tick: number;
  readonly base: number;
  readonly crc: number;
  readonly parts: readonly Uint8Array[];
}

/** A line as DDNet's client prints it. */
function crcErrorLine({ errors, rebuilt }: GameClient, { tick, base, crc, parts }: Snapped): string {
  const bytes = parts.reduce((sum, part) => sum + part.length, 0);
  return `2026-11-20 11:26:30 E client: snapshot crc error #${errors} - tick=${tick} wantedcrc=${crc} gotcrc=${rebuilt} compressed_size=${bytes} delta_tick=${base}\n`;
}

/** Divides a payload as the games do: all parts but the last have 900 bytes. */
function split(payload: Uint8Array): Uint8Array[] {
  const count = Math.max(1, Math.ceil(payload.length / partBytes));
  return Array.from({ length: count }, (_, i) => payload.slice(i * partBytes, (i + 1) * partBytes));
}

type Version = Scenario['version'];

/** The first int of a snapshot message. 0.6: `snap` 5, `snap_empty` 6, `snap_single` 7; one more in 0.7. */
function idOf(version: Version, message: 'snap' | 'empty' | 'single'): number {
  const id = { snap: 5, empty: 6, single: 7 }[message] + (version === '0.7' ? 1 : 0);
  return (id << 1) | 1;
}

/** `sv_map_change`: name, crc and size; in 0.7 also the requests for its pieces and the sha256. */
const mapChange = (version: Version): Bytes => [
  ...ints((2 << 1) | 1),
  ...[...'dm2\0'].map((char) => char.charCodeAt(0)),
  ...ints(1, 1000),
  ...(version === '0.7' ? [...ints(1, 1000), ...new Array<number>(32).fill(0)] : []),
];

function snapMessage(
  version: Version,
  tick: number,
  distance: number,
  count: number,
  part: number,
  crc: number,
  bytes: Uint8Array,
): Bytes {
  const head =
    count === 1
      ? ints(idOf(version, 'single'), tick, distance, crc, bytes.length)
      : ints(idOf(version, 'snap'), tick, distance, count, part, crc, bytes.length);
  return [...head, ...bytes];
}

function packet(version: Version, message: Bytes, { symbol = (byte) => byte, message: change }: Switches): Uint8Array {
  const chunk = version === '0.7' ? chunk07(message) : chunk06(message);
  const compressed = [(change?.(chunk) ?? chunk).map(symbol)];
  return version === '0.7' ? packet07(compressed, { compressed: true }) : packet06(compressed, { compressed: true });
}

/** `connect` in 0.6; in 0.7 the request for a token, which comes first. */
const connectRequest = (version: Version): Uint8Array =>
  version === '0.7'
    ? Uint8Array.from([0x04, 0, 0, 0xff, 0xff, 0xff, 0xff, 5, 1, 2, 3, 4, ...new Array<number>(508).fill(0)])
    : control06(1, ...new Array<number>(4).fill(0));

/** The rest of the handshake, which no packet makes up for if none can be read. */
function handshakeOf(version: Version): Bytes[] {
  if (version === '0.6') return [frame(control06(2), false), frame(control06(3), true)];
  const request = Uint8Array.from([
    0x04,
    0,
    0,
    0xff,
    0xff,
    0xff,
    0xff,
    5,
    ...someToken,
    ...new Array<number>(508).fill(0),
  ]);
  const steps = [control07(5, ...someToken), control07(1, ...someToken), control07(2)];
  return [frame(request, true), ...steps.map((step, i) => frame(step, i === 1))];
}

/** An Ethernet frame between the client, port 50000, and the server, port 8303. */
function frame(packet: Uint8Array, isFromClient: boolean): Bytes {
  const [client, server] = [
    [10, 0, 0, 7],
    [10, 0, 0, 1],
  ];
  const ends = isFromClient ? { source: client, destination: server } : { source: server, destination: client };
  const [from, to] = isFromClient ? [50000, 8303] : [8303, 50000];
  return ethernet(v4, ipv4(udp([...packet], from, to), ends));
}
