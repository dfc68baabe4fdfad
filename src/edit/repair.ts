import type { Code, Diagnostic } from '../bytes/diagnostic.ts';
import type { DemoHeader } from '../container/demo/header.ts';
import { type DemoHeaderFields, netVersions } from '../container/demo/writer.ts';
import { protocolOf, type SizeOf } from '../protocol/registry.ts';
import { MapSummary } from '../recording/map-summary.ts';
import type { HeaderEntry, RecordingEntry, SnapshotEntry } from '../recording/record.ts';
import { LossFilter } from './losses.ts';
import type { Emit } from './slice.ts';

/** Diagnostics of data that recorders never write, although the games may accept it: signs of damage. */
const neverWritten: ReadonlySet<Code> = new Set<Code>([
  'chunk_type',
  'empty_chunk',
  'tick_backwards',
  'huffman_after_eof',
  'huffman_padding',
  'huffman_past_end',
  'overlong_varint',
  'varint_padding',
  'nonzero_zero',
  'excess_ints',
  'removed_twice',
  'removed_and_updated',
  'updated_twice',
  'unknown_removed',
  'first_offset',
  'data_without_items',
]);

/**
 * Repairs the records of a demo: after any sign of damage, snapshots are left out up to the next full one, as they
 * depend on each other. Deltas with the item sizes of another version are written with the right ones. Requires the
 * records of chunks (`parts`).
 */
export class Repairer {
  readonly losses: LossFilter;
  /** The number of deltas that were recorded with the sizes of another version. */
  wrongSizes = 0;
  /** Whether nothing is damaged since the last full snapshot. */
  #isGood = true;
  /** The damage before the next snapshot. */
  #cause: Diagnostic | undefined;
  /** Whether the current chunk shows signs of damage. */
  #isFlawed = false;
  /** Whether there was a snapshot after the last tick marker. */
  #hasSnapshot = false;
  /** The sizes of the result. */
  #sizeOf: SizeOf = () => 0;

  constructor(emit: Emit) {
    this.losses = new LossFilter(emit);
  }

  add(entry: RecordingEntry): void {
    switch (entry.record) {
      case 'header':
        this.#header(entry);
        return;
      case 'tick':
        this.#hasSnapshot = false;
        break;
      case 'chunk':
        this.#isFlawed = false;
        break;
      case 'diagnostic':
        if (entry.diagnostic.severity === 'error' || neverWritten.has(entry.diagnostic.code)) {
          this.#onDamage(entry.diagnostic);
        }
        break;
      case 'snapshot':
        this.#snapshot(entry);
        return;
    }
    this.losses.add(entry);
  }

  /** Ends the recording. */
  finish(): void {
    this.losses.finish();
  }

  #header(entry: HeaderEntry): void {
    const { number, client, server, mapChanges, protocol: found } = entry.stream;
    // A recording of 0.7 by DDNet may have a header of 0.6 and the sizes of 0.6.
    const protocol = found.version === '0.7' ? protocolOf('0.7', found.schema) : found;
    this.#sizeOf = protocol.sizeOf;
    this.losses.add({ ...entry, stream: { number, client, server, mapChanges, protocol } });
  }

  #onDamage(cause: Diagnostic): void {
    this.#isGood = false;
    this.#isFlawed = true;
    this.#cause ??= { ...cause, severity: 'error' };
  }

  #snapshot(entry: SnapshotEntry): void {
    const { kind, stream, tick, offset = 0 } = entry;
    if (this.#hasSnapshot) this.#onDamage({ severity: 'error', code: 'repeated_snapshot', offset, args: {} });
    this.#hasSnapshot = true;
    if (kind === 'snapshot' && !this.#isFlawed) this.#isGood = true;
    if (this.#isGood) {
      if (kind === 'delta' && stream.protocol.sizeOf !== this.#sizeOf) this.wrongSizes++;
    } else if (this.#cause) this.losses.add({ record: 'diagnostic', stream, tick, diagnostic: this.#cause });
    this.#cause = undefined;
    this.losses.add(this.#isGood ? entry : { ...entry, uncertain: true });
  }
}

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
  readonly #map = new MapSummary();
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
    if (this.#map.bytes === 0) return { length: seconds, markers: inside };
    const found = this.#map.sha256;
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
