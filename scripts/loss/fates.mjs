// Compares what is told of every copy of a vital chunk with what became of it, in the sessions that record.mjs recorded.
// A receiver takes the chunks as its own machine captured them, since nothing is lost after that: what arrived there, in
// its order, is given to a receiver as the games have it. Prints a table: of each place, how often what is told is what
// was. Usage: node scripts/loss/fates.mjs FOLDER
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { readCapture } from '../../dist/library/api/index.js';
import { places } from './relay.mjs';

const [folder] = process.argv.slice(2);
const modulus = 1024;
const stepsTo = (from, to) => ((to - from + modulus + modulus / 2) % modulus) - modulus / 2;

/** The numbers of the datagrams by that of their frame, which the relay writes into the header of IP. */
function idsOf(bytes) {
  const ids = [0];
  for (let at = 24; at < bytes.length; at += 16 + bytes.readUInt32LE(at + 8)) ids.push(bytes.readUInt16BE(at + 16 + 4));
  return ids;
}

/** The packets of a capture, and what is told of their vital chunks. */
function packetsIn(path) {
  const bytes = readFileSync(path);
  const ids = idsOf(bytes);
  return [...readCapture(bytes, { parts: true })]
    .filter(({ record, stream, packet }) => record === 'packet' && stream && packet)
    .map(({ frame, time, direction, packet, fates }) => {
      const vital = packet.chunks.filter((chunk) => chunk.vital).map(({ sequence }) => sequence);
      const told = new Map(fates.map(({ chunk, fate }) => [chunk.sequence, fate]));
      const isAck = packet.kind === 'chunks' || packet.control === 0;
      return { id: ids[frame], frame, time, direction, ack: isAck ? packet.ack : undefined, vital, told };
    });
}

/**
 * What became of each copy that came to a machine, by the datagram and the number: what a receiver as the games have it
 * takes. The games drop some packets whole, as those with an older ack than before, or before they know the other end.
 * This shows in what the machine sends: its ack stays behind, so that the packet did not count.
 */
function truthOf(packets, direction) {
  const dropped = new Set();
  // A server that sends messages before it takes any has sent a challenge: it takes any number as the first.
  const challenge = ({ direction: way, ack, vital }) => way === 'to_client' && ack === 0 && vital.length > 0;
  const isChallenged = direction === 'to_server' && packets.some(challenge);
  for (;;) {
    const truth = new Map();
    const waiting = [];
    let last = isChallenged ? undefined : 0;
    let contradiction;
    for (const { id, time, ack, direction: way, vital } of packets) {
      if (way !== direction) {
        if (ack === undefined) continue;
        while (waiting.length > 0 && stepsTo(waiting[0].sequence, ack) >= 0) waiting.shift();
        // It may have been sent just before.
        if (waiting.length === 0 || time - waiting[0].time < 0.1) continue;
        contradiction = waiting[0].id;
        break;
      }
      if (dropped.has(id)) continue;
      for (const sequence of vital) {
        const steps = last === undefined ? 1 : stepsTo(last, sequence);
        if (steps === 1) {
          last = sequence;
          waiting.push({ id, sequence, time });
        }
        truth.set(`${id} ${sequence}`, steps === 1 ? 'taken' : steps > 1 ? 'early' : 'again');
      }
    }
    if (contradiction === undefined) return truth;
    dropped.add(contradiction);
  }
}

let wrong = 0;
console.log(
  '| session | captured at | copies | taken | again | early | lost | not decided | early for lost or again | wrong |',
);
console.log('|---|---|--:|--:|--:|--:|--:|--:|--:|--:|');
for (const file of readdirSync(folder).filter((name) => name.endsWith('.log'))) {
  const name = file.slice(0, -4);
  const captures = Object.fromEntries(places.map((place) => [place, packetsIn(join(folder, `${name}.${place}.pcap`))]));
  const truth = {
    to_client: truthOf(captures.client, 'to_client'),
    to_server: truthOf(captures.server, 'to_server'),
  };
  for (const place of places) {
    const counts = { copies: 0, taken: 0, again: 0, early: 0, lost: 0, open: 0, kind: 0, wrong: 0 };
    for (const { id, frame, direction, vital, told } of captures[place]) {
      for (const sequence of vital) {
        const was = truth[direction].get(`${id} ${sequence}`) ?? 'lost';
        const is = told.get(sequence);
        counts.copies++;
        if (is === was) counts[is]++;
        else if (is === 'open') counts.open++;
        else if (is !== 'taken' && was !== 'taken') counts.kind++;
        else {
          counts.wrong++;
          if (process.env.SHOW) console.error({ name, place, direction, frame, sequence, was, is });
        }
      }
    }
    wrong += counts.wrong;
    console.log(`| ${[name, place, ...Object.values(counts)].join(' | ')} |`);
  }
}
process.exitCode = wrong > 0 ? 1 : 0;
