/**
 * Memory and bytes of `tw-snap record` and of a client of `tw-snap/node` among hostile peers. Each scenario has a
 * process of its own.
 *
 *     node scripts/live/hostile.mjs [seconds]     after npm run build; 8 seconds for each scenario without
 */
import { spawn } from 'node:child_process';
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { networkInterfaces, tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { Channel, readMessage, writeMessage } from '../../dist/library/api/live.js';
import { connect } from '../../dist/library/api/node/connect.js';

const program = fileURLToPath(new URL('../../bin/tw-snap.cjs', import.meta.url));
const seconds = Number(process.argv[2] ?? 8);
const folder = mkdtempSync(join(tmpdir(), 'tw-snap-hostile-'));
const outside = Object.values(networkInterfaces())
  .flat()
  .find(({ internal, family }) => !internal && family === 'IPv4')?.address;
const now = () => performance.now() / 1000;

/** A socket that counts. */
async function counted(address = '127.0.0.1', answer = () => []) {
  const socket = createSocket('udp4');
  socket.bind(0, address);
  await once(socket, 'listening');
  const end = { socket, port: socket.address().port, received: 0, sent: 0 };
  end.send = (bytes, port, to) => {
    end.sent += bytes.length;
    socket.send(bytes, port, to);
  };
  socket.on('message', (bytes, from) => {
    end.received += bytes.length;
    for (const one of answer(bytes, from)) end.send(one, from.port, from.address);
  });
  return end;
}

/** A server without a game: it accepts everybody. */
function accepting(more = () => []) {
  const channels = new Map();
  return (bytes, { port }) => {
    const channel = channels.get(port) ?? new Channel('0.7', 'server');
    channels.set(port, channel);
    for (const message of channel.receive(bytes)) {
      if (readMessage(message, '0.7').name !== 'info') continue;
      const map = {
        name: 'dm1',
        crc: 1,
        size: 0,
        num_response_chunks_per_request: 1,
        chunk_size: 800,
        sha256: new Uint8Array(32),
      };
      channel.send(writeMessage('0.7', 'map_change', map), { vital: true });
    }
    return [...channel.packets(now()), ...more()];
  };
}

// A client that takes a record each 50 ms.
if (process.argv[2] === 'client') {
  console.log('begun');
  const server = connect(`127.0.0.1:${process.argv[3]}`, { protocol: '0.7' });
  for await (const entry of server) {
    if (entry.record === 'snapshot') server.input({ direction: 1 });
    await pause(50);
  }
  process.exit(0);
}

const memoryOf = (pid) => Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))[1]) / 1000;

async function againstRelay(name, { server, attack, from = '127.0.0.1', clients = 200 }) {
  const target = await counted('127.0.0.1', server);
  const listen = `${from}:${20_000 + Math.floor(Math.random() * 20_000)}`;
  const child = spawn(
    process.execPath,
    [program, 'record', `127.0.0.1:${target.port}`, '-o', join(folder, 'x.demo'), '--listen', listen],
    {
      stdio: ['ignore', 'ignore', 'pipe'],
    },
  );
  await once(child.stderr, 'data');
  child.stderr.resume();
  const attackers = await Promise.all(Array.from({ length: clients }, () => counted(from)));
  const [host, port] = listen.split(':');
  const before = memoryOf(child.pid);
  let most = before;
  const end = now() + seconds;
  for (let round = 0; now() < end; round++) {
    attack({ attackers, round, port: Number(port), host });
    await pause(2);
    most = Math.max(most, memoryOf(child.pid));
  }
  await pause(300);
  const sum = (key) => attackers.reduce((all, one) => all + one[key], 0);
  report(name, {
    'to the relay': sum('sent'),
    'to the clients': sum('received'),
    'to the server': target.received,
    'from the server': target.sent,
    memory: [before, most],
  });
  child.kill('SIGKILL');
  for (const { socket } of [...attackers, target]) socket.close();
}

function report(name, { memory: [before, most], ...bytes }) {
  const shown = Object.entries(bytes).map(([what, count]) => `${what} ${(count / 1e6).toFixed(2)} MB`);
  console.log(`${name}: ${shown.join(', ')}; memory ${before.toFixed(0)} MB, at most ${most.toFixed(0)} MB`);
}

const requests = ['0.6', '0.7'].map((version) => new Channel(version, 'client').packets(0)[0]);
const garbage = Uint8Array.from({ length: 1400 }, (_, i) => (i * 89) & 0xff);
const infoRequest = Buffer.from('ffffffffffffffffffff6769653300', 'hex');
const each =
  (bytesOf) =>
  ({ attackers, round, port, host }) => {
    for (const [i, one] of attackers.entries()) one.send(bytesOf(round, i), port, host);
  };

await againstRelay('garbage of 200 addresses', { attack: each(() => garbage) });
await againstRelay('requests of 200 addresses, never continued', {
  attack: each((round, i) => requests[(round + i) % 2]),
  server: accepting(),
});
if (outside) {
  const large = Array.from({ length: 3 }, () => new Uint8Array(1400));
  const scenario = { attack: each(() => infoRequest), from: outside, server: () => large };
  await againstRelay('forged requests for information, the server answers with 4,200 bytes', scenario);
} else console.log('forged requests: not tried, for want of a network address');

/** Connections one after the other from the same address, each to its end. */
const connecting = new Map();
await againstRelay('endless handshakes of 16 clients, each a connection and then the next', {
  clients: 16,
  server: accepting(),
  attack({ attackers, port, host }) {
    for (const one of attackers) {
      let channel = connecting.get(one);
      if (!channel) one.socket.on('message', (bytes) => connecting.get(one).receive(bytes));
      if (channel?.state !== 'connecting') {
        channel = new Channel('0.7', 'client');
        connecting.set(one, channel);
        one.connections = (one.connections ?? 0) + 1;
      }
      for (const packet of channel.packets(now())) one.send(packet, port, host);
    }
  },
});
console.log(`    ${[...connecting.keys()].reduce((sum, { connections }) => sum + connections, 0)} connections`);

/** A client whose server floods it with what it has to take. */
async function againstClient(name, flood) {
  const channels = new Map();
  const server = await counted('127.0.0.1', (bytes, { port }) => {
    const fresh = { channel: new Channel('0.7', 'server'), port };
    const { channel } = channels.get(port) ?? fresh;
    if (!channels.has(port)) channels.set(port, fresh);
    channel.receive(bytes);
    return channel.packets(now());
  });
  const script = fileURLToPath(import.meta.url);
  const child = spawn(process.execPath, [script, 'client', String(server.port)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  await once(child.stdout, 'data');
  const before = memoryOf(child.pid);
  let most = before;
  const end = now() + seconds;
  for (let round = 0; now() < end; round++) {
    for (const { channel, port } of channels.values()) {
      flood(channel, round);
      for (const packet of channel.packets(now())) server.send(packet, port, '127.0.0.1');
    }
    await pause(1);
    if (child.exitCode !== null) break;
    most = Math.max(most, memoryOf(child.pid));
  }
  report(`a client, ${name}`, { received: server.sent, sent: server.received, memory: [before, most] });
  child.kill('SIGKILL');
  server.socket.close();
}

const map = { name: 'dm1', crc: 1, num_response_chunks_per_request: 1, chunk_size: 1300, sha256: new Uint8Array(32) };
const message = (name, fields) => writeMessage('0.7', name, fields);
const chat = message('sv_chat', { mode: 1, client_id: -1, target_id: -1, message: 'x'.repeat(250) });
const snapshot = (tick) =>
  message('snap_single', { tick, delta: tick - 7, crc: 5, size: 900, bytes: garbage.subarray(0, 900) });

await againstClient('its server sends chat without an end', (channel) => {
  for (let i = 0; i < 100; i++) channel.send(chat);
});
await againstClient('its server sends snapshots without bases', (channel, round) => {
  for (let i = 0; i < 50; i++) channel.send(snapshot(50 * round + i));
});
await againstClient(
  'its server announces a map of 2 GB, and sends pieces that were not asked for',
  (channel, round) => {
    if (round === 0) channel.send(message('map_change', { ...map, size: 0x7fffffff }), { vital: true });
    for (let i = 0; i < 20; i++) channel.send(message('map_data', { data: garbage.subarray(0, 1300) }));
  },
);
await againstClient('its server changes the map without an end', (channel, round) => {
  channel.send(message('map_change', { ...map, crc: round, size: 5000 }), { vital: round % 20 === 0 });
});
rmSync(folder, { recursive: true, force: true });
process.exit(0);
