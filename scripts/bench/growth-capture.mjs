// Writes captures with any number of connections: the packets of recorded ones, repeated with other ports of the
// clients.
import { readFileSync, writeFileSync } from 'node:fs';
import { CaptureReader, CaptureReplay } from 'tw-snap/unstable';

/** Link type `LINKTYPE_RAW`: a record begins with the IP header. */
const rawIp = 101;
const [ipBytes, udpBytes] = [20, 8];

/**
 * Writes each packet of a capture as often as it takes to have this many connections: a client's port is that of the
 * recording and the next ones.
 * @returns the number of connections, a multiple of those of the recording
 */
export function writeConnections(from, to, connections) {
  const file = new Uint8Array(readFileSync(from));
  const recorded = connectionsIn(file);
  const copies = Math.ceil(connections / recorded);
  const reader = new CaptureReader();
  const parts = [pcapHeader()];
  const add = ({ kind, time, sourcePort, destinationPort, bytes, start, end }) => {
    if (kind !== 'datagram') return;
    const datagram = bytes.slice(start, end);
    for (let k = 0; k < copies; k++) {
      // The client has the port that the operating system chose, which is the higher one.
      const [source, destination] = sourcePort > destinationPort ? [k, 0] : [0, k];
      parts.push(record(time, datagram, sourcePort + source, destinationPort + destination));
    }
  };
  for (const frame of reader.feed(file)) add(frame);
  for (const frame of reader.finish()) add(frame);
  writeFileSync(to, Buffer.concat(parts));
  return copies * recorded;
}

function connectionsIn(file) {
  const replay = new CaptureReplay({ messages: false });
  let connections = 0;
  for (const { record } of replay.feed(file)) if (record === 'connection') connections++;
  for (const { record } of replay.finish()) if (record === 'connection') connections++;
  return connections;
}

function pcapHeader() {
  const header = Buffer.alloc(24);
  header.writeUInt32LE(0xa1b2c3d4, 0);
  header.writeUInt16LE(2, 4);
  header.writeUInt16LE(4, 6);
  header.writeUInt32LE(1 << 18, 16);
  header.writeUInt32LE(rawIp, 20);
  return header;
}

/** A record with the headers of IPv4 and UDP, without checksums. */
function record(time, datagram, sourcePort, destinationPort) {
  const size = ipBytes + udpBytes + datagram.length;
  const bytes = Buffer.alloc(16 + size);
  bytes.writeUInt32LE(Math.floor(time), 0);
  bytes.writeUInt32LE(Math.floor((time % 1) * 1e6), 4);
  bytes.writeUInt32LE(size, 8);
  bytes.writeUInt32LE(size, 12);
  const ip = 16;
  bytes[ip] = 0x45;
  bytes.writeUInt16BE(size, ip + 2);
  bytes[ip + 8] = 64;
  bytes[ip + 9] = 17;
  bytes.set([10, 0, 0, 1, 10, 0, 0, 1], ip + 12);
  const udp = ip + ipBytes;
  bytes.writeUInt16BE(sourcePort, udp);
  bytes.writeUInt16BE(destinationPort, udp + 2);
  bytes.writeUInt16BE(udpBytes + datagram.length, udp + 4);
  bytes.set(datagram, udp + udpBytes);
  return bytes;
}
