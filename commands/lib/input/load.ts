import type { Diagnostics } from '../../../src/decode/diagnostics.ts';
import { layersOfInts } from '../../../src/decode/encoding-layers.ts';
import type { Payload } from '../../../src/decode/payload.ts';
import { bestReading, betterParts, type Recognised, recognise } from '../../../src/decode/recognise.ts';
import type { PastedBytes } from '../../../src/hex/pasted-text.ts';
import type { PacketContents } from '../../../src/packet/packet-contents.ts';
import { protocolOf, type Schema, type Version } from '../../../src/protocol/registry.ts';
import { Snapshot } from '../../../src/snapshot/snapshot.ts';
import { diagnosticsOf, isSent } from '../../../src/source/payload.ts';
import { readAll } from '../../../src/source/pieces.ts';
import { readLike, readPart } from '../../../src/source/read-part.ts';
import { SourceError, type SourceReading, type Stated } from '../../../src/source/stated.ts';
import { maxTextBytes, type Parts, partsOf } from '../../../src/source/text.ts';
import { diagnosticLine } from '../../../src/text/diagnostic-messages.ts';
import { escapeText } from '../../../src/text/escape.ts';
import { count } from '../../../src/text/number.ts';
import { packetReading, reading } from '../../../src/view/hexdump/hexdump.ts';
import { exit, inputError, usageError } from '../errors.ts';
import { printNote, printProblem } from '../note.ts';
import { isToStdout, type Printing } from '../output/output.ts';
import type { Loaded, LoadedInput, LoadedPacket, LoadedSnapshot, Loading } from './loaded.ts';
import { decodeFailure, type Input, type Opened, openAt, type Source, sourceFailure } from './open.ts';

/** Reads FILE, `FILE@MOMENT`, `FILE#N`, `-` or standard input as one snapshot or delta. */
async function load(path: string, how: Loading): Promise<Loaded> {
  const opened = await openAt(path, how);
  how.opened.push(opened);
  return loadOpened(opened, how);
}

/** Reads an open input. A packet or message is replaced by the delta in it. */
export async function loadOpened(opened: Opened, how: Loading): Promise<Loaded> {
  const loaded = await loadAny(opened, how);
  return loaded.kind === 'payload' ? loaded : deltaIn(loaded);
}

/** The delta in a packet or message, for commands that need one. */
function deltaIn({ name, contents, rebuilt, uncertainty }: LoadedPacket): Loaded {
  const whole = contents.messages.filter(({ delta, isContinued }) => delta && !isContinued);
  const [only] = whole;
  if (whole.length === 1) {
    return { kind: 'payload', name, rebuilt, uncertainty, payload: only!.delta!.payload, penalty: 0, equals: [] };
  }
  const found =
    whole.length > 1 ? `${whole.length} deltas` : contents.messages.some(isPart) ? 'a part of a delta' : 'no delta';
  throw inputError(`${name}: this ${contents.kind} contains ${found}; expected one whole delta`);
}

const isPart = ({ message }: PacketContents['messages'][0]) => message.type?.name === 'snap';

/** Reads an open input, which may be a packet or message. */
export async function loadAny(opened: Opened, how: Loading): Promise<LoadedInput> {
  if (opened.format) return (await import('./recorded.ts')).loadRecording(opened, how);
  const text = await loadPasted(opened, how);
  if (how.nth === undefined && text.count > 1)
    throw usageError(`${opened.name}: the text has ${text.count} packets; choose one with --nth 1 to ${text.count}`);
  return readNth(opened.name, text, how.nth);
}

export interface LoadedText {
  readonly form: string | undefined;
  readonly count: number;
  /** Reads one, from 0, most quickly after the one before it. */
  read(i: number): Promise<LoadedInput>;
}

/** Reads an input that is not a recording: a file, or the byte strings of a pasted text. */
export async function loadPasted(opened: Opened, how: Loading): Promise<LoadedText> {
  const { name, position } = opened;
  if (position) {
    const what =
      'moment' in position
        ? `demos and captures have ticks (@${position.moment})`
        : `captures have packet numbers (#${position.packet})`;
    throw usageError(`${name}: only ${what}`);
  }
  const { text, form, parts, other } = await readParts(opened, how);
  const best = await betterParts(parts, other, ({ bytes }) => readSource({ name, bytes, text }, how));
  const count = best.length;
  const sourceOf = ({ line, ...part }: PastedBytes, i: number): Source => {
    const one = { text, form, ...part };
    return count === 1 ? { name, line, ...one } : { name: `${name}, ${i + 1} of ${count} (line ${line})`, ...one };
  };
  let last: LoadedInput | undefined;
  const read = async (i: number) => {
    const source = sourceOf(best[i]!, i);
    const alike = last && (await readLike(source, last, statedOf(how)));
    last = alike ? loaded(source, alike) : await readSource(source, how);
    return last;
  };
  return { form, count, read };
}

const loaded = (input: Source, read: SourceReading): LoadedInput => ({ name: input.name, input, ...read });

async function readSource(input: Source, how: Loading): Promise<LoadedInput> {
  try {
    return loaded(input, await readPart(input, statedOf(how)));
  } catch (error) {
    throw decodeFailure(input.name, error);
  }
}

/** What is stated of the bytes, with what the base of a delta shows. */
const statedOf = (how: Loading): Stated => ({ ...how, version: versionFor(how), base: how.base?.snapshot });

/** Input in which nothing is plausible is not shown to people: it would be thousands of rows without a meaning. */
export function refuseUnrecognised(loaded: LoadedInput, { format, kind, version }: Input): void {
  const { error } = diagnosticsOf(loaded);
  const isStated = [format, kind, version].some((one) => one !== undefined);
  if (!isStated && (error?.code === 'unrecognised' || error?.code === 'input_too_large'))
    throw inputError(`${loaded.name}: ${diagnosticLine(error)}`);
}

/** The stated version, or that of the base. */
const versionFor = ({ version, base }: Loading) => version ?? (base && sureVersion(base));

/**
 * Reads a whole snapshot: a file in any encoding, or `empty`.
 * @throws CommandError if it is incomplete or a delta
 */
export async function readSnapshot(path: string, how: Input): Promise<LoadedSnapshot> {
  if (path === 'empty') {
    const snapshot = new Snapshot();
    const stated = { kind: 'snapshot', protocol: how.version } as const;
    const read = bestReading([layersOfInts(snapshot.toInts())], stated, (version) => protocolOf(version, how.schema));
    return { name: path, ...read, snapshot };
  }
  const loaded = await load(path, { ...how, kind: isSent(how.kind) ? how.kind : 'snapshot' });
  const { rebuilt, payload } = loaded;
  if (rebuilt) return { ...loaded, payload: rebuilt, snapshot: rebuilt.body as Snapshot, penalty: 0, equals: [] };
  const { error } = payload.diagnostics;
  const better = loaded.input && betterReading(loaded, loaded.input, how.schema);
  if ((better ?? payload).kind === 'delta') throw inputError(`${loaded.name}: this is a delta; expected a snapshot`);
  if (error) throw inputError(`${loaded.name}: expected a snapshot: ${diagnosticLine(error)}`);
  return { ...loaded, snapshot: payload.body as Snapshot };
}

/** Reads the base of a delta: it is recognised by itself, whatever is stated about the delta. */
export const readBase = (path: string, how: Input) =>
  readSnapshot(path, { ...how, format: undefined, encoding: undefined, kind: undefined, nth: undefined });

/** The base that an option names; undefined without the option, or if it says that the base is unknown. */
export const readStatedBase = async (path: string | undefined, how: Input) =>
  path === undefined || how.isBaseUnknown ? undefined : readBase(path, how);

/**
 * Reads a delta of this base.
 * @throws CommandError if it is a snapshot
 */
export async function readDelta(path: string, how: Input, base: LoadedSnapshot): Promise<Loaded> {
  const delta = await load(path, { ...how, kind: isSent(how.kind) ? how.kind : 'delta', base });
  if (delta.payload.kind === 'snapshot') throw inputError(`${delta.name}: this is a snapshot; expected a delta`);
  return delta;
}

/** The protocol version if only one is plausible. */
export function sureVersion({ payload, equals }: Recognised): Version | undefined {
  const { version } = payload.types.protocol;
  return equals.every((other) => other.types.protocol.version === version) ? version : undefined;
}

/** A reading that is much more plausible than the stated one; undefined if there is none. */
export function betterReading({ payload, penalty }: Recognised, input: Source, schema: Schema): Payload | undefined {
  if (penalty < clearLead || input.text !== undefined) return undefined;
  const other = recognise(input.bytes, {}, (version) => protocolOf(version, schema));
  return other.payload.diagnostics.error || other.penalty + clearLead > penalty || other.payload === payload
    ? undefined
    : other.payload;
}

const clearLead = 25;

async function readParts({ name, pieces }: Opened, how: Input): Promise<Parts> {
  const bytes = await readAll(pieces, maxTextBytes + 1);
  const read = await partsOf(bytes, how).catch((error: unknown) => {
    throw error instanceof SourceError ? sourceFailure(name, error) : decodeFailure(name, error);
  });
  const { nth } = how;
  if (read.form === undefined && nth !== undefined && nth !== 1)
    throw usageError(`${name}: there is no packet ${nth}: it is not text with several`);
  return read;
}

/** Reads the only byte string of a text, or the one that `--nth` names. */
export function readNth(name: string, { count: all, read }: LoadedText, nth = 1): Promise<LoadedInput> {
  if (nth > all) throw usageError(`${name}: there is no packet ${nth}: the text has ${count(all, 'packet')}`);
  return read(nth - 1);
}

/** Reports how an input was recognised, equally plausible readings, and which network headers were skipped. */
export async function describeReading(loaded: LoadedInput, { format, kind, version, io }: Input): Promise<void> {
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
    const isGuessed = [format, kind, version].includes(undefined);
    if (input && (isGuessed || input.form !== undefined))
      await noteReadings([payload, ...equals.slice(0, 3)].map(reading), input, baseHint(payload));
    if (input || !rebuilt || rebuilt.kind === payload.kind) return;
    const whole = `-k snapshot shows the whole snapshot, ${count(rebuilt.body.count, 'item')}`;
    await note(`shown as recorded, a delta; ${whole}`);
    return;
  }
  const { contents, equals, datagram, route } = loaded;
  if (route !== undefined) await note(route);
  else if ([format, version].includes(undefined) || loaded.input.form !== undefined || datagram) {
    const hints = contents.messages.map(({ delta }) => (delta ? baseHint(delta.payload) : ''));
    await noteReadings([contents, ...equals].map(packetReading), loaded.input, hints.find(Boolean));
  }
  if (datagram) {
    const { source, destination, start, missing } = datagram;
    const cut = missing > 0 ? `, ${count(missing, 'byte')} of it not recorded` : '';
    const left = `${count(start, 'byte')} of network headers left out${cut}`;
    await printNote(`the UDP packet ${source} > ${destination}: ${left}`, io);
  }
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
