/**
 * Tries the verdicts of `info` about demos in the real games: Debian's DDNet 16.4 and Teeworlds 0.7.5, each on a
 * virtual display.
 *
 *     node scripts/games/plays.mjs [seconds for all] [part of a name]     after npm run build
 *
 * A file takes up to a minute on a busy machine. For each it prints the verdict for the installed game, what happened,
 * and whether that agrees. Exit status 1 if something does not agree; what was not tried, and for want of what, is said.
 * A game begins in a home of its own, without maps of the player.
 */
import { spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { setTimeout as pause } from 'node:timers/promises';
import { crc32 } from 'node:zlib';
import { virtualDisplay } from './display.mjs';

const root = join(import.meta.dirname, '../..');
const program = join(root, 'bin/tw-snap.cjs');
const end = Date.now() + 1000 * Number(process.argv[2] ?? 1800);
const perFile = 45_000;
const games = { DDNet: '16.4', teeworlds: '0.7.5' };

const sample = (name) => readFileSync(join(root, 'samples', name));
const corpus = (name) => {
  const path = join(root, '../shared/corpus', name);
  return existsSync(path) ? readFileSync(path) : undefined;
};

/** A demo without its map: the size in the header becomes 0. */
function withoutMap(demo) {
  const start = demo[7] < 6 ? 436 : 484;
  const size = demo.readInt32BE(136);
  const made = Buffer.concat([demo.subarray(0, start), demo.subarray(start + size)]);
  made.writeInt32BE(0, 136);
  return made;
}

const changed = (demo, change) => {
  const made = Buffer.from(demo);
  change(made);
  return made;
};
const chunksAt = (demo) => (demo[7] < 6 ? 436 : 484) + demo.readInt32BE(136);

/** The same with another map name, so that no map of the game's own data fits. */
const renamed = (demo) => changed(demo, (bytes) => bytes.write('nowhere', 72));

/** The same with another map, of which the header is true. */
function withMap(demo, map) {
  const start = demo[7] < 6 ? 436 : 484;
  const made = Buffer.concat([demo.subarray(0, start), map, demo.subarray(chunksAt(demo))]);
  made.writeInt32BE(map.length, 136);
  made.writeUInt32BE(crc32(map), 140);
  if (start === 484) createHash('sha256').update(map).digest().copy(made, 452);
  return renamed(made);
}
const mapOf = (demo) => demo.subarray(demo[7] < 6 ? 436 : 484, chunksAt(demo));

const vanilla = sample('vanilla-dm1.demo');
const race = corpus('06-ddnet-race-client-auto.demo');

const kinds = (name, demo) =>
  demo
    ? {
        [`${name}, as it is`]: demo,
        [`${name}, another name of the map`]: renamed(demo),
        [`${name}, its map left out`]: renamed(withoutMap(demo)),
        [`${name}, a byte of the map changed`]: changed(renamed(demo), (bytes) =>
          bytes.writeUInt8(bytes[1000] ^ 1, 1000),
        ),
        [`${name}, only the header and the map`]: demo.subarray(0, chunksAt(demo)),
        [`${name}, the first tick alone`]: demo.subarray(0, secondTick(demo)),
        [`${name}, net version 0.5`]: changed(demo, (bytes) => bytes.write('0.5 b67d1f1a1eea234e', 8)),
        [`${name}, version 2`]: changed(demo, (bytes) => bytes.writeUInt8(2, 7)),
        [`${name}, three markers`]: changed(demo, (bytes) => {
          bytes.writeInt32BE(3, 176);
          for (const [i, tick] of [0, 0, 1 << 30].entries()) bytes.writeInt32BE(tick, 180 + 4 * i);
        }),
        [`${name}, another magic`]: changed(demo, (bytes) => bytes.write('TWGHOST', 0)),
        [`${name}, a type of no game`]: changed(demo, (bytes) => bytes.write('nothing', 144)),
        [`${name}, a negative length`]: changed(demo, (bytes) => bytes.writeInt32BE(-5, 152)),
        [`${name}, text that is not UTF-8`]: changed(demo, (bytes) => bytes.writeUInt8(0xff, 156)),
        [`${name}, 65 markers`]: changed(demo, (bytes) => bytes.writeInt32BE(65, 176)),
        [`${name}, another crc`]: changed(renamed(demo), (bytes) => bytes.writeUInt8(bytes[140] ^ 1, 140)),
        [`${name}, its map is garbage`]: withMap(demo, Buffer.alloc(1000, 'garbage!')),
        [`${name}, its map is cut in its tables`]: withMap(demo, mapOf(demo).subarray(0, 100)),
        [`${name}, its map is cut in its data`]: withMap(demo, mapOf(demo).subarray(0, -100)),
        [`${name}, no keyframe`]: changed(demo, (bytes) => {
          for (const at of markersOf(demo)) bytes[at] &= ~0x40;
        }),
        [`${name}, a first tick below 0`]: changed(demo, (bytes) => bytes.writeInt32BE(-9, chunksAt(demo) + 1)),
        [`${name}, a chunk of type 0`]: inserted(demo, Buffer.from([0x00])),
        [`${name}, an empty chunk`]: inserted(demo, Buffer.from([0x40])),
        [`${name}, a chunk of garbage`]: inserted(demo, Buffer.concat([Buffer.from([0x48]), Buffer.from('garbage!')])),
        [`${name}, cut in a chunk`]: demo.subarray(0, demo.length - 3),
      }
    : {};

/** The demo with a chunk before its second tick marker. */
function inserted(demo, chunk) {
  const at = secondTick(demo);
  return Buffer.concat([demo.subarray(0, at), chunk, demo.subarray(at)]);
}

/** Where the second tick marker begins. */
const secondTick = (demo) => markersOf(demo)[1];

/** Where the tick markers begin. */
function markersOf(demo) {
  const found = [];
  for (let at = chunksAt(demo); at < demo.length; ) {
    const first = demo[at];
    if (first & 0x80) {
      found.push(at);
      const isAbsolute = demo[7] < 5 ? (first & 0x3f) === 0 : (first & 0x20) === 0;
      at += isAbsolute ? 5 : 1;
    } else {
      const size = first & 0x1f;
      if (size < 30) at += 1 + size;
      else at += size === 30 ? 2 + demo[at + 1] : 3 + demo.readUInt16LE(at + 1);
    }
  }
  return found;
}

const files = { ...kinds('race of DDNet', race), ...kinds('match of 0.7', vanilla) };

/** What `info` says of the version of a game that is installed; undefined for a game that is not in its list. */
function verdictOf(path, game) {
  const { stdout } = spawnSync(process.execPath, [program, 'info', path, '-t', 'json'], { encoding: 'utf8' });
  const [{ plays = [] }] = JSON.parse(stdout);
  const number = (version) => version.split('.').reduce((sum, part, i) => sum + Number(part) / 1000 ** i, 0);
  const version = number(games[game]);
  const has = ({ from, before }) => number(from) <= version && (before === null || version < number(before));
  return plays.find((candidate) => candidate.game.toLowerCase() === game.toLowerCase() && has(candidate))?.play;
}

/** What a log shows, the surest sign first. */
const signs = [
  [
    'refused',
    /is not a demo file|demo version \d+ is not supported|net version '.*' is not supported|error loading demo/,
  ],
  ['needs_map', /disconnecting\. reason='(?:map (?:differs|'.*' not found)|could not find map)/i],
  // DDNet says of some chunks no more than that it stops, after the map.
  [
    'stops',
    /empty demo|error reading chunk|error during (?:network|intpack)|loading done\. datafile='downloadedmaps[\s\S]*Stopped playback/,
  ],
  // The menu has a map of its own. DDNet does not say that it took the map, but shows the chat.
  ['plays', /loaded map '(?:maps|downloadedmaps)\/|\bchat(?:\/\w+)?: /],
];

async function played(game, name, demo, display) {
  const home = mkdtempSync(join(tmpdir(), 'tw-snap-plays-'));
  const demos = join(home, game === 'DDNet' ? '.local/share/ddnet/demos' : '.teeworlds/demos');
  mkdirSync(demos, { recursive: true });
  writeFileSync(join(demos, 'one.demo'), demo);
  const path = join(demos, 'one.demo');
  const verdict = verdictOf(path, game);
  const size = ['gfx_screen_width 320', 'gfx_screen_height 240', 'gfx_fullscreen 0', 'snd_enable 0'];
  const level = game === 'DDNet' ? 'stdout_output_level 2' : 'console_output_level 2';
  const env = { ...process.env, HOME: home, DISPLAY: display, SDL_AUDIODRIVER: 'dummy', LIBGL_ALWAYS_SOFTWARE: '1' };
  const child = spawn(`/usr/games/${game}`, [...size, level, 'play demos/one.demo'], {
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let log = '';
  child.stdout.on('data', (data) => (log += data));
  child.stderr.on('data', (data) => (log += data));
  const until = Math.min(Date.now() + perFile, end);
  const found = () => signs.find(([, sign]) => sign.test(log))?.[0];
  while (Date.now() < until && child.exitCode === null && child.signalCode === null && !found()) await pause(300);
  if (found() === 'plays') await pause(4000);
  const happened =
    child.signalCode || child.exitCode
      ? `ended (${child.signalCode ?? child.exitCode})`
      : (found() ?? 'no sign in time');
  child.kill('SIGKILL');
  rmSync(home, { recursive: true, force: true });
  return { name, verdict, happened };
}

const missing = ['/usr/games/DDNet', '/usr/games/teeworlds', '/usr/bin/Xvfb'].filter((path) => !existsSync(path));
if (missing.includes('/usr/bin/Xvfb') || missing.length === 3) {
  console.log(`not tried: ${missing.join(', ')} is missing (Debian: ddnet teeworlds xvfb)`);
  process.exit(0);
}
const display = await virtualDisplay();
let [wrong, tried, left] = [0, 0, 0];
for (const game of Object.keys(games)) {
  if (missing.includes(`/usr/games/${game}`)) {
    console.log(`${game}: not tried, it is missing`);
    continue;
  }
  for (const [name, demo] of Object.entries(files)) {
    // DDNet 16.4 plays no demos of 0.7, and Teeworlds only its own.
    if ((game === 'DDNet') !== name.startsWith('race') || !name.includes(process.argv[3] ?? '')) continue;
    if (Date.now() > end) {
      left++;
      continue;
    }
    const { verdict, happened } = await played(game, name, demo, display.name);
    const agrees =
      // Of a map that cannot be opened a game says the same as of one that is not there.
      (verdict === 'refused' && happened === 'needs_map') ||
      (verdict ?? 'refused') === happened ||
      (happened === 'plays' && verdict === 'stops' && name.endsWith('chunk'));
    tried++;
    if (!agrees) wrong++;
    console.log(
      `${agrees ? 'ok ' : 'NOT'} ${game.padEnd(9)} ${name.padEnd(46)} verdict ${verdict ?? 'not in the list'}; ${happened}`,
    );
  }
}
display.close();
if (!race) console.log('not tried: the race, for want of ../shared/corpus');
console.log(`${tried} tried, ${wrong} do not agree${left > 0 ? `, ${left} left for want of time` : ''}`);
process.exit(wrong > 0 ? 1 : 0);
