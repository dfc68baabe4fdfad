import type { Stated } from '../../../src/input/stated.ts';
import { knownFormats } from '../../../src/recording/formats.ts';
import type { Encoding } from '../../../src/wire/payload/encoding-layers.ts';
import { noSchema, type Schema } from '../../../src/wire/protocol/registry.ts';
import { type anyInput, type common, type Given, inputLimitsOf } from '../options/options.ts';
import type { Io } from '../platform/io.ts';
import type { Input, LoadedSnapshot } from './inputs.ts';
import { openPlain } from './opened.ts';

type GivenInput = Partial<Given<typeof anyInput & Pick<typeof common, 'follow' | 'strict' | 'ticks'>>>;

/** How inputs are read, by the options; the file of `--schema` is read at once, and that of `--base` with the first delta. */
export async function inputOf(given: GivenInput, io: Io): Promise<Input> {
  const { nth, client, ticks, follow = false, strict = false, base } = given;
  const stated = { ...statedBy(given), schema: await readSchemaFile(given.schema, io) };
  const limits = inputLimitsOf(given);
  const input: Input = {
    ...stated,
    nth,
    client,
    ticks,
    follow,
    strict,
    limits,
    io,
    opened: [],
    deltas: { isFound: false },
  };
  if (base === undefined || base === 'unknown') return input;
  let read: Promise<LoadedSnapshot> | undefined;
  return { ...input, readBase: () => (read ??= import('./bases.ts').then(({ readBase }) => readBase(base, input))) };
}

/** What the options state of the bytes. */
function statedBy({ from, kind, protocol, base }: GivenInput): Omit<Stated, 'base' | 'schema'> {
  const given = unlessAuto(from);
  const isFormat = knownFormats.some(({ name }) => name === given);
  // Of pasted text and of bytes that only look like text, the encoding is recognised.
  const isForm = given === 'hex' || given === 'bytes';
  const isEncoding = given !== undefined && !isFormat && !isSent(given) && !isForm;
  return {
    format: given === undefined || isFormat ? given : 'none',
    encoding: isEncoding ? (given as Encoding) : undefined,
    kind: isSent(given) ? given : unlessAuto(kind),
    version: unlessAuto(protocol),
    isBaseUnknown: base === 'unknown',
    isText: isForm ? given === 'hex' : undefined,
  };
}

const isSent = (word: string | undefined) => word === 'packet' || word === 'message';

const unlessAuto = <Value extends string>(value: Value | undefined) =>
  value === 'auto' ? undefined : (value as Exclude<Value, 'auto'> | undefined);

/**
 * The items and messages of `--schema FILE`, or of the file that the variable `TW_SNAP_SCHEMA` names; `declared`
 * without what the tables know of them.
 */
export async function readSchemaFile(
  given: string | undefined,
  io: Io,
  form: 'usable' | 'declared' = 'usable',
): Promise<Schema> {
  const path = given ?? io.env.TW_SNAP_SCHEMA;
  if (!path) return noSchema;
  // Loaded here only, to keep start-up fast.
  return (await import('./plain.ts')).schemaIn(await openPlain(path, io), form);
}
