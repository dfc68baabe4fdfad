// Captures in the pcap format, record by record: what the scripts of this folder leave out or change.

const littleEndian = new Set([0xa1b2c3d4, 0xa1b23c4d]);
const headBytes = 24;
const recordHeadBytes = 16;

/** The records of a pcap, each with its head; undefined for other files. */
export function recordsOf(bytes) {
  if (!littleEndian.has(bytes.readUInt32LE(0))) return undefined;
  const records = [];
  for (let at = headBytes; at + recordHeadBytes <= bytes.length; ) {
    const end = at + recordHeadBytes + bytes.readUInt32LE(at + 8);
    records.push(bytes.subarray(at, end));
    at = end;
  }
  return { head: bytes.subarray(0, headBytes), records };
}

/** Bytes before the IP header, by link type. */
export const linkBytes = { 0: 4, 1: 14, 101: 0, 113: 16, 276: 20 };

/** Where the IP and the UDP header of a record begin. */
function headsOf(record, head) {
  const ip = recordHeadBytes + linkBytes[head.readUInt32LE(20)];
  return { ip, udp: ip + (record[ip] >> 4 === 6 ? 40 : (record[ip] & 15) * 4) };
}

/** A record with another UDP payload; its checksums are not those of it, which nobody looks at. */
export function withPayload(record, head, payload) {
  const { ip, udp } = headsOf(record, head);
  const changed = Buffer.concat([record.subarray(0, udp + 8), payload]);
  const bytes = changed.length - recordHeadBytes;
  changed.writeUInt32LE(bytes, 8);
  changed.writeUInt32LE(bytes, 12);
  if (record[ip] >> 4 === 6) changed.writeUInt16BE(changed.length - udp, ip + 4);
  else changed.writeUInt16BE(changed.length - ip, ip + 2);
  changed.writeUInt16BE(changed.length - udp, udp + 4);
  return changed;
}

export function portsOf(record, head) {
  const { udp } = headsOf(record, head);
  return udp + 4 <= record.length
    ? { source: record.readUInt16BE(udp), destination: record.readUInt16BE(udp + 2) }
    : {};
}
