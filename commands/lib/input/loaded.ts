import { diagnosticsOf } from '../../../src/input/source/read-payload.ts';
import {
  type OtherReading,
  type PacketReading,
  type PayloadReading,
  SourceError,
  type Stated,
} from '../../../src/input/stated.ts';
import { packetReading, reading } from '../../../src/output/hexdump/hexdump.ts';
import { differencesText, emptyBaseText } from '../../../src/output/phrases/base-phrases.ts';
import { diagnosticLine } from '../../../src/output/phrases/diagnostic-messages.ts';
import { pathText } from '../../../src/output/text/escape.ts';
import { count } from '../../../src/output/text/number.ts';
import type { PacketContents } from '../../../src/wire/packet/packet-contents.ts';
import type { Diagnostics } from '../../../src/wire/payload/diagnostics.ts';
import { baseFound, type Payload } from '../../../src/wire/payload/payload.ts';
import type { Version } from '../../../src/wire/protocol/registry.ts';
import { exit, inputError, usageError } from '../options/errors.ts';
import { isToStdout, type Printing } from '../output/printing.ts';
import { printError, printNote, printProblem } from '../platform/note.ts';
import {
  decodeFailure,
  type Input,
  type LoadedInput,
  type Loading,
  type NamedPart,
  type OpenInput,
  sourceFailure,
} from './inputs.ts';

/** The byte strings of an input that is not a recording. */
export interface LoadedText {
  readonly form: string | undefined;
  readonly count: number;
  /** Reads one, from 0, most quickly after the one before it. */
  read(i: number): Promise<LoadedInput>;
}

export const withBase = async (input: Input): Promise<Loading> => ({ ...input, base: await input.readBase?.() });

/** Reads an input that is not a recording: a file, or the byte strings of a pasted text. */
export async function loadPasted({ name, position, source }: OpenInput, loading: Loading): Promise<LoadedText> {
  if (position) {
    const what = !('packet' in position)
      ? `demos and captures have ticks (@${position.text})`
      : `captures have packet numbers (#${position.text})`;
    throw usageError(`${name}: only ${what}`);
  }
  const { form, parts, read } = await source.payload(statedOf(loading)).catch((error: unknown) => {
    throw error instanceof SourceError ? sourceFailure(name, error) : decodeFailure(name, error);
  });
  const { length: count } = parts;
  if (form === undefined && loading.nth !== undefined && loading.nth !== 1)
    throw usageError(`${name}: there is no packet ${loading.nth}: it is not text with several`);
  const partOf = (i: number): NamedPart => {
    const { line, ...part } = parts[i]!;
    return count === 1 ? { name, line, ...part } : { name: `${name}, ${i + 1} of ${count} (line ${line})`, ...part };
  };
  return {
    form,
    count,
    async read(i) {
      const input = partOf(i);
      try {
        const found = { name: input.name, input, doubt: loading.base?.doubt };
        const reading = await read(i);
        noteDeltas(reading, loading);
        return reading.kind === 'contents' ? { ...found, ...reading } : { ...found, ...reading };
      } catch (error) {
        throw decodeFailure(input.name, error);
      }
    },
  };
}

/** Notes that a delta was read, alone or in a packet. */
export function noteDeltas(reading: PayloadReading | PacketReading, { deltas }: Input): void {
  const isDelta = reading.kind === 'payload' ? reading.payload.kind === 'delta' : hasDelta(reading.contents);
  if (isDelta) deltas.isFound = true;
}

const hasDelta = ({ messages }: PacketContents) => messages.some(({ delta }) => delta !== undefined);

/** Reads the only byte string of a text, or the one that `--nth` names. */
export async function loadOne({ name }: OpenInput, { count: all, read }: LoadedText, { nth }: Input) {
  if (nth === undefined && all > 1)
    throw usageError(`${name}: the text has ${all} packets; choose one with --nth 1 to ${all}`);
  if (nth !== undefined && nth > all)
    throw usageError(`${name}: there is no packet ${nth}: the text has ${count(all, 'packet')}`);
  return read((nth ?? 1) - 1);
}

/** What is stated of the bytes, with what the base of a delta shows. */
const statedOf = (loading: Loading): Stated => ({
  ...loading,
  version: versionFor(loading),
  base: loading.base?.snapshot,
});

/** The largest UDP datagram: its length has 16 bits. */
const maxUdp = 65_535;

/** Input in which nothing is plausible is not shown to people: it would be thousands of rows without a meaning. */
export function refuseUnrecognised(loaded: LoadedInput, { format, kind, version }: Loading): void {
  const { error } = diagnosticsOf(loaded);
  const isStated = [format, kind, version].some((value) => value !== undefined);
  const isTooLarge =
    error?.code === 'input_too_large' || (loaded.kind === 'contents' && loaded.input.bytes.length > maxUdp);
  if (!isStated && error && (error.code === 'unrecognised' || isTooLarge))
    throw inputError(`${loaded.name}: ${diagnosticLine(error)}`);
}

const versionFor = ({ version, base }: Loading) => version ?? (base && sureVersion(base));

/** The protocol version if only one is plausible. */
export function sureVersion({ payload, otherReadings }: PayloadReading): Version | undefined {
  const { version } = payload.types.protocol;
  const versionOf = (reading: OtherReading) => ('types' in reading ? reading.types : reading).protocol.version;
  return otherReadings.every((reading) => versionOf(reading) === version) ? version : undefined;
}

/**
 * Reports how an input was recognised, other readings that are possible, and which network headers were skipped.
 * @param hasHeading whether the heading on the same screen says what it was read as
 */
export async function describeReading(loaded: LoadedInput, input: Input, hasHeading = false): Promise<void> {
  const { format, kind, version, io } = input;
  const note = async (text: string) => {
    if (text !== '') await printNote(`${pathText(loaded.name)}: ${text}`, io);
  };
  if (loaded.kind === 'payload') {
    const { payload, rebuilt, input: part } = loaded;
    const isGuessed = [format, kind, version].includes(undefined);
    if (part && (isGuessed || part.form !== undefined))
      await note(readAs(hasHeading ? '' : reading(payload), part, loaded, baseHint(payload)));
    if (part || !rebuilt || rebuilt.kind === payload.kind) return;
    const whole = `-k snapshot shows the whole snapshot, ${count(rebuilt.body.count, 'item')}`;
    await note(`shown as recorded, a delta; ${whole}`);
    return;
  }

  const { contents, datagram, route } = loaded;
  const isGuessed = [format, version].includes(undefined);
  if (route !== undefined) await note(route);
  else if (isGuessed || loaded.input.form !== undefined || datagram) {
    const hints = contents.messages.map(({ delta }) => (delta ? baseHint(delta.payload) : ''));
    const best = hasHeading ? '' : packetReading(contents);
    await note(readAs(best, loaded.input, loaded, hints.find(Boolean) ?? ''));
  }
  if (datagram) {
    const { source, destination, start, missing } = datagram;
    const cut = missing > 0 ? `, ${count(missing, 'byte')} of it not recorded` : '';
    const left = `${count(start, 'byte')} of network headers left out${cut}`;
    await printNote(`the UDP packet ${source} > ${destination}: ${left}`, io);
  }
}

/**
 * `read as huffman · delta · 0.6 from text (xxd, line 3); also possible: message · 0.6 (-k message -p 0.6)`
 * @param best empty if it is told beside it
 */
function readAs(best: string, part: NamedPart, { otherReadings }: LoadedInput, hint: string): string {
  const { form, line = 1, cutLine } = part;
  const begin = line > 1 ? `, line ${line}` : '';
  const cut = cutLine === undefined ? '' : `, cut in line ${cutLine}`;
  const from = form === undefined ? '' : `from text (${form}${begin}${cut})`;
  const read = best === '' && from === '' ? '' : ['read', best && `as ${best}`, from].filter(Boolean).join(' ');
  const others = otherReadings.slice(0, 3).map(otherReading).join(', ');
  const also = others && `also possible: ${others}`;
  if (best !== '') return `${[read, also].filter(Boolean).join('; ')}${hint}`;
  return [read, also, hint.replace(/^ \((?:.*; )?|\)$/g, '')].filter(Boolean).join('; ');
}

/** `message · 0.6 (-k message -p 0.6)`, with the options that read it so. */
function otherReading(entry: OtherReading): string {
  if (!('types' in entry)) return `${packetReading(entry)} (-k ${entry.kind} -p ${entry.protocol.version})`;
  return `${reading(entry)} (-f ${entry.layers.encoding} -k ${entry.kind} -p ${entry.types.protocol.version})`;
}

/** What a delta without its base shows. */
function baseHint(payload: Payload): string {
  const found = baseFound(payload);
  if (found === 'empty') return ` (${emptyBaseText}; --base unknown shows differences)`;
  return found === 'unknown' && payload.body.count > 0 ? ` (${differencesText})` : '';
}

/** The worse of a status and that of a doubtful result. */
export function withDoubt(status: number, ...inputs: readonly (LoadedInput | undefined)[]): number {
  return Math.max(status, ...inputs.map((input) => input?.doubt ?? exit.fine));
}

/** Prints an error on standard error if the output is written elsewhere, and returns the exit status. */
export async function conclude(loaded: LoadedInput, input: Input, printing: Pick<Printing, 'output'>): Promise<number> {
  const status = await concludeDiagnostics(loaded.name, diagnosticsOf(loaded), input, printing);
  if (loaded.kind === 'payload' && !loaded.isFlawless) await (await import('./hints.ts')).printHints(loaded, input);
  return status;
}

export async function concludeDiagnostics(
  name: string,
  { error, warnings }: Diagnostics,
  { strict, io }: Input,
  printing: Pick<Printing, 'output'>,
): Promise<number> {
  if (error && !(io.stdout.isTerminal && isToStdout(printing))) {
    await printError(`${pathText(name)}: ${diagnosticLine(error)}`, io);
  }
  if (error) return exit.unreadable;
  const wrong = warnings.find(({ code }) => code === 'wrong_checksum');
  if (wrong) {
    if (!(io.stdout.isTerminal && isToStdout(printing)))
      await printProblem(`${pathText(name)}: ${diagnosticLine(wrong)}`, io);
    return exit.finding;
  }
  if (!strict || warnings.length === 0) return exit.fine;
  await printProblem(`${pathText(name)}: --strict: ${diagnosticLine(warnings[0]!)}`, io);
  return exit.finding;
}
