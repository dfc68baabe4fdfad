// Checks all recordings of a folder; exits with 1 if one of them is not healthy.
// Usage: node check-folder.mjs FOLDER
import { createReadStream, readdirSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { DecodeError } from 'tw-snap';
import { summaryOf } from 'tw-snap/match';

const folder = process.argv[2];
for (const name of readdirSync(folder)) {
  try {
    const { format, map, health, snapshots = 0, diagnostics } = await summaryOf(createReadStream(join(folder, name)));
    console.log(`${name}: ${format} ${map?.name ?? ''}, ${snapshots} snapshots, ${health}`);
    for (const { code, offset } of diagnostics) console.log(`  ${code} at ${offset}`);
    if (health !== 'healthy') process.exitCode = 1;
  } catch (error) {
    if (!(error instanceof DecodeError)) throw error;
    console.log(`${name}: ${error.message}`);
  }
}
