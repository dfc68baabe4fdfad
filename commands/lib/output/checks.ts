import { annotationLines, type FileCheck, jobSummary, renderJunit } from '../../../src/view/ci/reports.ts';
import { OutputError } from '../errors.ts';
import type { Io } from '../io.ts';
import type { Writer } from './writer.ts';

export interface CheckOptions {
  readonly to: string;
  /** Undefined for a command that makes none. */
  readonly annotations?: 'auto' | 'github' | 'none';
}

/**
 * Reports the findings of a command to a CI server: as JUnit XML with `-t junit`, as annotations on GitHub. Those go to
 * standard error, which GitHub reads as well.
 */
export async function reportChecks(
  command: string,
  checks: readonly FileCheck[],
  { to, annotations = 'none' }: CheckOptions,
  writer: Writer,
  io: Io,
): Promise<void> {
  const { env, stderr } = io;
  if (to === 'junit') await writer.write(renderJunit(command, checks));
  if (annotations === 'none' || (annotations === 'auto' && env.GITHUB_ACTIONS !== 'true')) return;
  for (const line of annotationLines(command, checks)) await stderr.write(`${line}\n`);
  const path = env.GITHUB_STEP_SUMMARY;
  if (!path) return;
  try {
    await io.append(path, jobSummary(command, checks));
  } catch (error) {
    throw new OutputError(path, error);
  }
}
