// Programs that do a part of the same work: in the same process if they are JavaScript, otherwise as commands.
import { spawn } from 'node:child_process';
import { createRequire } from 'node:module';
import process from 'node:process';
import { clearTimeout, setTimeout } from 'node:timers';
import { deflateSync, inflateSync } from 'node:zlib';
import { root } from './child.mjs';

/** The npm package `teeworlds` if it is installed: `npm install --no-save teeworlds`. */
export function teeworlds() {
  const require = createRequire(`${root}/package.json`);
  try {
    const { Huffman } = require('teeworlds/lib/huffman');
    const { MsgUnpacker } = require('teeworlds/lib/MsgUnpacker');
    return { huffman: new Huffman(), MsgUnpacker };
  } catch (error) {
    if (error.code === 'MODULE_NOT_FOUND') return undefined;
    throw error;
  }
}

/** A well-known reference: zlib decompresses the same bytes as one stream. */
export function inflateOf(unpacked) {
  const deflated = deflateSync(Buffer.concat(unpacked));
  return () => inflateSync(deflated);
}

/** The time limit of a peer, in case it cannot handle the file. */
const maxSeconds = 60;

/**
 * Runs `COMMAND FILE N`, which reads a recording N times and prints JSON with the median `seconds`.
 * @param command contains FILE and N, otherwise they are appended
 */
export async function secondsOfPeer(command, file, runs) {
  const quoted = `'${file.replaceAll("'", String.raw`'\''`)}'`;
  const whole = /\bFILE\b/.test(command) ? command : `${command} FILE N`;
  const line = whole.replace(/\bFILE\b/, () => quoted).replace(/\bN\b/, String(runs));
  const printed = await printedBy(line);
  const { seconds, snapshots } = JSON.parse(printed.trim().split('\n').at(-1));
  if (snapshots === 0) throw new Error('it finds no snapshots');
  if (typeof seconds !== 'number') throw new Error(`no seconds in ${printed}`);
  return seconds;
}

function printedBy(line) {
  // A separate process group, so that all children of the shell can be ended.
  const child = spawn(line, { shell: true, detached: true, stdio: ['ignore', 'pipe', 'ignore'] });
  const timer = setTimeout(() => process.kill(-child.pid, 'SIGKILL'), 1000 * maxSeconds);
  let printed = '';
  child.stdout.on('data', (piece) => {
    printed += piece;
  });
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (status, signal) => {
      clearTimeout(timer);
      if (status === 0) resolve(printed);
      else reject(new Error(signal ? `not done after ${maxSeconds} s` : `exit ${status}`));
    });
  });
}
