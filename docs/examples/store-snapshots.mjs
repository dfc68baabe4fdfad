// Sends the snapshots of a demo over a network that loses messages, as a server and a client do, and stores what arrives.
// Usage: node store-snapshots.mjs DEMO [LOST], LOST in percent
import { createReadStream } from 'node:fs';
import process from 'node:process';
import { checksum, readDemo } from 'tw-snap';
import { readMessage, SnapshotReceiver, SnapshotSender } from 'tw-snap/live';

const [path, lost = '20'] = process.argv.slice(2);
const [sent, stored] = [new Map(), new Map()];
let sender;
let receiver;
for await (const { record, stream, tick, snapshot } of readDemo(createReadStream(path))) {
  if (record !== 'snapshot' || !snapshot) continue;
  sender ??= new SnapshotSender(stream.protocol);
  receiver ??= new SnapshotReceiver(stream.protocol);
  sent.set(tick, checksum(snapshot));
  for (const bytes of sender.send(tick, snapshot)) {
    if (100 * Math.random() < Number(lost)) continue;
    for (const one of receiver.add(readMessage(bytes, stream.protocol).message)) stored.set(one.tick, one.snapshot);
  }
  sender.acknowledge(receiver.acknowledged);
}
const right = [...stored].filter(([tick, one]) => one && checksum(one) === sent.get(tick));
console.log(`${sent.size} sent, ${stored.size} arrived, ${right.length} are right`);
