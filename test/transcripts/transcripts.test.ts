import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { expect, it } from 'vitest';
import { replay } from '../support/transcript.ts';

const transcripts = readdirSync(import.meta.dirname).filter((name) => name.endsWith('.md'));

/** `UPDATE_TRANSCRIPTS=1 npx vitest run test/transcripts` writes them anew: read what changed. */
it.each(transcripts)('%s', async (name) => {
  const path = join(import.meta.dirname, name);
  const written = readFileSync(path, 'utf8');
  const now = await replay(written);
  if (process.env.UPDATE_TRANSCRIPTS) writeFileSync(path, now);
  else expect(now).toBe(written);
});
