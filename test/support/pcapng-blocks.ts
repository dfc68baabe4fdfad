/** A block of a pcapng, read without the readers of the project. */
interface PcapngBlock {
  readonly type: number;
  readonly bytes: Uint8Array;
  /** The options of blocks of sections, interfaces and packets. */
  readonly options: readonly (readonly [code: number, value: Uint8Array])[];
}

/** All blocks of a file, each of whose sections has its byte order. */
export function blocksOf(file: Uint8Array): PcapngBlock[] {
  const view = new DataView(file.buffer, file.byteOffset, file.byteLength);
  const blocks: PcapngBlock[] = [];
  let little = true;
  for (let at = 0; at < file.length; ) {
    if (view.getUint32(at) === 0x0a0d0d0a) little = view.getUint32(at + 8, true) === 0x1a2b3c4d;
    const type = view.getUint32(at, little);
    const size = view.getUint32(at + 4, little);
    if (size % 4 !== 0 || size < 12 || view.getUint32(at + size - 4, little) !== size)
      throw new Error(`bad block at ${at}`);
    const first = firstOption(view, at, type, little);
    blocks.push({ type, bytes: file.slice(at, at + size), options: optionsIn(view, first, at + size - 4, little) });
    at += size;
  }
  return blocks;
}

function firstOption(view: DataView, at: number, type: number, little: boolean): number {
  if (type === 0x0a0d0d0a) return at + 24;
  if (type === 1) return at + 16;
  if (type !== 2 && type !== 6) return Number.POSITIVE_INFINITY;
  const recorded = view.getUint32(at + 20, little);
  return at + 28 + recorded + ((4 - (recorded % 4)) % 4);
}

function optionsIn(view: DataView, from: number, end: number, little: boolean): [number, Uint8Array][] {
  const options: [number, Uint8Array][] = [];
  for (let at = from; at < end; ) {
    const [code, length] = [view.getUint16(at, little), view.getUint16(at + 2, little)];
    options.push([
      code,
      new Uint8Array(view.buffer.slice(view.byteOffset + at + 4, view.byteOffset + at + 4 + length)),
    ]);
    at += 4 + length + ((4 - (length % 4)) % 4);
  }
  return options;
}

/** The comments of each packet of a file. */
export const commentsOf = (file: Uint8Array): string[][] =>
  blocksOf(file)
    .filter(({ type }) => type === 2 || type === 3 || type === 6)
    .map(({ options }) => options.filter(([code]) => code === 1).map(([, value]) => new TextDecoder().decode(value)));
