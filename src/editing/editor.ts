import type { DemoHeader } from '../recording/container/demo/header.ts';
import { DemoMessage } from '../recording/replay/lazy-message.ts';
import type { HeaderEntry, MessageEntry, RecordingEntry, SnapshotEntry } from '../recording/replay/record.ts';
import { join } from '../wire/bytes/copy.ts';
import type { Message, MessageValue } from '../wire/packet/message.ts';
import { intBytes, textBytes } from '../wire/packet/write.ts';
import { Snapshot } from '../wire/snapshot/snapshot.ts';
import type { Emit } from './slice.ts';

/** What an edit changes of headers, snapshots and messages. */
export interface Edit {
  header?(header: DemoHeader): DemoHeader;
  /** Changes the ints of a snapshot in place, and returns whether anything changed. */
  snapshot?(snapshot: Snapshot, entry: SnapshotEntry): boolean;
  /** Returns the new bytes of a message, `drop`, or undefined if it is unchanged. */
  message?(entry: MessageEntry): Uint8Array | 'drop' | undefined;
}

/** Applies edits to records one by one. Records that no edit changes are passed on as they are. */
export class Editor {
  readonly #edits: readonly Edit[];
  readonly #emit: Emit;
  readonly #snapshot = new Snapshot();
  readonly #changesSnapshots: boolean;

  constructor(edits: readonly Edit[], emit: Emit) {
    this.#edits = edits;
    this.#emit = emit;
    this.#changesSnapshots = edits.some((edit) => edit.snapshot);
  }

  add(entry: RecordingEntry): void {
    if (entry.record === 'message') this.#message(entry);
    else if (entry.record === 'header') this.#emit({ ...entry, header: this.#header(entry) });
    else if (entry.record === 'snapshot' && entry.snapshot) this.#emit(this.#changed(entry, entry.snapshot));
    else this.#emit(entry);
  }

  #header({ header }: HeaderEntry): DemoHeader {
    return this.#edits.reduce((changed, edit) => edit.header?.(changed) ?? changed, header);
  }

  #changed(entry: SnapshotEntry, recorded: Snapshot): SnapshotEntry {
    if (!this.#changesSnapshots) return entry;
    const snapshot = this.#snapshot;
    snapshot.copyFrom(recorded);
    let isChanged = false;
    for (const edit of this.#edits) if (edit.snapshot?.(snapshot, entry)) isChanged = true;
    return isChanged ? ({ ...entry, snapshot, payload: undefined } as SnapshotEntry) : entry;
  }

  #message(entry: MessageEntry): void {
    let now = entry;
    for (const edit of this.#edits) {
      const result = edit.message?.(now);
      if (result === 'drop') return;
      if (result) now = new DemoMessage(now.stream, now.tick ?? -1, now.offset ?? -1, { bytes: result });
    }
    this.#emit(now);
  }
}

/**
 * The bytes of a message with changed values, of the same kind; undefined if none changes. Bytes that were not read as
 * a value stay.
 */
export function rewriteMessage(
  { start, end, values, padding }: Message,
  bytes: Uint8Array,
  rewrite: (value: MessageValue) => string | number | undefined,
): Uint8Array | undefined {
  const parts: Uint8Array[] = [];
  let at = start;
  for (const value of values) {
    const now = rewrite(value);
    if (now === undefined || now === value.value || typeof now !== typeof value.value) continue;
    parts.push(bytes.subarray(at, value.start), typeof now === 'number' ? intBytes(now) : textBytes(now));
    at = value.end;
  }
  if (parts.length === 0) return undefined;
  // Demos pad messages to whole ints; the padding is computed again.
  parts.push(bytes.subarray(at, end - padding));
  return join(parts);
}
