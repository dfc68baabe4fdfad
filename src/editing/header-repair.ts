import type { DemoHeaderFields } from '../recording/container/demo/demo-writer.ts';
import {
  type DemoHeader,
  isKnownNetVersion,
  isOfTeeworlds,
  netVersions,
  wrongTexts,
} from '../recording/container/demo/header.ts';
import { statedVersion } from '../recording/demo/demo-content.ts';
import { MapSummary } from '../recording/replay/map-summary.ts';
import type { HeaderEntry, RecordingEntry } from '../recording/replay/record.ts';
import { crcText } from '../wire/codec/crc32.ts';
import { Repairer } from './repair.ts';
import type { Emit } from './slice.ts';

/** A header field with its wrong and its corrected value. */
interface HeaderChange {
  readonly field: 'net version' | 'length' | 'markers' | 'map size' | 'map crc' | 'map sha256' | 'type' | 'text';
  readonly from: string;
  readonly to: string;
}
/** Corrects a header using its own values, the map and the ticks after it. */
export class HeaderRepair {
  readonly changes: HeaderChange[] = [];
  readonly #map = new MapSummary();
  #header: DemoHeader | undefined;

  /** The header with the corrections that are possible at the beginning. */
  header({ header, stream }: HeaderEntry): DemoHeader {
    this.#header = header;
    const { mapSize: statedSize, mapStart, chunksStart, type, markers, bytes } = header;
    // The reader finds the chunks where the map ends by its own header.
    const mapSize = chunksStart - mapStart;
    const version = stream.protocol.version === '0.7' ? '0.7' : '0.6';
    const isRightVersion =
      version === statedVersion(header) &&
      isKnownNetVersion(header.netVersion) &&
      isOfTeeworlds(header.netVersion, header.version);
    const netVersion = isRightVersion ? header.netVersion : netVersions[version];
    if (!isRightVersion) this.#change('net version', header.netVersion, netVersion);
    const isType = type === 'client' || type === 'server';
    const isText = wrongTexts(bytes).length === 0;
    const stated = header.version < 4 ? 0 : new DataView(bytes.buffer, bytes.byteOffset).getInt32(176);
    if (mapSize !== statedSize) this.#change('map size', statedSize, mapSize);
    if (!isType) this.#change('type', type, 'client');
    if (!isText) this.#change('text', 'not UTF-8 with a NUL', 'UTF-8 with a NUL');
    if (stated !== markers.length) this.#change('markers', stated, markers.length);
    const { bytes: _, ...clean } = header;
    // The bytes of the header are kept only if all of its values are right.
    const isKept = mapSize === statedSize && isType && isText && stated === markers.length;
    const fixed = { netVersion, mapSize, type: isType ? type : 'client' };
    return { ...clean, ...fixed, bytes: isKept ? bytes : new Uint8Array(0) };
  }

  addMap(piece: Uint8Array): void {
    this.#map.add(piece);
  }

  /**
   * Whether the map that was added matches neither the CRC nor the SHA-256 in the header: it is another map, or
   * damaged, and nothing tells what it should be. If one of the two is right, the map is, and the other one is damage
   * in the header.
   */
  get isMapWrong(): boolean {
    const { bytes, crc } = this.#map;
    return bytes > 0 && crc !== this.#header?.mapCrc && this.#map.sha256 !== this.#header?.sha256;
  }

  /** Whether the CRC or the SHA-256 in the header is not that of the map. */
  get isOtherMap(): boolean {
    return this.#map.bytes > 0 && this.#header !== undefined && !this.#map.matches(this.#header);
  }

  /** The sums of the map that was added, as a sentence has them: of the file and of the header. */
  get mapSums(): { readonly found: string; readonly expected: string } {
    return { found: crcText(this.#map.crc), expected: crcText(this.#header!.mapCrc) };
  }

  /**
   * A header with the checksums of the map that was added, or for a wrong map one without a map: the sums are those of
   * the right one.
   */
  withMap(header: DemoHeader): DemoHeader {
    if (this.#map.bytes === 0) return header;
    if (this.isMapWrong) return { ...header, mapSize: 0 };
    const { crc: mapCrc, sha256 } = this.#map;
    return { ...header, mapCrc, ...(header.sha256 === undefined ? {} : { sha256 }) };
  }

  /** The corrections that are possible once the ticks are known. */
  final(firstTick: number, lastTick: number, seconds: number): Partial<DemoHeaderFields> {
    const { length, markers, mapCrc, sha256 } = this.#header!;
    if (length !== seconds) this.#change('length', `${length} s`, `${seconds} s`);
    const inside = [...new Set(markers)].filter((tick) => tick >= firstTick && tick <= lastTick);
    if (inside.length !== markers.length) this.#change('markers', markers.length, inside.length);
    if (this.#map.bytes === 0 || this.isMapWrong) return { length: seconds, markers: inside };
    const { crc, sha256: found } = this.#map;
    if (mapCrc !== crc) this.#change('map crc', crcText(mapCrc), crcText(crc));
    if (sha256 === undefined) return { length: seconds, markers: inside, mapCrc: crc };
    if (sha256 !== found) this.#change('map sha256', `${sha256.slice(0, 8)}…`, `${found.slice(0, 8)}…`);
    return { length: seconds, markers: inside, mapCrc: crc, sha256: found };
  }

  #change(field: HeaderChange['field'], from: string | number, to: string | number): void {
    this.changes.push({ field, from: String(from), to: String(to) });
  }
}

/**
 * Repairs the header and the records of a demo. The header has the sums of the map, and the map is left out if it is
 * wrong: both wait until the map is complete. Requires the records of chunks (`parts`).
 */
export class DemoRepair {
  readonly header = new HeaderRepair();
  readonly repairer: Repairer;
  /** Whether no tick marker announced a full snapshot: the first one does now. */
  hadNoKeyframe = false;
  readonly #emit: Emit;
  /** What waits, from the header on; undefined once the map is complete. */
  #begin: RecordingEntry[] | undefined;

  constructor(emit: Emit) {
    this.#emit = emit;
    this.repairer = new Repairer((entry) => this.#pass(entry));
  }

  add(entry: RecordingEntry): void {
    if (entry.record === 'map') this.header.addMap(entry.piece);
    this.hadNoKeyframe ||= entry.record === 'diagnostic' && entry.diagnostic.code === 'no_keyframe';
    this.repairer.add(entry);
  }

  finish(): void {
    this.repairer.finish();
    this.#release();
  }

  #pass(entry: RecordingEntry): void {
    if (entry.record === 'header') this.#begin = [{ ...entry, header: this.header.header(entry) }];
    else if (entry.record === 'map' || (entry.record === 'diagnostic' && this.#begin)) this.#hold(entry);
    else {
      this.#release();
      this.#emit(entry);
    }
  }

  #hold(entry: RecordingEntry): void {
    // The memory of a piece is used again.
    this.#begin?.push(entry.record === 'map' ? { ...entry, piece: entry.piece.slice() } : entry);
  }

  /** Emits the header, the map and what was found up to there. */
  #release(): void {
    const begin = this.#begin ?? [];
    this.#begin = undefined;
    for (const entry of begin) {
      if (entry.record === 'header') this.#emit({ ...entry, header: this.header.withMap(entry.header) });
      else if (entry.record !== 'map' || !this.header.isMapWrong) this.#emit(entry);
    }
  }
}
