// Compares what is told of every copy of a vital chunk, and of every snapshot, with what became of it, in the sessions
// that record.mjs recorded. A receiver takes the chunks as its own machine captured them, since nothing is lost after
// that: what arrived there, in its order, is given to a receiver as the games have it. Clients wrote down the snapshots
// that they took. Prints a table: of each place, how often what is told is what was.
// Usage: node scripts/loss/fates.mjs FOLDER [--from SECONDS] [--bytes N]
// The options read captures that begin later, or have so many bytes of each packet.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { parseArgs } from 'node:util';
import { readCapture } from '../../dist/library/api/index.js';
import { copyBit, places } from './relay.mjs';

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: { from: { type: 'string', default: '0' }, bytes: { type: 'string', default: '65535' } },
});
const [folder] = positionals;
const modulus = 1024;
const stepsTo = (from, to) => ((to - from + modulus + modulus / 2) % modulus) - modulus / 2;
const headBytes = 16;

/** The records of a capture, each with the number of its datagram, which the relay writes into the header of IP. */
function recordsOf(bytes) {
  const records = [];
  for (let at = 24; at < bytes.length; ) {
    const end = at + headBytes + bytes.readUInt32LE(at + 8);
    const time = bytes.readUInt32LE(at) + bytes.readUInt32LE(at + 4) / 1e6;
    records.push({ id: bytes.readUInt16BE(at + headBytes + 4), time, bytes: bytes.subarray(at, end) });
    at = end;
  }
  return records;
}

/** A record of which not all was captured. */
function cutTo(length, bytes) {
  const cut = Buffer.from(bytes.subarray(0, headBytes + length));
  cut.writeUInt32LE(cut.length - headBytes, 8);
  return cut;
}

/** The packets of a capture, and what is told of their vital chunks; and the snapshots that are told, by connection. */
function readPlace(path, server, { from = 0, length = 65535 } = {}) {
  const bytes = readFileSync(path);
  const all = recordsOf(bytes);
  const records = all.filter(({ time }) => time - all[0].time >= from);
  const told = Buffer.concat([bytes.subarray(0, 24), ...records.map((record) => cutTo(length, record.bytes))]);
  const packets = [];
  const snapshots = new Map();
  for (const entry of readCapture(told, { parts: true })) {
    const { record, stream, frame, time, direction, packet, fates } = entry;
    if (!stream) continue;
    if (!snapshots.has(stream)) snapshots.set(stream, { rebuilt: new Set(), late: new Set(), inputs: [] });
    const seen = snapshots.get(stream);
    if (record === 'snapshot' && entry.verdict === 'ok') seen.rebuilt.add(entry.tick);
    if (record === 'copy' && entry.fate.fate === 'late') seen.late.add(entry.message.values[0].value);
    if (record === 'message' && entry.message.type?.name === 'input')
      seen.inputs.push(entry.message.values[0]?.value ?? -1);
    if (record !== 'packet' || !packet) continue;
    const vital = packet.chunks.filter((chunk) => chunk.vital).map(({ sequence }) => sequence);
    const told = packet.chunks
      .filter((chunk) => chunk.vital)
      .map((own) => fates.find(({ chunk }) => chunk === own)?.fate);
    const isAck = packet.kind === 'chunks' || packet.control === 0;
    const { id } = records[frame - 1];
    const { control } = packet;
    packets.push({
      stream,
      control,
      server,
      id,
      frame,
      time,
      direction,
      ack: isAck ? packet.ack : undefined,
      vital,
      told,
    });
  }
  return { packets, snapshots };
}

/**
 * What became of each copy that came to a machine, by the datagram and the number: what a receiver as the games have it
 * takes. The games drop a packet whole if its ack is older than one before, or ahead of what they sent
 * (`CNetConnection::Feed`), and before they know the other end. That shows in what the machine sends: its ack stays
 * behind, so that the packet did not count.
 */
function truthOf(packets, direction) {
  const dropped = new Set();
  // A server of DDNet with a player of that address takes what comes for the old one, until the new one accepts.
  const accept = packets.findIndex(({ direction: way, control }) => way === 'to_server' && control === 3);
  const begins =
    direction === 'to_server' && packets[0]?.server === 'ddnet-06' ? packets.slice(0, Math.max(0, accept)) : [];
  // A server that sends messages before it takes any has sent a challenge. It drops the answer, which acknowledges that,
  // and all before, and takes any number as the first.
  const challenge = ({ direction: way, ack, vital }) => way === 'to_client' && ack === 0 && vital.length > 0;
  const isChallenged = direction === 'to_server' && packets[0]?.server === 'vanilla-06' && packets.some(challenge);
  const answer = packets.findIndex(({ direction: way, ack }) => way === 'to_server' && ack > 0);
  if (isChallenged) begins.push(...packets.slice(0, answer + 1));
  for (const { id } of begins) dropped.add(id);
  for (;;) {
    const truth = new Map();
    const waiting = [];
    let last = isChallenged ? undefined : 0;
    let sent = 0;
    let acked = 0;
    let contradiction;
    for (const { id, time, ack, direction: way, vital } of packets) {
      if (way !== direction) {
        for (const sequence of vital) if (stepsTo(sent, sequence) > 0) sent = sequence;
        if (ack === undefined) continue;
        while (waiting.length > 0 && stepsTo(waiting[0].sequence, ack) >= 0) waiting.shift();
        // It may have been sent just before.
        if (waiting.length === 0 || time - waiting[0].time < 0.9) continue;
        contradiction = waiting[0].id;
        break;
      }
      if (begins.some((packet) => packet.id === id)) continue;
      const isInRange = ack === undefined || (stepsTo(acked, ack) >= 0 && stepsTo(ack, sent) >= 0);
      if (isInRange && ack !== undefined) acked = ack;
      if (!isInRange || dropped.has(id)) {
        for (let i = 0; i < vital.length; i++) truth.set(`${id} ${i}`, 'lost');
        continue;
      }
      for (const [i, sequence] of vital.entries()) {
        const steps = last === undefined ? 1 : stepsTo(last, sequence);
        if (steps === 1) {
          last = sequence;
          waiting.push({ id, sequence, time });
        }
        truth.set(`${id} ${i}`, steps === 1 ? 'taken' : steps > 1 ? 'early' : 'again');
      }
    }
    if (contradiction === undefined) return truth;
    dropped.add(contradiction);
  }
}

/** The same for all connections. */
function truthAt(packets, direction) {
  const streams = [...new Set(packets.map(({ stream }) => stream))];
  const of = (stream) =>
    truthOf(
      packets.filter((packet) => packet.stream === stream),
      direction,
    );
  return new Map(streams.flatMap((stream) => [...of(stream)]));
}

let wrong = 0;
const columns = ['copies', 'taken', 'again', 'early', 'lost', 'not decided', 'early for lost or again', 'wrong'];
const more = ['inputs', 'ack what is not rebuilt', 'late snapshots', 'late but taken'];
const header = ['session', 'captured at', ...columns, ...more];
console.log(`| ${header.join(' | ')} |\n|---|---|${'--:|'.repeat(header.length - 2)}`);
for (const file of readdirSync(folder).filter((name) => name.endsWith('.log'))) {
  const name = file.slice(0, -4);
  const read = (place, of) =>
    readPlace(join(folder, `${name}.${place}.pcap`), name.slice(0, name.indexOf('-0') + 3), of);
  const whole = Object.fromEntries(places.map((place) => [place, read(place)]));
  const truth = {
    to_client: truthAt(whole.client.packets, 'to_client'),
    to_server: truthAt(whole.server.packets, 'to_server'),
  };
  const taken = JSON.parse(readFileSync(join(folder, `${name}.taken.json`), 'utf8')).flat();
  for (const place of places) {
    const { packets, snapshots } = read(place, { from: Number(values.from), length: Number(values.bytes) });
    const counts = Object.fromEntries(columns.map((column) => [column, 0]));
    for (const { id, frame, direction, vital, told } of packets) {
      for (const [i, sequence] of vital.entries()) {
        const isSender = place === (direction === 'to_client' ? 'server' : 'client');
        // A sender sees one of the two that the network makes.
        const all = [truth[direction].get(`${id} ${i}`)];
        if (isSender) all.push(truth[direction].get(`${id | copyBit} ${i}`));
        const was = all.includes('taken') ? 'taken' : (all.find(Boolean) ?? 'lost');
        const is = told[i];
        counts.copies++;
        if (is === was) counts[is]++;
        else if (is === 'open') counts['not decided']++;
        else if (is !== 'taken' && was !== 'taken') counts['early for lost or again']++;
        else {
          counts.wrong++;
          if (process.env.SHOW) console.error({ name, place, direction, frame, sequence, was, is });
        }
      }
    }
    const others = [0, 0, 0, 0];
    for (const { rebuilt, late, inputs } of snapshots.values()) {
      others[0] += inputs.length;
      const unknown = inputs.filter((tick) => tick !== -1 && !rebuilt.has(tick));
      others[1] += unknown.length;
      others[2] += late.size;
      // A player's own list is the one with all that it acknowledged.
      const own = taken.find((list) => inputs.every((tick) => tick === -1 || list.includes(tick))) ?? [];
      const false_ = [...late].filter((tick) => own.includes(tick));
      others[3] += false_.length;
      if (process.env.SHOW && unknown.length + false_.length > 0) console.error({ name, place, unknown, false_ });
    }
    // A capture that begins later, or cuts packets, lacks snapshots.
    wrong += counts.wrong + others[3];
    console.log(`| ${[name, place, ...Object.values(counts), ...others].join(' | ')} |`);
  }
}
process.exitCode = wrong > 0 ? 1 : 0;
