import { readSchema } from '../../../src/protocol/read-schema.ts';
import { noSchema, type Schema } from '../../../src/protocol/schema.ts';
import type { Io } from '../io.ts';
import type { InputOptions } from '../options.ts';
import type { OpenedKind } from '../refuse-options.ts';
import { openInput, readText } from './open.ts';
import { decodeFailure } from './read-sources.ts';

/** What reading an input needs: how it is to be read, the schema of a mod, and the platform. */
export interface InputContext {
  readonly options: InputOptions;
  readonly schema: Schema;
  readonly io: Io;
  /** The inputs so far. */
  readonly opened: OpenedKind[];
}

/** The context of a command; reads the file of `--schema`. */
export async function inputContext(options: InputOptions, io: Io): Promise<InputContext> {
  return { options, schema: await readSchemaFile(options.schema, io), io, opened: [] };
}

/** The same context with other options. */
export const withOptions = (context: InputContext, options: Partial<InputOptions>): InputContext => ({
  ...context,
  options: { ...context.options, ...options },
});

/** The items and messages of `--schema FILE`. */
export async function readSchemaFile(path: string | undefined, io: Io): Promise<Schema> {
  if (path === undefined) return noSchema;
  try {
    return readSchema(await readText(await openInput(path, { from: 'json' }, io)));
  } catch (error) {
    throw decodeFailure(path, error);
  }
}
