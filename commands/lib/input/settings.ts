import { noSchema, type Schema } from '../../../src/protocol/registry.ts';
import type { Io } from '../io.ts';
import { type anyInput, type common, type Given, inputLimitsOf } from '../options.ts';
import type { Input } from './input.ts';
import { openInput, readText } from './open.ts';
import { decodeFailure } from './read-sources.ts';

/** Reads the file of `--schema`, too. */
export async function inputOf(
  given: Partial<Given<typeof anyInput & Pick<typeof common, 'follow' | 'strict'>>>,
  io: Io,
): Promise<Input> {
  return {
    from: unlessAuto(given.from),
    kind: unlessAuto(given.kind),
    version: unlessAuto(given.protocol),
    isText: given.hex,
    nth: given.nth,
    client: given.client,
    follow: given.follow === true,
    strict: given.strict === true,
    schema: await readSchemaFile(given.schema, io),
    limits: inputLimitsOf(given),
    io,
    opened: [],
  };
}

const unlessAuto = <Value extends string>(value: Value | undefined) =>
  value === 'auto' ? undefined : (value as Exclude<Value, 'auto'> | undefined);

/** The items and messages of `--schema FILE`. */
export async function readSchemaFile(path: string | undefined, io: Io): Promise<Schema> {
  if (path === undefined) return noSchema;
  // Loaded here only, to keep start-up fast.
  const { readSchema } = await import('../../../src/protocol/read-schema.ts');
  try {
    return readSchema(await readText(await openInput(path, { from: 'json' }, io)));
  } catch (error) {
    throw decodeFailure(path, error);
  }
}
