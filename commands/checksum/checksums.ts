import type { Diagnostic } from '../../src/bytes/diagnostic.ts';
import type { RecordingEntry } from '../../src/recording/record.ts';
import type { Tick } from '../../src/recording/snapshot-search.ts';
import type { Snapshot } from '../../src/snapshot/snapshot.ts';
import { diagnosticLine } from '../../src/view/text/diagnostic-messages.ts';
import { escapeText } from '../../src/view/text/escape.ts';
import { exit, inputError } from '../lib/errors.ts';
import { splitTick } from '../lib/input/at-tick.ts';
import { withUncertainty } from '../lib/input/describe-input.ts';
import { loadOpened, readBase } from '../lib/input/load.ts';
import { type Opened, openInput } from '../lib/input/open.ts';
import type { ChecksumOutput } from './result.ts';

/** The sum of one snapshot. */
export interface Checksum {
  /** As it is named on the command line: a file, or a recording at a tick. */
  readonly name: string;
  readonly tick?: number;
  readonly kind: string;
  readonly items: number;
  readonly crc: number;
}

/** An argument: a file, or a recording at a tick. */
export interface ChecksumInput {
  readonly name: string;
  readonly opened: Opened;
  readonly tick: Tick | undefined;
}

export async function inputOf(name: string, { options, io }: ChecksumOutput): Promise<ChecksumInput> {
  const { path, tick } = splitTick(name, io);
  return { name, opened: await openInput(path, options, io), tick };
}

export const isCapture = ({ format }: Opened) => format !== undefined && format.name !== 'demo';

/** The sums of a file, some at a time: of a recording one for each snapshot that can be rebuilt. */
export async function* checksumsOf(
  { name: argument, opened, tick }: ChecksumInput,
  report: ChecksumOutput,
): AsyncGenerator<readonly Checksum[], void> {
  const { options, added, io } = report;
  if (opened.format && tick === undefined) {
    yield* recordingSums(opened, report);
  } else {
    const context = { options, extraItems: added, io };
    const base = await readBase(options.base, context);
    const loaded = await loadOpened(opened, tick, context, base);
    const { name, payload } = loaded;
    report.worsen(withUncertainty(exit.fine, loaded, base));
    const { kind, body, result, diagnostics } = payload;
    if (diagnostics.error) throw inputError(`${escapeText(name)}: ${diagnosticLine(diagnostics.error)}`);
    if (kind === 'delta' && !result)
      throw inputError(`${escapeText(name)}: this is a delta; its checksum needs the base (--base)`);
    const snapshot = result ?? (body as Snapshot);
    yield [{ name: argument, kind, items: snapshot.count, crc: snapshot.checksum() }];
  }
}

async function* recordingSums(
  { name, path, format, pieces }: Opened,
  report: ChecksumOutput,
): AsyncGenerator<readonly Checksum[], void> {
  const replay = format!.open({ extraItems: report.added, messages: false, ticks: false });
  const { client } = report.options;
  const sumsIn = async (entries: Iterable<RecordingEntry>): Promise<Checksum[]> => {
    const sums: Checksum[] = [];
    for (const entry of entries) {
      if (entry.record === 'diagnostic' && !entry.direction) await reportDiagnostic(name, entry.diagnostic, report);
      if (entry.record !== 'snapshot' || !entry.snapshot || !report.has(entry.tick)) continue;
      if (client !== undefined && format!.name !== 'demo' && entry.stream.client !== client) continue;
      const { tick, kind, snapshot } = entry;
      sums.push({ name: `${path}@${tick}`, tick, kind, items: snapshot.count, crc: snapshot.checksum() });
    }
    return sums;
  };
  for await (const piece of pieces) yield await sumsIn(replay.feed(piece));
  yield await sumsIn(replay.finish());
}

/** What is odd or wrong about a recording. */
export async function reportDiagnostic(name: string, diagnostic: Diagnostic, report: ChecksumOutput): Promise<void> {
  const isError = diagnostic.severity === 'error';
  const status = isError ? exit.unreadable : report.options.strict ? exit.finding : exit.fine;
  await report.note(status, `${escapeText(name)}: ${diagnosticLine(diagnostic)}`);
}
