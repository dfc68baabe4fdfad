import { ClientSession, type PlayerOptions } from '../../../src/api/live/session.ts';
import { Channel, observe, readMessage, writeMessage } from '../../../src/api/live.ts';
import type { PacketVersion } from '../../../src/wire/packet/packet.ts';
import { check } from '../checks.ts';
import { damaged } from '../make/bytes.ts';
import { makeMessage } from '../make/packet.ts';
import type { Material } from '../material.ts';
import type { Random } from '../random.ts';
import type { Note, Target } from '../target.ts';

/** A player whose server sends what it likes. */
export const client: Target = {
  name: 'client',
  share: 60,
  run(random, material, note) {
    // Tokens of connections are of `Math.random`: an input of a seed is the same each time.
    const { random: system } = Math;
    Math.random = () => (random.int() >>> 0) / 2 ** 32;
    try {
      attackClient(random, material, 60, note);
    } finally {
      Math.random = system;
    }
    return undefined;
  },
};

const addresses = { client: '10.0.0.7:5000', server: '10.0.0.1:8303' } as const;

/**
 * Plays with a server that lets the player in, most of the time, and sends messages that are whole, damaged or random.
 * Throws if the client does, or if the client sends what no server could read.
 *
 * @returns the number of messages that reached the client
 */
export function attackClient(random: Random, material: Material, messages: number, note: Note): number {
  const version = random.pick(['0.6', '0.7'] as const);
  const server = new HostileServer(random, material, version);
  const session = new ClientSession(version, optionsOf(random));
  const observer = observe();
  let sent = 0;
  for (let seconds = 0; sent < messages && session.state !== 'closed'; seconds += random.pick([0.01, 0.02, 0.3])) {
    for (const packet of session.packets(seconds)) {
      observer.add(seconds, addresses.client, addresses.server, packet);
      server.receive(packet);
    }
    if (session.state === 'loading' || session.state === 'playing') sent += server.attack();
    for (const packet of server.packets(seconds)) {
      note('a.packet', packet);
      observer.add(seconds, addresses.server, addresses.client, packet);
      session.receive(packet, seconds);
    }
    if (random.oneIn(4)) session.input({ direction: random.between(-1, 1), target_x: random.int() });
  }
  observer.finish();
  return sent;
}

const optionsOf = (random: Random): PlayerOptions => ({
  name: 'walker',
  downloadMap: random.oneIn(2),
  timeout: 1000,
});

class HostileServer {
  readonly #random: Random;
  readonly #material: Material;
  readonly #version: PacketVersion;
  readonly #channel: Channel;

  constructor(random: Random, material: Material, version: PacketVersion) {
    this.#random = random;
    this.#material = material;
    this.#version = version;
    this.#channel = new Channel(version, 'server', { timeout: 1000 });
  }

  receive(packet: Uint8Array): void {
    for (const bytes of this.#channel.receive(packet)) {
      const { name, message } = readMessage(bytes, this.#version);
      check(!message.diagnostics.error && name !== null, `the client sends ${name} with an error`);
      this.#answer(name);
    }
  }

  /** Sends a few messages; returns how many. */
  attack(): number {
    const count = this.#random.few();
    for (let left = count; left > 0; left--) {
      // Longer ones fit in no chunk.
      this.#channel.send(this.#message().subarray(0, 1000), { vital: this.#random.oneIn(4) });
    }
    return count;
  }

  #message(): Uint8Array {
    const random = this.#random;
    const kind = random.below(8);
    if (kind === 0) return this.#emptySnapshot();
    if (kind < 3) return random.pick(this.#material.messages).bytes;
    return makeMessage(random, this.#material, this.#version);
  }

  /** Of any tick, often the last one that an int holds, and most often without a base: a client takes it. */
  #emptySnapshot(): Uint8Array {
    const tick = this.#random.oneIn(3) ? 0x7fffffff - this.#random.below(4) : this.#random.int();
    const delta = this.#random.oneIn(4) ? this.#random.int() : (tick + 1) | 0;
    return writeMessage(this.#version, 'snap_empty', { tick, delta });
  }

  packets(seconds: number): Uint8Array[] {
    const packets = this.#channel.packets(seconds);
    return packets.flatMap((packet) => (this.#random.oneIn(20) ? [damaged(this.#random, packet), packet] : [packet]));
  }

  #answer(name: string): void {
    if (this.#random.oneIn(8)) return;
    if (name === 'info') this.#announceMap();
    else if (name === 'ready') this.#send('con_ready', {});
    else if (name === 'cl_startinfo') this.#send('sv_readytoenter', {});
  }

  #announceMap(): void {
    const map = { name: 'dm1', crc: this.#random.int(), size: this.#random.pick([0, 0, 900, this.#random.int()]) };
    const more = { num_response_chunks_per_request: this.#random.int(), chunk_size: 800, sha256: new Uint8Array(32) };
    this.#send('map_change', this.#version === '0.6' ? map : { ...map, ...more });
  }

  #send(name: string, fields: object): void {
    this.#channel.send(writeMessage(this.#version as string as never, name as never, fields as never), { vital: true });
  }
}
