import type { Command } from 'commander';
import type { Snapshot } from '../src/model/snapshot.ts';
import type { ItemType } from '../src/protocol/item.ts';
import { escapeText } from '../src/view/escape.ts';
import { fullSentence } from '../src/view/sentences.ts';
import { CommandError, exit, inputError, usageError } from './errors.ts';
import { addedItems, baseOptions, payloadOf, readInput, readSnapshot } from './input.ts';
import type { Io } from './io.ts';
import { crc, type InputOptions, type OutputOptions, withInput, withOutput } from './options.ts';
import { print } from './output.ts';

type Options = InputOptions & OutputOptions & { base?: string; check?: boolean; expect?: number };

export function define(command: Command): Command {
  return withInput(withOutput(command, ['text', 'ndjson']))
    .argument('[file...]', "snapshots in any encoding, or deltas with --base; '-' or nothing for standard input")
    .option('--base <file>', "the snapshot that deltas are differences to, or 'empty'")
    .option('-c, --check', 'the files are lists of checksums, as this command prints them: check what they name')
    .option('--expect <crc>', 'exit 1 when a checksum is another', crc)
    .addHelpText('after', examples);
}

const examples = `
Examples:
  tw-snap checksum *.snap > list && tw-snap checksum -c list
  tw-snap checksum next.delta --base first.snap --expect -130206440`;

interface Sum {
  readonly file: string;
  readonly kind: string;
  readonly items: number;
  readonly crc: number;
}

/** `tw-snap checksum FILE...` */
export async function run(args: readonly string[], options: Options, io: Io): Promise<number> {
  const added = await addedItems(options.schema, io);
  const files = args.length > 0 ? args : ['-'];
  const job = options.check ? checkLists(files, options, added, io) : sums(files, options, added, io);
  const lines: string[] = [];
  let status: number = exit.fine;
  for await (const { line, status: one } of job) {
    status = Math.max(status, one);
    if (line === undefined) continue;
    if (options.output === undefined) await print(`${line}\n`, options, io);
    else lines.push(`${line}\n`);
  }
  if (options.output !== undefined) await print(lines.join(''), options, io);
  return status;
}

interface Line {
  readonly line?: string;
  readonly status: number;
}

async function* sums(
  files: readonly string[],
  options: Options,
  added: readonly ItemType[],
  io: Io,
): AsyncGenerator<Line> {
  for (const file of files) {
    const sum = await sumOrReason(file, options, added, io);
    if (sum === undefined) yield { status: exit.unreadable };
    else {
      const line = options.to === 'ndjson' ? JSON.stringify(sum) : `${String(sum.crc).padStart(11)}  ${sum.file}`;
      const ok = options.expect === undefined || options.expect === sum.crc;
      if (!ok)
        await io.stderr.write(`tw-snap: ${escapeText(file)}: the checksum is ${sum.crc}; expected ${options.expect}\n`);
      yield { line, status: ok ? exit.fine : exit.finding };
    }
  }
}

async function* checkLists(
  lists: readonly string[],
  options: Options,
  added: readonly ItemType[],
  io: Io,
): AsyncGenerator<Line> {
  for (const list of lists) {
    for (const { file, expected } of await readList(list, options, io)) {
      const sum = await sumOrReason(file, options, added, io);
      const ok = sum?.crc === expected;
      const said = sum === undefined ? 'unreadable' : ok ? 'ok' : `FAILED: the checksum is ${sum.crc}, not ${expected}`;
      const line =
        options.to === 'ndjson'
          ? JSON.stringify({ file, ...sum, expected, ok: sum ? ok : null })
          : `${escapeText(file)}: ${said}`;
      yield { line, status: sum === undefined ? exit.unreadable : ok ? exit.fine : exit.finding };
    }
  }
}

/** The checksum of one file; where it can't be had the reason is told and the other files go on. */
async function sumOrReason(
  file: string,
  options: Options,
  added: readonly ItemType[],
  io: Io,
): Promise<Sum | undefined> {
  try {
    return await sumOf(file, options, added, io);
  } catch (error) {
    if (!(error instanceof CommandError)) throw error;
    await io.stderr.write(`tw-snap: ${error.message}\n`);
    return undefined;
  }
}

async function sumOf(file: string, options: Options, added: readonly ItemType[], io: Io): Promise<Sum> {
  const base =
    options.base === undefined ? undefined : await readSnapshot(options.base, baseOptions(options), added, io);
  const input = await readInput(file, options, io);
  const { kind, body, result, findings } = payloadOf(input, options, added, base).payload;
  if (findings.error) throw inputError(`${input.name}: ${fullSentence(findings.error)}`);
  if (kind === 'delta' && !result)
    throw inputError(`${input.name}: this is a delta; its checksum needs the base (--base)`);
  const snapshot = result ?? (body as Snapshot);
  return { file, kind, items: snapshot.count, crc: snapshot.checksum() };
}

/** Lines of `CRC  FILE`. */
async function readList(path: string, options: Options, io: Io): Promise<{ file: string; expected: number }[]> {
  const input = await readInput(path, { ...options, hex: false }, io);
  const lines = new TextDecoder()
    .decode(input.bytes)
    .split('\n')
    .filter((line) => line.trim() !== '');
  return lines.map((line, i) => {
    const [, sum, file] = /^\s*(-?\d+)\s+(.+?)\r?$/.exec(line) ?? [];
    if (sum === undefined || file === undefined) {
      throw usageError(`${input.name}: line ${i + 1} is no checksum: expected a number and a file name`);
    }
    return { file, expected: Number(sum) | 0 };
  });
}
