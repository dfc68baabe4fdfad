import type { RecordingEntry } from '../../src/recording/record.ts';
import { DumpCsv } from '../../src/view/csv/dump-csv.ts';
import { RecordingHexdump } from '../../src/view/hexdump/recording-hexdump.ts';
import { DumpJson } from '../../src/view/json/dump-json.ts';
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
  /** Whether diagnostics are part of the output, so that a person sees them there. */
  readonly showsDiagnostics?: boolean;
  /** @param isCapture whether records carry a time and a client */
  open(context: DumpContext, isCapture: boolean): RecordView | Promise<RecordView>;
}

/** The outputs of `dump` by their names for `-t`, the default first. */
export const outputs: Readonly<Record<string, Output>> = {
  text: {
    needsContext: true,
    showsDiagnostics: true,
    async open({ options, wanted, io }) {
      const { ticks } = options;
      const only = wanted.all ? undefined : wanted.message;
      return new Timeline({ ...(await outputStyle(options, io)), ...(ticks ? { ticks } : {}), only });
    },
  },
  ndjson: { open: ({ options, wanted }) => new DumpJson(wanted, options.changes === true) },
  csv: { open: ({ wanted }, isCapture) => new DumpCsv(wanted, wanted.only, isCapture) },
  hexdump: {
    needsContext: true,
    needsParts: true,
    showsDiagnostics: true,
    async open({ options, wanted, io }) {
      return new RecordingHexdump({
        ...(await outputStyle(options, io)),
        filter: wanted,
        messages: options.messages,
      });
    },
  },
};
