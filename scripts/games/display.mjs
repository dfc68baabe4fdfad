import { spawn } from 'node:child_process';
import { once } from 'node:events';

/** @typedef {Awaited<ReturnType<typeof virtualDisplay>>} Display */

/**
 * A virtual display for games. Xvfb takes the first number that is free, and says it when clients may connect: a number
 * of our own may still be held by a server that was told to end a moment ago.
 *
 * @param {string} [xvfb]
 */
export async function virtualDisplay(xvfb = '/usr/bin/Xvfb') {
  const args = ['-displayfd', '1', '-screen', '0', '320x240x24'];
  const server = spawn(xvfb, args, { stdio: ['ignore', 'pipe', 'ignore'] });
  const ended = once(server, 'exit').then(() => Promise.reject(new Error('Xvfb has ended')));
  ended.catch(() => {});
  const [number] = await Promise.race([once(server.stdout, 'data'), ended]);
  return { name: `:${String(number).trim()}`, close: () => server.kill() };
}
