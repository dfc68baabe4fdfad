import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { DetectedReplay } from '../../src/api/read-recording.ts';
import { formats } from '../../src/recording/all-formats.ts';
import type { RecordingEntry } from '../../src/recording/replay/record.ts';
import { netlogOf } from '../support/capture-builder.ts';

// What is read of a file does not depend on the pieces in which it arrives, also where it is damaged.

const folder = new URL('../../samples/', import.meta.url);
const sample = (name: string) => new Uint8Array(readFileSync(new URL(name, folder)));
/** Enough of a sample for each kind of record. */
const maxBytes = 10_000;

/** The packets that the client of a capture received, as its network log has them. */
function netlogFrom(capture: Uint8Array): Uint8Array {
  const packets: Uint8Array[] = [];
  for (const entry of entriesOf(capture, capture.length, { parts: true })) {
    if (entry.record === 'packet' && entry.direction === 'to_client') packets.push(entry.bytes.slice());
  }
  return netlogOf(packets);
}

function* entriesOf(bytes: Uint8Array, size: number, options = {}): Generator<RecordingEntry, void> {
  const replay = new DetectedReplay(formats, 'not_a_capture', options);
  for (let at = 0; at < bytes.length; at += size) yield* replay.feed(bytes.slice(at, at + size));
  yield* replay.finish();
}

/** A line for each record; the pieces of a map, which may be any, as one. */
function read(bytes: Uint8Array, size: number): string[] {
  const lines: string[] = [];
  let mapBytes = 0;
  try {
    for (const entry of entriesOf(bytes, size)) {
      const { record, frame } = entry;
      if (entry.record === 'map') mapBytes += entry.piece.length;
      else if (entry.record === 'diagnostic') lines.push(JSON.stringify(entry.diagnostic));
      else if (entry.record === 'snapshot') {
        lines.push(`${record} ${frame} ${entry.tick} ${entry.verdict} ${entry.snapshot?.checksum()}`);
      } else if (entry.record === 'message')
        lines.push(`${record} ${frame} ${entry.head.type?.name} ${entry.bytes.length}`);
      else lines.push(`${record} ${frame}`);
    }
  } catch (error) {
    lines.push(String(error));
  }
  return [...lines, `map ${mapBytes}`];
}

const containers = readdirSync(folder)
  .filter((name) => /\.(?:demo|pcap|gho)$/.test(name))
  .map((name) => [name, sample(name).slice(0, maxBytes)] as const);
const capture = sample('ddnet-ipv6.pcap');
const all = [...containers, ['a network log', netlogFrom(capture).slice(0, maxBytes)]] as const;

/** Damages of a file: at its beginning, where its format is recognised, and behind. */
function* damaged(bytes: Uint8Array): Generator<readonly [string, Uint8Array]> {
  yield ['whole', bytes];
  yield ['cut', bytes.slice(0, -5)];
  for (const at of [70, 150, 400, 9000]) {
    if (at >= bytes.length) continue;
    const flipped = bytes.slice();
    flipped[at]! ^= 0xff;
    yield [`byte ${at} flipped`, flipped];
    yield [`a byte more at ${at}`, Uint8Array.from([...bytes.subarray(0, at), 0x55, ...bytes.subarray(at)])];
    yield [`a byte less at ${at}`, Uint8Array.from([...bytes.subarray(0, at), ...bytes.subarray(at + 1)])];
    const zeros = bytes.slice();
    zeros.fill(0, at, at + 30);
    yield [`30 zeros at ${at}`, zeros];
  }
}

describe.each(all)('%s', (_, bytes) => {
  it.each([...damaged(bytes)])('%s: reads alike in pieces of any size', (damage, file) => {
    const whole = read(file, file.length);
    // A byte at a time takes as long as all other sizes together.
    const sizes = damage === 'whole' ? [1, 64, 65, 7000] : [7, 1000, 11_264];
    for (const size of sizes) expect([size, read(file, size)]).toEqual([size, whole]);
  });
});
