// Prints the positions of one player in a demo as CSV: a row for each snapshot that contains the player's character.
// Usage: node player-positions.mjs FILE.demo CLIENT_ID
import { createReadStream } from 'node:fs';
import process from 'node:process';
import { item, readDemo } from 'tw-snap';
import { ticksPerSecond } from 'tw-snap/codec';

const unitsPerTile = 32;

const [file, client] = process.argv.slice(2);
console.log('tick,seconds,x,y');
let firstTick;
// Each record is used at once, so the reader may fill the same buffers for the next one.
await readDemo(createReadStream(file), { messages: false, reuse: true }).each((entry) => {
  if (entry.record !== 'snapshot') return;
  firstTick ??= entry.tick;
  const character = item(entry.snapshot, entry.stream.protocol, 'obj_character', Number(client));
  if (character) {
    const seconds = (entry.tick - firstTick) / ticksPerSecond;
    console.log([entry.tick, seconds, character.fields.x / unitsPerTile, character.fields.y / unitsPerTile].join(','));
  }
});
