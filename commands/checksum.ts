import type { Command } from 'commander';
import type { Snapshot } from '../src/model/snapshot.ts';
import type { ItemType } from '../src/protocol/item.ts';
import { DemoReplay } from '../src/replay/demo.ts';
import { escapeText, jsonText } from '../src/view/escape.ts';
import { fullSentence } from '../src/view/sentences.ts';
import { recordsOf, splitTick } from './at-tick.ts';
import { readList } from './checksum-list.ts';
import { CommandError, exit, inputError } from './errors.ts';
import { addedItems, baseOptions, loadOpened, readSnapshot } from './input.ts';
import type { Io } from './io.ts';
import { openInput } from './open.ts';
import { crc, type InputOptions, type OutputOptions, type Ticks, ticks, withInput, withOutput } from './options.ts';
import { print } from './output.ts';

type Options = InputOptions & OutputOptions & { base?: string; check?: boolean; expect?: number; ticks?: Ticks };

export function define(command: Command): Command {
  return withInput(withOutput(command, ['text', 'ndjson']))
    .argument('[file...]', "demos, snapshots in any encoding, deltas with --base; '-' or nothing for standard input")
    .option('--base <file>', "the snapshot that deltas are differences to, or 'empty'")
    .option('--ticks <range>', 'of demos: only these ticks, A..B', ticks)
    .option('-c, --check', 'the files are lists of checksums, as this command prints them: check what they name')
    .option('--expect <crc>', 'exit 1 when a checksum is another', crc)
    .addHelpText('after', examples);
}

const examples = `
Examples:
  tw-snap checksum match.demo -t ndjson
  tw-snap checksum *.snap > list && tw-snap checksum -c list`;

/** The sum of one snapshot. */
interface Sum {
  /** As it is named on the command line: a file, or a demo at a tick. */
  readonly name: string;
  readonly tick?: number;
  readonly kind: string;
  readonly items: number;
  readonly crc: number;
}

/** Prints line by line, or all at once into a file; gathers the exit status. */
class Report {
  status: number = exit.fine;
  readonly #lines: string[] = [];
  readonly #options: Options;
  readonly #io: Io;

  constructor(options: Options, io: Io) {
    this.#options = options;
    this.#io = io;
  }

  async line(line: string): Promise<void> {
    this.#lines.push(`${line}\n`);
    if (this.#options.output === undefined && this.#lines.length >= 500) await this.flush();
  }

  async flush(): Promise<void> {
    await print(this.#lines.splice(0).join(''), this.#options, this.#io);
  }

  async say(status: number, message: string): Promise<void> {
    this.status = Math.max(this.status, status);
    await this.#io.stderr.write(`tw-snap: ${message}\n`);
  }
}

/** `tw-snap checksum FILE...` */
export async function run(args: readonly string[], options: Options, io: Io): Promise<number> {
  const added = await addedItems(options.schema, io);
  const files = args.length > 0 ? args : ['-'];
  const report = new Report(options, io);
  if (options.check) await checkLists(files, options, added, report, io);
  else {
    for (const file of files) {
      await unlessUnreadable(report, async () => {
        for await (const sum of sumsOf(file, options, added, report, io)) {
          await report.line(options.to === 'ndjson' ? ndjson(sum, files.length > 1) : text(sum));
          if (options.expect !== undefined && options.expect !== sum.crc) {
            await report.say(exit.finding, `${sum.name}: the checksum is ${sum.crc}; expected ${options.expect}`);
          }
        }
      });
    }
  }
  await report.flush();
  return report.status;
}

const text = (sum: Sum) => `${String(sum.crc).padStart(11)}  ${escapeText(sum.name)}`;

function ndjson({ name, tick, kind, items, crc }: Sum, several: boolean): string {
  if (tick === undefined) return jsonText({ file: name, kind, items, crc });
  return jsonText({ ...(several ? { file: name } : {}), tick, kind, items, crc });
}

/** The sums of a file: one for each snapshot of a demo. */
async function* sumsOf(
  path: string,
  options: Options,
  added: readonly ItemType[],
  report: Report,
  io: Io,
): AsyncGenerator<Sum, void> {
  const place = splitTick(path, io);
  const opened = await openInput(place.path, options, io);
  if (opened.container === 'demo' && place.tick === undefined) {
    const { from, to } = options.ticks ?? { from: 0, to: Infinity };
    for await (const record of recordsOf(opened.pieces, new DemoReplay({ added }))) {
      if (record.record === 'finding') {
        const status =
          record.finding.severity === 'error' ? exit.unreadable : options.strict ? exit.finding : exit.fine;
        await report.say(status, `${escapeText(opened.name)}: ${fullSentence(record.finding)}`);
      }
      if (record.record !== 'snapshot' || record.tick < from || record.tick > to) continue;
      const { tick, kind, snapshot } = record;
      yield { name: `${opened.path}@${tick}`, tick, kind, items: snapshot.count, crc: snapshot.checksum() };
    }
    return;
  }
  const base =
    options.base === undefined ? undefined : await readSnapshot(options.base, baseOptions(options), added, io);
  const { name, payload } = await loadOpened(opened, place.tick, options, added, io, base);
  const { kind, body, result, findings } = payload;
  if (findings.error) throw inputError(`${escapeText(name)}: ${fullSentence(findings.error)}`);
  if (kind === 'delta' && !result)
    throw inputError(`${escapeText(name)}: this is a delta; its checksum needs the base (--base)`);
  const snapshot = result ?? (body as Snapshot);
  yield { name: path, kind, items: snapshot.count, crc: snapshot.checksum() };
}

/** Holds files against lists of `CRC  FILE` or `CRC  DEMO@TICK`; each demo is read once. */
async function checkLists(
  lists: readonly string[],
  options: Options,
  added: readonly ItemType[],
  report: Report,
  io: Io,
): Promise<void> {
  const say = async (name: string, expected: number, found: Sum | undefined) => {
    const ok = found && found.crc === expected;
    if (!ok) report.status = Math.max(report.status, found ? exit.finding : exit.unreadable);
    const verdict = found ? (ok ? 'ok' : `FAILED: the checksum is ${found.crc}, not ${expected}`) : 'not found';
    const json = { file: name, kind: found?.kind, items: found?.items, crc: found?.crc, expected, ok: ok ?? null };
    await report.line(options.to === 'ndjson' ? jsonText(json) : `${escapeText(name)}: ${verdict}`);
  };
  for (const list of lists) {
    for (const { path, entries } of await readList(list, options, io)) {
      const left = new Map(entries);
      await unlessUnreadable(report, async () => {
        for await (const sum of sumsOf(path, options, added, report, io)) {
          const expected = left.get(sum.name);
          if (expected === undefined) continue;
          left.delete(sum.name);
          await say(sum.name, expected, sum);
        }
      });
      for (const [name, expected] of left) await say(name, expected, undefined);
    }
  }
}

/** Where one file can't be read the reason is told, and the others go on. */
async function unlessUnreadable(report: Report, job: () => Promise<void>): Promise<void> {
  try {
    await job();
  } catch (error) {
    if (!(error instanceof CommandError)) throw error;
    await report.say(error.status, error.message);
  }
}
