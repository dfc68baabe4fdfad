import type { RecordingSummary } from '../../recording/recording-summary.ts';
import { escapeText } from '../text/escape.ts';
import type { LabelledRow } from '../text/layout.ts';
import type { Theme } from '../text/theme.ts';
import { size } from '../text/units.ts';
import { headRows, markerRows } from './head-rows.ts';
import { streamRows } from './stream-rows.ts';

/** A file with the summary of its recording. */
export interface RecordingInfo {
  readonly file: string;
  readonly bytes: number;
  readonly summary: RecordingSummary;
  /** The number of findings that `explain` has for snapshots with correct checksums. */
  readonly findings?: number;
}

/** `client demo, version 6, 204 KB`, `pcap, 1.1 MB` */
export function kindText({ bytes, summary: { header, container } }: RecordingInfo): string {
  const kind = header ? `${header.type || 'unknown'} demo, version ${header.version}` : container;
  return `${escapeText(kind)}, ${size(bytes)}`;
}

/** The rows of a recording: about the whole, and about its stream if it has only one. */
export function infoRows(summary: RecordingSummary, theme: Theme): LabelledRow[] {
  const [one, ...others] = summary.streams;
  return [
    ...headRows(summary, theme),
    ...(one && others.length === 0 ? streamRows(one, summary, theme, false) : []),
    ...markerRows(summary),
  ];
}
