import type { ItemType } from '../../../src/protocol/item.ts';
import { readSchema } from '../../../src/protocol/schema.ts';
import type { Io } from '../io.ts';
import type { InputOptions } from '../options.ts';
import type { OpenedKind } from '../refuse-options.ts';
import { openInput, readText } from './open.ts';
import { decodeFailure } from './read-sources.ts';

/** What reading an input needs: how it is to be read, the items of a mod, and the platform. */
export interface InputContext {
  readonly options: InputOptions;
  readonly extraItems: readonly ItemType[];
  readonly io: Io;
  /** The inputs so far. */
  readonly opened: OpenedKind[];
}

/** The context of a command; reads the file of `--schema`. */
export async function inputContext(options: InputOptions, io: Io): Promise<InputContext> {
  return { options, extraItems: await extraItems(options.schema, io), io, opened: [] };
}

/** The same with other options. */
export const withOptions = (context: InputContext, options: Partial<InputOptions>): InputContext => ({
  ...context,
  options: { ...context.options, ...options },
});

/** The item types of `--schema FILE`. */
export async function extraItems(path: string | undefined, io: Io): Promise<readonly ItemType[]> {
  if (path === undefined) return [];
  try {
    return readSchema(await readText(await openInput(path, { from: 'json' }, io)));
  } catch (error) {
    throw decodeFailure(path, error);
  }
}
