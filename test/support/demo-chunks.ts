/** The tick of a marker, and the data of a chunk as in the file. */
export interface DemoChunk {
  readonly kind: 'snapshot' | 'message' | 'delta';
  readonly tick: number;
  /** Compressed, packed, padded to ints. */
  readonly payload: Uint8Array;
}

interface DemoChunks {
  readonly version: number;
  readonly protocol: '0.6' | '0.7';
  readonly chunks: readonly DemoChunk[];
}

const kinds = [undefined, 'snapshot', 'message', 'delta'] as const;
const sha256Uuid = '6be6da4acebd380c9b5b1289c842d780';

/**
 * Splits a demo into its chunks, for tests only: there are no warnings, and it ends with the file.
 * ```
 * "TWDEMO\0" version  net_version[64] map_name[64] map_size crc type[8] length timestamp[20]  [markers]  [uuid sha256]  map
 * 1Kss ssss                      tick marker: K keyframe, s step; from version 5 on 1Kds ssss: d a step follows in s
 * 0TTs ssss  [size8 | size16le]  data: T type, s size
 * ```
 */
export function demoChunks(file: Uint8Array): DemoChunks {
  const view = new DataView(file.buffer, file.byteOffset, file.byteLength);
  const version = file[7]!;
  const protocol = new TextDecoder().decode(file.subarray(8, 11)) === '0.7' ? '0.7' : '0.6';
  let pos = 8 + 64 + 64 + 4 + 4 + 8 + 4 + 20;
  if (version >= 4) pos += 4 + 4 * 64;
  const uuid = Array.from(file.subarray(pos, pos + 16), (byte) => byte.toString(16).padStart(2, '0')).join('');
  if (version >= 6 && uuid === sha256Uuid) pos += 16 + 32;
  pos += view.getInt32(8 + 64 + 64);

  const chunks: DemoChunk[] = [];
  let tick = -1;
  while (pos < file.length) {
    const head = file[pos++]!;
    if (head & 0x80) {
      const step = version >= 5 ? head & 0x1f : head & 0x3f;
      if (version >= 5 ? head & 0x20 : step) {
        tick += step;
        continue;
      }
      if (pos + 4 > file.length) break;
      tick = view.getInt32(pos);
      pos += 4;
      continue;
    }
    let size = head & 0x1f;
    const extra = size < 30 ? 0 : size - 29;
    if (pos + extra > file.length) break;
    if (extra === 1) size = file[pos]!;
    if (extra === 2) size = view.getUint16(pos, true);
    pos += extra;
    if (pos + size > file.length) break;
    const kind = kinds[(head >> 5) & 3];
    if (kind) chunks.push({ kind, tick, payload: file.subarray(pos, pos + size) });
    pos += size;
  }
  return { version, protocol, chunks };
}
