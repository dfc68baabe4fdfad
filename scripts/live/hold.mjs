/**
 * Holds a client of `tw-snap/node` on three kinds of server through loss and reordering, a map change and two restarts:
 * one that the server announces, one in which it is killed.
 *
 *     node scripts/live/hold.mjs [seconds] [kind …]     after npm run build; 600 seconds and all kinds without
 *
 * Prints a line for each client and minute: what it received, its memory, its bytes. Exit status 1 for a bad checksum,
 * a client that is not in the game at the end, or that did not see the maps and the servers that it should.
 */
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import process from 'node:process';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { connect } from '../../dist/library/api/node/connect.js';
import { relay } from '../loss/relay.mjs';
import { freePort, Server } from './server.mjs';

const network = { loss: 0.2, jitter: 0.06 };
const maps = ['dm1', 'dm2'];
const kinds = {
  'Teeworlds 0.7': { program: '/usr/games/teeworlds-server', version: '0.7', own: ['bindaddr 127.0.0.1'] },
  'DDNet 0.6': { program: '/usr/games/DDNet-Server', version: '0.6', own: ['sv_sixup 0'] },
  'DDNet 0.7': { program: '/usr/games/DDNet-Server', version: '0.7', own: ['sv_sixup 1'] },
};

/** A client in a process of its own, whose memory is its own. It tells what it has each ten seconds. */
async function client(address, version) {
  const server = connect(address, { protocol: version, name: 'holder' });
  process.on('SIGTERM', () => server.close());
  const verdicts = {};
  const streams = new Set();
  const seen = [];
  const tell = () => {
    const sum = (direction) => [...streams].reduce((all, one) => all + one.counts(direction).bytes, 0);
    const { rss, heapUsed } = process.memoryUsage();
    const { state, closed, missed } = server;
    const connections = streams.size;
    const bytes = { received: sum('to_client'), sent: sum('to_server') };
    console.log(JSON.stringify({ state, closed, missed, connections, maps: seen, verdicts, rss, heapUsed, bytes }));
  };
  const timer = setInterval(tell, 10_000);
  for await (const entry of server) {
    const { record, stream } = entry;
    if (record === 'connection') streams.add(stream);
    if (record !== 'snapshot') continue;
    verdicts[entry.verdict] = (verdicts[entry.verdict] ?? 0) + 1;
    const { name, bytes } = server.map;
    if (bytes && seen.at(-1) !== name) seen.push(name);
    server.input({ direction: entry.tick % 100 < 50 ? 1 : -1, target_x: entry.tick % 200 });
    if (entry.tick % 500 === 0) server.chat(`tick ${entry.tick}`);
  }
  clearInterval(timer);
  tell();
}

async function hold(name, seconds) {
  const kind = kinds[name];
  const port = await freePort();
  const server = new Server(kind.program, port, kind.own);
  await server.start(maps[0]);
  const path = await relay({ target: port, seed: port, ...network });
  const child = spawn(
    process.execPath,
    [fileURLToPath(import.meta.url), 'client', `127.0.0.1:${path.port}`, kind.version],
    {
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  );
  const ended = new Promise((done) => child.on('exit', done));
  let last;
  let minute = 0;
  const begin = Date.now();
  const show = () => {
    const { state, connections, verdicts, rss, heapUsed, bytes } = last;
    const counts = Object.entries(verdicts).map(([verdict, count]) => `${count} ${verdict}`);
    const megabytes = (count) => (count / 1e6).toFixed(2);
    console.log(
      [
        `${name}`.padEnd(14),
        `${Math.round((Date.now() - begin) / 1000)} s`,
        state,
        `${last.maps.join(' ')} (${connections} connections)`,
        counts.join(', '),
        `rss ${megabytes(rss)} MB, heap ${megabytes(heapUsed)} MB`,
        `received ${megabytes(bytes.received)} MB, sent ${megabytes(bytes.sent)} MB`,
      ].join(' · '),
    );
  };
  child.stdout.on('data', (data) => {
    last = JSON.parse(String(data).trim().split('\n').at(-1));
    const now = Math.floor((Date.now() - begin) / 60_000);
    if (now > minute) show();
    minute = now;
  });
  const part = (fraction) => pause(Math.max(0, begin + 1000 * seconds * fraction - Date.now()));
  await part(0.3);
  await server.changeMap(maps[1]);
  await part(0.5);
  await server.stop('SIGTERM');
  await pause(3000);
  await server.start(maps[1]);
  await part(0.7);
  await server.stop('SIGKILL');
  await pause(1000);
  await server.start(maps[0]);
  await part(1);
  const { state } = last ?? {};
  child.kill('SIGTERM');
  await ended;
  path.close();
  await server.end();
  show();
  const wanted = [...maps, maps[0]].join();
  const isBad = ({ mismatch = 0, damaged = 0 }) => mismatch + damaged > 0;
  const isRight = state === 'playing' && !isBad(last.verdicts) && last.connections >= 3 && last.maps.join() === wanted;
  if (!isRight) console.log(`${name}: WRONG: ${JSON.stringify({ ...last, state })}`);
  return isRight;
}

if (process.argv[2] === 'client') await client(...process.argv.slice(3));
else {
  const seconds = Number(process.argv[2] ?? 600);
  const asked = process.argv.slice(3);
  const tried = Object.keys(kinds).filter((name) => asked.length === 0 || asked.includes(name));
  const names = tried.filter((name) => existsSync(kinds[name].program));
  for (const name of tried) if (!names.includes(name)) console.log(`${name}: not tried, the server is missing`);
  const right = await Promise.all(names.map((name) => hold(name, seconds)));
  process.exitCode = right.every(Boolean) ? 0 : 1;
}
