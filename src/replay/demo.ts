import { ByteBuffer, IntBuffer } from '../bytes/buffers.ts';
import { DecodeError } from '../bytes/diagnostic.ts';
import { decompress } from '../codec/huffman.ts';
import { writeInts } from '../codec/int32.ts';
import { unpackInts } from '../codec/varint.ts';
import { type DemoFrame, DemoReader } from '../container/demo.ts';
import type { DemoHeader } from '../container/demo-header.ts';
import { Applier } from '../model/apply.ts';
import { Delta } from '../model/delta.ts';
import type { Finding } from '../model/findings.ts';
import { maxPayloadBytes, unwrap } from '../model/layers.ts';
import { type Kind, readPayload } from '../model/payload.ts';
import { Snapshot } from '../model/snapshot.ts';
import type { ItemType } from '../protocol/item.ts';
import { type Protocol, protocolOf } from '../protocol/registry.ts';

/** What a demo holds, in its order. All but the header is valid only until the next record is asked for. */
export type DemoRecord =
  | { readonly record: 'header'; readonly header: DemoHeader; readonly protocol: Protocol }
  | { readonly record: 'map'; readonly piece: Uint8Array }
  | { readonly record: 'tick'; readonly tick: number; readonly keyframe: boolean }
  | SnapshotRecord
  | { readonly record: 'message'; readonly tick: number; readonly offset: number; readonly bytes: Uint8Array }
  | { readonly record: 'finding'; readonly tick: number; readonly finding: Finding };

export interface SnapshotRecord {
  readonly record: 'snapshot';
  readonly tick: number;
  readonly kind: Kind;
  /** Rebuilt. */
  readonly snapshot: Snapshot;
  /** The one before it; undefined for the first. Of a delta: what it was applied to. */
  readonly before: Snapshot | undefined;
  /** The compressed bytes it was recorded as, and where they stand in the file. */
  readonly payload: Uint8Array;
  readonly offset: number;
  /** Whether a recorded snapshot before it could not be read, so that this one may be wrong, until the next full one. */
  readonly doubtful: boolean;
}

export interface DemoOptions {
  /** Whether messages are wanted: they are skipped undecoded otherwise. */
  readonly messages?: boolean;
  /** A mod's items. */
  readonly added?: readonly ItemType[];
}

/** Rebuilds the snapshots of a demo that comes piece by piece. What is damaged is told, and reading goes on behind it. */
export class DemoReplay {
  readonly #reader: DemoReader;
  readonly #options: DemoOptions;
  readonly #bytes = new ByteBuffer();
  readonly #ints = new IntBuffer();
  readonly #delta = new Delta();
  readonly #applier = new Applier();
  #protocol: Protocol;
  #current = new Snapshot();
  #next = new Snapshot();
  #started = false;
  #doubtful = false;
  #warned = false;

  /** @param reader that begins at a keyframe; at the beginning of the file, where none is given */
  constructor(options: DemoOptions = {}, reader = new DemoReader()) {
    this.#options = options;
    this.#reader = reader;
    this.#protocol = this.#protocolOf(reader.header);
  }

  get protocol(): Protocol {
    return this.#protocol;
  }

  feed(piece: Uint8Array): Generator<DemoRecord, void> {
    return this.#records(this.#reader.feed(piece));
  }

  /** The file has ended. */
  finish(): Generator<DemoRecord, void> {
    return this.#records(this.#reader.finish());
  }

  #protocolOf(header: DemoHeader | undefined): Protocol {
    return protocolOf(header?.netVersion.startsWith('0.7') ? '0.7' : '0.6', this.#options.added);
  }

  *#records(frames: Iterable<DemoFrame>): Generator<DemoRecord, void> {
    for (const frame of frames) {
      const { tick, offset } = frame;
      switch (frame.kind) {
        case 'header': {
          const header = this.#reader.header!;
          this.#protocol = this.#protocolOf(header);
          yield { record: 'header', header, protocol: this.#protocol };
          break;
        }
        case 'map':
          yield { record: 'map', piece: frame.bytes.subarray(frame.start, frame.end) };
          break;
        case 'tick':
          yield { record: 'tick', tick, keyframe: frame.keyframe };
          break;
        case 'snapshot':
        case 'delta':
          yield* this.#snapshot(frame, frame.kind);
          break;
        case 'message':
          if (this.#options.messages) yield* this.#message(frame);
          break;
        case 'trouble': {
          const { severity, code, args } = frame;
          yield { record: 'finding', tick, finding: { severity, code, offset, args } };
          break;
        }
      }
    }
  }

  *#snapshot(frame: DemoFrame, kind: Kind): Generator<DemoRecord, void> {
    const { tick, offset, dataOffset } = frame;
    if (kind === 'delta' && !this.#started) {
      yield { record: 'finding', tick, finding: { severity: 'error', code: 'no_snapshot_before', offset, args: {} } };
      return;
    }
    const payload = frame.bytes.subarray(frame.start, frame.end);
    const read = this.#read(frame, kind);
    if (!read || this.#warned) yield* this.#findings(payload, kind, tick, dataOffset);
    if (!read) {
      this.#doubtful = true;
      return;
    }
    const before = this.#started ? this.#current : undefined;
    [this.#current, this.#next] = [this.#next, this.#current];
    this.#started = true;
    if (kind === 'snapshot') this.#doubtful = false;
    const doubtful = this.#doubtful;
    yield { record: 'snapshot', tick, kind, snapshot: this.#current, before, payload, offset: dataOffset, doubtful };
  }

  /** Reads a payload into the next snapshot; false when it is damaged. */
  #read({ bytes, start, end }: DemoFrame, kind: Kind): boolean {
    this.#warned = false;
    const { sizeOf } = this.#protocol;
    try {
      this.#unpack(bytes, start, end);
      if (kind === 'snapshot') this.#next.read(this.#ints.ints, this.#ints.length, sizeOf, this.#warn);
      else {
        this.#delta.read(this.#ints.ints, this.#ints.length, sizeOf, this.#warn);
        this.#applier.apply(this.#current, this.#delta, this.#next, this.#warn);
      }
      return true;
    } catch (error) {
      if (!(error instanceof DecodeError)) throw error;
      return false;
    }
  }

  #unpack(bytes: Uint8Array, start: number, end: number): void {
    decompress(bytes, start, end, this.#bytes, this.#warn, maxPayloadBytes);
    unpackInts(this.#bytes.bytes, 0, this.#bytes.length, this.#ints, this.#warn);
  }

  readonly #warn = (): void => {
    this.#warned = true;
  };

  /** What is odd or wrong about a payload, read again with positions. */
  *#findings(payload: Uint8Array, kind: Kind, tick: number, at: number): Generator<DemoRecord, void> {
    const base = kind === 'delta' ? this.#current : undefined;
    const { findings } = readPayload(unwrap(payload.slice(), 'huffman'), kind, this.#protocol, base);
    for (const finding of findings.all) {
      if (finding.severity === 'error' || finding.code === 'huffman_after_eof') this.#reader.doubt();
      yield { record: 'finding', tick, finding: { ...finding, offset: finding.offset + at } };
    }
  }

  *#message({ bytes, start, end, tick, offset }: DemoFrame): Generator<DemoRecord, void> {
    try {
      this.#unpack(bytes, start, end);
      // Messages are padded to whole ints before they are packed.
      const unpacked = new ByteBuffer();
      writeInts(this.#ints.ints, 0, this.#ints.length, unpacked);
      yield { record: 'message', tick, offset, bytes: unpacked.bytes.subarray(0, unpacked.length) };
    } catch (error) {
      if (!(error instanceof DecodeError)) throw error;
      yield { record: 'finding', tick, finding: { severity: 'error', code: error.code, offset, args: error.args } };
      this.#reader.doubt();
    }
  }
}
