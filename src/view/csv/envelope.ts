import type { RecordingEntry } from '../../recording/record.ts';
import type { CsvCell } from './csv.ts';

/** The columns before those of an item or message: where in which file it is. */
export class Envelope {
  readonly columns: readonly string[];
  /** Whether the table begins with the names of its columns. */
  readonly hasHeading: boolean;
  readonly #file: string | undefined;
  readonly #hasPackets: boolean;

  /** @param file of a table of several files, whose columns are the same for demos and captures */
  constructor(hasPackets: boolean, file?: string) {
    this.#file = file;
    this.#hasPackets = hasPackets || file !== undefined;
    const packets = this.#hasPackets ? ['time', 'frame', 'client'] : [];
    this.columns = [...(file === undefined ? [] : ['file']), ...packets, 'snap_tick'];
    this.hasHeading = file === undefined;
  }

  cells({ time, frame, stream }: RecordingEntry, tick: number | undefined): CsvCell[] {
    const packets = this.#hasPackets ? [Number.isFinite(time) ? time : undefined, frame, stream?.client] : [];
    return [...(this.#file === undefined ? [] : [this.#file]), ...packets, tick];
  }
}

/** All names of columns, each once: a field that is called like a column of the envelope is `field_NAME`. */
export const columnNames = (envelope: readonly string[], fields: readonly string[]): string[] => [
  ...envelope,
  ...fields.map((name) => (envelope.includes(name) ? `field_${name}` : name)),
];
