import { join } from 'node:path';
import process from 'node:process';
import { expect, it } from 'vitest';
import { hasTool, spawnSync } from '../support/host.ts';

it.skipIf(!hasTool('wine'))(
  'every command does on Windows what it does here (needs wine)',
  { timeout: 1_800_000 },
  () => {
    const script = join(import.meta.dirname, '../../scripts/windows/check.mjs');
    const { status, stdout, stderr } = spawnSync(process.execPath, [script], { encoding: 'utf8' });
    expect(
      stdout.split('\n').filter((line) => !line.startsWith('same')),
      stderr,
    ).toEqual([expect.stringMatching(/^\d+ passed, 0 failed$/), '']);
    expect(status).toBe(0);
  },
);
