import { DecodeError } from '../../../src/bytes/diagnostic.ts';
import type { LastByte } from '../../../src/codec/huffman.ts';
import type { Datagram } from '../../../src/container/net/link.ts';
import type { Diagnostics } from '../../../src/decode/diagnostics.ts';
import { layersOfInts, unwrap } from '../../../src/decode/encoding-layers.ts';
import { implausible } from '../../../src/decode/evidence.ts';
import { type Payload, payloadOfSnapshot, readPayload } from '../../../src/decode/payload.ts';
import {
  bestReading,
  betterParts,
  minTextPenalty,
  type Recognised,
  type RecognisedPayload,
  recognise,
  type Stated,
} from '../../../src/decode/recognise.ts';
import type { PastedBytes, PastedText } from '../../../src/hex/pasted-text.ts';
import { textOf } from '../../../src/hex/text-encoding.ts';
import type { PacketContents, PacketContentsOptions } from '../../../src/packet/packet-contents.ts';
import type { RecognisedPacket } from '../../../src/packet/recognise-packet.ts';
import { protocolOf, type Schema, type Version } from '../../../src/protocol/registry.ts';
import { compare } from '../../../src/snapshot/compare.ts';
import { Snapshot } from '../../../src/snapshot/snapshot.ts';
import { diagnosticLine } from '../../../src/text/diagnostic-messages.ts';
import { escapeText } from '../../../src/text/escape.ts';
import { count } from '../../../src/text/number.ts';
import { packetReading, reading } from '../../../src/view/hexdump/hexdump.ts';
import { exit, inputError, usageError } from '../errors.ts';
import { later } from '../later.ts';
import { printNote, printProblem } from '../note.ts';
import { isToStdout, type Printing } from '../output/output.ts';
import type { AtTick, Uncertainty } from './moment.ts';
import { decodeFailure, type Input, maxTextBytes, type Opened, openAt, readAll, type Source, tooLong } from './open.ts';

/** What was read from an input: a snapshot or delta (`payload`), or a packet or message (`packet`). */
export type LoadedInput = Loaded | LoadedPacket;

/** The snapshot or delta that a command shows or compares. */
export interface Loaded extends Recognised {
  readonly name: string;
  /** The bytes from which it was read; undefined if it belongs to a recording. */
  readonly input?: Source;
  /** For a recording, the current snapshot at the tick, or the one that the packet completes. */
  readonly rebuilt?: Payload | undefined;
  /** The uncertainty in a damaged recording, which was already reported. */
  readonly uncertainty?: Uncertainty | undefined;
  /** How the compressed snapshots of a recording end. */
  readonly lastByte?: LastByte;
}

/** The packet or message that a command shows. */
export interface LoadedPacket extends RecognisedPacket, Pick<Loaded, 'name' | 'rebuilt' | 'uncertainty'> {
  readonly input: Source;
  /** The datagram that contains it, if the input begins with network headers. */
  readonly datagram?: Datagram | undefined;
  /** The sender and receiver, for a packet of a capture. */
  readonly route?: string;
}

/** A whole snapshot: one of those that are compared, or the base of a delta. */
export interface LoadedSnapshot extends Loaded {
  readonly snapshot: Snapshot;
}

/** How an input is read. The base of a delta helps to recognise it. */
type Loading = Input & Pick<PacketContentsOptions, 'onlyFlawless'> & { readonly base?: LoadedSnapshot | undefined };

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
  if (opened.format) return loadRecording(opened, how);
  const text = await loadPasted(opened, how);
  if (how.nth === undefined && text.count > 1)
    throw usageError(`${opened.name}: the text has ${text.count} packets; choose one with --nth 1 to ${text.count}`);
  return readNth(opened.name, text, how.nth);
}

async function loadRecording(opened: Opened, how: Loading): Promise<LoadedInput> {
  const { io } = how;
  const { position } = opened;
  if (position && 'packet' in position) return loadPacketAt(opened, position.packet, how);
  if (!position) {
    const kind = opened.format?.hasTicks ? 'demo' : 'capture';
    const others = kind === 'demo' ? 'FILE@MOMENT names another' : 'FILE@MOMENT names another, FILE#N a packet';
    const note = `a ${kind}: its first snapshot (${others})`;
    await printNote(`${escapeText(opened.name)}: ${note}`, io);
  }
  const { atMoment } = await import('./moment.ts');
  const found = await atMoment(opened, position?.moment ?? 'first', how);
  return loadTick(found, opened.name, how);
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
  const best = await betterParts(parts, other, ({ bytes }) => loadSource({ name, bytes, text }, how));
  const count = best.length;
  const sourceOf = ({ line, ...part }: PastedBytes, i: number): Source => {
    const one = { text, form, ...part };
    return count === 1 ? { name, line, ...one } : { name: `${name}, ${i + 1} of ${count} (line ${line})`, ...one };
  };
  let last: LoadedInput | undefined;
  const read = async (i: number) => {
    const source = sourceOf(best[i]!, i);
    last = (last && (await likeLast(source, last, how))) ?? (await loadSource(source, how));
    return last;
  };
  return { form, count, read };
}

async function loadSource(input: Source, how: Loading): Promise<LoadedInput> {
  const loaded = await recogniseSource(input, how);
  const { bytes, cutLine: line } = input;
  const place = (offset: number) => ({ offset });
  if (line !== undefined) diagnosticsOf(loaded).run(place, (warn) => warn('cut_text', bytes.length, { line }));
  return loaded;
}

/** A reading with this evidence and without a flaw, in the same way as the one before it in a text, needs no comparison with others. */
const sureEvidence = 20;

/** Reads a packet of a text as the one before it; undefined if it is not certain that it is alike. */
async function likeLast(input: Source, last: LoadedInput, how: Loading) {
  if (last.penalty > 0 || input.cutLine !== undefined || how.from !== undefined || how.kind !== undefined)
    return undefined;
  if (last.kind === 'packet') {
    if (last.contents.kind === 'message') return undefined;
    // Clients of both versions play on one server.
    const { version } = last.contents.protocol;
    for (const one of versionFor(how) ? [version] : ([version, version === '0.7' ? '0.6' : '0.7'] as const)) {
      const packet = await packetIn(input, { ...how, version: one, onlyFlawless: true });
      if (packet && packet.penalty === 0 && packet.evidence >= sureEvidence) return packet;
    }
    return undefined;
  }
  const { layers, kind, types } = last.payload;
  if (layers.encoding === 'json') return undefined;
  const payload = await payloadOf(input, { ...how, from: layers.encoding, kind, version: types.protocol.version });
  return payload.penalty === 0 && payload.evidence >= sureEvidence
    ? { name: input.name, input, ...payload }
    : undefined;
}

async function recogniseSource(input: Source, how: Loading): Promise<LoadedInput> {
  const { from, kind, isText } = how;
  const isPacketOrMessage = from === 'packet' || from === 'message';
  if (isPacketOrMessage) return (await packetIn(input, how))!;
  const loaded = { name: input.name, input, ...(await payloadOf(input, how)) };
  const isJson = loaded.payload.layers.encoding === 'json';
  if (input.text !== undefined && !isJson && loaded.penalty >= minTextPenalty && from === undefined) {
    throw decodeFailure(input.name, await refusalOf(input.text, isText));
  }
  const canBePacket = from === undefined && kind !== 'snapshot' && input.text === undefined;
  return (canBePacket && loaded.penalty > 0 && (await packetIn(input, how, loaded))) || loaded;
}

async function refusalOf(text: string, isText: boolean | undefined): Promise<DecodeError> {
  if (isText !== false) return (await import('../../../src/hex/pasted-text.ts')).refusal(text);
  return new DecodeError('bad_hex', 0, { found: 'text', expected: 'bytes; without --no-hex text is read as hex' });
}

export const diagnosticsOf = (loaded: LoadedInput): Diagnostics =>
  (loaded.kind === 'packet' ? loaded.contents : loaded.payload).diagnostics;

/** Input in which nothing is plausible is not shown to people: it would be thousands of rows without a meaning. */
export function refuseUnrecognised(loaded: LoadedInput, { from, kind, version }: Input): void {
  const { error } = diagnosticsOf(loaded);
  const isStated = [from, kind, version].some((one) => one !== undefined);
  if (!isStated && (error?.code === 'unrecognised' || error?.code === 'input_too_large'))
    throw inputError(`${loaded.name}: ${diagnosticLine(error)}`);
}

/** The packet or message that `--from` requests, or that is a more likely reading than the snapshot or delta `payload`. */
async function packetIn(input: Source, how: Loading, payload?: RecognisedPayload): Promise<LoadedPacket | undefined> {
  const { isLikelyMessage, isLikelyPacket } = await packetReaders();
  const { name, bytes, form } = input;
  const { from, base } = how;
  const version = versionFor(how);
  const recognised = async (kind: PacketContents['kind'], of = bytes, unpacked = false) => ({
    name,
    input,
    ...(await readPacket(of, kind, { ...how, version, base: base?.snapshot, unpacked })),
  });
  if (from === 'message') return recognised('message');
  const { findDatagram } = await networkLayers();
  const found = findDatagram(bytes);
  // An incomplete datagram is not sufficient evidence, unless tcpdump printed it.
  const datagram = found && (found.missing === 0 || form === 'tcpdump') ? found : undefined;
  const inside = datagram ? bytes.subarray(datagram.start, datagram.end) : bytes;
  const packed = await recognised('packet', inside);
  const unpacked = packed.penalty > 0 && form === 'tw-snap' ? await recognised('packet', inside, true) : packed;
  const packet = { ...(unpacked.penalty < packed.penalty ? unpacked : packed), datagram };
  if (from === 'packet' || !payload) return packet;
  const message = await recognised('message');
  if (isLikelyMessage(message, packet, payload)) return message;
  const isInDatagram = datagram !== undefined && packet.penalty < implausible;
  return isInDatagram || isLikelyPacket(packet, payload) ? packet : undefined;
}

const packetReaders = later(() => import('../../../src/packet/recognise-packet.ts'));
const networkLayers = later(() => import('../../../src/container/net/link.ts'));

async function readPacket(
  bytes: Uint8Array,
  kind: PacketContents['kind'],
  { version, schema, ...how }: Pick<Input, 'version' | 'schema'> & PacketContentsOptions,
): Promise<RecognisedPacket> {
  const { recognisePacket } = await packetReaders();
  return recognisePacket(bytes, kind, version, (one) => protocolOf(one, schema), how);
}

/** The packet of a capture with Wireshark's number `number`; its delta is read with the base that its client had. */
async function loadPacketAt(opened: Opened, number: number, how: Loading): Promise<LoadedPacket> {
  const { atPacket, mismatchOf } = await import('./moment.ts');
  const found = await atPacket(opened, number, how);
  const { stream, direction, bytes, snapshot, mismatch } = found;
  const name = `${opened.name}#${number}`;
  const version = how.version ?? stream?.protocol.version;
  const read = await readPacket(bytes, 'packet', { ...how, version, base: how.base?.snapshot ?? found.base });
  const packet = { name, input: { name, bytes }, ...read };
  if (!stream) return packet;
  const ends = direction === 'to_client' ? [stream.server, stream.client] : [stream.client, stream.server];
  const rebuilt = snapshot && payloadOfSnapshot(snapshot, stream.protocol);
  const uncertainty = snapshot && mismatch !== undefined ? mismatchOf(snapshot, mismatch) : undefined;
  if (uncertainty) await printProblem(`${escapeText(name)}: ${uncertainty.text}`, how.io);
  return { ...packet, route: ends.join(' > '), rebuilt, uncertainty };
}

async function loadTick(found: AtTick, file: string, { kind: wanted, base: given, io }: Loading): Promise<Loaded> {
  const { tick, kind, snapshot, before, uncertainty, lastByte } = found;
  const { protocol } = found.stream;
  const name = `${file}@${tick}`;
  if (uncertainty) await printProblem(`${escapeText(name)}: ${uncertainty.text}`, io);
  const base = kind === 'delta' ? (before ?? given?.snapshot) : undefined;
  if (base && given && base !== given.snapshot && isOther(base, given.snapshot))
    throw inputError(`${escapeText(name)}: this delta has another base, the snapshot of tick ${found.base}`);
  const read = readPayload(unwrap(found.payload, found.encoding), kind, protocol, base);
  const sent = base && base === before && found.base >= 0 ? { ...read, baseTick: found.base } : read;
  const rebuilt = snapshot && payloadOfSnapshot(snapshot, protocol);
  if (wanted === 'snapshot' && !rebuilt) throw inputError(`${escapeText(name)}: the snapshot can't be rebuilt`);
  const payload = wanted === 'snapshot' ? rebuilt! : sent;
  return { kind: 'payload', name, payload, rebuilt, uncertainty, lastByte, penalty: 0, equals: [] };
}

function isOther(a: Snapshot, b: Snapshot): boolean {
  const { removed, added, changed } = compare(a, b);
  return removed.length + added.length + changed.length > 0;
}

/** The stated version, or that of the base. */
const versionFor = ({ version, base }: Loading) => version ?? (base && sureVersion(base));

async function payloadOf(input: Source, how: Loading): Promise<RecognisedPayload> {
  const { from, kind, schema, isBaseUnknown, base } = how;
  const stated: Stated = {
    encoding: from as Stated['encoding'],
    kind,
    protocol: versionFor(how),
    base: isBaseUnknown ? 'unknown' : undefined,
  };
  const protocol = (version: Version) => protocolOf(version, schema);
  if (from !== 'json' && !(from === undefined && input.text?.trimStart().startsWith('{'))) {
    return recognise(input.bytes, stated, protocol, base?.snapshot);
  }
  try {
    const { recogniseJson } = await import('../../../src/decode/json-input.ts');
    const text = input.text ?? new TextDecoder().decode(input.bytes);
    return recogniseJson(text, input.bytes, stated, protocol, base?.snapshot);
  } catch (error) {
    throw decodeFailure(input.name, error);
  }
}

/**
 * Reads a whole snapshot: a file in any encoding, or `empty`.
 * @throws CommandError if it is incomplete or a delta
 */
export async function readSnapshot(path: string, how: Input): Promise<LoadedSnapshot> {
  if (path === 'empty') {
    const snapshot = new Snapshot();
    const stated = { encoding: how.from as Stated['encoding'], kind: 'snapshot', protocol: how.version } as const;
    const read = bestReading([layersOfInts(snapshot.toInts())], stated, (version) => protocolOf(version, how.schema));
    return { name: path, ...read, snapshot };
  }
  const loaded = await load(path, { ...how, kind: 'snapshot' });
  const { rebuilt, payload } = loaded;
  if (rebuilt) return { ...loaded, payload: rebuilt, snapshot: rebuilt.body as Snapshot, penalty: 0, equals: [] };
  const { error } = payload.diagnostics;
  const better = loaded.input && betterReading(loaded, loaded.input, how.schema);
  if ((better ?? payload).kind === 'delta') throw inputError(`${loaded.name}: this is a delta; expected a snapshot`);
  if (error) throw inputError(`${loaded.name}: expected a snapshot: ${diagnosticLine(error)}`);
  return { ...loaded, snapshot: payload.body as Snapshot };
}

/** Reads the base of a delta: it is recognised by itself, whatever is stated about the delta. */
export const readBase = (path: string, how: Input) => readSnapshot(path, { ...how, from: undefined, nth: undefined });

/** The base that an option names; undefined without the option, or if it says that the base is unknown. */
export const readStatedBase = async (path: string | undefined, how: Input) =>
  path === undefined || how.isBaseUnknown ? undefined : readBase(path, how);

/**
 * Reads a delta of this base.
 * @throws CommandError if it is a snapshot
 */
export async function readDelta(path: string, how: Input, base: LoadedSnapshot): Promise<Loaded> {
  const delta = await load(path, { ...how, kind: 'delta', base });
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

/** The bytes of an input that is not a recording, with its text if that is none in a known form, or those of a pasted text. */
async function readParts({ name, pieces }: Opened, { from, isText, nth }: Input): Promise<PastedParts> {
  const bytes = await readAll(pieces, maxTextBytes + 1);
  if (bytes.length === 0) throw decodeFailure(name, new DecodeError('empty_input', 0));
  const text = textOf(bytes);
  if (bytes.length > maxTextBytes && (text !== undefined || from === 'json')) throw tooLong(name, maxTextBytes);
  if (isText && text === undefined) throw decodeFailure(name, noText());
  if (text !== undefined && isText !== false && from !== 'json') {
    // Loaded for text only, to keep start-up fast.
    const { readPastedText, refusal } = await import('../../../src/hex/pasted-text.ts');
    try {
      const pasted = readPastedText(text, { force: isText === true });
      if (pasted) return pasted;
      if (isText) throw refusal(text);
    } catch (error) {
      throw decodeFailure(name, error);
    }
  }
  if (nth !== undefined && nth !== 1)
    throw usageError(`${name}: there is no packet ${nth}: it is not text with several`);
  return { text, parts: [{ bytes, line: 1 }] };
}

interface PastedParts extends Omit<PastedText, 'form'> {
  readonly form?: string;
  readonly text?: string | undefined;
}

const noText = () => new DecodeError('bad_hex', 0, { found: 'bytes that are no text', expected: 'hex (--hex)' });

/** Reads the only byte string of a text, or the one that `--nth` names. */
export function readNth(name: string, { count: all, read }: LoadedText, nth = 1): Promise<LoadedInput> {
  if (nth > all) throw usageError(`${name}: there is no packet ${nth}: the text has ${count(all, 'packet')}`);
  return read(nth - 1);
}

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
