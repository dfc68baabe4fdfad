import type { RecordingEntry } from '../../src/recording/record.ts';
import { ItemsOfAllTypes, ItemsOfType, MessageRows, type RecordRows } from '../../src/tables/record-rows.ts';
import { RecordsCsv } from '../../src/view/csv/csv.ts';
import { RecordingHexdump } from '../../src/view/hexdump/recording-hexdump.ts';
import { RecordLines } from '../../src/view/json/record-json.ts';
import { SelectionTimeline, Timeline } from '../../src/view/timeline/timeline.ts';
import { common, flag, type Given, itemSelection, printing, recordingInput, ticks } from '../lib/options.ts';
import type { Run } from '../lib/run/files.ts';
import type { ItemFilter } from '../lib/selection.ts';

export const definition = {
  arguments: { '[file...]': "demos, captures or folders; '-' or nothing for standard input" },
  options: {
    changes: flag('--changes', 'print only the items that changed (ndjson)', {
      refusal: ({ to }) => (to === 'ndjson' ? undefined : `--changes requires -t ndjson, not -t ${to}`),
    }),
    messages: flag('--no-messages', 'leave out messages', {
      default: true,
      refusal: ({ to }) =>
        to === 'csv' ? '-t csv prints messages only if --type names them: leave out --no-messages' : undefined,
    }),
    ...recordingInput,
    include: common.include,
    follow: common.follow,
    ticks: ticks('only these ticks, A..B'),
    ...itemSelection('items of these types and messages'),
    ...printing(['text', 'ndjson', 'csv', 'hexdump']),
    strict: common.strict,
    jobs: common.jobs,
  },
  help: `
Examples:
  tw-snap dump match.demo
  tw-snap dump match.demo -t csv --type obj_character --id 0 > path.csv
  tcpdump -U -w - udp port 8303 | tw-snap dump -`,
};

export type DumpOptions = Given<(typeof definition)['options']>;

export interface DumpRun extends Run<DumpOptions> {
  readonly selected: ItemFilter;
}

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
  /**
   * @param file the input as named by the user
   * @param isFirst false for a part of a recording that does not begin it
   */
  open(run: DumpRun, file: string, isFirst: boolean): RecordView;
}

/** The outputs of `dump` by their names for `-t`, the default first. */
export const outputs: Readonly<Record<string, Output>> = {
  text: {
    needsContext: true,
    isForPeople: true,
    open({ options, selected, printing }) {
      if (!selected.all) return new SelectionTimeline({ ...printing, filter: selected });
      const { ticks } = options;
      return new Timeline({ ...printing, ...(ticks ? { ticks } : {}) });
    },
  },
  ndjson: {
    isDivisible: true,
    open: ({ options, selected, multipleFiles }, file) =>
      new RecordLines({ filter: selected, changes: options.changes === true }, multipleFiles ? file : undefined),
  },
  // With several files the heading is printed once, at the beginning.
  csv: {
    isDivisible: true,
    open: (run, file, isFirst) => new RecordsCsv(rowsOf(run, file), isFirst && !run.multipleFiles),
  },
  hexdump: {
    needsContext: true,
    needsParts: true,
    isForPeople: true,
    open: ({ options, selected, printing }) =>
      new RecordingHexdump({ ...printing, filter: selected, messages: options.messages === true }),
  },
};

/** The items that are selected, or the messages where only those are. */
export function rowsOf({ selected, input: { schema } }: DumpRun, file: string): RecordRows {
  if (selected.onlyMessages) return new MessageRows(selected.onlyMessage?.name, schema, selected, file);
  return selected.only
    ? new ItemsOfType(selected.only.name, schema, selected, file)
    : new ItemsOfAllTypes(selected, file);
}
