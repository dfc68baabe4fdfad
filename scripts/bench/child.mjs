// Measures processes from outside.
import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import process from 'node:process';

export const root = join(import.meta.dirname, '../..');
export const launcher = join(root, 'bin/tw-snap.cjs');

/** Runs Node and returns its output as JSON. */
export function jsonOf(args) {
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8', maxBuffer: 1 << 26 });
  if (status !== 0) throw new Error(`node ${args.join(' ')}: exit ${status}\n${stderr}`);
  return JSON.parse(stdout);
}

/** The seconds from start to end of a Node process, whose output is ignored. */
export function secondsOf(args) {
  const start = performance.now();
  const { status, stderr } = spawnSync(process.execPath, args, { stdio: ['ignore', 'ignore', 'pipe'], cwd: root });
  if (status !== 0) throw new Error(`node ${args.join(' ')}: exit ${status}\n${stderr}`);
  return (performance.now() - start) / 1000;
}

/** The seconds and bytes of a Node process that writes to a pipe, which is read as fast as possible. */
export function pipedFrom(args) {
  const start = performance.now();
  let bytes = 0;
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'ignore'], cwd: root });
  child.stdout.on('data', (piece) => {
    bytes += piece.length;
  });
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', () => resolve({ bytes, seconds: (performance.now() - start) / 1000 }));
  });
}

/** The elapsed and the CPU seconds of a Node process and its peak memory in MB, which it reports at its end. */
export function peakOf(args) {
  const place = mkdtempSync(join(tmpdir(), 'tw-snap-bench-'));
  try {
    const reporter = join(place, 'reporter.cjs');
    const reported = join(place, 'reported');
    const report = `require('fs').writeFileSync(${JSON.stringify(reported)}, JSON.stringify(process.resourceUsage()))`;
    writeFileSync(reporter, `process.on('exit', () => ${report});\n`);
    const seconds = secondsOf(['--require', reporter, ...args]);
    const { userCPUTime, systemCPUTime, maxRSS } = JSON.parse(readFileSync(reported, 'utf8'));
    return { seconds, computing: (userCPUTime + systemCPUTime) / 1e6, megabytes: (maxRSS * 1024) / 1e6 };
  } finally {
    rmSync(place, { recursive: true, force: true });
  }
}
