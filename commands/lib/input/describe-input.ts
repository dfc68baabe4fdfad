import type { Diagnostics } from '../../../src/decode/diagnostics.ts';
import type { Payload } from '../../../src/decode/payload.ts';
import { reading } from '../../../src/view/hexdump/hexdump.ts';
import { diagnosticLine } from '../../../src/view/text/diagnostic-messages.ts';
import { escapeText } from '../../../src/view/text/escape.ts';
import { count } from '../../../src/view/text/number.ts';
import { exit } from '../errors.ts';
import type { Io } from '../io.ts';
import { printNote, printProblem } from '../note.ts';
import { isToStdout, type Printing } from '../output/output.ts';
import { betterReading, diagnosticsOf, type Loaded, type LoadedInput } from './load.ts';
import type { Input, Source } from './open.ts';

/** Reports how an input was recognised, and equally plausible readings. */
export async function describeReading(
  { name, input, payload, rebuilt, equals }: Loaded,
  { from, kind, version, io }: Input,
): Promise<void> {
  if (!input) {
    if (rebuilt && rebuilt.kind !== payload.kind) {
      const whole = `-k snapshot shows the whole snapshot, ${count(rebuilt.body.count, 'item')}`;
      await printNote(`${escapeText(name)}: shown as recorded, a delta; ${whole}`, io);
    }
    return;
  }
  const guessed = [from, kind, version].includes(undefined);
  if (!guessed && input.form === undefined) return;
  const readings = [payload, ...equals.slice(0, 3)].map(reading);
  await printReadings(name, input, readings, baseHint(payload), io);
}

/** What a delta without its base shows. */
export function baseHint({ kind, body, base, assumesEmptyBase }: Payload): string {
  if (assumesEmptyBase) return ' (base taken as empty; --base unknown shows differences)';
  return kind === 'delta' && body.count > 0 && !base ? ' (without --base, updated items show differences)' : '';
}

/** Prints how an input was read, and the readings that would be as good. */
export async function printReadings(
  name: string,
  input: Source,
  [best, ...equals]: readonly string[],
  hint: string,
  io: Io,
): Promise<void> {
  const also = equals.length === 0 ? '' : `; equally likely: ${equals.join(', ')}`;
  await printNote(`${escapeText(name)}: read as ${best}${textOrigin(input)}${also}${hint}`, io);
}

/** The form of a pasted text, and where in it the bytes are: ` from text (xxd, line 40)`. */
function textOrigin({ form, line = 1, cutLine }: Source): string {
  if (form === undefined) return '';
  const begin = line > 1 ? `, line ${line}` : '';
  const cut = cutLine === undefined ? '' : `, cut in line ${cutLine}`;
  return ` from text (${form}${begin}${cut})`;
}

/** The worse of a status and that of an uncertain result. */
export function withUncertainty(status: number, ...inputs: readonly (LoadedInput | undefined)[]): number {
  return Math.max(status, ...inputs.map((one) => one?.uncertainty?.status ?? exit.fine));
}

/** Prints an error on standard error if the output is written elsewhere, and returns the exit status. */
export async function conclude(loaded: LoadedInput, how: Input, printing: Pick<Printing, 'output'>): Promise<number> {
  const better = loaded.kind === 'payload' && loaded.input && betterReading(loaded, loaded.input, how.schema);
  return concludeDiagnostics(loaded.name, diagnosticsOf(loaded), how, printing, better || undefined);
}

export async function concludeDiagnostics(
  name: string,
  { error, warnings }: Diagnostics,
  { strict, io }: Input,
  printing: Pick<Printing, 'output'>,
  better?: Payload,
): Promise<number> {
  if (error && !(io.stdout.isTerminal && isToStdout(printing))) {
    await printProblem(`${escapeText(name)}: ${diagnosticLine(error)}`, io);
  }
  if (better) await printProblem(`the input looks more like ${reading(better)}`, io);
  if (error) return exit.unreadable;
  if (!strict || warnings.length === 0) return exit.fine;
  await printProblem(`${escapeText(name)}: --strict: ${diagnosticLine(warnings[0]!)}`, io);
  return exit.finding;
}
