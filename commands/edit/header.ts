import type { DemoHeader } from '../../src/container/demo/header.ts';
import type { DemoHeaderFields } from '../../src/container/demo/write-header.ts';
import { EventFinder, markersOf, readEventKind } from '../../src/edit/markers.ts';
import { MapChecksums } from '../../src/recording/map-checksums.ts';
import type { RecordingEntry } from '../../src/recording/record.ts';
import { localTime } from '../lib/demo/local-time.ts';
import { inputError, usageError } from '../lib/errors.ts';
import { openInput, readAll } from '../lib/input/open.ts';
import type { Io } from '../lib/io.ts';

export interface HeaderOptions {
  readonly map?: string;
  readonly marker?: readonly string[];
  readonly markers?: string;
  readonly demoVersion?: string;
  readonly timestamp?: string;
}

/** A map that replaces the one in a demo. */
interface NewMap {
  readonly name: string;
  readonly bytes: Uint8Array;
  readonly crc: number;
  readonly sha256: string;
}

/** The maximum size of a map, larger than any map of the games. */
const maxMapBytes = 1 << 28;

/** Applies the options to a header: at the beginning, and at the end for values that depend on the records. */
export class HeaderEdit {
  readonly #options: HeaderOptions;
  readonly #map: NewMap | 'none' | undefined;
  readonly #version: number | undefined;
  readonly #finder: EventFinder | undefined;
  readonly #sums = new MapChecksums();
  /** The number of markers that were too many or too close to another. */
  dropped = 0;

  static async of(options: HeaderOptions, io: Io): Promise<HeaderEdit> {
    const { map } = options;
    return new HeaderEdit(options, map === undefined || map === 'none' ? map : await readMap(map, io));
  }

  private constructor(options: HeaderOptions, map: NewMap | 'none' | undefined) {
    this.#options = options;
    this.#map = map;
    this.#version = options.demoVersion === undefined ? undefined : Number(options.demoVersion);
    const { markers, marker = [], timestamp } = options;
    if (markers !== undefined && markers !== 'none') {
      const kind = markers.startsWith('at:') ? readEventKind(markers.slice(3)) : undefined;
      if (!kind || kind === 'marker') {
        throw usageError(`--markers expects none or at:kill, at:death, at:finish, at:chat:/RE/, not '${markers}'`);
      }
      this.#finder = new EventFinder(kind);
    }
    for (const one of marker)
      if (!/^[+-]\d+$/.test(one)) throw usageError(`--marker expects +TICK or -TICK, not '${one}'`);
    if (timestamp !== undefined && timestamp !== 'now' && !/^\d{4}-\d\d-\d\d_\d\d-\d\d-\d\d$/.test(timestamp)) {
      throw usageError(`--timestamp expects now or a time such as 2026-11-20_11-08-13, not '${timestamp}'`);
    }
  }

  /** Whether the header is final only at the end, so that it has to be written again. */
  needsEnd(header: DemoHeader): boolean {
    return this.#finder !== undefined || this.#needsHash(header);
  }

  /** The replacement of the map; undefined if the map is unchanged. */
  get map(): Uint8Array | undefined {
    return this.#map === 'none' ? new Uint8Array(0) : this.#map?.bytes;
  }

  header(header: DemoHeader): DemoHeader {
    const version = this.#version ?? header.version;
    const changed = { ...header, version, ...this.#mapFields(), ...this.#timestamp() };
    if (version >= 6 && changed.sha256 === undefined && header.version < 6) {
      if (changed.mapSize === 0) {
        throw usageError('version 6 contains the sha256 of the map, and this demo has no map: add --map FILE');
      }
      // A placeholder, replaced once the whole map has been read.
      changed.sha256 = '0'.repeat(64);
    }
    return { ...changed, markers: this.#finder ? [] : this.#markers(header.markers) };
  }

  add(entry: RecordingEntry): void {
    this.#finder?.add(entry);
    if (entry.record === 'map') this.#sums.add(entry.piece);
  }

  /** The changes to the header after all records. */
  final(header: DemoHeader): Partial<DemoHeaderFields> {
    this.#finder?.finish();
    const found = this.#finder?.found.map(({ tick }) => tick);
    return {
      ...(found ? { markers: this.#markers(found) } : {}),
      ...(this.#needsHash(header) ? { sha256: this.#sums.sha256() } : {}),
    };
  }

  #needsHash(header: DemoHeader): boolean {
    return (this.#version ?? header.version) >= 6 && header.version < 6 && this.#map === undefined;
  }

  #mapFields(): Partial<DemoHeaderFields> {
    if (this.#map === undefined) return {};
    if (this.#map === 'none') return { mapSize: 0 };
    const { name, bytes, crc, sha256 } = this.#map;
    return { mapName: name, mapSize: bytes.length, mapCrc: crc, sha256 };
  }

  #timestamp(): Partial<DemoHeaderFields> {
    const { timestamp } = this.#options;
    if (timestamp === undefined) return {};
    return { timestamp: timestamp === 'now' ? localTime(new Date()) : timestamp };
  }

  #markers(recorded: readonly number[]): readonly number[] {
    const { marker = [], markers } = this.#options;
    if (marker.length === 0 && markers === undefined) return recorded;
    const removed = new Set(marker.filter((one) => one.startsWith('-')).map((one) => Number(one.slice(1))));
    const added = marker.filter((one) => one.startsWith('+')).map((one) => Number(one.slice(1)));
    const remaining = (markers === 'none' ? [] : recorded).filter((tick) => !removed.has(tick));
    const { markers: all, dropped } = markersOf([...remaining, ...added]);
    this.dropped = dropped;
    return all;
  }
}

async function readMap(path: string, io: Io): Promise<NewMap> {
  // The format is not detected, since only this command reads maps.
  const opened = await openInput(path, { from: 'map' }, io);
  const bytes = await readAll(opened.pieces, maxMapBytes + 1);
  if (bytes.length > maxMapBytes) throw inputError(`${opened.name}: a map of more than ${maxMapBytes >> 20} MiB`);
  const magic = new TextDecoder().decode(bytes.subarray(0, 4));
  if (magic !== 'DATA' && magic !== 'ATAD') throw inputError(`${opened.name}: this is not a map of the games`);
  const sums = new MapChecksums();
  sums.add(bytes);
  const name = path.replace(/^.*[/\\]/, '').replace(/\.map$/i, '');
  return { name, bytes, crc: sums.crc, sha256: sums.sha256() };
}
