import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { main } from '../../commands/index.ts';
import { type FakeIo, fakeIo, type World } from './fake-io.ts';
import { execFileSync, tool } from './host.ts';

const root = resolve(import.meta.dirname, '../..');

/**
 * A transcript is a Markdown text. Each of its `console` blocks contains commands and, below each, its output: standard
 * output, then standard error after `2> `, then the exit status. Escape codes are made visible.
 *
 * ``` $ head -c 12 samples/first.huff | tw-snap decode ``` Known besides tw-snap are `cat FILE`, `head -c N FILE`,
 * `head -n N`, `printf TEXT`, `jq`, `|`, `< FILE` and `NAME=value` before tw-snap; that is all a transcript needs. A
 * block marked `console as-seen` shows what a terminal does: no marks, no status. One marked `console terminal=80` runs
 * as in a terminal of 80 columns.
 * @param run runs a line; by default on files in memory
 * @param isChosen which blocks run, by their commands; the others stay as they are
 * @returns the text with all outputs as they are now
 */
export async function replay(
  markdown: string,
  run: Runner = inMemory(),
  isChosen: (commands: readonly string[]) => boolean = () => true,
): Promise<string> {
  const parts = markdown.split(/^(```console.*\n)([\s\S]*?)^```$/m);
  for (let i = 1; i < parts.length; i += 3) {
    const columns = Number(/terminal=(\d+)/.exec(parts[i]!)?.[1] ?? 0);
    const print = /as-seen/.test(parts[i]!) ? asSeen : inFull;
    const commands = parts[i + 1]!.split('\n').filter((line) => line.startsWith('$ '));
    parts[i + 2] = `\`\`\`${parts[i + 2]}`;
    if (!isChosen(commands)) continue;
    const outputs: string[] = [];
    for (const command of commands) {
      const outcome = await run(command.slice(2), columns);
      outputs.push(`${print(outcome).join('\n')}\n`);
    }
    parts[i + 1] = commands.map((command, k) => `${command}\n${outputs[k]}`).join('\n');
  }
  return parts.join('');
}

/** The samples under their names, and the files of damaged inputs. */
export function worldOfFiles(): Map<string, Uint8Array> {
  const names = readdirSync(join(root, 'samples'));
  const sample = (name: string) => new Uint8Array(readFileSync(join(root, 'samples', name)));
  return new Map(names.map((name) => [`samples/${name}`, sample(name)])).set('/dev/null', new Uint8Array());
}

export interface Outcome {
  readonly stdout: Uint8Array;
  readonly stderr: string;
  readonly status: number;
}

/** Runs a command line; `columns` is the width of a terminal, 0 for none. */
type Runner = (line: string, columns: number) => Promise<Outcome>;

function inMemory(files = worldOfFiles()): Runner {
  return async (line, columns) => {
    const commands = words(line);
    let last: Outcome = { stdout: new Uint8Array(), stderr: '', status: 0 };
    let stderr = '';
    for (const [i, command] of commands.entries()) {
      const piped = i > 0 ? last.stdout : undefined;
      last = await runCommand(command, piped, files, i === commands.length - 1 ? columns : 0);
      stderr += last.stderr;
    }
    return { ...last, stderr };
  };
}

/** Marks standard error, and adds the status. */
function inFull({ stdout, stderr, status }: Outcome): string[] {
  const errors = linesOf(stderr).map((text) => `2> ${text}`);
  return [...linesOf(new TextDecoder().decode(stdout)), ...errors, `exit ${status}`];
}

/** The output as on a terminal: messages before the data, then the data. */
function asSeen({ stdout, stderr }: Outcome): string[] {
  return [...linesOf(stderr), ...linesOf(new TextDecoder().decode(stdout)).map((text) => text.trimEnd())];
}

export async function runCommand(
  command: readonly string[],
  piped: Uint8Array | undefined,
  files: Map<string, Uint8Array>,
  columns: number,
): Promise<Outcome> {
  const [name, ...args] = command;
  const file = (path: string) => files.get(path) ?? fail(`no file ${path}`);
  if (name === 'cat') return printed(file(args[0]!));
  if (name === 'head' && args[2] === '/dev/zero') return printed(new Uint8Array(Number(args[1])));
  if (name === 'head' && args[0] === '-n') return printed(firstLines(piped ?? file(args[2]!), Number(args[1])));
  if (name === 'tail' && args[0] === '-n') return printed(lastLines(piped ?? file(args[2]!), Number(args[1])));
  if (name === 'head' && args[0] === '-c') return printed(file(args[2]!).subarray(0, Number(args[1])));
  if (name === 'jq') return printed(execFileSync(tool('jq'), args, { input: piped! }));
  if (name === 'printf') {
    const text = args[0] === '%s' ? args[1]! : args[0]!.replaceAll('\\n', '\n');
    return printed(new TextEncoder().encode(text));
  }

  const variables = command.slice(0, command.indexOf('tw-snap')).map((word) => word.split('='));
  const argv = command.slice(variables.length + 1);
  if (command[variables.length] !== 'tw-snap') fail(`no command ${name}`);
  const from = argv.indexOf('<');
  const stdin = from < 0 ? piped : file(argv.splice(from, 2)[1]!);
  const io = folderAware({
    files,
    ...(stdin === undefined ? {} : { stdin }),
    env: Object.fromEntries(variables),
    ...(columns > 0 ? { terminal: true, columns } : {}),
  });
  const status = await main(argv, io);
  for (const [path, bytes] of io.files) files.set(path, bytes);
  return { stdout: io.stdout.bytes, stderr: io.stderr.text, status };
}

/** Node rejects reading a folder as a file with a code of its own. */
function folderAware(world: World): FakeIo {
  const io = fakeIo(world);
  const isFolder = (path: string) => [...io.files.keys()].some((file) => file.startsWith(`${path}/`));
  const refuse = () => Promise.reject(Object.assign(new Error('EISDIR'), { code: 'EISDIR' }));
  return {
    ...io,
    exists: (path) => isFolder(path) || io.exists(path),
    open: (path, start) =>
      isFolder(path) ? { [Symbol.asyncIterator]: () => ({ next: refuse }) } : io.open(path, start),
    create: (path) => (isFolder(path) ? refuse() : io.create(path)),
  };
}

const printed = (stdout: Uint8Array): Outcome => ({ stdout, stderr: '', status: 0 });

/** The commands of a pipe, each as a list of words, which may be in single or double quotes. */
export function words(line: string): string[][] {
  const commands: string[][] = [[]];
  for (const [, double, single, plain] of line.matchAll(/"([^"]*)"|'([^']*)'|(\S+)/g)) {
    if (plain === '|') commands.push([]);
    else commands.at(-1)!.push(double ?? single ?? plain!);
  }
  return commands;
}

/** The last lines of a text that ends with a line end. */
function lastLines(bytes: Uint8Array, count: number): Uint8Array {
  const lines = new TextDecoder().decode(bytes).split('\n');
  return new TextEncoder().encode(lines.slice(-count - 1).join('\n'));
}

/** `head -n N`. */
function firstLines(bytes: Uint8Array, count: number): Uint8Array {
  const lines = new TextDecoder().decode(bytes).split('\n');
  return new TextEncoder().encode(lines.length > count ? `${lines.slice(0, count).join('\n')}\n` : lines.join('\n'));
}

function linesOf(text: string): string[] {
  if (text === '') return [];
  const lines = text.replaceAll('\u001b', '␛').split('\n');
  if (lines.at(-1) === '') lines.pop();
  else lines.push('(no newline at the end)');
  return lines;
}

function fail(message: string): never {
  throw new Error(`transcript: ${message}`);
}
