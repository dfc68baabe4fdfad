import { expect, it } from 'vitest';
import { CaptureReplay } from '../../../src/recording/capture/capture-replay.ts';
import { maxFlows, maxForgotten, maxOthers } from '../../../src/recording/replay/limits.ts';
import type { RecordingEntry } from '../../../src/recording/replay/record.ts';
import { RecordingSummary } from '../../../src/recording/summary/recording-summary.ts';
import { ipv4, pcapHeader, pcapRecord, someTime, udp } from '../../support/capture-builder.ts';
import { chunk06, control06, ints, packet06, snapSingle } from '../../support/packet-builder.ts';

// More addresses at once than connections are followed.

const server = [10, 255, 0, 1];
const addressOf = (client: number) => [10, client >> 16, (client >> 8) & 255, client & 255];

/** Packets between clients and a server as the frames of a capture, each a millisecond later, or when it is said. */
class Traffic {
  readonly #replay = new CaptureReplay();
  readonly summary = new RecordingSummary(this.#replay);
  readonly begun: string[] = [];
  readonly dropped: string[] = [];
  readonly diagnostics: unknown[] = [];
  snapshots = 0;
  missing = 0;
  #time = 0;

  constructor() {
    this.#add(this.#replay.feed(Uint8Array.from(pcapHeader({ linkType: 101 }))));
  }

  get datagrams() {
    return this.#replay.datagrams;
  }

  get streams() {
    return this.#replay.streams;
  }

  later(seconds: number): void {
    this.#time += seconds * 1e6;
  }

  send(client: number, side: 'client' | 'server', packet: Uint8Array): void {
    const isClient = side === 'client';
    const [source, destination] = isClient ? [addressOf(client), server] : [server, addressOf(client)];
    const [from, to] = isClient ? [50_000, 8303] : [8303, 50_000];
    const seconds = someTime + Math.floor(this.#time / 1e6);
    const record = pcapRecord(ipv4(udp([...packet], from, to), { source, destination }), {
      seconds,
      fraction: Math.floor(this.#time % 1e6),
    });
    this.#time += 10;
    this.#add(this.#replay.feed(Uint8Array.from(record)));
  }

  finish(): this {
    this.#add(this.#replay.finish());
    return this;
  }

  #add(entries: Iterable<RecordingEntry>): void {
    for (const entry of entries) {
      this.summary.add(entry);
      if (entry.record === 'connection') this.begun.push(entry.stream.client);
      if (entry.record === 'drop') this.dropped.push(entry.stream.client);
      // So many connect at once that it is a flood, too.
      if (entry.record === 'diagnostic' && entry.diagnostic.code !== 'flood') this.diagnostics.push(entry.diagnostic);
      if (entry.record !== 'snapshot') continue;
      this.snapshots++;
      if (entry.verdict !== 'ok') this.missing++;
    }
  }

  connect(client: number): void {
    this.send(client, 'client', control06(1));
  }

  accept(client: number): void {
    this.send(client, 'server', control06(2));
  }

  /** A snapshot and the client's answer to it. */
  play(client: number, tick: number): void {
    const whole = tick === firstTick;
    const delta = whole ? ints(0, 1, 0, 4, 0, 1, 0, 0, 0) : ints(0, 0, 0);
    this.send(
      client,
      'server',
      packet06([chunk06(snapSingle(7, tick, whole ? tick + 1 : tick - firstTick, 1, delta))]),
    );
    this.send(
      client,
      'client',
      packet06([chunk06([...ints((16 << 1) | 1, tick, tick + 1, 40), ...Array(10).fill(0)])]),
    );
  }
}

const firstTick = 100;

it('the connections that are followed stay when more play at once, and the others count once', () => {
  const traffic = new Traffic();
  const clients = Array.from({ length: 3000 }, (_, i) => i);
  for (const client of clients) traffic.connect(client);
  for (const client of clients) traffic.accept(client);
  for (let tick = firstTick; tick < firstTick + 6; tick++) for (const client of clients) traffic.play(client, tick);
  const { begun, datagrams, streams, snapshots, missing, diagnostics, summary } = traffic.finish();
  expect(begun).toHaveLength(3000);
  expect(new Set(begun).size).toBe(3000);
  expect(streams).toHaveLength(maxFlows);
  expect(datagrams.dropped).toMatchObject({ connections: 952, packets: 952 * 14 });
  // Each of the forgotten ones had one snapshot before it was known to be one too many.
  expect([snapshots, missing]).toEqual([maxFlows * 6 + 952, 0]);
  expect(diagnostics).toEqual([
    { severity: 'error', code: 'too_many_connections', offset: 0, args: { connections: 952, packets: 952 * 10 } },
  ]);
  // Nothing is wrong with what is there.
  expect(summary.health.state).toBe('incomplete');
});

it('connections without a captured handshake stay, too', () => {
  const traffic = new Traffic();
  const clients = Array.from({ length: 3000 }, (_, i) => i);
  for (let tick = firstTick; tick < firstTick + 20; tick++) for (const client of clients) traffic.play(client, tick);
  const { begun, datagrams, streams, missing } = traffic.finish();
  expect([begun.length, new Set(begun).size, streams.length, missing]).toEqual([3000, 3000, 2048, 0]);
  expect(datagrams.dropped.connections).toBe(952);
});

it.each([
  ['requests', control06(1)],
  ['packets of a game', packet06([chunk06([...ints((16 << 1) | 1, 5, 9, 40), ...Array(10).fill(0)])])],
])('a flood of %s from forged addresses throws out no living connection', (_, forged) => {
  const traffic = new Traffic();
  const playing = [1, 2, 3];
  for (const value of playing) traffic.connect(value);
  for (const value of playing) traffic.accept(value);
  for (const value of playing) traffic.play(value, firstTick);
  for (let i = 0; i < 30_000; i++) {
    traffic.send(1000 + i, 'client', forged);
    if (i % 3000 === 2999)
      for (const value of playing) traffic.play(value, firstTick + 1 + i / 3000 - (i % 3000) / 3000);
  }
  const { begun, snapshots, missing } = traffic.finish();
  expect(begun.filter((client) => /^10\.0\.0\.[123]:/.test(client))).toHaveLength(3);
  expect([snapshots, missing]).toEqual([33, 0]);
});

it('in a flood, too, a client can connect', () => {
  const traffic = new Traffic();
  for (let i = 0; i < 8000; i++) traffic.send(1000 + i, 'client', control06(1));
  traffic.later(3);
  for (let i = 8000; i < 12_000; i++) traffic.send(1000 + i, 'client', control06(1));
  traffic.connect(1);
  for (let i = 12_000; i < 14_000; i++) traffic.send(1000 + i, 'client', control06(1));
  traffic.accept(1);
  traffic.play(1, firstTick);
  const { streams, snapshots } = traffic.finish();
  expect(streams.filter(({ hasHandshake }) => hasHandshake).map(({ client }) => client)).toEqual(['10.0.0.1:50000']);
  expect(snapshots).toBe(1);
});

it('the packets of dropped connections count for the time and length of a recording', () => {
  const traffic = new Traffic();
  const clients = Array.from({ length: 1500 }, (_, i) => i);
  for (let wave = 0; wave < 5; wave++) {
    for (const client of clients) traffic.connect(2000 * wave + client);
    for (const client of clients) traffic.accept(2000 * wave + client);
    for (const tick of [0, 1]) for (const client of clients) traffic.play(2000 * wave + client, firstTick + tick);
    traffic.later(3);
  }
  const { summary, datagrams, streams, begun, missing, snapshots, diagnostics } = traffic.finish();
  expect([begun.length, snapshots, missing, diagnostics]).toEqual([7500, 15_000, 0, []]);
  expect(datagrams.dropped.connections + streams.length).toBe(7500);
  expect(datagrams.dropped.connections).toBeGreaterThan(0);
  expect(summary.firstTime).toBe(someTime);
  expect(summary.seconds).toBeGreaterThan(12);
});

it('of more connections than are remembered the packets count, and it is never healthy', () => {
  const traffic = new Traffic();
  const packet = packet06([chunk06([...ints((16 << 1) | 1, 5, 9, 40), ...Array(10).fill(0)])]);
  const count = maxOthers + maxForgotten + 1000;
  for (let i = 0; i < count; i++) traffic.send(i, 'client', packet);
  const { datagrams, summary } = traffic.finish();
  expect([datagrams.total, summary.health.state]).toEqual([count, 'incomplete']);
  expect(datagrams.dropped.packets).toBeGreaterThan(maxForgotten);
});
