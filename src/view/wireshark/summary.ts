import { count, size, thousands } from '../text/number.ts';
import type { CaptureAnnotator } from './capture-annotator.ts';

export interface AnnotatedCapture {
  /** The name of the input, escaped for printing. */
  readonly from: string;
  readonly to: string;
  readonly bytes: number;
  readonly writtenBytes: number;
  readonly counts: CaptureAnnotator['counts'];
}

/** Returns a line about the written file, and lines about omitted contents. */
export function renderAnnotated({ from, to, bytes, writtenBytes, counts }: AnnotatedCapture): string[] {
  const { frames, annotated, snapshots, mismatches, lost, cut, withoutPlace } = counts;
  const found = [
    count(snapshots, 'snapshot'),
    ...(mismatches > 0 ? [`${thousands(mismatches)} mismatched`] : []),
    ...(lost > 0 ? [`${thousands(lost)} not rebuilt`] : []),
  ].join(', ');
  const lines = [
    `${from} → ${to}   ${thousands(annotated)} of ${count(frames, 'frame')}   ${found}   ${size(bytes)} → ${size(writtenBytes)}`,
  ];
  if (cut > 0) lines.push(`${count(cut, 'frame')} with more than its comments can contain: the rest is counted there`);
  if (withoutPlace > 0) lines.push(`${count(withoutPlace, 'frame')} without a comment: simple packet blocks have none`);
  return lines;
}
