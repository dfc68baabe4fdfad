import { readAll } from '../../../src/input/decompress/pieces.ts';
import { maxTextBytes, tooLongText } from '../../../src/input/source/byte-strings.ts';
import type { Schema } from '../../../src/wire/protocol/registry.ts';
import { readDeclared, readSchema } from '../../../src/wire/schema/read-schema.ts';
import { inputError } from '../options/errors.ts';
import { decodeFailure, sourceFailure } from './inputs.ts';
import type { Opened } from './opened.ts';

/** @throws CommandError if it is longer */
export async function textIn(opened: Opened): Promise<string> {
  const { name, source } = opened.whole;
  const bytes = await readAll(source.pieces, maxTextBytes + 1);
  if (bytes.length > maxTextBytes) throw sourceFailure(name, tooLongText());
  return new TextDecoder().decode(bytes);
}

/** The maximum size of a map, larger than any map of the games. */
const maxMapBytes = 1 << 28;

/** A map of the games. Its format is not detected: only the commands that are given a map read one. */
export async function mapIn(opened: Opened): Promise<Uint8Array> {
  const { name, source } = opened.whole;
  const bytes = await readAll(source.pieces, maxMapBytes + 1);
  if (bytes.length > maxMapBytes) throw inputError(`${name}: a map of more than ${maxMapBytes >> 20} MiB`);
  if (!/^(?:DATA|ATAD)/.test(String.fromCharCode(...bytes.subarray(0, 4))))
    throw inputError(`${name}: this is not a map: it does not begin with DATA`);
  return bytes;
}

/** The items and messages of a schema; `declared` without what the tables know of them. */
export async function schemaIn(opened: Opened, form: 'usable' | 'declared'): Promise<Schema> {
  const text = await textIn(opened);
  try {
    return form === 'declared' ? readDeclared(text) : readSchema(text);
  } catch (error) {
    throw decodeFailure(opened.path, error);
  }
}
