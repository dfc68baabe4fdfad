import type { Snapshot } from '../../src/snapshot/snapshot.ts';
import { diagnosticLine } from '../../src/view/text/diagnostic-messages.ts';
import { escaped, escapeText, jsonText } from '../../src/view/text/escape.ts';
import { exit, inputError } from '../lib/errors.ts';
import { withUncertainty } from '../lib/input/describe-input.ts';
import { loadOpened, readBase } from '../lib/input/load.ts';
import type { Opened } from '../lib/input/open.ts';
import type { Position } from '../lib/input/position.ts';
import { type ChecksumContext, note } from './context.ts';

/** The checksum of one snapshot. */
export interface Checksum {
  /** The name given on the command line. */
  readonly file: string;
  /** The tick, for a snapshot of a recording that was read as a whole. */
  readonly tick?: number;
  readonly kind: string;
  readonly items: number;
  readonly crc: number;
}

/** The checksum of a single snapshot, or of the result of a delta and its base. */
export async function checksumSnapshot(
  file: string,
  opened: Opened,
  position: Position | undefined,
  context: ChecksumContext,
): Promise<{ readonly sum: Checksum; readonly status: number }> {
  const base = await readBase(context.options.base, context.input);
  const loaded = await loadOpened(opened, position, context.input, base);
  const name = escapeText(loaded.name);
  const { kind, body, result, diagnostics } = loaded.payload;
  if (diagnostics.error) throw inputError(`${name}: ${diagnosticLine(diagnostics.error)}`);
  if (kind === 'delta' && !result) throw inputError(`${name}: this is a delta; its checksum needs the base (--base)`);
  const snapshot = result ?? (body as Snapshot);
  const sum = { file, kind, items: snapshot.count, crc: snapshot.checksum() };
  return { sum, status: withUncertainty(exit.fine, loaded, base) };
}

/** The name in a list: a file, or `FILE@TICK`. */
export const nameOf = ({ file, tick }: Checksum) => (tick === undefined ? file : `${file}@${tick}`);

/** A name as lists contain it: spaces at its ends are escaped, too, since other spaces separate it from the checksum. */
const listedName = (name: string) => escapeText(name).replace(/^\s|\s$/gu, escaped);

/** A line of the output: `crc  name`, or an object. */
export function checksumLine(sum: Checksum, { options, isOfSeveral }: ChecksumContext): string {
  const { file, tick, kind, items, crc } = sum;
  if (options.to !== 'ndjson') return `${String(crc).padStart(11)}  ${listedName(nameOf(sum))}\n`;
  if (tick === undefined) return `${jsonText({ file, kind, items, crc })}\n`;
  return `${jsonText({ ...(isOfSeveral ? { file } : {}), tick, kind, items, crc })}\n`;
}

/** Compares a checksum with `--expect` and returns the exit status. */
export async function checkExpected(sum: Checksum, context: ChecksumContext): Promise<number> {
  const { expect } = context.options;
  if (expect === undefined || expect === sum.crc) return exit.fine;
  return note(exit.finding, `${nameOf(sum)}: the checksum is ${sum.crc}; expected ${expect}`, context);
}
