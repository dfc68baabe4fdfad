import type { SpawnOptions } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import process from 'node:process';
import { afterAll, beforeAll } from 'vitest';
import { execFileSync, spawn, type Tool, tool } from './host.ts';

const root = resolve(import.meta.dirname, '../..');
export const program = join(root, 'bin/tw-snap.cjs');
export const samplePath = (name: string) => join(root, 'samples', name);

/** The built program, and a temporary folder for the tests of a file. */
export function withProgram(): { readonly folder: string } {
  const place = { folder: '' };
  beforeAll(() => {
    place.folder = mkdtempSync(join(tmpdir(), 'tw-snap-process-'));
    if (!existsSync(join(root, 'dist/cli/cli.cjs'))) execFileSync('npm', ['run', 'build'], { cwd: root });
  });
  afterAll(() => rmSync(place.folder, { recursive: true, force: true }));
  return place;
}

interface Ended {
  readonly status: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** A running program; `ended` resolves when it has ended and its streams are closed. */
export function start(command: Tool | string, args: readonly string[], options: SpawnOptions = {}) {
  const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'pipe'], ...options });
  const [out, err]: [Buffer[], Buffer[]] = [[], []];
  child.stdout?.on('data', (data: Buffer) => out.push(data));
  child.stderr?.on('data', (data: Buffer) => err.push(data));
  const ended = new Promise<Ended>((done, failed) => {
    child.on('error', failed);
    child.on('close', (status, signal) => {
      done({ status, signal, stdout: Buffer.concat(out).toString(), stderr: Buffer.concat(err).toString() });
    });
  });
  return { child, ended };
}

export const run = (args: readonly string[], options?: SpawnOptions) =>
  start(process.execPath, [program, ...args], options).ended;

/** Runs a shell line in which `tw-snap` is the built program. */
export const shell = (line: string, options?: SpawnOptions) =>
  start(tool('bash'), ['-c', `tw-snap() { "${process.execPath}" "${program}" "$@"; }\n${line}`], options).ended;

/** Waits until a condition is true; only a hang takes that long. */
export async function until(isSo: () => boolean, milliseconds = 110_000): Promise<void> {
  for (let waited = 0; !isSo(); waited += 10) {
    if (waited > milliseconds) throw new Error('it never came to that');
    await new Promise((done) => setTimeout(done, 10));
  }
}
