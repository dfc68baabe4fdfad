// Compares what servers logged of the sessions that record.mjs recorded with what tw-snap tells of each capture; prints
// a table. Usage: node scripts/loss/check.mjs FOLDER
import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { places } from './relay.mjs';

const program = fileURLToPath(new URL('../../bin/tw-snap.cjs', import.meta.url));
const [folder] = process.argv.slice(2);

const run = (...args) => spawnSync(process.execPath, [program, ...args], { encoding: 'utf8' });

/** What the server logged: how many players entered, what was said, and why each was dropped, in this order. */
function loggedIn(log) {
  const all = (pattern) => [...log.matchAll(pattern)].map(([, reason = '']) => reason);
  const dropped = all(/client dropped\. .*reason='(.*)'/g);
  return {
    entered: all(/has entered the game/g).length,
    said: all(/: hello$/gm).length,
    ends: dropped.length > 0 ? dropped : all(/has left the game(?: \((.*)\))?/g),
  };
}

/** The same as `info` tells it, for each connection. */
function toldOf(capture) {
  const [{ connections, health }] = JSON.parse(run('info', capture, '-t', 'json').stdout);
  // Of what stays open nothing shows whether the server took it: the last message before the end.
  const chat = run('dump', capture, '-t', 'ndjson', '--type', 'cl_say').stdout.split('\n');
  const open = chat.filter((line) => line.startsWith('{"record":"message"') && line.includes('"fate":"open"'));
  const text = run('info', '-v', capture).stdout;
  const ends = [...text.matchAll(/time +\S+ to \S+,\s+([\s\S]*?)\n {2}(?:sent|server)/g)];
  const sum = (of) => connections.reduce((sum, { to_server: sent, to_client: got }) => sum + of(sent, got), 0);
  const said = sum(({ messages }) => messages.cl_say ?? 0);
  return {
    entered: sum(({ messages }) => messages.enter_game ?? 0),
    said: [said - open.length, said],
    named: sum(({ messages }) => messages.cl_startinfo ?? 0),
    // A server of 0.6.5 sends a challenge to older clients, so that they announce themselves twice.
    ready: sum((_, got) => got.messages.con_ready ?? 0),
    ends: ends.map(([, end]) => end.replace(/\s+/g, ' ')),
    health,
  };
}

/**
 * Whether the end that is told is the one that the server logged. A client's own close is empty; where the server says
 * nothing of a timeout on the network, as DDNet, the end that went on is told.
 */
function isSameEnd(logged, told) {
  if (logged === undefined) return told.startsWith('not seen to end') || /timeout/i.test(told);
  if (logged === '') return told.startsWith('closed by the client') && !told.includes('did not arrive');
  const isSent = told.includes(`closed by the server (${logged})`);
  if (logged.startsWith('Too weak connection') && told.includes('too weak connection')) return true;
  return isSent || (logged === 'Timeout' && (told.includes('did not arrive') || told.includes('timeout')));
}

/**
 * Whether each end that was logged is told of a connection, in the same order. A server logs nothing of who never was in
 * its game; its machine does not see a close that is lost on the way there, nor anybody that it gave up.
 */
function areSameEnds(logged, told, place) {
  const isOpen = (end, text) => text.startsWith('not seen to end') && (place === 'server' || end === 'Timeout');
  const rest = [...told];
  for (const end of logged) {
    const at = rest.findIndex((text) => isSameEnd(end, text) || isOpen(end, text));
    if (at < 0) return false;
    rest.splice(0, at + 1);
  }
  return logged.length > 0 || told.length !== 1 || told[0].startsWith('closed by') || isSameEnd(undefined, told[0]);
}

let wrong = 0;
console.log('| session | captured at | logged | told |\n|---|---|---|---|');
for (const file of readdirSync(folder).filter((name) => name.endsWith('.log'))) {
  const name = file.slice(0, -4);
  const logged = loggedIn(readFileSync(join(folder, file), 'utf8'));
  for (const place of places) {
    const told = toldOf(join(folder, `${name}.${place}.pcap`));
    const isRight =
      told.entered === logged.entered &&
      // DDNet mutes who says too much.
      (told.said[0] <= logged.said || (name.includes('chats') && name.startsWith('ddnet'))) &&
      logged.said <= told.said[1] &&
      told.named >= told.entered &&
      told.named <= Math.max(told.ready, told.ends.length) &&
      areSameEnds(logged.ends, told.ends, place);
    if (!isRight) wrong++;
    const mark = isRight ? '' : '**';
    const was = `${logged.entered} entered, ${logged.said} chats, ends: ${logged.ends.map((end) => `'${end}'`).join(' ')}`;
    const is = `${told.entered} enter_game, ${told.named} cl_startinfo, ${told.said.join(' to ')} cl_say`;
    console.log(`| ${name} | ${place} | ${was} | ${mark}${is}; ${told.ends.join(' / ')}; ${told.health}${mark} |`);
  }
}
process.exitCode = wrong > 0 ? 1 : 0;
