import type { Part } from '../../../src/input/source/byte-strings.ts';
import type { Source } from '../../../src/input/source/open.ts';
import { type MomentRange, type Position, splitPosition as splitName } from '../../../src/input/source/position.ts';
import { type PacketReading, type PayloadReading, SourceError, type Stated } from '../../../src/input/stated.ts';
import { diagnosticLine, diagnosticMessage } from '../../../src/output/phrases/diagnostic-messages.ts';
import type { PlayerChoice } from '../../../src/recording/events/player-choice.ts';
import type { RecordingFormat } from '../../../src/recording/formats.ts';
import { DecodeError, type Diagnostic } from '../../../src/wire/bytes/diagnostic.ts';
import type { LastByte } from '../../../src/wire/codec/huffman.ts';
import type { PacketContents } from '../../../src/wire/packet/packet-contents.ts';
import type { Payload } from '../../../src/wire/payload/payload.ts';
import type { Schema } from '../../../src/wire/protocol/registry.ts';
import type { TickRange } from '../../../src/wire/protocol/ticks.ts';
import type { Snapshot } from '../../../src/wire/snapshot/snapshot.ts';
import { CommandError, inputError, reason, usageError } from '../options/errors.ts';
import type { InputLimit } from '../options/options.ts';
import type { Io } from '../platform/io.ts';

/** What a command is told of its inputs: what is stated of their bytes, and what it needs besides. */
export interface Input extends Omit<Stated, 'base' | 'schema'> {
  readonly schema: Schema;
  /** The number of the only packet that is read of a text with several, from 1. */
  readonly nth: number | undefined;
  readonly client: string | undefined;
  readonly ticks: MomentRange | undefined;
  readonly follow: boolean;
  readonly strict: boolean;
  /** The kinds of input that are expected. */
  readonly limits: readonly InputLimit[];
  readonly io: Io;
  /** The inputs that were opened so far, of those that options are about. */
  readonly opened: OpenInput[];
  /** The player who is selected: names are followed up to the moment that is read. */
  readonly player?: PlayerChoice | undefined;
  /** Whether a delta was read, for which `--base` has an effect. */
  readonly deltas: { isFound: boolean };
  /** The snapshot that `--base` names: it is read when the first delta is. */
  readonly readBase?: (() => Promise<LoadedSnapshot>) | undefined;
}

/** What an argument is called in what is printed. */
export const nameOfInput = (path: string | undefined): string =>
  // An empty path is a variable of a script that is not set.
  path === undefined || path === '-' ? 'standard input' : path || "''";

/** An opened input. Its first bytes have been peeked, not consumed. */
export interface OpenInput {
  readonly name: string;
  readonly path: string;
  readonly source: Source;
  /** Undefined if it is a single payload instead of a recording. */
  readonly format: RecordingFormat | undefined;
  readonly isEmpty: boolean;
  /** Whether it can be read again: it is not standard input, or another pipe. */
  readonly isFile: boolean;
  /** Whether it is the base of a delta, and no input of its own. */
  readonly isBase?: boolean;
  /** The position in it that was named with the file. */
  readonly position?: Position | undefined;
  readonly client?: string | undefined;
  readonly ticks?: TickRange | undefined;
  /** The snapshot, delta or packet, where it is read as a recording of one. */
  readonly only?: Payload | PacketContents | undefined;
  /** The exit status that follows from a doubt about that or its base. */
  readonly doubt?: number;
}

export interface OpenRecording extends OpenInput {
  readonly format: RecordingFormat;
  again(): Promise<OpenRecording>;
}

export interface NamedPart extends Part {
  /** Contains the number and line of one of several byte strings. */
  readonly name: string;
  /** The line of the pasted text where it begins, unless the name contains it. */
  readonly line?: number;
}

/** What was read from an input: a snapshot or delta (`payload`), or a packet or message (`contents`). */
export type LoadedInput = Loaded | LoadedPacket;

/** The snapshot or delta that a command shows or compares. */
export interface Loaded extends PayloadReading {
  readonly name: string;
  /** The bytes from which it was read; undefined if it belongs to a recording. */
  readonly input?: NamedPart;
  /** For a recording, the current snapshot at the tick, or the one that the packet completes. */
  readonly rebuilt?: Payload | undefined;
  /** The exit status that follows from a doubt about it or its base, which was already reported. */
  readonly doubt?: number | undefined;
  /** The checksum that a message announces for the result of its delta. */
  readonly announced?: number | undefined;
  /** How the compressed snapshots of a recording end. */
  readonly lastByte?: LastByte;
}

/** The packet or message that a command shows. */
export interface LoadedPacket extends PacketReading, Pick<Loaded, 'name' | 'rebuilt' | 'doubt'> {
  readonly input: NamedPart;
  /** The sender and receiver, for a packet of a capture. */
  readonly route?: string;
}

/** A whole snapshot: one of those that are compared, or the base of a delta. */
export interface LoadedSnapshot extends Loaded {
  readonly snapshot: Snapshot;
  /** What is odd in the bytes it was read from, also in a delta that results in it. */
  readonly warnings: readonly Diagnostic[];
}

/** How a payload is read: the base of a delta helps to recognise it. */
export type Loading = Input & { readonly base?: LoadedSnapshot | undefined };

/**
 * Splits a path and the position in it. An existing file with the whole name takes precedence. The path has `/` between
 * folders, which Windows takes as well: the same name stands in every output, table and command to copy, on every
 * system.
 * @throws CommandError for an existing file with what is no position
 */
export function splitPosition(
  path: string | undefined,
  io: Pick<Io, 'exists' | 'separator'>,
): { readonly path: string | undefined; readonly position: Position | undefined } {
  if (path === undefined) return { path, position: undefined };
  try {
    const { path: file, position } = splitName(path, io.exists);
    return { path: position && file === '' ? '-' : file.replaceAll(io.separator, '/'), position };
  } catch (error) {
    throw usageError(`${path}: ${reason(error)}`);
  }
}

const kindOfPosition = (position: Position): 'moment' | 'packet' | 'range' => {
  if ('moment' in position) return 'moment';
  return 'packet' in position ? 'packet' : 'range';
};

/** The commands that read each kind of position. */
const readers = {
  moment: 'one moment is for decode, diff, apply, extract, checksum and report; a range is written 0:10..0:20',
  packet: 'one packet is for decode and extract',
  range: 'a range is for dump, stats, checksum, export, report and slice',
};

/** The error for a position that a command does not read, or not of this input. */
export const otherPosition = (name: string, position: Position): CommandError => {
  const kind = kindOfPosition(position);
  return usageError(`${name}${kind === 'packet' ? '#' : '@'}${position.text}: ${readers[kind]}`);
};

/** @throws CommandError if the input has no bytes */
export function refuseEmpty({ name, isEmpty }: OpenInput): void {
  if (isEmpty) throw inputError(`${name}: the input is empty`);
}

/** The error for the user, with the name of the input, whose bytes can't be had. */
export function sourceFailure(name: string, error: unknown): CommandError {
  if (error instanceof CommandError) return error;
  if (error instanceof SourceError) return inputError(`${name}: ${error.message}`);
  if (error instanceof DecodeError) return inputError(`${name}: ${diagnosticMessage(error)}`);
  return inputError(`${name}: can't be read: ${reason(error)}`);
}

/** Turns an error of a reader into one for the user, with the name of the input. */
export function decodeFailure(name: string, error: unknown): unknown {
  if (!(error instanceof DecodeError)) return error;
  const { code, offset, args } = error;
  return inputError(`${name}: ${diagnosticLine({ severity: 'error', code, offset, args })}`);
}

/**
 * Refuses `--base` if none of the inputs that were read is a delta.
 * @throws CommandError
 */
export function refuseNeedlessBase(name: string, { deltas, isBaseUnknown, readBase }: Input): void {
  if (deltas.isFound || !(isBaseUnknown || readBase)) return;
  throw usageError(`${name}: --base is for deltas, and there is no whole one here (-k delta reads bytes as one)`);
}

function kindOf({ format }: OpenInput): 'payload' | 'capture' | 'demo' {
  if (format === undefined) return 'payload';
  return format.hasPackets ? 'capture' : 'demo';
}

/** Whether the position in it is a snapshot or packet. */
export const isPart = ({ position }: Pick<OpenInput, 'position'>): boolean =>
  position !== undefined && !('range' in position);

const kindTexts = { demo: 'a demo', capture: 'a capture', payload: 'a single payload' } as const;

/**
 * Refuses options that have no effect on any of the inputs.
 * @throws CommandError
 */
export function refuseMeaningless(inputs: readonly OpenInput[], { limits }: Pick<Input, 'limits'>): void {
  const [first] = inputs;
  if (!first) return;
  for (const { kinds, isWhole, isOfInput, text } of limits) {
    const isOf = (opened: OpenInput) =>
      isPart(opened) && (isWhole || kinds.includes('moment')) ? !isWhole : kinds.includes(kindOf(opened));
    if (inputs.some((opened) => !(isOfInput && opened.isBase) && isOf(opened))) continue;

    const part = isWhole && isPart(first) ? `one ${kindOfPosition(first.position!)} of ` : '';
    const kind = first.format?.isRun ? 'a ghost' : kindTexts[kindOf(first)];
    throw usageError(`${first.name}: ${text}; this is ${part}${kind}`);
  }
}
