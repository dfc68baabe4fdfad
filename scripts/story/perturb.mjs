// node scripts/story/perturb.mjs FILE.pcap…
//
// Captures that begin late, end early, lack packets or a direction, or have another order: of none of them the story may
// say that something is missing (docs/formats/expected.md). Prints each line of an ordinary capture that is said after
// all, and exits with 1 then. Nothing is said of a file that itself breaks an expectation: it is skipped, with a line.
import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import process from 'node:process';
import { readCapture } from '../../dist/library/api/index.js';
import { linkBytes, portsOf, recordsOf } from './pcap.mjs';

const codes = new Set(
  `unanswered never_answered never_went_on out_of_place player_without_info character_without_player impossible_speed outside_map items_dropped
   unregistered_items two_recorders recorders_alternate unknown_client others_absent`.split(/\s+/),
);

let seed = 7;
function random() {
  seed = (Math.imul(seed, 1103515245) + 12345) >>> 0;
  return seed / 2 ** 32;
}

/** The lowest port: that of a server. */
const serverPort = (records, head) =>
  Math.min(...records.flatMap((record) => Object.values(portsOf(record, head))).filter((port) => port > 1024));

const part = (from, to) => (all) => all.slice(Math.floor(all.length * from), Math.ceil(all.length * to));
const without = (share) => (all) => all.filter(() => random() >= share);

const ways = {
  'begins late': part(0.3, 1),
  'ends early': part(0, 0.3),
  'ends in the handshake': part(0, 0.03),
  'lacks 3 %': without(0.03),
  'lacks 20 %': without(0.2),
  'lacks a burst': (all) => [...part(0, 0.01)(all), ...part(0.03, 1)(all)],
  'neighbours changed': (all) => {
    const changed = [...all];
    for (let i = 0; i + 1 < changed.length; i += 2)
      if (random() < 0.2) [changed[i], changed[i + 1]] = [changed[i + 1], changed[i]];
    return changed;
  },
  'packets twice': (all) => all.flatMap((record) => (random() < 0.1 ? [record, record] : [record])),
  'to the server alone': (all, head) => {
    const port = serverPort(all, head);
    return all.filter((record) => portsOf(record, head).destination === port);
  },
  'to the clients alone': (all, head) => {
    const port = serverPort(all, head);
    return all.filter((record) => portsOf(record, head).source === port);
  },
};

function told(bytes) {
  const found = [];
  readCapture(bytes, { reuse: true }).each((entry) => {
    if (entry.record === 'diagnostic' && codes.has(entry.diagnostic.code))
      found.push(`${entry.diagnostic.code} ${JSON.stringify(entry.diagnostic.args)}`);
  });
  return found;
}

let captures = 0;
let wrong = 0;
for (const file of process.argv.slice(2)) {
  const whole = readFileSync(file);
  const parsed = recordsOf(whole);
  if (!parsed || linkBytes[parsed.head.readUInt32LE(20)] === undefined || told(whole).length > 0) {
    console.log(`${basename(file)}: skipped`);
    continue;
  }
  for (const [way, make] of Object.entries(ways)) {
    captures++;
    for (const line of told(Buffer.concat([parsed.head, ...make(parsed.records, parsed.head)]))) {
      wrong++;
      console.log(`${basename(file)}, ${way}: ${line}`);
    }
  }
}
console.log(`${captures} captures, ${wrong} lines; expected 0`);
process.exitCode = captures > 0 && wrong === 0 ? 0 : 1;
