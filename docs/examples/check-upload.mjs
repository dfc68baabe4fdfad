// What a bot says of an uploaded file: whether it is a recording, of which map and players, and whether it is right.
// Usage: node check-upload.mjs FILE; exits with 1 if the file is not healthy, with 3 if it is no recording.
import { createReadStream } from 'node:fs';
import process from 'node:process';
import { DecodeError } from 'tw-snap';
import { summaryOf } from 'tw-snap/match';

try {
  const summary = await summaryOf(createReadStream(process.argv[2]));
  const { format, map, health, snapshots, seconds = 0, diagnostics } = summary;
  console.log(`${format}${map ? ` of ${map.name}` : ''}: ${health}`);
  if (snapshots !== undefined) console.log(`${snapshots} snapshots in ${Math.round(seconds)} s`);
  for (const { client = 'players', players = [] } of summary.connections ?? [summary])
    console.log(`${client}: ${players.join(', ')}`);
  for (const { code, offset } of diagnostics.slice(0, 5)) console.log(`${code} at ${offset}`);
  process.exitCode = health === 'healthy' ? 0 : 1;
} catch (error) {
  if (!(error instanceof DecodeError)) throw error;
  console.log(error.message);
  process.exitCode = 3;
}
