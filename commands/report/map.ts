import { DecodeError } from '../../src/bytes/diagnostic.ts';
import { diagnosticMessage } from '../../src/view/text/diagnostic-messages.ts';
import { inputError } from '../lib/errors.ts';
import { openInput, readAll } from '../lib/input/open.ts';
import type { Io } from '../lib/io.ts';

/** A larger file is no map. */
const maxBytes = 1 << 26;

/** The bytes of the map that `--map` names. */
export async function readMapFile(path: string | undefined, io: Io): Promise<Uint8Array | undefined> {
  if (path === undefined) return undefined;
  const { name, pieces } = await openInput(path, { from: 'packed' }, io);
  const bytes = await readAll(pieces, maxBytes + 1);
  if (bytes.length > maxBytes) throw inputError(`${name}: this is larger than any map`);
  return bytes;
}

/** The error for a map that `--map` names and that cannot be read. */
export const mapFailure = (path: string | undefined, error: unknown): unknown =>
  path !== undefined && error instanceof DecodeError ? inputError(`${path}: ${diagnosticMessage(error)}`) : error;
