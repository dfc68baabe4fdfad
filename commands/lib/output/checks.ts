import { annotationLines, type FileCheck, jobSummary, renderJunit } from '../../../src/view/ci/reports.ts';
import { OutputError } from '../errors.ts';
import type { Io } from '../io.ts';
import type { Writer } from './writer.ts';

export interface CheckOptions {
  readonly to: string;
  readonly annotations: 'auto' | 'github' | 'none';
}

/** A message about a file without the file's name, which the report already contains. */
export const withoutName = (file: string, message: string): string =>
  message.startsWith(`${file}: `) ? message.slice(file.length + 2) : message;

/** Reports the findings of a command to a CI server: as JUnit XML with `-t junit`, as annotations on GitHub. */
export class Checks {
  readonly #command: string;
  readonly #options: CheckOptions;
  readonly #io: Io;
  readonly #all: FileCheck[] = [];

  constructor(command: string, options: CheckOptions, io: Io) {
    this.#command = command;
    this.#options = options;
    this.#io = io;
  }

  add(check: FileCheck): void {
    this.#all.push(check);
  }

  /** Writes the report. Annotations go to standard error, which GitHub reads as well. */
  async finish(writer: Writer): Promise<void> {
    const { env, stderr } = this.#io;
    const { to, annotations } = this.#options;
    if (to === 'junit') await writer.write(renderJunit(this.#command, this.#all));
    if (annotations === 'none' || (annotations === 'auto' && env.GITHUB_ACTIONS !== 'true')) return;
    for (const line of annotationLines(this.#command, this.#all)) await stderr.write(`${line}\n`);
    const path = env.GITHUB_STEP_SUMMARY;
    if (!path) return;
    try {
      await this.#io.append(path, jobSummary(this.#command, this.#all));
    } catch (error) {
      throw new OutputError(path, error);
    }
  }
}
