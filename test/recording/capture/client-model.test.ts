import { expect, it } from 'vitest';
import { readMessage, writeMessage } from '../../../src/api/live.ts';
import { CaptureReplay } from '../../../src/recording/capture/capture-replay.ts';
import { SnapshotReceiver } from '../../../src/recording/capture/snapshot-receiver.ts';
import { IntBuffer } from '../../../src/wire/bytes/buffers.ts';
import { DecodeError, ignore } from '../../../src/wire/bytes/diagnostic.ts';
import { unpackInts } from '../../../src/wire/codec/varint.ts';
import { protocolOf } from '../../../src/wire/protocol/registry.ts';
import { apply } from '../../../src/wire/snapshot/apply.ts';
import { Delta } from '../../../src/wire/snapshot/delta.ts';
import { partBytes } from '../../../src/wire/snapshot/key.ts';
import { Snapshot } from '../../../src/wire/snapshot/snapshot.ts';
import { type Bytes, file, text } from '../../support/bytes.ts';
import { ethernet, ipv4, pcapHeader, pcapRecord, someTime, udp, v4 } from '../../support/capture-builder.ts';
import {
  chunk06,
  chunk07,
  control06,
  control07,
  ints,
  packet06,
  packet07,
  someToken,
} from '../../support/packet-builder.ts';
import { checksumOf, gameDelta, type ServerSnapshot } from '../../support/server/game-delta.ts';

// Snapshots of one to four parts come to a client late, twice, in another order, with short parts or not at all. What it
// takes is what `CClient::ProcessServerPacket` takes: Teeworlds 0.6.5 and 0.7.5, and DDNet from 16.4 on, which differ.

type Version = '0.6' | '0.7';

interface Part {
  readonly tick: number;
  readonly base: number;
  readonly crc: number;
  readonly parts: number;
  readonly part: number;
  readonly bytes: Uint8Array;
}

/** NETMSG_SNAP of a game. */
class Client {
  acknowledged = -1;
  readonly taken = new Set<number>();
  readonly #isDDNet: boolean;
  readonly #sizeOf: (type: number) => number;
  readonly #incoming = new Uint8Array(65 * partBytes);
  readonly #parts = new Set<number>();
  readonly #stored = new Map<number, Snapshot>();
  #receiving = 0;
  #size = 0;
  #wrong = 0;
  #shown: readonly number[] = [];

  constructor(isDDNet: boolean, version: Version) {
    this.#isDDNet = isDDNet;
    this.#sizeOf = protocolOf(version).sizeOf;
  }

  receive({ tick, base, crc, parts, part, bytes }: Part): void {
    if (tick < this.#receiving || (this.#isDDNet && tick <= this.acknowledged)) return;
    if (tick !== this.#receiving) this.#parts.clear();
    this.#receiving = tick;
    this.#incoming.set(bytes, part * partBytes);
    this.#parts.add(part);
    if (part === parts - 1 || !this.#isDDNet) this.#size = (parts - 1) * partBytes + bytes.length;
    if (this.#parts.size < parts) return;
    this.#parts.clear();
    const from = base === -1 ? new Snapshot() : this.#stored.get(base);
    if (!from) {
      this.acknowledged = -1;
      return;
    }
    const snapshot = this.#unpack(from);
    if (!snapshot) return;
    if (snapshot.checksum() !== crc) {
      if (++this.#wrong <= 10) return;
      this.acknowledged = -1;
      this.#wrong = 0;
      return;
    }
    if (this.#wrong > 0) this.#wrong--;
    // What a client shows is at the newest these two.
    const [previous = base] = this.#shown;
    for (const old of this.#stored.keys()) if (old < Math.min(base, previous)) this.#stored.delete(old);
    this.#shown = [...this.#shown.slice(-1), tick];
    this.#stored.set(tick, snapshot);
    this.taken.add(tick);
    this.acknowledged = tick;
  }

  /** The last bytes may be old ones, in the middle of an int, of which no game takes notice. */
  #unpack(from: Snapshot): Snapshot | undefined {
    for (let more = 0; more < 5; more++) {
      try {
        const all = new IntBuffer();
        unpackInts(this.#incoming, 0, this.#size + more, all, ignore);
        const delta = new Delta();
        delta.read(all.ints, all.length, this.#sizeOf);
        return apply(from, delta);
      } catch (error) {
        if (!(error instanceof DecodeError)) throw error;
      }
    }
    return undefined;
  }
}

/** Numbers from 0 to 1, the same for the same seed. */
function generator(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 48_271) % 0x7fffffff;
    return state / 0x7fffffff;
  };
}

function message(version: Version, { tick, base, crc, parts, part, bytes }: Part): Bytes {
  const more = version === '0.7' ? 1 : 0;
  const head = parts === 1 ? [((7 + more) << 1) | 1, tick, tick - base] : [((5 + more) << 1) | 1, tick, tick - base];
  return [...ints(...head, ...(parts === 1 ? [] : [parts, part]), crc, bytes.length), ...bytes];
}

/** Divides a payload: each part but the last has 900 bytes, or the first one lacks some. */
function divided(payload: Uint8Array, missing: number): Uint8Array[] {
  const all: Uint8Array[] = [];
  for (let at = 0; at < payload.length; ) {
    const end = at + partBytes - (at === 0 ? missing : 0);
    all.push(payload.slice(at, end));
    at = end;
  }
  return all;
}

const handshakes: Readonly<Record<Version, readonly (readonly [Uint8Array, isClient: boolean])[]>> = {
  '0.6': [
    [control06(1, ...text('TKEN'), 255, 255, 255, 255), true],
    [control06(2, ...text('TKEN'), ...someToken), false],
    [control06(3, ...someToken), true],
  ],
  '0.7': [
    [Uint8Array.from([4, 0, 0, 255, 255, 255, 255, 5, ...someToken, ...new Array<number>(508).fill(0)]), true],
    [control07(5, ...someToken), false],
    [control07(1, ...someToken), true],
    [control07(2), false],
  ],
};

/** A session of a game's client: what it and a live receiver take, and what is told of the capture. */
function play(version: Version, isDDNet: boolean, seed: number) {
  const random = generator(seed);
  const protocol = protocolOf(version);
  const { type = 0, size } = protocol.byName('obj_character')!;
  const client = new Client(isDDNet, version);
  const live = new SnapshotReceiver(version);
  const liveTaken = new Set<number>();
  const frames: Bytes[] = [];
  const pass = (packet: Uint8Array, isClient: boolean) => {
    const [from, to] = isClient ? [50000, 8303] : [8303, 50000];
    const fraction = 10_000 * (frames.length % 100);
    const seconds = someTime + Math.floor(frames.length / 100);
    frames.push(pcapRecord(ethernet(v4, ipv4(udp([...packet], from!, to!))), { seconds, fraction }));
  };
  const packet = (chunk: Bytes) =>
    version === '0.7' ? packet07([chunk07(chunk)]) : packet06([chunk06(chunk)], { token: someToken });
  for (const [bytes, isClient] of handshakes[version]) pass(bytes, isClient);

  const sent = new Map<number, ServerSnapshot>([[-1, []]]);
  const short = new Set<number>();
  const under: { readonly at: number; readonly part: Part }[] = [];
  const acks: number[] = [];
  for (let step = 0; step < 60; step++) {
    const tick = 100 + 2 * step;
    const items = Array.from({ length: 1 + Math.floor(26 * random()) }, (_, id) => ({
      type,
      id,
      data: Int32Array.from({ length: size }, () => 0x20000000 + Math.floor(1e8 * random())),
    }));
    sent.set(tick, items);
    const base = acks.at(-3) ?? -1;
    const payload = Uint8Array.from(ints(...gameDelta(sent.get(base)!, items, { sizeOf: protocol.sizeOf })!));
    const isShort = payload.length > partBytes && random() < 0.1;
    const all = divided(payload, isShort ? 1 + Math.floor(300 * random()) : 0);
    if (isShort) short.add(tick);
    for (const [part, bytes] of all.entries()) {
      const one = { tick, base, crc: checksumOf(items), parts: all.length, part, bytes };
      for (let copies = random() < 0.1 ? 2 : 1; copies > 0; copies--) {
        if (random() > 0.08) under.push({ at: step + (random() < 0.2 ? 3 * random() : 0.3 * random()), part: one });
      }
    }
    under.sort((a, b) => a.at - b.at);
    while (under.length > 0 && under[0]!.at < step + 1) {
      const { part } = under.shift()!;
      const bytes = message(version, part);
      pass(packet(bytes), false);
      client.receive(part);
      for (const { tick, verdict } of live.add(
        readMessage(Uint8Array.from(bytes), version).message,
        frames.length / 100,
      ))
        if (verdict === 'ok') liveTaken.add(tick);
      const still = { direction: 0, target_x: 0, target_y: 0, jump: 0, fire: 0, hook: 0, player_flags: 0 };
      const weapons = { wanted_weapon: 0, next_weapon: 0, prev_weapon: 0 };
      const head = { ack_snapshot: client.acknowledged, intended_tick: tick + 2, input_size: 40 };
      pass(packet([...writeMessage(version, 'input', { ...head, ...still, ...weapons })]), true);
    }
    acks.push(client.acknowledged);
  }

  const replay = new CaptureReplay();
  const told = new Map<number, string>();
  for (const entry of [...replay.feed(file(pcapHeader(), ...frames)), ...replay.finish()]) {
    if (entry.record === 'snapshot' && told.get(entry.tick) !== 'ok') told.set(entry.tick, entry.verdict);
  }
  return { taken: client.taken, liveTaken, told, short };
}

const cases = [
  ['0.6', false],
  ['0.7', false],
  ['0.6', true],
  ['0.7', true],
] as const;

it.each(cases)('what a client of %s takes is told, and nothing that it cannot have (DDNet: %s)', (version, isDDNet) => {
  const wrong: string[] = [];
  const counts = { taken: 0, open: 0, dropped: 0 };
  for (let seed = 1; seed <= 8; seed++) {
    const { taken, liveTaken, told, short } = play(version, isDDNet, seed);
    for (const tick of taken)
      if (told.get(tick) !== 'ok') wrong.push(`${seed}: ${tick} is ${told.get(tick) ?? 'late'}`);
    for (const tick of short) if (told.get(tick) === 'ok') wrong.push(`${seed}: ${tick} has a gap`);
    for (const [tick, verdict] of told) counts[taken.has(tick) ? 'taken' : verdict === 'ok' ? 'open' : 'dropped']++;
    // A live receiver is a client of DDNet.
    if (isDDNet) expect([seed, ...liveTaken]).toEqual([seed, ...taken]);
  }
  expect(wrong).toEqual([]);
  // Nothing proves of a few that they came too late: no newer one was acknowledged before.
  expect(counts.taken).toBeGreaterThan(300);
  expect(counts.dropped).toBeGreaterThan(50);
  expect(counts.open).toBeLessThan(20);
});
