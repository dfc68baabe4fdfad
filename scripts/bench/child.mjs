// Measures processes from outside.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';

export const root = join(import.meta.dirname, '../..');
export const launcher = join(root, 'bin/tw-snap.cjs');

/** Runs Node and returns its output as JSON. */
export function jsonOf(args) {
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8', maxBuffer: 1 << 26 });
  if (status !== 0) throw new Error(`node ${args.join(' ')}: exit ${status}\n${stderr}`);
  return JSON.parse(stdout);
}

/** Bash times the command alone and counts what it prints: `3` is where its errors go, `4` where the times go. */
const timed = `set -o pipefail; TIMEFORMAT='%3U %3S'; { time "$@" 2>&3; } 3>&2 2>&4 | wc -c`;

/**
 * Runs Node. Its computing time in seconds (user and system, all threads, from start to end), and how many bytes it
 * prints into a pipe.
 */
export function measured(args) {
  const run = spawnSync('bash', ['-c', timed, 'bash', process.execPath, ...args], {
    stdio: ['ignore', 'pipe', 'pipe', 'ignore', 'pipe'],
    encoding: 'utf8',
    cwd: root,
  });
  if (run.status !== 0) throw new Error(`node ${args.join(' ')}: exit ${run.status}\n${run.stderr}`);
  const [user, system] = run.output[4].split(' ').map(Number);
  return { seconds: user + system, bytes: Number(run.stdout) };
}

/** The computing time of a Node process in seconds and its peak memory in MB, which it reports at its end. */
export function peakOf(args) {
  const place = mkdtempSync(join(tmpdir(), 'tw-snap-bench-'));
  try {
    const reporter = join(place, 'reporter.cjs');
    const reported = join(place, 'reported');
    const report = `require('fs').writeFileSync(${JSON.stringify(reported)}, JSON.stringify(process.resourceUsage()))`;
    writeFileSync(reporter, `process.on('exit', () => ${report});\n`);
    const { seconds } = measured(['--require', reporter, ...args]);
    const { maxRSS } = JSON.parse(readFileSync(reported, 'utf8'));
    return { seconds, megabytes: (maxRSS * 1024) / 1e6 };
  } finally {
    rmSync(place, { recursive: true, force: true });
  }
}
