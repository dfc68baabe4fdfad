import { DecodeError } from '../../src/bytes/diagnostic.ts';
import { join } from '../../src/bytes/join.ts';
import { crc32 } from '../../src/codec/crc32.ts';
import { type GameMap, readMap } from '../../src/container/map/game-map.ts';
import type { RecordingEntry } from '../../src/recording/record.ts';
import { diagnosticMessage } from '../../src/view/text/diagnostic-messages.ts';
import { inputError } from '../lib/errors.ts';
import { openInput, readAll } from '../lib/input/open.ts';
import type { Io } from '../lib/io.ts';

/** A larger map is left out of the page. */
const maxBytes = 1 << 26;

/** The map of a report: the one of `--map`, or the one inside the demo. */
export class ReportMap {
  readonly #pieces: Uint8Array[] = [];
  #bytes = 0;
  /** The checksum that the demo's header has. */
  #crc: number | undefined;
  /** What is wrong with the map, as sentences. */
  readonly diagnostics: string[] = [];

  add(entry: RecordingEntry): void {
    if (entry.record === 'header') this.#crc = entry.header.mapCrc;
    if (entry.record !== 'map') return;
    this.#bytes += entry.piece.length;
    if (this.#bytes <= maxBytes) this.#pieces.push(entry.piece.slice());
  }

  /** @throws CommandError if the file named by the user cannot be read */
  async read(path: string | undefined, io: Io): Promise<GameMap | undefined> {
    if (path === undefined && (this.#bytes === 0 || this.#bytes > maxBytes)) return undefined;
    const bytes = path === undefined ? join(this.#pieces) : await readFile(path, io);
    if (path !== undefined && this.#crc !== undefined && crc32(bytes) !== this.#crc) {
      this.diagnostics.push('the map of --map is not the one that was played: its checksum differs from the header’s');
    }
    try {
      return await readMap(bytes, io.inflate);
    } catch (error) {
      if (!(error instanceof DecodeError)) throw error;
      if (path !== undefined) throw inputError(`${path}: ${diagnosticMessage(error)}`);
      // The demo's own map: everything else in the demo can be shown.
      this.diagnostics.push(`the map is not drawn: ${diagnosticMessage(error)}`);
      return undefined;
    }
  }
}

async function readFile(path: string, io: Io): Promise<Uint8Array> {
  const { name, pieces } = await openInput(path, { from: 'packed' }, io);
  const bytes = await readAll(pieces, maxBytes + 1);
  if (bytes.length > maxBytes) throw inputError(`${name}: this is larger than any map`);
  return bytes;
}
