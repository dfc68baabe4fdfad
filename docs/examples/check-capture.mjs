// Compares the checksum of every snapshot in a capture with the one that its server announced, and lists what differs or can't be
// rebuilt. Exits with 1 if a checksum differs.
// Usage: node check-capture.mjs FILE.pcap
import { createReadStream } from 'node:fs';
import process from 'node:process';
import { readCapture } from 'tw-snap';

const counts = new Map();
await readCapture(createReadStream(process.argv[2]), { messages: false, reuse: true }).each((entry) => {
  if (entry.record !== 'snapshot') return;
  const { stream, tick, verdict, snapshot, announced } = entry;
  counts.set(verdict, (counts.get(verdict) ?? 0) + 1);
  if (verdict === 'mismatch') {
    console.log(
      `${stream.client} tick ${tick}: the checksum is ${snapshot.checksum()}, but ${announced} was announced`,
    );
  } else if (verdict !== 'ok' && verdict !== 'unchecked') console.log(`${stream.client} tick ${tick}: ${verdict}`);
});
for (const [verdict, count] of counts) console.log(`${verdict}: ${count}`);
process.exitCode = counts.has('mismatch') ? 1 : 0;
