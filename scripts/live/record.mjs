/**
 * Records real clients on real servers with `tw-snap record`, and plays the demos in the games: Debian's DDNet 16.4 and
 * Teeworlds 0.7.5 on a virtual display.
 *
 *     node scripts/live/record.mjs [folder]     after npm run build; about four minutes. The demos stay in the folder, if one is named
 *
 * For each kind it prints the lines of the relay, what `info` says of the demo, and whether the game plays it: to the
 * last words that the server said. One relay is killed (SIGKILL): its demo has to play, too. What was not tried, and
 * for want of what, is said. Exit status 1 if something is wrong.
 */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import process from 'node:process';
import { setTimeout as pause } from 'node:timers/promises';
import { virtualDisplay } from '../games/display.mjs';
import { freePort, Server } from './server.mjs';

const program = join(import.meta.dirname, '../../bin/tw-snap.cjs');
const games = '/usr/games';

/** Who plays what: a client, a server and its map, and the game that plays the demo. */
const kinds = {
  0.7: { client: 'teeworlds', server: 'teeworlds-server', map: 'dm1', player: 'teeworlds' },
  0.6: { client: 'DDNet', server: 'DDNet-Server', map: 'Tsunami', player: 'DDNet' },
  '0.6 killed': { client: 'DDNet', server: 'DDNet-Server', map: 'dm2', player: 'DDNet', killed: true },
  '0.7 on DDNet': { client: 'teeworlds', server: 'DDNet-Server', map: 'Tsunami', player: 'teeworlds' },
  '0.6 as a capture': { client: 'DDNet', server: 'DDNet-Server', map: 'dm1', player: 'DDNet', ending: 'pcapng' },
};
const seconds = 12;
const lastWords = 'these are the last words';

const needed = [
  ...['DDNet', 'DDNet-Server', 'teeworlds', 'teeworlds-server'].map((name) => join(games, name)),
  '/usr/bin/Xvfb',
];
const missing = needed.filter((path) => !existsSync(path));
if (missing.length > 0) {
  console.log(
    `not tried: ${missing.join(', ')} is missing (Debian: ddnet ddnet-server teeworlds teeworlds-server xvfb)`,
  );
  process.exit(0);
}

const into = process.argv[2] ? resolve(process.argv[2]) : mkdtempSync(join(tmpdir(), 'tw-snap-record-'));
mkdirSync(into, { recursive: true });
const display = await virtualDisplay();
const children = new Set();
process.on('exit', () => {
  for (const child of children) child.kill('SIGKILL');
});

/** A program with a home of its own. */
function start(command, args, { home, lines = [] } = {}) {
  const env = {
    ...process.env,
    ...(home && { HOME: home }),
    DISPLAY: display.name,
    SDL_AUDIODRIVER: 'dummy',
    LIBGL_ALWAYS_SOFTWARE: '1',
  };
  const child = spawn(command, args, { cwd: home, env, stdio: ['ignore', 'pipe', 'pipe'] });
  children.add(child);
  let rest = '';
  const read = (text) => {
    rest += text;
    const whole = rest.split('\n');
    rest = whole.pop();
    lines.push(...whole);
  };
  child.stdout.on('data', read);
  child.stderr.on('data', read);
  child.on('exit', () => children.delete(child));
  return child;
}

async function end(child, signal = 'SIGKILL') {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  child.kill(signal);
  await ended;
}

async function until(lines, text, milliseconds = 30_000) {
  for (let waited = 0; waited < milliseconds; waited += 200) {
    const found = lines.find((line) => text.test(line));
    if (found !== undefined) return found;
    await pause(200);
  }
  throw new Error(`no line with ${text}: ${lines.slice(-5).join(' | ')}`);
}

const look = ['gfx_screen_width 320', 'gfx_screen_height 240', 'gfx_fullscreen 0', 'snd_enable 0'];
const told = (game) => (game.startsWith('DDNet') ? 'stdout_output_level 2' : 'console_output_level 2');

const tw = (...args) => spawnSync(process.execPath, [program, ...args], { encoding: 'utf8', cwd: into });

async function record(name, { client, server: serverName, map, killed, ending = 'demo' }) {
  const home = mkdtempSync(join(tmpdir(), 'tw-snap-client-'));
  const [port, listen] = [await freePort(), await freePort()];
  const server = new Server(join(games, serverName), port, ['sv_sixup 1']);
  const file = `${name.replaceAll(' ', '-')}.${ending}`;
  rmSync(join(into, file), { force: true });
  try {
    await server.start(map);
    const lines = [];
    const relay = start(
      process.execPath,
      [program, 'record', `127.0.0.1:${port}`, '-o', join(into, file), '--listen', `127.0.0.1:${listen}`],
      { lines },
    );
    await until(lines, /connect 127/);
    const clientLines = [];
    const game = start(
      join(games, client),
      [...look, told(client), 'player_name recorded', `connect 127.0.0.1:${listen}`],
      {
        home,
        lines: clientLines,
      },
    );
    await until(server.lines, /has entered the game|entered and joined/, 60_000);
    await pause(1000 * seconds);
    await server.tell(`say ${lastWords}`);
    await pause(1500);
    if (!killed) await end(game, 'SIGTERM');
    else await end(relay, 'SIGKILL');
    await pause(500);
    await end(relay, 'SIGINT');
    await end(game);
    for (const line of lines) console.log(`    ${line}`);
    return file;
  } finally {
    for (const child of [...children]) await end(child);
    await server.end();
    rmSync(home, { recursive: true, force: true });
  }
}

/** Whether a game plays a demo: with the map that is in it, to the last words. */
async function plays(game, path) {
  const home = mkdtempSync(join(tmpdir(), 'tw-snap-plays-'));
  const demos = join(home, game === 'DDNet' ? '.local/share/ddnet/demos' : '.teeworlds/demos');
  mkdirSync(demos, { recursive: true });
  copyFileSync(path, join(demos, 'one.demo'));
  const lines = [];
  const child = start(join(games, game), [...look, told(game), 'play demos/one.demo'], { home, lines });
  try {
    return `plays to ${(await until(lines, new RegExp(`chat.*${lastWords}`), 60_000)).split(/chat\S* /).at(-1)}`;
  } catch (error) {
    return error.message;
  } finally {
    await end(child);
    rmSync(home, { recursive: true, force: true });
  }
}

let wrong = 0;
for (const [name, kind] of Object.entries(kinds)) {
  console.log(`${name}: ${kind.client} on ${kind.server}, ${kind.map}`);
  let file = await record(name, kind);
  if (kind.ending === 'pcapng') {
    tw('extract', file, '--demo', '-o', 'extracted.demo');
    file = 'extracted.demo';
  }
  const [{ health, map, size, seconds: length }] = JSON.parse(tw('info', file, '-t', 'json').stdout);
  const happened = await plays(kind.player, join(into, file));
  const isRight = happened.startsWith('plays') && health === 'healthy' && (map.ok || kind.ending);
  if (!isRight) wrong++;
  const about = `${length} s, ${size} bytes, ${map.size_found} of the map, ${health}`;
  console.log(`    ${isRight ? 'ok ' : 'NOT'} ${file}: ${about}; ${kind.player} ${happened}`);
}
if (!process.argv[2]) rmSync(into, { recursive: true, force: true });
display.close();
process.exit(wrong > 0 ? 1 : 0);
