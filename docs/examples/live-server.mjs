// A server that replays a demo of 0.6 or DDNet to each client that joins: `connect 127.0.0.1:PORT` in the console of the game.
// The client must have the map of the demo. Usage: node live-server.mjs PORT DEMO
import { createSocket } from 'node:dgram';
import { readFileSync } from 'node:fs';
import process from 'node:process';
import { readDemo } from 'tw-snap';
import { protocolOf, ticksPerSecond } from 'tw-snap/codec';
import { Channel, readMessage, SnapshotSender, writeMessage } from 'tw-snap/live';

const [port, path] = process.argv.slice(2);
const protocol = protocolOf('0.6');
const demo = readFileSync(path);
const socket = createSocket('udp4');
const clients = new Map();
const seconds = () => performance.now() / 1000;

class Client {
  channel = new Channel('0.6', 'server');
  #sender = new SnapshotSender(protocol);
  #records = readDemo(demo);
  #next = this.#records.next().value;
  /** The time at which tick 0 would have been. */
  #start;

  send(name, fields) {
    this.channel.send(writeMessage(protocol, name, fields));
  }

  onMessage({ name, fields }) {
    if (name === 'info') {
      const { mapName, mapCrc, mapSize } = this.#next.header;
      this.send('map_change', { name: mapName, crc: mapCrc | 0, size: mapSize });
    } else if (name === 'ready') this.send('con_ready', {});
    else if (name === 'cl_startinfo') this.send('sv_readytoenter', {});
    else if (name === 'enter_game') this.#play();
    else if (name === 'input') this.#sender.acknowledge(fields.ack_snapshot);
    else if (name === 'ping') this.send('ping_reply', {});
  }

  /** Sends what the demo has up to now, and asks itself again when the next tick is due. */
  #play() {
    for (; this.#next; this.#next = this.#records.next().value) {
      const { record, tick, snapshot, bytes } = this.#next;
      if (record === 'tick') this.#start ??= seconds() - tick / ticksPerSecond;
      const early = tick / ticksPerSecond - (seconds() - this.#start);
      if (early > 0) return setTimeout(() => this.#play(), 1000 * early);
      if (record === 'message') this.channel.send(bytes);
      else if (record === 'snapshot' && snapshot) {
        for (const message of this.#sender.send(tick, snapshot)) this.channel.send(message);
      }
    }
    this.channel.close('the demo is over');
  }
}

socket.on('message', (bytes, { address, port: from }) => {
  const name = `${address}:${from}`;
  const client = clients.get(name) ?? new Client();
  clients.set(name, client);
  for (const message of client.channel.receive(bytes)) client.onMessage(readMessage(message, protocol));
});

setInterval(() => {
  for (const [name, { channel }] of clients) {
    const [address, to] = name.split(':');
    for (const packet of channel.packets(seconds())) socket.send(packet, Number(to), address);
    if (channel.state === 'closed') clients.delete(name);
  }
}, 5);
socket.bind(Number(port), '127.0.0.1', () => console.log(`port ${port}`));
