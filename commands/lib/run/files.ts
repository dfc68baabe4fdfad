import { annotationLines, type FileCheck, jobSummary, renderJunit } from '../../../src/output/reports/ci.ts';
import { jsonText } from '../../../src/output/text/escape.ts';
import type { NamedFiles } from '../input/folders.ts';
import { inputOf } from '../input/input-of.ts';
import { type Input, splitPosition } from '../input/inputs.ts';
import { CommandError, exit, OutputError, usageError, withoutName } from '../options/errors.ts';
import type { common, Given, printing, recordingInput } from '../options/options.ts';
import { failureFinding } from '../options/status.ts';
import { type Printing, printingOf } from '../output/printing.ts';
import { OutputWriter, type Writer } from '../output/writer.ts';
import type { Io } from '../platform/io.ts';
import { printError } from '../platform/note.ts';
import { FilesProgress } from '../platform/progress.ts';
import type { Task } from '../platform/protocol.ts';
import { eachTask, type Job, type MakeJob, worthBytes } from './tasks.ts';

type FilesOptions = Given<typeof recordingInput & ReturnType<typeof printing> & Pick<typeof common, 'jobs'>> &
  Partial<Given<Pick<typeof common, 'follow' | 'strict'>> & { readonly annotations: 'auto' | 'github' | 'none' }>;

/** What the files of a run have in common. */
export interface Run<Options> {
  /** The command, which each line of NDJSON about a file names as its record. */
  readonly command: string;
  readonly options: Options;
  readonly input: Input;
  readonly printing: Printing;
  /** Whether there are several files, so that each line contains the file name. */
  readonly multipleFiles: boolean;
  readonly io: Io;
}

export interface FileResult {
  readonly status: number;
  /** What is printed about the file, if that is not written as it is read. */
  readonly text?: string;
  readonly check?: FileCheck | readonly FileCheck[];
}

/**
 * A command that reads files one by one. The runner opens and orders them, divides the work among threads, writes the
 * texts, and reports unreadable files; the worst exit status is that of the command.
 */
export interface FilesCommand<Options extends FilesOptions, Own extends Run<Options>, Result extends FileResult> {
  readonly name: string;
  /** Whether `-o` names a folder for something else than what is printed. */
  readonly writesFolder?: boolean;
  /** Adds to what the files have in common; called once in each thread. */
  prepare(run: Run<Options>): Promise<Own> | Own;
  /** Reads a file. Long output goes to the writer. */
  read(file: string, run: Own, writer: Writer): Promise<Result>;
  /** The result for a file that cannot be read; by default the error is printed. */
  failed?(file: string, error: CommandError, run: Own): Promise<Result>;
}

/** What is printed beside the texts of the files. */
interface About<Own, Result> {
  begin?(writer: Writer, run: Own): Promise<void> | undefined;
  heading?(run: Own): string;
  /** Whether a blank line separates the texts. */
  readonly isSpaced?: boolean;
  add?(result: Result): void;
  end?(writer: Writer, run: Own): Promise<void> | undefined;
}

/** Prints why a file cannot be read. */
export async function reportFailure(file: string, { status, message }: CommandError, io: Io) {
  await printError(message, io);
  const summary = withoutName(file, message);
  return { status, check: { file, summary, findings: [failureFinding(status, summary)] } };
}

/** The same, with `{"file":…,"error":…}` in the place of the file's object in JSON. */
export async function reportFailureAsJson(file: string, error: CommandError, run: Run<FilesOptions>) {
  const failed = await reportFailure(file, error, run.io);
  const { to = '' } = run.options;
  if (error.status !== exit.unreadable || !['json', 'ndjson'].includes(to)) return failed;
  return { ...failed, text: jsonOf({ file, error: failed.check.summary }, run) };
}

/** An object as the text of a file: a line, or an element of the array of all files. */
export const jsonOf = (object: object, { command, printing: { format } }: Run<unknown>): string =>
  format === 'ndjson' ? `${jsonText({ record: command, ...object })}\n` : jsonText(object);

/** Makes a command over files ready to run. */
export function filesCommand<Options extends FilesOptions, Own extends Run<Options>, Result extends FileResult>(
  command: FilesCommand<Options, Own, Result>,
) {
  async function prepare(options: Options, multipleFiles: boolean, io: Io): Promise<Own> {
    // What is printed by a command that writes a folder goes to standard output.
    const printed = command.writesFolder ? { ...options, output: undefined } : options;
    const input = await inputOf(options, io);
    const printing = await printingOf(printed, io);
    return command.prepare({ command: command.name, options, input, printing, multipleFiles, io });
  }

  const jobOf =
    (run: Own): Job<Task, Result> =>
    async ({ file }, writer) => {
      try {
        return await command.read(file, run, writer);
      } catch (error) {
        if (!(error instanceof CommandError)) throw error;
        return (command.failed?.(file, error, run) ?? reportFailure(file, error, run.io)) as Promise<Result>;
      }
    };

  const makeJob: MakeJob<Options, Task, Result> = async (options, multipleFiles, io) =>
    jobOf(await prepare(options, multipleFiles, io));

  async function eachFile(
    files: readonly string[],
    run: Own,
    writer: Writer,
    add: (result: Result) => Promise<void>,
  ): Promise<void> {
    const { options, multipleFiles, io } = run;
    const bytes =
      files.length < 2 ? 0 : files.reduce((sum, file) => sum + io.size(splitPosition(file, io).path ?? file), 0);
    await eachTask({
      command: command.name,
      options,
      multipleFiles,
      writer,
      io,
      threads: await threadsFor(files, bytes, options.jobs, io),
      tasks: files.map((file) => ({ file })),
      job: jobOf(run),
      progress: new FilesProgress(files.length, bytes, io),
      add,
    });
  }

  async function run(
    { files, multipleFiles }: NamedFiles,
    options: Options,
    io: Io,
    { begin, heading, isSpaced = false, add, end }: About<Own, Result> = {},
  ): Promise<number> {
    requireOneFile(options, files);
    // Wrong usage is detected before any file is read.
    const run = await prepare(options, multipleFiles, io);
    const writer = new OutputWriter(run.printing, io);
    const checks: FileCheck[] = [];
    const isList = options.to === 'json';
    let status: number = exit.fine;
    let texts = 0;
    await begin?.(writer, run);
    await eachFile(files, run, writer, async (result) => {
      status = Math.max(status, result.status);
      for (const check of [result.check ?? []].flat()) checks.push(check);
      add?.(result);
      if (result.text === undefined) return;
      if (texts === 0 && heading) await writer.write(heading(run));
      if (isList) await writer.write(texts === 0 ? '[' : ',\n ');
      else if (isSpaced && !writer.isEmpty) await writer.write('\n');
      await writer.write(result.text);
      // Texts are printed as they become available.
      await writer.flush();
      texts++;
    });
    if (isList && (texts > 0 || status < exit.usage)) await writer.write(texts > 0 ? ']\n' : '[]\n');
    await end?.(writer, run);
    if (options.annotations) await reportChecks(command.name, checks, options, writer, io);
    await writer.end(status);
    return status;
  }

  return { makeJob, run };
}

/** A growing file has no end after which another one could be read. */
function requireOneFile({ follow }: { readonly follow?: boolean | undefined }, files: readonly string[]): void {
  if (follow && files.length > 1) throw usageError('--follow is for a single file');
}

async function threadsFor(files: readonly string[], bytes: number, jobs: number | undefined, io: Io): Promise<number> {
  // Only this thread can read standard input.
  if (files.includes('-')) return 1;
  if (jobs === undefined && bytes < worthBytes) return 1;
  return Math.min(jobs ?? (await io.cores()), files.length);
}

/**
 * Reports the findings of a command to a CI server: as JUnit XML with `-t junit`, as annotations on GitHub. Those go to
 * standard error, which GitHub reads as well.
 */
async function reportChecks(
  command: string,
  checks: readonly FileCheck[],
  { to, annotations = 'none' }: Pick<FilesOptions, 'to' | 'annotations'>,
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
