// A proxy that records what a client sees as a demo: `connect 127.0.0.1:PORT` in the game, and Ctrl-C at the end.
// Usage: node proxy-demo.mjs PORT SERVER_PORT FILE.demo
import { createSocket } from 'node:dgram';
import { writeFileSync } from 'node:fs';
import process from 'node:process';
import { recorded, writeDemo } from 'tw-snap/edit';
import { observe } from 'tw-snap/live';

const [port, serverPort, path] = process.argv.slice(2);
const server = { address: '127.0.0.1', port: Number(serverPort) };
const [inside, outside] = [createSocket('udp4'), createSocket('udp4')];
const [observer, records] = [observe(), []];
const client = {};

const pass = (socket, from, to, bytes) => {
  records.push(...observer.add(Date.now() / 1000, from, to, bytes));
  socket.send(bytes, to.port, to.address);
};
inside.on('message', (bytes, from) => pass(outside, Object.assign(client, from), server, bytes));
outside.on('message', (bytes) => pass(inside, server, client, bytes));
inside.bind(Number(port), '127.0.0.1', () => console.log('ready'));
process.on('SIGINT', () => {
  writeFileSync(path, writeDemo(recorded(records)));
  process.exit();
});
