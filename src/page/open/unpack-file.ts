import { DecodeError } from '../../bytes/diagnostic.ts';
import { onlyEntry } from '../../container/zip/only-entry.ts';
import { diagnosticMessage } from '../../view/text/diagnostic-messages.ts';
import { unpack } from './inflate.ts';
import { OpenError } from './open-error.ts';

const isMagic = (file: Uint8Array, ...magic: readonly number[]) => magic.every((byte, i) => file[i] === byte);

/**
 * The contents of a file that may be compressed with gzip, or be the only one in a zip archive.
 * @throws OpenError if it is damaged, larger than `limit`, or compressed in a form that browsers do not read
 */
export async function unpackFile(file: Uint8Array, limit: number): Promise<Uint8Array> {
  if (isMagic(file, 0x28, 0xb5, 0x2f, 0xfd))
    throw new OpenError('it is compressed with zstd, which browsers do not read: unpack it first (zstd -d)');
  try {
    if (isMagic(file, 0x1f, 0x8b)) return await unpack(file, 'gzip', limit);
    if (!isMagic(file, 0x50, 0x4b, 3, 4)) return file;
    const { data, isDeflated } = onlyEntry(file);
    return isDeflated ? await unpack(data, 'deflate-raw', limit) : data;
  } catch (error) {
    if (error instanceof DecodeError) throw new OpenError(diagnosticMessage(error));
    throw new OpenError(`it cannot be unpacked: ${String(error)}`);
  }
}
