// A UDP relay between a client and a game server that loses, delays and reorders datagrams, and records what passes as
// captures.
import { createSocket } from 'node:dgram';
import { setTimeout as later } from 'node:timers';

/**
 * The three places at which the traffic is recorded: on the client's machine, in front of the loss, and on the server's
 * machine.
 */
export const places = ['client', 'middle', 'server'];

/** Several clients are behind one address, each with its port. */
const clientAddress = { ip: [10, 0, 0, 2], port: 50000 };
const serverAddress = { ip: [10, 0, 0, 1], port: 8303 };

/** The bit that a datagram has in its number if the network made a copy of it. */
export const copyBit = 0x8000;

/**
 * Relays datagrams to a server on this machine until `close` is called.
 * @param {{ target: number, seed: number, loss: number, jitter: number, delay?: number, duplicates?: number, cut?: {
 *   after: number, to: 'server' | 'client' | 'both', seconds?: number, every?: number } }} options
 *   `loss` and `duplicates` from 0 to 1; `delay` and `jitter` in seconds, which also reorders; `cut` loses everything
 *   from a time on, or for some seconds, or for some seconds again and again
 */
export async function relay({ target, seed, loss, jitter, delay = 0, duplicates = 0, cut }) {
  const random = generator(seed);
  const captures = Object.fromEntries(places.map((place) => [place, new Capture()]));
  const front = createSocket('udp4');
  /** By the client's port: a client that comes again with another one is another to the server, too. */
  const backs = new Map();
  const begin = performance.now();
  const seconds = () => (performance.now() - begin) / 1000;
  let isClosed = false;
  let passed = 0;
  const isCut = (to) => {
    if (!cut || (cut.to !== to && cut.to !== 'both')) return false;
    const since = seconds() - cut.after;
    return since >= 0 && since % (cut.every ?? Number.POSITIVE_INFINITY) < (cut.seconds ?? Number.POSITIVE_INFINITY);
  };
  const carry = (sent, deliver) => {
    captures.middle.add(sent);
    if (isCut(sent.to) || random() < loss) return;
    later(
      () => {
        if (isClosed) return;
        captures[sent.to].add(sent);
        deliver();
      },
      1000 * (delay + jitter * random()),
    );
  };
  const pass = (to, bytes, client, deliver) => {
    const sent = { to, bytes, client, id: ++passed };
    captures[to === 'server' ? 'client' : 'server'].add(sent);
    carry(sent, deliver);
    if (random() < duplicates) carry({ ...sent, id: sent.id | copyBit }, deliver);
  };
  const newBack = (port) => {
    const back = createSocket('udp4');
    const client = backs.size;
    const toServer = (bytes) => pass('server', bytes, client, () => back.send(bytes, target, '127.0.0.1'));
    back.on('message', (bytes) => pass('client', bytes, client, () => front.send(bytes, port, '127.0.0.1')));
    backs.set(port, { toServer, close: () => back.close() });
    return toServer;
  };
  front.on('message', (bytes, { port }) => (backs.get(port)?.toServer ?? newBack(port))(bytes));
  await new Promise((done) => front.bind(0, '127.0.0.1', done));
  return {
    port: front.address().port,
    seconds,
    captures,
    close() {
      isClosed = true;
      front.close();
      for (const back of backs.values()) back.close();
    },
  };
}

/** Numbers from 0 to 1, the same for the same seed. */
function generator(seed) {
  let state = seed;
  return () => {
    state = (state * 48_271) % 0x7fffffff;
    return state / 0x7fffffff;
  };
}

/** A pcap file of raw IP packets with the time at which each was added. */
class Capture {
  #records = [];

  add({ to, bytes, id, client }) {
    const address = { ...clientAddress, port: clientAddress.port + client };
    const [source, destination] = to === 'server' ? [address, serverAddress] : [serverAddress, address];
    const packet = ipv4(source, destination, bytes, id);
    const now = Date.now();
    const head = Buffer.alloc(16);
    head.writeUInt32LE(Math.floor(now / 1000), 0);
    head.writeUInt32LE((now % 1000) * 1000, 4);
    head.writeUInt32LE(packet.length, 8);
    head.writeUInt32LE(packet.length, 12);
    this.#records.push(head, packet);
  }

  get bytes() {
    const head = Buffer.alloc(24);
    head.writeUInt32LE(0xa1b2c3d4, 0);
    head.writeUInt16LE(2, 4);
    head.writeUInt16LE(4, 6);
    head.writeUInt32LE(65535, 16);
    head.writeUInt32LE(101, 20);
    return Buffer.concat([head, ...this.#records]);
  }
}

/** @param id the same at all places, in the field that IP has for that: fates.mjs finds a datagram again by it */
function ipv4(source, destination, payload, id) {
  const head = Buffer.alloc(28);
  head[0] = 0x45;
  head.writeUInt16BE(28 + payload.length, 2);
  head.writeUInt16BE(id & 0xffff, 4);
  head[8] = 64;
  head[9] = 17;
  head.set(source.ip, 12);
  head.set(destination.ip, 16);
  head.writeUInt16BE(source.port, 20);
  head.writeUInt16BE(destination.port, 22);
  head.writeUInt16BE(8 + payload.length, 24);
  return Buffer.concat([head, payload]);
}
