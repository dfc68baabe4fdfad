import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { expect, it } from 'vitest';
import { replay } from './support/transcript.ts';

const path = join(import.meta.dirname, '../README.md');

/** `UPDATE_TRANSCRIPTS=1 npx vitest run test/readme.test.ts` writes the outputs anew: read what changed. */
it('shows every command of the README with its real output', async () => {
  const written = readFileSync(path, 'utf8');
  const now = await replay(written);
  if (process.env.UPDATE_TRANSCRIPTS) writeFileSync(path, now);
  else expect(now).toBe(written);
});
