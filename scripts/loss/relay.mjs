// A UDP relay between a client and a game server that loses, delays and reorders datagrams, and records what passes as
// captures.
import { createSocket } from 'node:dgram';
import { setTimeout as later } from 'node:timers';

/**
 * The three places at which the traffic is recorded: on the client's machine, in front of the loss, and on the server's
 * machine.
 */
export const places = ['client', 'middle', 'server'];

const clientAddress = { ip: [10, 0, 0, 2], port: 50000 };
const serverAddress = { ip: [10, 0, 0, 1], port: 8303 };

/**
 * Relays datagrams to a server on this machine until `close` is called.
 * @param {{ target: number, seed: number, loss: number, jitter: number, cut?: { after: number, to: 'server' | 'client' |
 *   'both' } }} options
 *   `loss` from 0 to 1; `jitter` in seconds, which also reorders; `cut` loses everything from a time on
 */
export async function relay({ target, seed, loss, jitter, cut }) {
  const random = generator(seed);
  const captures = Object.fromEntries(places.map((place) => [place, new Capture()]));
  const front = createSocket('udp4');
  /** By the client's port: a client that comes again with another one is another to the server, too. */
  const backs = new Map();
  const begin = performance.now();
  const seconds = () => (performance.now() - begin) / 1000;
  let isClosed = false;
  let passed = 0;
  const pass = (to, bytes, deliver) => {
    const sent = { to, bytes, id: ++passed };
    captures.middle.add(sent);
    captures[to === 'server' ? 'client' : 'server'].add(sent);
    const isCut = cut && seconds() >= cut.after && (cut.to === to || cut.to === 'both');
    if (isCut || random() < loss) return;
    later(
      () => {
        if (isClosed) return;
        captures[to].add(sent);
        deliver();
      },
      1000 * jitter * random(),
    );
  };
  const newBack = (port) => {
    const back = createSocket('udp4');
    back.on('message', (bytes) => pass('client', bytes, () => front.send(bytes, port, '127.0.0.1')));
    backs.set(port, back);
    return back;
  };
  front.on('message', (bytes, { port }) => {
    const back = backs.get(port) ?? newBack(port);
    pass('server', bytes, () => back.send(bytes, target, '127.0.0.1'));
  });
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

  add({ to, bytes, id }) {
    const [source, destination] = to === 'server' ? [clientAddress, serverAddress] : [serverAddress, clientAddress];
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

/** @param id the same at all places, in the field that IP has for that: check.mjs finds a datagram again by it */
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
