import type { PacketEntry, RecordingEntry, SnapshotEntry } from '../../recording/replay/record.ts';
import type { Endpoint } from '../../recording/replay/stream.ts';

/*
 * The last step: what was written is read again, as its reader will, and searched for all that was known before. It is
 * searched in four forms: as it lies in the file, in each packet after decompression, in the texts that are packed in
 * the ints of snapshots, and among the addresses of its connections.
 *
 * A short name is found everywhere by chance. It is only looked for where a text of its own could be: between two NULs.
 */

/** A place where something was found. */
export interface Leftover {
  readonly text: string;
  /** The number of the packet; undefined for bytes of the file. */
  readonly frame: number | undefined;
}

/** In bytes that mean something else, a shorter text is found by chance. */
const minBytes = 5;
/** Texts that every anonymised capture has. */
const own = /^(?:x+|(?:player|clan) \d+|[player ]+|[clan ]+)$/i;
const maxFound = 100;

export class Leftovers {
  readonly found: Leftover[] = [];
  readonly #search = new ByteSearch();
  readonly #addresses: ReadonlySet<string>;
  readonly #seen = new Set<string>();
  /** The end of the last bytes, in which a text may begin. */
  #tail = new Uint8Array(0);

  constructor(texts: Iterable<string>, addresses: ReadonlySet<string>) {
    this.#addresses = addresses;
    for (const text of texts) if (!own.test(text.trim())) this.#search.add(text.trim());
    // `1.2.3.4` is also in `11.2.3.45`, which is none of them: texts of addresses end in another sign.
    for (const address of addresses) if (address.length >= minBytes) this.#search.add(address);
  }

  file(bytes: Uint8Array): void {
    const all = new Uint8Array(this.#tail.length + bytes.length);
    all.set(this.#tail);
    all.set(bytes, this.#tail.length);
    this.#find(all, undefined, false);
    this.#tail = all.slice(-this.#search.longest);
  }

  /** The next record of what was written, read with the option `parts`. */
  add(entry: RecordingEntry): void {
    if (entry.record === 'packet') this.#packet(entry);
    else if (entry.record === 'snapshot') this.#snapshot(entry);
    else if (entry.record === 'connection') {
      for (const end of [entry.stream.client, entry.stream.server]) this.#end(end, entry.frame);
    }
  }

  #packet({ packet, bytes, frame }: PacketEntry): void {
    if (packet) this.#find(packet.payload, frame, true);
    else this.#find(bytes, frame, true);
  }

  #snapshot({ snapshot, frame }: SnapshotEntry): void {
    if (!snapshot) return;
    // Texts are packed in ints from their upper byte on, with the upper bit of each byte turned.
    const count = snapshot.offsets[snapshot.count]!;
    const bytes = new Uint8Array(4 * count);
    const view = new DataView(bytes.buffer);
    for (let i = 0; i < count; i++) view.setInt32(4 * i, snapshot.data[i]! ^ 0x80808080);
    this.#find(bytes, frame, true);
  }

  #end(end: Endpoint, frame: number | undefined): void {
    const address = end.replace(/:\d+(?:#\d+)?$/, '').replace(/^\[|\]$/g, '');
    if (this.#addresses.has(address)) this.#note(address, frame);
  }

  #find(bytes: Uint8Array, frame: number | undefined, hasTexts: boolean): void {
    this.#search.find(bytes, hasTexts, (text) => this.#note(text, frame));
  }

  #note(text: string, frame: number | undefined): void {
    const key = `${frame} ${text}`;
    if (this.found.length >= maxFound || this.#seen.has(key)) return;
    this.#seen.add(key);
    this.found.push({ text, frame });
  }
}

const encoder = new TextEncoder();

/** Finds texts in bytes, as UTF-8; the case of letters of ASCII does not count. */
class ByteSearch {
  longest = 0;
  /** By the first two bytes; whether any begins so, and those that do. */
  readonly #begins = new Uint8Array(1 << 16);
  readonly #byBeginning = new Map<number, { readonly text: string; readonly bytes: Uint8Array }[]>();

  add(text: string): void {
    const bytes = encoder.encode(text).map(lower);
    if (bytes.length < 2) return;
    const beginning = (bytes[0]! << 8) | bytes[1]!;
    this.#begins[beginning] = 1;
    const own = this.#byBeginning.get(beginning) ?? [];
    own.push({ text, bytes });
    this.#byBeginning.set(beginning, own);
    this.longest = Math.max(this.longest, bytes.length);
  }

  /** @param hasTexts whether short texts are found, too, if they are between two NULs */
  find(bytes: Uint8Array, hasTexts: boolean, onFound: (text: string) => void): void {
    const folded = bytes.map(lower);
    for (let at = 0; at + 1 < folded.length; at++) {
      const beginning = (folded[at]! << 8) | folded[at + 1]!;
      if (this.#begins[beginning] === 0) continue;
      for (const { text, bytes: wanted } of this.#byBeginning.get(beginning)!) {
        if (!wanted.every((byte, i) => folded[at + i] === byte)) continue;
        const end = at + wanted.length;
        const isWhole = folded[end] === 0 && (at === 0 || folded[at - 1] === 0);
        const isAddress = /^[\d.:a-f]+$/i.test(text) && (isOfAddress(folded[at - 1]) || isOfAddress(folded[end]));
        if (wanted.length >= minBytes ? !isAddress : hasTexts && isWhole) onFound(text);
      }
    }
  }
}

const lower = (byte: number) => (byte >= 0x41 && byte <= 0x5a ? byte | 0x20 : byte);
/** A digit or a dot, with which an address would go on. */
const isOfAddress = (byte: number | undefined) =>
  byte !== undefined && ((byte >= 0x30 && byte <= 0x39) || byte === 0x2e);
