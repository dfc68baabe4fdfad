// node scripts/story/answers.mjs FILE.pcap…
//
// Answers taken away: for each row of answers (docs/formats/expected.md), each message that is an answer is replaced by
// another one, as if the other end had sent that instead. Numbers, acks and times stay. Where the question was taken and
// the other end spoke on for two resends, the row has to tell it, and no other row may tell of another thing.
// Prints a line of each row and what was not told, and exits with 1 then.
import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import process from 'node:process';
import { readCapture } from '../../dist/library/api/index.js';
import { readMessage, writeMessage, writePacket } from '../../dist/library/api/live.js';
import { answers } from '../../dist/library/api/unstable.js';
import { linkBytes, recordsOf, withPayload } from './pcap.mjs';

const resends = 2;
/** Packets are under way, and an ack comes with the next one. */
const slack = 0.5;

/** What the other end sends in place of an answer: a message that no row names. */
const others = {
  to_client: ['sv_motd', { message: '' }],
  to_server: ['cl_emoticon', { emoticon: 0 }],
};

/** The packets of connections with chunks, by frame, and the messages in them. */
function packetsOf(bytes) {
  const packets = new Map();
  readCapture(bytes, { parts: true, reuse: true }).each((entry) => {
    const { record, packet, stream, direction, frame, time, code } = entry;
    if (record !== 'packet' || !stream || code || packet?.kind !== 'chunks') return;
    const { version, ack, resend, token } = packet;
    const payload = packet.payload.slice();
    const chunks = packet.chunks.map(({ start, end, vital, resend, sequence }) => {
      const message = payload.subarray(start, end);
      const { type, values } = readMessage(message, version).message;
      return { message, vital, resend, sequence, name: type?.name, values };
    });
    packets.set(frame, { client: stream.client, direction, time, version, ack, resend, token, chunks });
  });
  return packets;
}

const keyOf = ({ values }, row) => row.key && values.find(({ name }) => name === row.key)?.value;
const steps = (from, to) => ((to - from + 1536) % 1024) - 512;

/** The connections in which a question of the row was taken, and after which the other end spoke for long enough. */
function provable(packets, row) {
  const found = new Set();
  const all = [...packets.values()];
  for (const [i, { client, direction, chunks, time }] of all.entries()) {
    if (row.by !== 'both' && (row.by === 'client') !== (direction === 'to_server')) continue;
    for (const chunk of chunks) {
      if (chunk.name !== row.after || !chunk.vital || found.has(client)) continue;
      const after = all.slice(i + 1).filter((packet) => packet.client === client);
      const fromOther = after.filter((packet) => packet.direction !== direction);
      const taken = fromOther.find(({ ack }) => steps(chunk.sequence, ack) >= 0);
      const isHeard = taken && fromOther.at(-1).time - Math.max(taken.time, time) >= resends + slack;
      const isEnded = after.some((packet) => packet.chunks.some(({ name }) => endedBy(row).has(name)));
      // 0.7 does not number the pieces of a map.
      if (isHeard && !isEnded && (row.key === undefined || keyOf(chunk, row) !== undefined)) found.add(client);
    }
  }
  return found;
}

/** What ends the wait, and is left in the capture. */
const endedBy = (row) => new Set((row.ended ?? []).filter((name) => !taken(row).has(name)));
/** A client that is ready has the map from elsewhere. */
const taken = (row) => new Set(row.key === undefined ? row.answers : [...row.answers, 'ready']);

function without(bytes, packets, row) {
  const { head, records } = recordsOf(bytes);
  const changed = records.map((record, i) => {
    const packet = packets.get(i + 1);
    if (!packet?.chunks.some(({ name }) => taken(row).has(name))) return record;
    const [name, fields] = others[packet.direction];
    const instead = writeMessage(packet.version, name, fields);
    const chunks = packet.chunks.map((chunk) => (taken(row).has(chunk.name) ? { ...chunk, message: instead } : chunk));
    return withPayload(record, head, writePacket(packet.version, { ...packet, chunks }));
  });
  return Buffer.concat([head, ...changed]);
}

function toldIn(bytes) {
  const told = [];
  readCapture(bytes, { reuse: true }).each(({ record, diagnostic, stream }) => {
    if (record === 'diagnostic' && diagnostic.code === 'unanswered')
      told.push({ client: stream.client, message: diagnostic.args.message });
  });
  return told;
}

const table = {};
let untold = 0;
for (const file of process.argv.slice(2)) {
  const whole = readFileSync(file);
  const parsed = recordsOf(whole);
  if (!parsed || linkBytes[parsed.head.readUInt32LE(20)] === undefined || toldIn(whole).length > 0) {
    console.log(`${basename(file)}: skipped`);
    continue;
  }
  const packets = packetsOf(whole);
  for (const row of answers.filter(({ ifGivenUp }) => !ifGivenUp)) {
    const clients = provable(packets, row);
    if (clients.size === 0) continue;
    const told = toldIn(without(whole, packets, row));
    table[row.after] ??= { captures: 0, connections: 0, told: 0 };
    const counts = table[row.after];
    counts.captures++;
    counts.connections += clients.size;
    for (const client of clients) {
      if (told.some((one) => one.client === client && one.message === row.after)) counts.told++;
      else {
        untold++;
        console.log(`${basename(file)}, ${client}: ${row.after} without ${row.answers.join(', ')} is not told`);
      }
    }
  }
}
console.table(table);
console.log(`${untold} not told; expected 0`);
process.exitCode = Object.keys(table).length > 0 && untold === 0 ? 0 : 1;
