import { DecodeError } from '../src/bytes/diagnostic.ts';
import { type HexForm, looksLikeText, readHexText } from '../src/bytes/hex.ts';
import { intsOfJson, readJson } from '../src/model/json-input.ts';
import { layersOfInts } from '../src/model/layers.ts';
import type { Payload } from '../src/model/payload.ts';
import { mostSensible, type Recognised, recognise, type Stated } from '../src/model/recognise.ts';
import { Snapshot } from '../src/model/snapshot.ts';
import type { ItemType } from '../src/protocol/item.ts';
import { protocolOf, type Version } from '../src/protocol/registry.ts';
import { readSchema } from '../src/protocol/schema.ts';
import { fullSentence } from '../src/view/sentences.ts';
import { inputError } from './errors.ts';
import type { Io } from './io.ts';
import type { InputOptions } from './options.ts';
import { reason } from './output.ts';

/** Text of this size is still read; a binary payload is cut long before. */
const maxInputBytes = 16 << 20;

/** An input as its user means it: hex text already turned into bytes. */
export interface Input {
  readonly name: string;
  readonly bytes: Uint8Array;
  /** Text that is one: JSON, or no hex. */
  readonly text?: string;
  readonly hex?: HexForm;
}

/** Reads FILE, `-` or standard input. */
export async function readInput(path: string | undefined, options: InputOptions, io: Io): Promise<Input> {
  const name = path === undefined || path === '-' ? 'standard input' : path;
  if (name !== path && io.stdinIsTerminal) {
    await io.stderr.write('tw-snap: reading from the terminal: paste hex, end with Ctrl-D (tw-snap --help for more)\n');
  }
  const bytes = await readBytes(path ?? '-', name, io);
  if (bytes.length === 0) throw decodeFailure(name, new DecodeError('empty_input', 0));
  const text = options.hex === true || looksLikeText(bytes) ? new TextDecoder().decode(bytes) : undefined;
  if (text === undefined || options.hex === false || options.from === 'json' || /^\s*\{\s*"/.test(text)) {
    return { name, bytes, ...(text === undefined ? {} : { text }) };
  }
  try {
    const hex = readHexText(text);
    if (hex) return { name, bytes: hex.bytes, hex: hex.form };
    if (options.hex) throw new DecodeError('bad_hex', 0, { found: 'other text', expected: 'pairs of hex digits' });
    return { name, bytes, text };
  } catch (error) {
    throw decodeFailure(name, error);
  }
}

/** Reads an input as one snapshot or delta; the base of a delta helps to recognise it. */
export function payloadOf(
  input: Input,
  options: InputOptions,
  added: readonly ItemType[],
  base?: Recognised,
): Recognised {
  const stated = statedBy(options);
  stated.protocol ??= base && sureVersion(base);
  const protocol = (version: Version) => protocolOf(version, added);
  const held = base?.payload.body as Snapshot | undefined;
  if (options.from !== 'json' && !(options.from === 'auto' && input.text?.trimStart().startsWith('{'))) {
    return recognise(input.bytes, stated, protocol, held);
  }
  try {
    const body = readJson(input.text ?? new TextDecoder().decode(input.bytes));
    const version = stated.protocol ?? body.protocol ?? '0.6';
    const layers = layersOfInts(intsOfJson(body, protocol(version)), 'json', input.bytes);
    return mostSensible([layers], { kind: body.kind, protocol: version }, protocol, held);
  } catch (error) {
    throw decodeFailure(input.name, error);
  }
}

/**
 * Reads a snapshot that is to be whole: a file in any encoding, or `empty`.
 * @throws CommandError where it can't be read to its end, or is a delta
 */
export async function readSnapshot(
  path: string,
  options: InputOptions,
  added: readonly ItemType[],
  io: Io,
): Promise<Recognised> {
  if (path === 'empty') {
    const layers = layersOfInts(new Snapshot().toInts());
    return mostSensible([layers], { ...statedBy(options), kind: 'snapshot' }, (version) => protocolOf(version, added));
  }
  const input = await readInput(path, options, io);
  const recognised = payloadOf(input, { ...options, kind: 'snapshot' }, added);
  const { findings } = recognised.payload;
  const better = findings.error && betterReading(recognised.payload, input, added);
  if ((better ?? recognised.payload).kind === 'delta') {
    throw inputError(`${input.name}: this is a delta; expected a snapshot`);
  }
  if (findings.error) throw inputError(`${input.name}: expected a snapshot: ${fullSentence(findings.error)}`);
  return recognised;
}

/** How a base is read: recognised by itself, whatever is said of the delta. */
export function baseOptions(options: InputOptions): InputOptions {
  return { ...options, from: 'auto', kind: 'snapshot' };
}

/** The protocol version where only one makes sense. */
export function sureVersion({ payload, equals }: Recognised): Version | undefined {
  const { version } = payload.types.protocol;
  return equals.every((other) => other.types.protocol.version === version) ? version : undefined;
}

/** The item types of `--schema FILE`. */
export async function addedItems(path: string | undefined, io: Io): Promise<readonly ItemType[]> {
  if (path === undefined) return [];
  try {
    return readSchema(new TextDecoder().decode(await readBytes(path, path, io)));
  } catch (error) {
    throw decodeFailure(path, error);
  }
}

/** The reading that would succeed where the stated one failed. */
export function betterReading(payload: Payload, input: Input, added: readonly ItemType[]): Payload | undefined {
  if (!payload.findings.error || input.text !== undefined) return undefined;
  const { payload: other } = recognise(input.bytes, {}, (version) => protocolOf(version, added));
  return other.findings.error ? undefined : other;
}

function statedBy(options: InputOptions): { -readonly [K in keyof Stated]: Stated[K] } {
  return {
    encoding: options.from === 'auto' ? undefined : (options.from as Stated['encoding']),
    kind: options.kind === 'auto' ? undefined : options.kind,
    protocol: options.protocol === 'auto' ? undefined : options.protocol,
  };
}

async function readBytes(path: string, name: string, io: Io): Promise<Uint8Array> {
  try {
    return await io.read(path, maxInputBytes);
  } catch (error) {
    throw inputError(`${name}: can't be read: ${reason(error)}`);
  }
}

function decodeFailure(name: string, error: unknown): unknown {
  if (!(error instanceof DecodeError)) return error;
  return inputError(
    `${name}: ${fullSentence({ severity: 'error', code: error.code, offset: error.offset, args: error.args })}`,
  );
}
