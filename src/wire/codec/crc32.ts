/**
 * CRC-32 (IEEE), by which demos identify their map. `sum` is the result for the bytes before, 0 at the start. Unsigned.
 */
export function crc32(bytes: Uint8Array, sum = 0): number {
  table ??= makeTable();
  const steps = table;
  let crc = ~sum;
  for (let i = 0; i < bytes.length; i++) crc = (crc >>> 8) ^ steps[(crc ^ bytes[i]!) & 0xff]!;
  return ~crc >>> 0;
}

/** As the games write it: eight digits. */
export const crcText = (crc: number): string => crc.toString(16).padStart(8, '0');

/** Made when it is needed: start-up counts. */
let table: Int32Array | undefined;

const makeTable = () =>
  Int32Array.from({ length: 256 }, (_, byte) => {
    let crc = byte;
    for (let bit = 0; bit < 8; bit++) crc = (crc >>> 1) ^ (crc & 1 ? 0xedb88320 : 0);
    return crc;
  });
