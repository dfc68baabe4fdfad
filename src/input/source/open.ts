import { detectionBytes, isShown, knownFormats, type RecordingFormat, withReader } from '../../recording/formats.ts';
import type { ReadOptions } from '../../recording/replay/replay.ts';
import type { Platform } from '../decompress/decompress.ts';
import { type Inflated, inflated } from '../decompress/inflated.ts';
import type { Stated } from '../stated.ts';
import type { FoundAt, WantedMoment } from './find.ts';
import type { FoundMoment, FoundPacket } from './found.ts';
import { type Payloads, payloadsIn } from './payloads.ts';
import type { AddRecord, AfterPiece, Feeding, RecordsEnd } from './records.ts';

/** What is opened: bytes in pieces, and how to read them again. */
export interface Bytes {
  readonly pieces: AsyncIterable<Uint8Array>;
  /** The same bytes from an offset; undefined if they can be read only once. */
  readonly again?: ((offset?: number) => AsyncIterable<Uint8Array>) | undefined;
}

/**
 * Bytes that are open, as far as their first ones show what they are. They are read once, by one of the four methods:
 * a recording has `records`, and a `moment` or `packet` among them; anything else is a `payload`, or a text with
 * several. What a method of recordings needs is loaded with its first call.
 */
export class Source implements Inflated {
  declare readonly first: Uint8Array;
  declare readonly pieces: AsyncIterable<Uint8Array>;
  declare readonly again: Bytes['again'];
  declare readonly isCompressed: boolean;
  declare readonly change: Inflated['change'];
  /** Undefined if it is a single payload, text or anything else. */
  declare readonly format: RecordingFormat | undefined;
  /** What it is that is not read, with advice: `a PNG image; …`. */
  declare readonly other: string | undefined;

  constructor(parts: Omit<Source, 'records' | 'moment' | 'packet' | 'payload' | 'with'>) {
    Object.assign(this, parts);
  }

  /** The same, with pieces that someone looks at. */
  with(changes: Partial<Pick<Source, 'pieces' | 'again' | 'format'>>): Source {
    return new Source({ ...this, ...changes });
  }

  /**
   * Passes all records to `add`, including those before a failure. If it returns a promise, the next record waits for
   * it; if it returns true, the rest is not read.
   * @param afterPiece called after all records of a piece of the input
   */
  async records(replay: Feeding, add: AddRecord, afterPiece?: AfterPiece): Promise<RecordsEnd> {
    return (await import('./records.ts')).readRecords(this.pieces, replay, add, afterPiece);
  }

  /** Finds the snapshot that a player has at a moment of a recording. */
  async moment(wanted: WantedMoment, options: ReadOptions): Promise<FoundAt<FoundMoment>> {
    return (await import('./find.ts')).findMoment(this, wanted, options);
  }

  /** Finds the packet of a capture with Wireshark's frame number. */
  async packet(number: number, options: ReadOptions): Promise<FoundAt<FoundPacket>> {
    return (await import('./find.ts')).findPacket(this, number, options);
  }

  /**
   * Reads what is no recording: the only payload, packet or message, or those of a pasted text.
   * @throws SourceError for text that is too long, DecodeError for no bytes and text in a broken form
   */
  async payload(stated: Stated): Promise<Payloads> {
    return payloadsIn(this.pieces, stated);
  }
}

/** The tables are files of their own. Fewer bytes than some thousand are a payload, not the rest of a recording. */
const otherKind = async (first: Uint8Array): Promise<string | undefined> =>
  (await import('./file-kinds.ts')).otherFileKind(first) ??
  (first.length < 2048 ? undefined : (await import('./without-beginning.ts')).restOf(first));

/**
 * Decompresses bytes, and detects which recording they are.
 * @param isGrowing whether more bytes may come much later: then few show the format
 * @throws SourceError for a zip file that is too large, DecodeError for one that has not one file
 */
export async function open(
  { pieces, again }: Bytes,
  { format: stated }: Pick<Stated, 'format'>,
  platform: Platform,
  isGrowing = false,
): Promise<Source> {
  const isEnough = (first: Uint8Array) => (isGrowing ? first.length >= detectionBytes : isShown(first, knownFormats));
  const found = await inflated(pieces, platform, isEnough);
  const { first, isCompressed } = found;
  const known = knownFormats.find(({ name, detect }) => (stated === undefined ? detect(first) : name === stated));
  return new Source({
    ...found,
    again: isCompressed ? undefined : again,
    format: known && withReader(known, await known.load()),
    other: stated === undefined && !known ? await otherKind(first) : undefined,
  });
}
