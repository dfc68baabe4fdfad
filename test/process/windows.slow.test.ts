import { join } from 'node:path';
import process from 'node:process';
import { expect, it } from 'vitest';
import { hasTool, spawnSync } from '../support/host.ts';

const root = join(import.meta.dirname, '../..');

function expectTheSame(...args: readonly string[]): void {
  const script = join(root, 'scripts/windows/check.mjs');
  const { status, stdout, stderr } = spawnSync(process.execPath, [script, ...args], { encoding: 'utf8' });
  expect(
    stdout.split('\n').filter((line) => !line.startsWith('same')),
    stderr,
  ).toEqual([expect.stringMatching(/^\d+ passed, 0 failed$/), '']);
  expect(status).toBe(0);
}

it.skipIf(!hasTool('wine'))(
  'every command does on Windows what it does here (needs wine)',
  { timeout: 1_800_000 },
  () => expectTheSame(),
);

it.skipIf(!hasTool('wine'))('so does the single file for Windows (needs wine)', { timeout: 900_000 }, () => {
  const args = ['scripts/release/binaries.mjs', '--windows', '22.23.3'];
  const made = spawnSync(process.execPath, args, { cwd: root, encoding: 'utf8' });
  expect(made.status, made.stderr).toBe(0);
  // Files that it has in itself: threads, the page, help; and paths.
  const words = ['first.huff', '--jobs 2', 'report', 'Übung', 'help'];
  expectTheSame('--single', join(root, 'release/binary/tw-snap.exe'), ...words);
});
