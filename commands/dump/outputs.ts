import type { RecordingEntry } from '../../src/recording/record.ts';
import { ItemsCsv } from '../../src/view/csv/dump-csv.ts';
import { Envelope } from '../../src/view/csv/envelope.ts';
import { MessagesCsv } from '../../src/view/csv/messages-csv.ts';
import { RecordingHexdump } from '../../src/view/hexdump/recording-hexdump.ts';
import { DumpJson } from '../../src/view/json/dump-json.ts';
import { SelectionTimeline } from '../../src/view/timeline/selection-timeline.ts';
import { Timeline } from '../../src/view/timeline/timeline.ts';
import { outputStyle } from '../lib/output/output.ts';
import type { DumpContext } from './context.ts';

/** Turns records into text or bytes. */
export interface RecordView {
  /** @param isShown false for a record outside the ticks asked for, of an output that needs context */
  add(entry: RecordingEntry, isShown: boolean): string | Uint8Array;
  /** Called when all records of a piece of the input were added. */
  flush?(): string | Uint8Array;
  finish?(): string | Uint8Array;
}

interface Output {
  /** Whether records outside the ticks asked for are added as well: they set the context. */
  readonly needsContext?: boolean;
  /** Whether the view consumes the `chunk` and `packet` records. */
  readonly needsParts?: boolean;
  /** Whether it is for people: diagnostics are part of it, and each of several files has a heading. */
  readonly isForPeople?: boolean;
  /**
   * @param hasPackets whether records have a time, frame and client
   * @param file where there are several: each record names its own
   */
  open(context: DumpContext, hasPackets: boolean, file: string | undefined): RecordView | Promise<RecordView>;
}

/** The outputs of `dump` by their names for `-t`, the default first. */
export const outputs: Readonly<Record<string, Output>> = {
  text: {
    needsContext: true,
    isForPeople: true,
    async open({ options, selected, io }) {
      const style = await outputStyle(options, io);
      if (!selected.all) return new SelectionTimeline({ ...style, filter: selected });
      const { ticks } = options;
      return new Timeline({ ...style, ...(ticks ? { ticks } : {}) });
    },
  },
  ndjson: { open: ({ options, selected }, _, file) => new DumpJson(selected, options.changes === true, file) },
  csv: { open: (context, hasPackets, file) => csvOf(context, new Envelope(hasPackets, file)) },
  hexdump: {
    needsContext: true,
    needsParts: true,
    isForPeople: true,
    async open({ options, selected, io }) {
      return new RecordingHexdump({
        ...(await outputStyle(options, io)),
        filter: selected,
        messages: options.messages,
      });
    },
  },
};

/** The items that are selected, or the messages where only those are. */
export function csvOf({ selected }: Pick<DumpContext, 'selected'>, envelope: Envelope): ItemsCsv | MessagesCsv {
  return selected.onlyMessages
    ? new MessagesCsv(selected, selected.onlyMessage, envelope)
    : new ItemsCsv(selected, selected.only, envelope);
}
