// Prepares the input of each measured part from a recording and keeps it in memory.

import { Delta, Snapshot } from 'tw-snap';
import { CaptureReader, CaptureReplay, DemoReplay, isDemo } from 'tw-snap/unstable';
import { ByteBuffer, decompress, IntBuffer, readPacket, unpackInts } from './internals.mjs';

/** Only the beginning of longer recordings is used, since the data in memory is a hundred times larger. */
const maxSnapshots = 8192;
const maxBytes = 1 << 20;
export const ignore = () => {};

/**
 * - `compressed` and `unpacked`: payloads with and without Huffman's code, of a demo those of snapshots, of a capture of packets
 * - `steps`: of each snapshot `packed` and `ints`, whether it `isFull` or a `delta`, and how many steps `back` its base was made
 * - `rebuilt`: what the steps make
 */
export function recorded(file) {
  const { compressed, steps, rebuilt } = isDemo(file) ? ofDemo(file) : ofCapture(file);
  const buffer = new IntBuffer();
  for (const step of steps) {
    unpackInts(step.packed, 0, step.packed.length, buffer, ignore);
    step.ints = buffer.ints.slice(0, buffer.length);
    if (step.isFull) continue;
    step.delta = new Delta();
    step.delta.read(step.ints, step.ints.length, step.sizeOf, ignore);
  }
  return { compressed, unpacked: compressed.map(unpackedOf), steps, rebuilt };
}

function ofDemo(file) {
  const found = { compressed: [], steps: [], rebuilt: [] };
  const replay = new DemoReplay();
  for (const record of replay.feed(file)) {
    if (record.record !== 'snapshot') continue;
    const { sizeOf } = replay.protocol;
    const compressed = record.payload.slice();
    found.compressed.push(compressed);
    found.steps.push({ sizeOf, isFull: record.kind === 'snapshot', back: 1, packed: unpackedOf(compressed) });
    found.rebuilt.push(copyOf(record.snapshot));
    if (found.steps.length === maxSnapshots) break;
  }
  return found;
}

function ofCapture(file) {
  const found = { compressed: [], steps: [], rebuilt: [] };
  const replay = new CaptureReplay({ messages: false });
  /** The index of the snapshot for each connection and tick. */
  const places = new Map();
  const addAll = (records) => {
    for (const { record, stream, tick, base, kind, payload, snapshot } of records) {
      if (record !== 'snapshot' || !snapshot || found.steps.length === maxSnapshots) continue;
      const place = base < 0 ? -1 : places.get(`${stream.client} ${base}`);
      if (kind !== 'empty') {
        const back = place < 0 ? 0 : found.steps.length - place;
        found.steps.push({ sizeOf: stream.protocol.sizeOf, isFull: false, back, packed: payload.slice() });
        found.rebuilt.push(copyOf(snapshot));
      }
      places.set(`${stream.client} ${tick}`, kind === 'empty' ? place : found.steps.length - 1);
    }
  };
  addAll(replay.feed(file));
  addAll(replay.finish());
  return {
    ...found,
    compressed: packetsOf(file, new Map(replay.streams.map((stream) => [stream.client, stream.protocol.version]))),
  };
}

/** The compressed payloads of packets to and from clients. */
function packetsOf(file, versions) {
  const found = [];
  const end = (address, port) => (address.includes(':') ? `[${address}]:${port}` : `${address}:${port}`);
  for (const frame of new CaptureReader().feed(file)) {
    if (frame.kind !== 'datagram') continue;
    const { source, sourcePort, destination, destinationPort } = frame;
    const version = versions.get(end(source, sourcePort)) ?? versions.get(end(destination, destinationPort));
    if (!version) continue;
    const bytes = frame.bytes.slice(frame.start, frame.end);
    try {
      const { compressed, headSize } = readPacket(bytes, version, ignore);
      if (compressed) found.push(bytes.subarray(headSize));
    } catch {
      // Damage is not measured.
    }
  }
  return found;
}

const unpacker = new ByteBuffer();

function unpackedOf(payload) {
  decompress(payload, 0, payload.length, unpacker, ignore, maxBytes);
  return unpacker.bytes.slice(0, unpacker.length);
}

function copyOf(snapshot) {
  const copy = Snapshot.withRoom(snapshot.count, snapshot.offsets[snapshot.count]);
  copy.appendItems(snapshot, 0, snapshot.count);
  return copy;
}
