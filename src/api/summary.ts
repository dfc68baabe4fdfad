import { RecordingHealth } from '../analysis/explain/server-faults.ts';
import {
  type captureValues,
  datagramFields,
  type demoValues,
  type ghostValues,
  infoValues,
} from '../output/results/info.ts';
import type { RecordingEntry } from '../recording/replay/record.ts';
import { RecordingSummary } from '../recording/summary/recording-summary.ts';
import type { DetectedReplay } from './read-recording.ts';

/**
 * What a recording is: the object that `tw-snap info -t json` prints of it, without the path. docs/schemas/info.json
 * has the meaning of each key; `format` and `connections` tell the three kinds apart. Of records without their file
 * `size` is missing, and of those of a capture `format` and what is said of its datagrams.
 */
export type Summary = DemoSummary | GhostSummary | CaptureSummary;
/** Of a demo, and of a ghost whose header cannot be read. */
export type DemoSummary = Omit<ReturnType<typeof demoValues>, 'file' | 'size'> & { readonly size?: number };
/** Of a ghost. */
export type GhostSummary = Omit<ReturnType<typeof ghostValues>, 'file' | 'size'> & { readonly size?: number };
/** Of a capture or a network log. */
export type CaptureSummary = Omit<
  ReturnType<typeof captureValues>,
  'file' | 'size' | 'format' | keyof typeof datagramFields
> &
  Partial<Pick<ReturnType<typeof captureValues>, 'size' | 'format' | keyof typeof datagramFields>>;

/** Sums up the records of a recording as `info` does. */
export class Summarising {
  readonly #replay: DetectedReplay;
  readonly #health = new RecordingHealth();
  #summary: RecordingSummary | undefined;

  /** @param replay what reads the file, if there is one */
  constructor(replay: DetectedReplay) {
    this.#replay = replay;
  }

  add(entry: RecordingEntry): void {
    this.#recording.add(entry);
    this.#health.add(entry);
  }

  finish(): Summary {
    const { bytes, container } = this.#replay;
    const info = { file: '', bytes, summary: this.#recording, findings: this.#health.findings.length };
    const { file: _, ...values } = infoValues(info);
    if (container !== undefined) return values as Summary;
    const ofFile = 'connections' in values ? ['size', 'format', ...Object.keys(datagramFields)] : ['size'];
    return Object.fromEntries(Object.entries(values).filter(([key]) => !ofFile.includes(key))) as unknown as Summary;
  }

  /** It has the stream of a demo from the beginning, which is there once the format is known. */
  get #recording(): RecordingSummary {
    this.#summary ??= new RecordingSummary(this.#replay);
    return this.#summary;
  }
}
