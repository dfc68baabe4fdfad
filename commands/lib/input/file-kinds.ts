/** A kind of file that is recognised by its first bytes but is neither a recording nor a payload. */
interface FileKind {
  /** The name of the kind and advice. */
  readonly text: string;
  detect(first: Uint8Array): boolean;
}

const startsWith =
  (...start: readonly (number | string)[]) =>
  (first: Uint8Array) => {
    const bytes = start.flatMap((part) => (typeof part === 'string' ? [...part].map((c) => c.charCodeAt(0)) : part));
    return first.length >= bytes.length && bytes.every((byte, i) => byte === first[i]);
  };

const packed = (name: string, tool: string) =>
  `a file compressed with ${name}, which is not read; unpack it first: ${tool} -dc FILE | tw-snap …`;

/** `DATA`, or `ATAD` in files of big-endian machines, followed by version 3 or 4. */
const isMap = (first: Uint8Array) =>
  (startsWith('DATA')(first) || startsWith('ATAD')(first)) && (first[4] === 3 || first[4] === 4) && first[5] === 0;

/** 699db17b-8efb-34ff-b1d8-da6f60c15dd1, the UUID of `teehistorian@ddnet.tw`. */
const teehistorian = [0x69, 0x9d, 0xb1, 0x7b, 0x8e, 0xfb, 0x34, 0xff, 0xb1, 0xd8, 0xda, 0x6f, 0x60, 0xc1, 0x5d, 0xd1];

/** Kinds of files that are often stored together with demos and captures. */
export const fileKinds: readonly FileKind[] = [
  { text: packed('xz', 'xz'), detect: startsWith(0xfd, '7zXZ', 0) },
  {
    text: packed('bzip2', 'bzip2'),
    detect: (first) => startsWith('BZh')(first) && startsWith(0x31, 0x41, 0x59, 0x26, 0x53, 0x59)(first.subarray(4)),
  },
  {
    text: 'a teehistorian file, which records inputs and positions, not snapshots',
    detect: startsWith(...teehistorian),
  },
  { text: 'a ghost, which has the characters of one run, not snapshots', detect: startsWith('TWGHOST') },
  { text: 'a map; demos, packets and captures are read', detect: isMap },
  { text: 'a PNG image; demos, packets and captures are read', detect: startsWith(0x89, 'PNG\r\n', 0x1a, '\n') },
];
