import { DecodeError } from '../../../src/bytes/diagnostic.ts';
import { onlyEntry, type ZipEntry } from '../../../src/container/zip/only-entry.ts';
import { diagnosticMessage } from '../../../src/view/text/diagnostic-messages.ts';
import { inputError } from '../errors.ts';

/** The only file in a zip that a user names. */
export function entryOf(zip: Uint8Array, name: string): ZipEntry {
  try {
    return onlyEntry(zip);
  } catch (error) {
    throw error instanceof DecodeError ? inputError(`${name}: ${diagnosticMessage(error)}`) : error;
  }
}
