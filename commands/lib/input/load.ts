import { readAll } from '../../../src/input/decompress/pieces.ts';
import type { PastedBytes } from '../../../src/input/pasted/pasted-text.ts';
import { maxTextBytes, type Parts, partsOf } from '../../../src/input/source/byte-strings.ts';
import { readLike, readPart } from '../../../src/input/source/read-part.ts';
import { diagnosticsOf } from '../../../src/input/source/read-payload.ts';
import { betterParts, recognise } from '../../../src/input/source/recognise-payload.ts';
import {
  type OtherReading,
  type PayloadReading,
  SourceError,
  type SourceReading,
  type Stated,
} from '../../../src/input/stated.ts';
import { packetReading, reading } from '../../../src/output/hexdump/hexdump.ts';
import { emptyBaseText } from '../../../src/output/phrases/base-phrases.ts';
import { diagnosticLine } from '../../../src/output/phrases/diagnostic-messages.ts';
import { escapeText } from '../../../src/output/text/escape.ts';
import { count } from '../../../src/output/text/number.ts';
import type { Diagnostics } from '../../../src/wire/payload/diagnostics.ts';
import type { Payload } from '../../../src/wire/payload/payload.ts';
import { protocolOf, type Schema, type Version } from '../../../src/wire/protocol/registry.ts';
import { exit, inputError, usageError } from '../options/errors.ts';
import { isToStdout, type Printing } from '../output/printing.ts';
import { printNote, printProblem } from '../platform/note.ts';
import { decodeFailure, type Input, type Opened, type Source, sourceFailure } from './inputs.ts';
import type { LoadedInput, Loading } from './loaded.ts';

/** Reads an open input, which may be a packet or message. */
export async function loadAny(opened: Opened, loading: Loading): Promise<LoadedInput> {
  if (opened.format) return (await import('./recorded.ts')).loadRecording(opened, loading);
  const text = await loadPasted(opened, loading);
  if (loading.nth === undefined && text.count > 1)
    throw usageError(`${opened.name}: the text has ${text.count} packets; choose one with --nth 1 to ${text.count}`);
  return readNth(opened.name, text, loading.nth);
}

export interface LoadedText {
  readonly form: string | undefined;
  readonly count: number;
  /** Reads one, from 0, most quickly after the one before it. */
  read(i: number): Promise<LoadedInput>;
}

/** Reads an input that is not a recording: a file, or the byte strings of a pasted text. */
export async function loadPasted(opened: Opened, loading: Loading): Promise<LoadedText> {
  const { name, position } = opened;
  if (position) {
    const what = !('packet' in position)
      ? `demos and captures have ticks (@${position.text})`
      : `captures have packet numbers (#${position.text})`;
    throw usageError(`${name}: only ${what}`);
  }
  const { text, form, parts, other } = await readParts(opened, loading);
  const best = await betterParts(parts, other, ({ bytes }) => readSource({ name, bytes, text }, loading));
  const count = best.length;
  const sourceOf = ({ line, ...part }: PastedBytes, i: number): Source => {
    const pasted = { text, form, ...part };
    return count === 1
      ? { name, line, ...pasted }
      : { name: `${name}, ${i + 1} of ${count} (line ${line})`, ...pasted };
  };
  let last: LoadedInput | undefined;
  const read = async (i: number) => {
    const source = sourceOf(best[i]!, i);
    const alike = last && (await readLike(source, last, statedOf(loading)));
    last = alike ? loaded(source, alike) : await readSource(source, loading);
    return last;
  };
  return { form, count, read };
}

const loaded = (input: Source, read: SourceReading): LoadedInput =>
  read.kind === 'contents' ? { name: input.name, input, ...read } : { name: input.name, input, ...read };

async function readSource(input: Source, loading: Loading): Promise<LoadedInput> {
  try {
    return loaded(input, await readPart(input, statedOf(loading)));
  } catch (error) {
    throw decodeFailure(input.name, error);
  }
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

/** The stated version, or that of the base. */
const versionFor = ({ version, base }: Loading) => version ?? (base && sureVersion(base));

/** The protocol version if only one is plausible. */
export function sureVersion({ payload, otherReadings }: PayloadReading): Version | undefined {
  const { version } = payload.types.protocol;
  const versionOf = (reading: OtherReading) => ('types' in reading ? reading.types : reading).protocol.version;
  return otherReadings.every((reading) => versionOf(reading) === version) ? version : undefined;
}

/** A reading as another snapshot or delta without a flaw, if the stated one has some; undefined if there is none. */
function betterReading({ payload, isFlawless }: PayloadReading, input: Source, schema: Schema): Payload | undefined {
  if (isFlawless || input.text !== undefined) return undefined;
  const other = recognise(input.bytes, {}, (version) => protocolOf(version, schema));
  return other.isFlawless && reading(other.payload) !== reading(payload) ? other.payload : undefined;
}

/**
 * The bytes of an input that is not a recording, with its text if that is none in a known form, or those of a pasted
 * text.
 */
async function readParts({ name, pieces }: Opened, input: Input): Promise<Parts> {
  const bytes = await readAll(pieces, maxTextBytes + 1);
  const read = await partsOf(bytes, input).catch((error: unknown) => {
    throw error instanceof SourceError ? sourceFailure(name, error) : decodeFailure(name, error);
  });
  const { nth } = input;
  if (read.form === undefined && nth !== undefined && nth !== 1)
    throw usageError(`${name}: there is no packet ${nth}: it is not text with several`);
  return read;
}

/** Reads the only byte string of a text, or the one that `--nth` names. */
export function readNth(name: string, { count: all, read }: LoadedText, nth = 1): Promise<LoadedInput> {
  if (nth > all) throw usageError(`${name}: there is no packet ${nth}: the text has ${count(all, 'packet')}`);
  return read(nth - 1);
}

/** Reports how an input was recognised, other readings that are possible, and which network headers were skipped. */
export async function describeReading(loaded: LoadedInput, { format, kind, version, io }: Input): Promise<void> {
  const { input } = loaded;
  const note = (text: string) => printNote(`${escapeText(loaded.name)}: ${text}`, io);
  if (loaded.kind === 'payload') {
    const { payload, rebuilt } = loaded;
    const isGuessed = [format, kind, version].includes(undefined);
    if (input && (isGuessed || input.form !== undefined)) {
      await note(`${readAs(reading(payload), input, loaded)}${baseHint(payload)}`);
    }
    if (input || !rebuilt || rebuilt.kind === payload.kind) return;
    const whole = `-k snapshot shows the whole snapshot, ${count(rebuilt.body.count, 'item')}`;
    await note(`shown as recorded, a delta; ${whole}`);
    return;
  }

  const { contents, datagram, route } = loaded;
  const isGuessed = [format, version].includes(undefined);
  if (route !== undefined) await note(route);
  else if (isGuessed || loaded.input.form !== undefined || datagram) {
    const hints = contents.messages.map(({ delta }) => (delta ? baseHint(delta.payload) : ''));
    await note(`${readAs(packetReading(contents), loaded.input, loaded)}${hints.find(Boolean) ?? ''}`);
  }
  if (datagram) {
    const { source, destination, start, missing } = datagram;
    const cut = missing > 0 ? `, ${count(missing, 'byte')} of it not recorded` : '';
    const left = `${count(start, 'byte')} of network headers left out${cut}`;
    await printNote(`the UDP packet ${source} > ${destination}: ${left}`, io);
  }
}

/** `read as huffman · delta · 0.6 from text (xxd, line 3); also possible: message · 0.6 (-k message -p 0.6)` */
function readAs(best: string, { form, line = 1, cutLine }: Source, { otherReadings }: LoadedInput): string {
  const begin = line > 1 ? `, line ${line}` : '';
  const cut = cutLine === undefined ? '' : `, cut in line ${cutLine}`;
  const from = form === undefined ? '' : ` from text (${form}${begin}${cut})`;
  const others = otherReadings.slice(0, 3).map(otherReading).join(', ');
  return `read as ${best}${from}${others && `; also possible: ${others}`}`;
}

/** `message · 0.6 (-k message -p 0.6)`, with the options that read it so. */
function otherReading(entry: OtherReading): string {
  if (!('types' in entry)) return `${packetReading(entry)} (-k ${entry.kind} -p ${entry.protocol.version})`;
  return `${reading(entry)} (-f ${entry.layers.encoding} -k ${entry.kind} -p ${entry.types.protocol.version})`;
}

/** What a delta without its base shows. */
function baseHint({ kind, body, base, assumesEmptyBase }: Payload): string {
  if (assumesEmptyBase) return ` (${emptyBaseText}; --base unknown shows differences)`;
  return kind === 'delta' && body.count > 0 && !base ? ' (without --base, updated items show differences)' : '';
}

/** The worse of a status and that of an uncertain result. */
export function withUncertainty(status: number, ...inputs: readonly (LoadedInput | undefined)[]): number {
  return Math.max(status, ...inputs.map((input) => input?.uncertainty?.status ?? exit.fine));
}

/** Prints an error on standard error if the output is written elsewhere, and returns the exit status. */
export async function conclude(loaded: LoadedInput, input: Input, printing: Pick<Printing, 'output'>): Promise<number> {
  const better = loaded.kind === 'payload' && loaded.input && betterReading(loaded, loaded.input, input.schema);
  return concludeDiagnostics(loaded.name, diagnosticsOf(loaded), input, printing, better || undefined);
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
  if (better) await printProblem(`${escapeText(name)}: looks more like ${reading(better)}`, io);
  if (error) return exit.unreadable;
  const wrong = warnings.find(({ code }) => code === 'wrong_checksum');
  if (wrong) {
    if (!(io.stdout.isTerminal && isToStdout(printing)))
      await printProblem(`${escapeText(name)}: ${diagnosticLine(wrong)}`, io);
    return exit.finding;
  }
  if (!strict || warnings.length === 0) return exit.fine;
  await printProblem(`${escapeText(name)}: --strict: ${diagnosticLine(warnings[0]!)}`, io);
  return exit.finding;
}
