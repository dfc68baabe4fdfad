import type { DemoRange } from '../../../src/recording/demo-range.ts';
import { CommandError } from '../errors.ts';
import { openInput } from '../input/open.ts';
import { refuseMeaningless } from '../input/refuse.ts';
import { inputOf } from '../input/settings.ts';
import type { Io } from '../io.ts';
import { demoParts } from './divided-demo.ts';
import type { Division, DivisionOptions } from './division.ts';

/** The parts of a recording; undefined for any other input, and for a recording that is not worth it. */
export async function dividedRecording(
  file: string,
  division: Division,
  options: DivisionOptions,
  io: Io,
): Promise<readonly DemoRange[] | undefined> {
  const jobs = options.jobs ?? (io.size(file) < division.minBytes ? 1 : await io.cores());
  if (file === '-' || options.follow || jobs === 1) return undefined;
  try {
    const input = await inputOf(options, io);
    const opened = await openInput(file, input, io);
    refuseMeaningless([opened], input);
    if (!opened.canSeek || !opened.format?.isDivisible) return undefined;
    return await demoParts(opened, division, jobs, options, io);
  } catch (error) {
    // It is reported when the file is read as one.
    if (!(error instanceof CommandError)) throw error;
    return undefined;
  }
}
