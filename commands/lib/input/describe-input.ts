import type { Diagnostics } from '../../../src/decode/diagnostics.ts';
import type { Payload } from '../../../src/decode/payload.ts';
import { packetReading, reading } from '../../../src/view/hexdump/hexdump.ts';
import { diagnosticLine } from '../../../src/view/text/diagnostic-messages.ts';
import { escapeText } from '../../../src/view/text/escape.ts';
import { count } from '../../../src/view/text/number.ts';
import { exit } from '../errors.ts';
import { printNote, printProblem } from '../note.ts';
import { isToStdout, type Printing } from '../output/output.ts';
import { betterReading, diagnosticsOf, type LoadedInput } from './load.ts';
import type { Input, Source } from './open.ts';

/** Reports how an input was recognised, equally plausible readings, and which network headers were skipped. */
export async function describeReading(loaded: LoadedInput, { from, kind, version, io }: Input): Promise<void> {
  const { input } = loaded;
  const note = (text: string) => printNote(`${escapeText(loaded.name)}: ${text}`, io);
  const noteReadings = ([best, ...equals]: readonly string[], { form, line = 1, cutLine }: Source, hint = '') => {
    const begin = line > 1 ? `, line ${line}` : '';
    const cut = cutLine === undefined ? '' : `, cut in line ${cutLine}`;
    const also = equals.length === 0 ? '' : `; equally likely: ${equals.join(', ')}`;
    return note(`read as ${best}${form === undefined ? '' : ` from text (${form}${begin}${cut})`}${also}${hint}`);
  };
  if (loaded.kind === 'payload') {
    const { payload, rebuilt, equals } = loaded;
    const isGuessed = [from, kind, version].includes(undefined);
    if (input && (isGuessed || input.form !== undefined))
      await noteReadings([payload, ...equals.slice(0, 3)].map(reading), input, baseHint(payload));
    if (input || !rebuilt || rebuilt.kind === payload.kind) return;
    const whole = `-k snapshot shows the whole snapshot, ${count(rebuilt.body.count, 'item')}`;
    await note(`shown as recorded, a delta; ${whole}`);
    return;
  }
  const { contents, equals, datagram, route, wrongBit } = loaded;
  if (route !== undefined) await note(route);
  else if ([from, version].includes(undefined) || loaded.input.form !== undefined || datagram) {
    const hints = contents.messages.map(({ delta }) => (delta ? baseHint(delta.payload) : ''));
    await noteReadings([contents, ...equals].map(packetReading), loaded.input, hints.find(Boolean));
  }
  if (datagram) {
    const { source, destination, start, missing } = datagram;
    const cut = missing > 0 ? `, ${count(missing, 'byte')} of it not recorded` : '';
    const left = `${count(start, 'byte')} of network headers left out${cut}`;
    await printNote(`the UDP packet ${source} > ${destination}: ${left}`, io);
  }
  if (!wrongBit) return;
  const { byte, bit, field } = wrongBit;
  await note(`reads without an error if bit 0x${byte}.${bit} of the header (${field}) is flipped`);
}

/** What a delta without its base shows. */
function baseHint({ kind, body, base, assumesEmptyBase }: Payload): string {
  if (assumesEmptyBase) return ' (base taken as empty; --base unknown shows differences)';
  return kind === 'delta' && body.count > 0 && !base ? ' (without --base, updated items show differences)' : '';
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
