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

/** What the server logged: whether the player entered, what was said, and why and when the player was dropped. */
function loggedIn(log) {
  const left = /client dropped\. .*reason='(.*)'|has left the game(?: \((.*)\))?/.exec(log);
  return {
    entered: /has entered the game/.test(log),
    said: (log.match(/: hello$/gm) ?? []).length,
    end: left ? (left[1] ?? left[2] ?? '') : undefined,
  };
}

/** The same as `info` tells it. */
function toldOf(capture) {
  const [{ connections, health }] = JSON.parse(run('info', capture, '-t', 'json').stdout);
  const [{ to_server: toServer, to_client: toClient }] = connections;
  const { enter_game: entered = 0, cl_say, cl_startinfo: named = 0 } = toServer.messages;
  // Of what stays open nothing shows whether the server took it: the last message before the end.
  const chat = run('dump', capture, '-t', 'ndjson', '--type', 'cl_say').stdout.split('\n');
  const open = chat.filter((line) => line.startsWith('{"record":"message"') && line.includes('"fate":"open"'));
  const said = cl_say ? [cl_say - open.length, cl_say] : [0];
  const text = run('info', '-v', capture).stdout;
  const end = /time +\S+ to \S+,\s+([\s\S]*?)\n {2}(?:sent|server)/.exec(text)?.[1].replace(/\s+/g, ' ');
  // A server of 0.6.5 sends a challenge to older clients, so that they announce themselves twice.
  const ready = toClient.messages.con_ready ?? 0;
  return { entered, said, named, ready, end, health };
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

let wrong = 0;
console.log('| session | captured at | logged | told |\n|---|---|---|---|');
for (const file of readdirSync(folder).filter((name) => name.endsWith('.log'))) {
  const name = file.slice(0, -4);
  const logged = loggedIn(readFileSync(join(folder, file), 'utf8'));
  for (const place of places) {
    const told = toldOf(join(folder, `${name}.${place}.pcap`));
    const isRight =
      (told.entered === 1) === logged.entered &&
      told.said.includes(logged.said) &&
      told.named === (logged.entered ? told.ready : 0) &&
      // The server's machine does not see a close that is lost on the way there.
      // A server logs nothing of who never was in its game.
      ((!logged.entered && logged.end === undefined) ||
        isSameEnd(logged.end, told.end) ||
        (place === 'server' && told.end === 'not seen to end'));
    if (!isRight) wrong++;
    const inWords = `${logged.entered ? 'entered' : 'not entered'}, ${logged.said} chat, end: ${logged.end ?? 'none'}`;
    console.log(
      `| ${name} | ${place} | ${inWords} | ${isRight ? '' : '**'}${told.entered} enter_game, ${told.named} cl_startinfo, ${told.said.at(-1)} cl_say; ${told.end}; ${told.health}${isRight ? '' : '**'} |`,
    );
  }
}
process.exitCode = wrong > 0 ? 1 : 0;
