import { type DemoHeader, lastVersion, maxHeaderBytes, maxMarkers, readText, sha256Uuid } from './header.ts';

/**
 * The values of a header. {@link readDemoHeader} shows its layout.
 *
 * @example
 * ```ts
 * import type { DemoHeaderFields } from 'tw-snap/recording';
 *
 * const fields: DemoHeaderFields = {
 *   version: 6,
 *   netVersion: '0.6 626fce9a778df4d4',
 *   mapName: 'dm1',
 *   mapSize: 0,
 *   mapCrc: 0,
 *   type: 'client',
 *   length: 0,
 *   timestamp: '2026-11-20_12-00-00',
 *   markers: [],
 * };
 * ```
 */
export type DemoHeaderFields = Omit<DemoHeader, 'mapStart' | 'chunksStart' | 'bytes'> &
  Partial<Pick<DemoHeader, 'bytes'>>;

/**
 * Writes a header: 176 bytes in version 3, 436 in versions 4 and 5, 484 in version 6, 436 in version 6 without a
 * SHA-256. Texts that are too long are truncated. If `bytes`, the header that was read, has the same values, its other
 * bytes stay: recorders leave garbage in unused markers (DDNet 16's player demos do).
 * @throws RangeError for a version other than 3 to 6, more than 64 markers, or a SHA-256 that is not 64 hex digits
 */
export function writeDemoHeader(header: DemoHeaderFields): Uint8Array<ArrayBuffer> {
  const { version, markers, sha256, bytes: recorded } = header;
  if (version < 3 || version > lastVersion) throw new RangeError(`demo version ${version}`);
  if (markers.length > maxMarkers) throw new RangeError(`${markers.length} markers`);
  const bytes = new Uint8Array(maxHeaderBytes);
  if (recorded) bytes.set(recorded.subarray(0, markersEnd));
  const view = new DataView(bytes.buffer);
  bytes.set(utf8.encode('TWDEMO\0'));
  bytes[7] = version;
  writeText(bytes, 8, 64, header.netVersion);
  writeText(bytes, 72, 64, header.mapName);
  view.setInt32(136, header.mapSize);
  view.setUint32(140, header.mapCrc);
  writeText(bytes, 144, 8, header.type);
  view.setInt32(152, header.length);
  writeText(bytes, 156, 20, header.timestamp);
  if (version < 4) return bytes.slice(0, markersAt);

  if (!hasMarkers(view, markers)) {
    bytes.fill(0, markersAt, markersEnd);
    view.setInt32(markersAt, markers.length);
    for (const [i, tick] of markers.entries()) view.setInt32(markersAt + 4 + 4 * i, tick);
  }
  if (version < 6 || sha256 === undefined) return bytes.slice(0, markersEnd);
  if (!/^[0-9a-f]{64}$/i.test(sha256)) throw new RangeError(`sha256 ${sha256}`);
  bytes.set(fromHex(sha256Uuid), markersEnd);
  bytes.set(fromHex(sha256), markersEnd + 16);
  return bytes;
}

/** The net versions that the games require of a demo. */
export const netVersions = { '0.6': '0.6 626fce9a778df4d4', '0.7': '0.7 802f1be60a05665f' } as const;

const markersAt = 176;
const markersEnd = markersAt + 4 + 4 * maxMarkers;

/** Whether the header has these markers; an out-of-range count was read as the nearest valid one. */
function hasMarkers(view: DataView, markers: readonly number[]): boolean {
  const count = Math.max(0, Math.min(view.getInt32(markersAt), maxMarkers));
  return count === markers.length && markers.every((tick, i) => view.getInt32(markersAt + 4 + 4 * i) === tick);
}

const utf8 = new TextEncoder();

function writeText(bytes: Uint8Array, at: number, room: number, text: string): void {
  const field = bytes.subarray(at, at + room);
  if (readText(field) === text) return;
  field.fill(0);
  utf8.encodeInto(text, field.subarray(0, room - 1));
}

const fromHex = (hex: string) => Uint8Array.from(hex.match(/../g)!, (digits) => Number.parseInt(digits, 16));
