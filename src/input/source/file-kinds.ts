/*
 * What files are that people hand over in place of a recording or a payload, by their first bytes. It is asked before
 * any payload is looked for: the bytes of a picture may happen to make sense as a delta, but nobody wants to know.
 *
 * A row says what the file is; `advice` is what to do with it, where there is something to do. Signatures are those of
 * the formats' own documents; `docs/formats` has none of them, since nothing is read here.
 */

/** A file that is neither a recording nor a payload. */
interface FileKind {
  /** After "this is": `a picture (PNG)`. */
  readonly what: string;
  readonly advice?: string;
  /** @param first the first bytes, at least 64 unless the file is shorter */
  detect(first: Uint8Array): boolean;
}

/** Whether bytes from an offset on are these: texts as Latin-1, `undefined` for any byte. */
const has =
  (at: number, ...parts: readonly (number | string | undefined)[]) =>
  (first: Uint8Array) => {
    const bytes = parts.flatMap((part) =>
      typeof part === 'string' ? [...part].map((character) => character.charCodeAt(0)) : [part],
    );
    return first.length >= at + bytes.length && bytes.every((byte, i) => byte === undefined || byte === first[at + i]);
  };

const begins = (...parts: readonly (number | string | undefined)[]) => has(0, ...parts);

const any =
  (...tests: readonly ((first: Uint8Array) => boolean)[]) =>
  (first: Uint8Array) =>
    tests.some((test) => test(first));

const int = (bytes: Uint8Array, at: number) =>
  at < 0 || bytes.length < at + 4 ? -1 : new DataView(bytes.buffer, bytes.byteOffset).getInt32(at, true);

/** The beginning of a text, without a byte order mark and blanks, in lower case. */
const textOf = (first: Uint8Array) =>
  new TextDecoder('latin1').decode(first.subarray(0, 256)).replace(/^ï»¿/, '').trimStart().toLowerCase();

const text = (pattern: RegExp) => (first: Uint8Array) => pattern.test(textOf(first));

/** `DATA`, or `ATAD` in files of big-endian machines, followed by version 3 or 4. */
export const isMap = any(begins('DATA', 3, 0), begins('DATA', 4, 0), begins('ATAD', 3, 0), begins('ATAD', 4, 0));

/** 699db17b-8efb-34ff-b1d8-da6f60c15dd1, the UUID of `teehistorian@ddnet.tw`. */
const teehistorian = [0x69, 0x9d, 0xb1, 0x7b, 0x8e, 0xfb, 0x34, 0xff, 0xb1, 0xd8, 0xda, 0x6f, 0x60, 0xc1, 0x5d, 0xd1];

/**
 * Demos of Quake 3 have no signature: each message follows its number and its length, up to 16,384 bytes. The first has
 * the state of the game; a delta that began with such a length would have more items than any game allows.
 */
function isQuake(first: Uint8Array): boolean {
  const number = int(first, 0);
  const length = int(first, 4);
  if (number < 0 || length <= maxItems || length > maxQuakeMessage) return false;
  const next = int(first, 8 + length);
  const nextLength = int(first, 12 + length);
  return next > number && next - number < 16 && nextLength > 0 && nextLength <= maxQuakeMessage;
}

const maxItems = 1024;
const maxQuakeMessage = 1 << 14;

const ours = 'demos of Teeworlds and DDNet are read';
const recordings = 'demos, packets and captures are read';
const unpack = 'unpack it first';
const again = 'download the file itself again';

const packed = (tool: string) => `it is not read; ${unpack}: ${tool} -dc FILE | tw-snap …`;

const kinds: readonly FileKind[] = [
  // Demos of other games.
  { what: 'a demo of Counter-Strike 2, Dota 2 or Deadlock (Source 2)', advice: ours, detect: begins('PBDEMS2', 0) },
  {
    what: 'a demo of a Source game, such as Counter-Strike: GO or Team Fortress 2',
    advice: ours,
    detect: begins('HL2DEMO', 0),
  },
  { what: 'a demo of Half-Life or Counter-Strike 1.6 (GoldSrc)', advice: ours, detect: begins('HLDEMO', 0) },
  { what: 'a demo of Call of Duty 4', advice: ours, detect: begins('IWNET', 0) },
  {
    what: 'a demo of Quake 3 or a game with its engine',
    advice: ours,
    detect: isQuake,
  },
  { what: 'a replay of StarCraft II', advice: ours, detect: begins('MPQ', 0x1b) },
  // Files of Teeworlds and DDNet.
  { what: 'a teehistorian file, which records inputs and positions, not snapshots', detect: begins(...teehistorian) },
  { what: 'a map', advice: recordings, detect: isMap },
  {
    what: 'a configuration of the game',
    advice: recordings,
    detect: text(
      /^(?:#.*\n\s*)*(?:unbindall|(?:bind \S+|(?:add_path|sv_\w+|cl_\w+|gfx_\w+|snd_\w+|player_\w+|ui_\w+|inp_\w+|ec_\w+|br_\w+|password|tune) )\s*\S)/,
    ),
  },
  // What a server sends in place of a file.
  {
    what: 'a web page, saved in place of the file',
    advice: again,
    detect: text(/^(?:<!--[\s\S]*?-->\s*)?(?:<!doctype html|<html[\s>]|<head[\s>])/),
  },
  { what: 'the XML of an error, saved in place of the file', advice: again, detect: text(/^<\?xml[\s\S]*<error>/) },
  {
    what: 'the JSON of an error, saved in place of the file',
    advice: again,
    detect: text(/^\{\s*"(?:message|error|errors|detail|status|code)"\s*:\s*(?:"|\d|\[|\{|true|false)/),
  },
  {
    what: 'a pointer of Git LFS: the file itself is elsewhere',
    advice: 'git lfs pull brings it',
    detect: text(/^version https:\/\/git-lfs\.github\.com\/spec/),
  },
  {
    what: 'a torrent',
    advice: 'open it with a program for torrents',
    detect: text(/^d\d+:(?:announce|created by|creation date|comment|info)/),
  },
  { what: 'a shortcut of Windows, not the file that it leads to', detect: begins(0x4c, 0, 0, 0, 1, 0x14, 2, 0) },
  { what: 'a shortcut to a web page, not the page', detect: text(/^\[internetshortcut\]/) },
  {
    what: "data of macOS's Finder about a file, not the file",
    advice: 'read the file without ._ in its name',
    detect: any(begins(0, 5, 0x16, 7), begins(0, 0, 0, 1, 'Bud1')),
  },
  // Archives. gzip, zstd and zip are read.
  { what: 'a file compressed with xz', advice: packed('xz'), detect: begins(0xfd, '7zXZ', 0) },
  {
    what: 'a file compressed with bzip2',
    advice: packed('bzip2'),
    detect: begins('BZh', undefined, 0x31, 0x41, 0x59, 0x26, 0x53, 0x59),
  },
  { what: 'a file compressed with lz4', advice: packed('lz4'), detect: begins(0x04, 0x22, 0x4d, 0x18) },
  { what: 'a file compressed with lzip', advice: packed('lzip'), detect: begins('LZIP') },
  { what: 'a 7z archive', advice: unpack, detect: begins('7z', 0xbc, 0xaf, 0x27, 0x1c) },
  { what: 'a rar archive', advice: unpack, detect: begins('Rar!', 0x1a, 0x07) },
  { what: 'a tar archive', advice: unpack, detect: has(257, 'ustar') },
  { what: 'a cabinet archive', advice: unpack, detect: begins('MSCF', 0, 0, 0, 0) },
  { what: 'a part of a zip archive, without its files', detect: any(begins('PK', 5, 6), begins('PK', 1, 2)) },
  // Databases and tables.
  {
    what: 'an SQLite database',
    advice: 'such as ddnet.sqlite of a server; it has ranks, no snapshots',
    detect: begins('SQLite format 3', 0),
  },
  { what: 'a Parquet file', advice: recordings, detect: begins('PAR1') },
  // Programs, and what is left of them.
  { what: 'a crash dump of Windows', advice: recordings, detect: any(begins('MDMP'), begins('PAGEDU')) },
  {
    what: 'a core dump of a program',
    advice: recordings,
    detect: (first) => begins(0x7f, 'ELF')(first) && first[16] === 4,
  },
  { what: 'a program or library of Linux', advice: recordings, detect: begins(0x7f, 'ELF') },
  { what: 'a program or library of Windows', advice: recordings, detect: begins('MZ', undefined, 0, undefined, 0) },
  {
    what: 'a report of a crash of the game',
    advice: 'it is text about the program; recordings are read',
    detect: text(/^-{5,}\s+(?:error occurred on|\S.* caused an? )/),
  },
  // Hex with addresses. Read as plain hex, these and sums would be among the bytes.
  ...Object.entries({
    'Intel HEX': ['ihex', /^:([0-9a-f]{2}){5,}\r?(\n:|$)/],
    'S-records': ['srec', /^s[0-3]([0-9a-f]{2}){4,}\r?(\ns|$)/],
  } as const).map(([what, [name, pattern]]) => ({
    what,
    advice: `objcopy -I ${name} -O binary FILE out.bin writes its bytes`,
    detect: text(pattern),
  })),
  // Captures that are not read.
  ...Object.entries({
    snoop: begins('snoop', 0, 0, 0),
    'Microsoft Network Monitor': any(begins('GMBU'), begins('RTSS')),
    'a modified tcpdump': any(begins(0x34, 0xcd, 0xb2, 0xa1), begins(0xa1, 0xb2, 0xcd, 0x34)),
    Sniffer: any(begins('TRSNIFF data'), begins('XCP', 0)),
    Observer: begins('ObserverPktBuffer'),
  }).map(([program, detect]) => ({
    what: `a capture of ${program}`,
    advice: 'editcap FILE out.pcapng turns it into one that is read',
    detect,
  })),
  // Media and documents.
  { what: 'a picture (PNG)', advice: recordings, detect: begins(0x89, 'PNG\r\n', 0x1a, '\n') },
  { what: 'a picture (JPEG)', advice: recordings, detect: begins(0xff, 0xd8, 0xff) },
  { what: 'a picture (GIF)', advice: recordings, detect: any(begins('GIF87a'), begins('GIF89a')) },
  { what: 'a picture (WebP)', advice: recordings, detect: (first) => begins('RIFF')(first) && has(8, 'WEBP')(first) },
  { what: 'a video (AVI)', advice: recordings, detect: (first) => begins('RIFF')(first) && has(8, 'AVI ')(first) },
  { what: 'a sound (WAV)', advice: recordings, detect: (first) => begins('RIFF')(first) && has(8, 'WAVE')(first) },
  { what: 'a video or sound (MP4)', advice: recordings, detect: has(4, 'ftyp') },
  { what: 'a video (Matroska or WebM)', advice: recordings, detect: begins(0x1a, 0x45, 0xdf, 0xa3) },
  { what: 'a video (FLV)', advice: recordings, detect: begins('FLV', 1) },
  { what: 'a sound (Ogg)', advice: recordings, detect: begins('OggS', 0) },
  { what: 'a sound (WavPack)', advice: recordings, detect: begins('wvpk') },
  { what: 'a sound (MP3)', advice: recordings, detect: begins('ID3') },
  { what: 'a PDF document', advice: recordings, detect: begins('%PDF-') },
];

/** What a file is that is neither a recording nor a payload, after "this is"; undefined for anything else. */
export function otherFileKind(first: Uint8Array): string | undefined {
  const kind = kinds.find(({ detect }) => detect(first));
  if (!kind) return undefined;
  const size = /\nsize (\d+)/.exec(textOf(first))?.[1];
  const sized = size && kind.what.includes('LFS') ? `, with ${Number(size).toLocaleString('en')} bytes` : '';
  return `${kind.what}${sized}${kind.advice ? `; ${kind.advice}` : ''}`;
}
