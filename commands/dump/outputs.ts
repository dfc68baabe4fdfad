import type { RecordingEntry } from '../../src/recording/record.ts';
import { ItemsOfAllTypes, ItemsOfType } from '../../src/tables/item-rows.ts';
import { MessageRows } from '../../src/tables/message-rows.ts';
import type { RecordRows } from '../../src/tables/record-rows.ts';
import { RecordsCsv } from '../../src/view/csv/records-csv.ts';
import { RecordingHexdump } from '../../src/view/hexdump/recording-hexdump.ts';
import { DumpJson } from '../../src/view/json/dump-json.ts';
import { SelectionTimeline, Timeline } from '../../src/view/timeline/timeline.ts';
import { outputStyle } from '../lib/output/output.ts';
import type { DumpContext } from './context.ts';

/** Turns records into text or bytes. */
interface RecordView {
  /** Called before all records. */
  begin?(): string;
  /** @param isShown false for a record outside the selected ticks, which only sets the context */
  add(entry: RecordingEntry, isShown: boolean): string | Uint8Array;
  /** Called after all records of a piece of the input. */
  flush?(): string | Uint8Array;
  finish?(): string | Uint8Array;
}

interface Output {
  /** Whether records outside the selected ticks are also added, since they set the context. */
  readonly needsContext?: boolean;
  /** Whether the view consumes the `chunk` and `packet` records. */
  readonly needsParts?: boolean;
  /** Whether it is for human readers: it then includes diagnostics and a heading for each of several files. */
  readonly isForPeople?: boolean;
  /** Whether the parts of a demo can be dumped one after the other. */
  readonly isDivisible?: boolean;
  /** @param file the input as named by the user */
  open(context: DumpContext, file: string): RecordView | Promise<RecordView>;
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
  ndjson: {
    isDivisible: true,
    open: ({ options, selected, isOfSeveral }, file) =>
      new DumpJson(selected, options.changes === true, isOfSeveral ? file : undefined),
  },
  // With several files the heading is printed once, at the beginning.
  csv: {
    isDivisible: true,
    open: (context, file) => new RecordsCsv(rowsOf(context, file), hasHeading(context)),
  },
  hexdump: {
    needsContext: true,
    needsParts: true,
    isForPeople: true,
    async open({ options, selected, io }) {
      return new RecordingHexdump({
        ...(await outputStyle(options, io)),
        filter: selected,
        messages: options.messages === true,
      });
    },
  },
};

/** Several files have a common heading, and so have the parts of one. */
const hasHeading = ({ isOfSeveral, part }: DumpContext) => !isOfSeveral && part?.start === undefined;

/** The items that are selected, or the messages where only those are. */
export function rowsOf({ selected, schema }: Pick<DumpContext, 'selected' | 'schema'>, file: string): RecordRows {
  if (selected.onlyMessages) return new MessageRows(selected.onlyMessage?.name, schema, selected, file);
  return selected.only
    ? new ItemsOfType(selected.only.name, schema, selected, file)
    : new ItemsOfAllTypes(selected, file);
}
