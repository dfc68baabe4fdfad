// Records sessions with real servers through a lossy relay: captures from three places, the server's log, and the ticks
// that each client took.
// Usage: node scripts/loss/record.mjs FOLDER SEED [SCENARIO…]
import { spawn } from 'node:child_process';
import { createSocket } from 'node:dgram';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { places, relay } from './relay.mjs';
import { scenarios, servers } from './scenarios.mjs';

const client = fileURLToPath(new URL('client.mjs', import.meta.url));

async function freePort() {
  const socket = createSocket('udp4');
  await new Promise((done) => socket.bind(0, '127.0.0.1', done));
  const { port } = socket.address();
  socket.close();
  return port;
}

async function startServer(game, folder) {
  const port = await freePort();
  const { command, args, started } = servers[game];
  const child = spawn(command, args(port), { cwd: folder });
  const begin = performance.now();
  const lines = [];
  let rest = '';
  const read = (data) => {
    rest += data;
    const whole = rest.split('\n');
    rest = whole.pop();
    for (const line of whole) lines.push({ at: performance.now(), line });
  };
  child.stdout.on('data', read);
  child.stderr.on('data', read);
  for (let i = 0; i < 100 && !lines.some(({ line }) => line.includes(started)); i++) await pause(100);
  if (!lines.some(({ line }) => line.includes(started))) throw new Error(`${command} did not start`);
  return { port, begin, lines, stop: () => child.kill('SIGKILL') };
}

async function outputOf(args) {
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  let output = '';
  child.stdout.on('data', (data) => (output += data));
  await new Promise((done) => child.on('close', done));
  return output;
}

async function record(name, seed, into) {
  const { game, version, seconds, ends, wait = 0, players = 1, chats = 0, again, ...network } = scenarios[name];
  const folder = mkdtempSync(join(tmpdir(), 'tw-snap-loss-'));
  const server = await startServer(game, folder);
  try {
    const path = await relay({ target: server.port, seed, ...network });
    const begin = performance.now();
    const args = [client, version, path.port, seconds, ends, chats, ...(again === undefined ? [] : [again])];
    const taken = await Promise.all(Array.from({ length: players }, () => outputOf(args)));
    await pause(1000 * (wait + 0.5));
    path.close();
    for (const place of places) writeFileSync(join(into, `${name}.${place}.pcap`), path.captures[place].bytes);
    const log = server.lines.map(({ at, line }) => `${((at - begin) / 1000).toFixed(2)} ${line}\n`);
    writeFileSync(join(into, `${name}.log`), log.join(''));
    writeFileSync(join(into, `${name}.taken.json`), `[${taken}]`);
  } finally {
    server.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

const [into, first, ...names] = process.argv.slice(2);
mkdirSync(into, { recursive: true });
let seed = Number(first);
for (const name of names.length > 0 ? names : Object.keys(scenarios)) {
  await record(name, seed++, resolve(into));
  console.log(`${name}: recorded`);
}
