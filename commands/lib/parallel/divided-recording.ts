import { IndivisibleError } from '../../../src/recording/capture-part.ts';
import { CommandError } from '../errors.ts';
import { type OpenedRecording, openInput } from '../input/open.ts';
import type { Io } from '../io.ts';
import { refuseMeaningless } from '../refuse-options.ts';
import { captureParts, openCapturePart } from './divided-capture.ts';
import { demoParts, type OpenedRange, openRange } from './divided-demo.ts';
import { type Division, type DivisionOptions, isOfCapture, type RecordingPart } from './division.ts';

/** The parts of a recording; undefined for any other input, and for a recording that is not worth it. */
export async function dividedRecording(
  file: string,
  division: Division,
  options: DivisionOptions,
  io: Io,
): Promise<readonly RecordingPart[] | undefined> {
  const { demo, capture = demo } = division;
  const isSmall = io.size(file) < Math.min(demo.minBytes, capture.minBytes);
  const jobs = options.jobs ?? (isSmall ? 1 : await io.cores());
  if (file === '-' || options.follow || jobs === 1) return undefined;
  try {
    const opened = await openInput(file, options, io);
    refuseMeaningless([opened], options);
    if (!opened.canSeek) return undefined;
    if (opened.format?.name === 'demo') return await demoParts(opened, division, jobs, options, io);
    if (opened.format?.name === 'pcap') return await captureParts(opened, division, jobs, options, io);
    return undefined;
  } catch (error) {
    // It is reported when the file is read as one.
    if (!(error instanceof CommandError || error instanceof IndivisibleError)) throw error;
    return undefined;
  }
}

/** A part of a recording as a recording of its own. One of a capture has no start and end. */
export interface OpenedPart extends OpenedRecording, Partial<Pick<OpenedRange, 'start' | 'end'>> {}

export const openPart = (file: string, part: RecordingPart, io: Io): OpenedPart =>
  isOfCapture(part) ? openCapturePart(file, part, io) : openRange(file, part, io);
