import { main } from '../../commands/index.ts';
import { fakeIo, type World } from './fake-io.ts';

/** A command line without the program: its words, or a text whose words are separated by spaces. */
type Line = string | readonly string[];
type Files = World['files'] & object;

/** Runs a command line on files in memory. */
export async function run(line: Line, files: Files = {}, world: World = {}) {
  const { status, stdout, stderr } = await runWriting(line, files, world);
  return { status, stdout, stderr };
}

/** Runs a command line that writes bytes: those of standard output, and all files after it. */
export async function runWriting(line: Line, files: Files = {}, world: World = {}) {
  const io = fakeIo({ files, ...world });
  const status = await main(typeof line === 'string' ? line.split(' ').filter(Boolean) : line, io);
  return { status, stdout: io.stdout.text, stderr: io.stderr.text, bytes: io.stdout.bytes, files: io.files };
}

/** Runs command lines on the same files. */
export const runOn =
  (files: Files) =>
  (line: Line, world: World = {}) =>
    run(line, files, world);

export const linesOf = (text: string): string[] => text.trimEnd().split('\n');

/** The values of NDJSON. */
export const recordsOf = (ndjson: string) => linesOf(ndjson).map((line) => JSON.parse(line));
