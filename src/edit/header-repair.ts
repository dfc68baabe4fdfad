import type { DemoHeader } from '../container/demo/header.ts';
import { type DemoHeaderFields, netVersions } from '../container/demo/write-header.ts';
import { MapChecksums } from '../recording/map-checksums.ts';
import type { HeaderEntry } from '../recording/record.ts';

/** A header field with its wrong and its corrected value. */
export interface HeaderChange {
  readonly field: 'net version' | 'length' | 'markers' | 'map size' | 'map crc' | 'map sha256' | 'type' | 'text';
  readonly from: string;
  readonly to: string;
}

/** Corrects a header using its own values, the map and the ticks after it. */
export class HeaderRepair {
  readonly changes: HeaderChange[] = [];
  /** Whether the map matches neither the CRC nor the SHA-256 in the header. */
  isMapDamaged = false;
  readonly #map = new MapChecksums();
  #header: DemoHeader | undefined;

  /** The header with the corrections that are possible at the beginning. */
  header({ header, stream }: HeaderEntry): DemoHeader {
    this.#header = header;
    const { mapSize, type, markers, bytes, mapName, timestamp } = header;
    const isRightVersion = stream.protocol.version !== '0.7' || header.netVersion.startsWith('0.7');
    const netVersion = isRightVersion ? header.netVersion : netVersions['0.7'];
    if (!isRightVersion) this.#change('net version', header.netVersion, netVersion);
    const isType = type === 'client' || type === 'server';
    const isText = ![netVersion, mapName, timestamp].some((text) => text.includes('\ufffd'));
    const stated = header.version < 4 ? 0 : new DataView(bytes.buffer, bytes.byteOffset).getInt32(176);
    if (mapSize < 0) this.#change('map size', mapSize, 0);
    if (!isType) this.#change('type', type, 'client');
    if (!isText) this.#change('text', 'not UTF-8', 'UTF-8');
    if (stated !== markers.length) this.#change('markers', stated, markers.length);
    const { bytes: _, ...clean } = header;
    // The bytes of the header are kept only if all of its values are right.
    const isKept = mapSize >= 0 && isType && isText && stated === markers.length;
    const fixed = { netVersion, mapSize: Math.max(0, mapSize), type: isType ? type : 'client' };
    return { ...clean, ...fixed, bytes: isKept ? bytes : new Uint8Array(0) };
  }

  addMap(piece: Uint8Array): void {
    this.#map.add(piece);
  }

  /** The corrections that are possible once the ticks are known. */
  final(firstTick: number, lastTick: number, seconds: number): Partial<DemoHeaderFields> {
    const { length, markers, mapCrc, sha256 } = this.#header!;
    if (length !== seconds) this.#change('length', `${length} s`, `${seconds} s`);
    const inside = markers.filter((tick) => tick >= firstTick && tick <= lastTick);
    if (inside.length !== markers.length) this.#change('markers', markers.length, inside.length);
    if (this.#map.size === 0) return { length: seconds, markers: inside };
    const found = this.#map.sha256();
    const isHashRight = sha256 === undefined || sha256 === found;
    if (mapCrc !== this.#map.crc) this.#change('map crc', hex(mapCrc), hex(this.#map.crc));
    if (!isHashRight) this.#change('map sha256', `${sha256.slice(0, 8)}…`, `${found.slice(0, 8)}…`);
    this.isMapDamaged = mapCrc !== this.#map.crc && sha256 !== found;
    return {
      length: seconds,
      markers: inside,
      mapCrc: this.#map.crc,
      ...(sha256 === undefined ? {} : { sha256: found }),
    };
  }

  #change(field: HeaderChange['field'], from: string | number, to: string | number): void {
    this.changes.push({ field, from: String(from), to: String(to) });
  }
}

const hex = (crc: number) => crc.toString(16).padStart(8, '0');
