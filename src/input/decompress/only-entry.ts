import { DecodeError } from '../../wire/bytes/diagnostic.ts';
import { u16, u32 } from '../../wire/bytes/fixed-int.ts';

const signature = { directory: 0x02014b50, end: 0x06054b50 } as const;
const endSize = 22;
const maxComment = 0xffff;
/** The number of files that are named if there are several. */
const maxNames = 3;
const method = { stored: 0, deflated: 8 } as const;

/**
 * The only file in a zip; folders and the files that macOS adds are ignored.
 * ```
 * end of central directory      PK\5\6  disk u16  disk u16  entries u16  entries u16  size u32  offset u32  comment_size u16  comment
 * entry of the directory (46)   PK\1\2  …  method u16 at 10  …  crc u32 at 16  size u32  size u32  name_size u16 at 28  extra u16  comment u16  …  offset u32 at 42  name
 * before the data (30)          PK\3\4  …  name_size u16 at 26  extra u16  name  extra
 * ```
 * @throws DecodeError `truncated_zip`, `zip_files`, `bad_zip`, `encrypted_zip`, `zip_method`
 */
export function onlyEntry(zip: Uint8Array) {
  const end = endOfDirectory(zip);
  if (end < 0) throw new DecodeError('truncated_zip', zip.length);
  const entries = entriesOf(zip, u32(zip, end + 16, true), u16(zip, end + 10, true)).filter(isFile);
  const [entry] = entries;
  if (!entry) throw new DecodeError('zip_files', end, { found: 0, names: '' });
  if (entries.length > 1) {
    const names = entries.slice(0, maxNames).map((entry) => entry.name);
    if (entries.length > maxNames) names.push('…');
    throw new DecodeError('zip_files', end, { found: entries.length, names: names.join(', ') });
  }
  const { name, offset, size } = entry;
  const start = offset + 30 + u16(zip, offset + 26, true) + u16(zip, offset + 28, true);
  if (!(offset + 30 <= zip.length && start + size <= zip.length)) throw new DecodeError('bad_zip', offset, { name });
  if (entry.isEncrypted) throw new DecodeError('encrypted_zip', offset, { name });
  if (entry.method !== method.stored && entry.method !== method.deflated)
    throw new DecodeError('zip_method', offset, { name, method: entry.method });
  return { name, data: zip.subarray(start, start + size), isDeflated: entry.method !== method.stored };
}

/** Only a comment may follow the end record. */
function endOfDirectory(zip: Uint8Array): number {
  const least = Math.max(0, zip.length - endSize - maxComment);
  for (let at = zip.length - endSize; at >= least; at--) if (u32(zip, at, true) === signature.end) return at;
  return -1;
}

/** The entry of the directory that begins at an index, and the index after it. */
function entryAt(zip: Uint8Array, at: number) {
  const nameEnd = at + 46 + u16(zip, at + 28, true);
  return {
    name: new TextDecoder().decode(zip.subarray(at + 46, nameEnd)),
    method: u16(zip, at + 10, true),
    isEncrypted: (u16(zip, at + 8, true) & 1) !== 0,
    size: u32(zip, at + 20, true),
    offset: u32(zip, at + 42, true),
    end: nameEnd + u16(zip, at + 30, true) + u16(zip, at + 32, true),
  };
}

function entriesOf(zip: Uint8Array, start: number, count: number) {
  const entries: ReturnType<typeof entryAt>[] = [];
  for (let at = start; entries.length < count && at + 46 <= zip.length; at = entries.at(-1)!.end) {
    if (u32(zip, at, true) !== signature.directory) break;
    entries.push(entryAt(zip, at));
  }
  return entries;
}

const isFile = ({ name }: { readonly name: string }) => !name.endsWith('/') && !name.startsWith('__MACOSX/');
