import { messageJson } from '../../packet/message-json.ts';
import type { MessageType } from '../../protocol/message.ts';
import type { RecordingEntry } from '../../recording/record.ts';
import type { RecordFilter } from '../../recording/record-filter.ts';
import { messageLine } from '../text/recording-phrases.ts';
import { type CsvCell, csvLine } from './csv.ts';
import { columnNames, type Envelope } from './envelope.ts';

/**
 * The selected messages of a recording, a row each. The fields of one kind of message have columns of their own; those of
 * several kinds share one, as `team=0 client_id=1`.
 */
export class MessagesCsv {
  readonly #filter: RecordFilter;
  readonly #only: MessageType | undefined;
  readonly #envelope: Envelope;
  #hasHeading: boolean;

  /** @param only the one kind of message that is selected */
  constructor(filter: RecordFilter, only: MessageType | undefined, envelope: Envelope) {
    this.#filter = filter;
    this.#only = only;
    this.#envelope = envelope;
    this.#hasHeading = !envelope.hasHeading;
  }

  add(entry: RecordingEntry): string {
    if (entry.record !== 'message' || !this.#filter.message(entry.message.type?.name)) return '';
    const { message, direction, tick } = entry;
    // The fields differ between the versions of the protocol.
    const only = this.#only && (message.type ?? this.#only);
    const { fields } = messageJson(message);
    const values = only
      ? only.fields.map(({ name }) => cell(fields[name]))
      : [messageLine(message).replace(/^\S+ ?/, '')];
    const heading = this.#hasHeading ? '' : this.#heading(only);
    this.#hasHeading = true;
    const lead = this.#envelope.cells(entry, tick);
    return heading + csvLine([...lead, direction, message.type?.name, ...values]);
  }

  heading(): string {
    return this.#heading(this.#only);
  }

  #heading(only: MessageType | undefined): string {
    const values = only ? only.fields.map(({ name }) => name) : ['values'];
    return csvLine(columnNames([...this.#envelope.columns, 'direction', 'message'], values));
  }

  /** A table without rows has its heading. */
  finish(): string {
    return this.#hasHeading ? '' : this.heading();
  }
}

const cell = (value: unknown): CsvCell =>
  typeof value === 'object' ? JSON.stringify(value) : (value as number | string | undefined);
