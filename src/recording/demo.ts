import { ByteBuffer, IntBuffer } from '../bytes/buffers.ts';
import { type Code, DecodeError } from '../bytes/diagnostic.ts';
import { unpackHuffman } from '../codec/huffman-ints.ts';
import { writeInts } from '../codec/int32.ts';
import type { DemoHeader } from '../container/demo/header.ts';
import { type DemoFrame, DemoReader } from '../container/demo/reader.ts';
import { checkRepeats } from '../decode/checks.ts';
import { maxPayloadBytes, unwrap } from '../decode/encoding-layers.ts';
import type { Diagnostics, LocatedDiagnostic } from '../decode/findings.ts';
import { type Kind, readPayload } from '../decode/payload.ts';
import type { ItemType } from '../protocol/item.ts';
import { type Protocol, protocolOf } from '../protocol/registry.ts';
import { applyInto } from '../snapshot/apply.ts';
import { Delta } from '../snapshot/delta.ts';
import { Snapshot } from '../snapshot/snapshot.ts';

/** What a demo holds, in its order. All but the header is valid only until the next record is asked for. */
export type DemoRecord =
  | { readonly record: 'header'; readonly header: DemoHeader; readonly protocol: Protocol }
  | { readonly record: 'map'; readonly piece: Uint8Array }
  | { readonly record: 'tick'; readonly tick: number; readonly keyframe: boolean }
  | SnapshotRecord
  | { readonly record: 'message'; readonly tick: number; readonly offset: number; readonly bytes: Uint8Array }
  | { readonly record: 'finding'; readonly tick: number; readonly finding: LocatedDiagnostic };

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
  readonly uncertain: boolean;
}

export interface DemoOptions {
  /** Whether messages are wanted: they are skipped undecoded otherwise. */
  readonly messages?: boolean;
  /** Whether ticks are wanted: they are, unless this is false. */
  readonly ticks?: boolean;
  /** A mod's items. */
  readonly extraItems?: readonly ItemType[];
  /** Is shown each part of the file, before the record that it becomes. */
  readonly onFrame?: (frame: DemoFrame) => void;
}

/** Rebuilds the snapshots of a demo that comes piece by piece. What is damaged is told, and reading goes on behind it. */
export class DemoReplay {
  readonly #reader: DemoReader;
  readonly #options: DemoOptions;
  readonly #bytes = new ByteBuffer();
  readonly #messageBytes = new ByteBuffer();
  readonly #ints = new IntBuffer();
  readonly #delta = new Delta();
  #protocol: Protocol;
  #current = new Snapshot();
  #next = new Snapshot();
  #started = false;
  /** Whether a full snapshot has to come before the next delta: at the beginning, and at each keyframe. */
  #isFullDue = true;
  #uncertain = false;
  #warned = false;
  readonly #said: DemoRecord[] = [];

  /** @param reader that begins at a keyframe; at the beginning of the file, where none is given */
  constructor(options: DemoOptions = {}, reader = new DemoReader()) {
    this.#options = options;
    this.#reader = reader;
    reader.skipsMessages = !options.messages;
    this.#protocol = this.#protocolOf(reader.header);
  }

  get protocol(): Protocol {
    return this.#protocol;
  }

  feed(piece: Uint8Array): Generator<DemoRecord, void> {
    this.#reader.add(piece);
    return this.#records();
  }

  /** The file has ended. */
  finish(): Generator<DemoRecord, void> {
    this.#reader.end();
    return this.#records();
  }

  #protocolOf(header: DemoHeader | undefined): Protocol {
    return protocolOf(header?.netVersion.startsWith('0.7') ? '0.7' : '0.6', this.#options.extraItems);
  }

  // One generator, not a chain of them: each record would pass through all.
  *#records(): Generator<DemoRecord, void> {
    for (let frame = this.#reader.next(); frame; frame = this.#reader.next()) {
      const { tick, offset } = frame;
      this.#options.onFrame?.(frame);
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
          this.#isFullDue ||= frame.keyframe;
          if (this.#options.ticks !== false) yield { record: 'tick', tick, keyframe: frame.keyframe };
          break;
        case 'snapshot':
        case 'delta': {
          const record = this.#snapshot(frame, frame.kind);
          if (this.#said.length > 0) yield* this.#said.splice(0);
          if (record) yield record;
          break;
        }
        case 'message':
          yield* this.#messageOf(frame);
          break;
        case 'trouble': {
          const { severity, code, args } = frame;
          yield { record: 'finding', tick, finding: { severity, code, offset, args } };
          break;
        }
      }
    }
  }

  /** Rebuilds a snapshot; what is to be said before it goes to {@link #said}. */
  #snapshot(frame: DemoFrame, kind: Kind): SnapshotRecord | undefined {
    const { tick, offset, dataOffset } = frame;
    const isBaseMissing = kind === 'delta' && this.#isFullDue;
    this.#isFullDue = false;
    if (kind === 'delta' && !this.#started) {
      if (isBaseMissing) this.#said.push(noSnapshotBefore(tick, offset));
      return undefined;
    }
    const read = this.#read(frame, kind);
    if (read && isBaseMissing) {
      this.#uncertain = true;
      this.#said.push(noSnapshotBefore(tick, offset));
    } else if (this.#warned) {
      const { bytes, start, end } = frame;
      this.#said.push(...this.#say(this.#findingsOf(bytes.slice(start, end), kind), tick, dataOffset));
    }
    if (!read) {
      this.#uncertain = true;
      return undefined;
    }
    const before = this.#started ? this.#current : undefined;
    const snapshot = this.#next;
    this.#next = this.#current;
    this.#current = snapshot;
    this.#started = true;
    if (kind === 'snapshot') this.#uncertain = false;
    const payload = frame.bytes.subarray(frame.start, frame.end);
    return {
      record: 'snapshot',
      tick,
      kind,
      snapshot,
      before,
      payload,
      offset: dataOffset,
      uncertain: this.#uncertain,
    };
  }

  /** Reads a payload into the next snapshot; false when it is damaged, or doesn't fit. */
  #read({ bytes, start, end }: DemoFrame, kind: Kind): boolean {
    const { sizeOf } = this.#protocol;
    let warned = false;
    let isDelta = false;
    this.#warned = false;
    try {
      this.#unpack(bytes, start, end);
      const { ints, length } = this.#ints;
      if (kind === 'delta') {
        this.#delta.read(ints, length, sizeOf, this.#warn);
        warned = this.#warned;
        isDelta = true;
        applyInto(this.#current, this.#delta, this.#next, this.#warn);
      } else {
        this.#next.read(ints, length, sizeOf, this.#warn);
        checkRepeats(this.#next, this.#warn);
      }
    } catch (error) {
      if (!(error instanceof DecodeError)) throw error;
      this.#warned = true;
      return false;
    } finally {
      // That it doesn't fit to a snapshot that may be wrong is no news.
      if (isDelta && this.#uncertain) this.#warned = warned;
    }
    return true;
  }

  #canUnpack(bytes: Uint8Array, start: number, end: number): boolean {
    this.#warned = false;
    try {
      this.#unpack(bytes, start, end);
      return true;
    } catch (error) {
      if (!(error instanceof DecodeError)) throw error;
      this.#warned = true;
      return false;
    }
  }

  #unpack(bytes: Uint8Array, start: number, end: number): void {
    unpackHuffman(bytes, start, end, this.#bytes, this.#ints, this.#warn, maxPayloadBytes);
  }

  readonly #warn = (): void => {
    this.#warned = true;
  };

  *#messageOf({ bytes, start, end, tick, offset, dataOffset }: DemoFrame): Generator<DemoRecord, void> {
    const isRead = this.#canUnpack(bytes, start, end);
    if (this.#warned) {
      yield* this.#say(unwrap(bytes.slice(start, end), 'huffman').findings, tick, dataOffset);
    }
    if (!isRead) return;
    // Messages are padded to whole ints before they are packed.
    writeInts(this.#ints.ints, 0, this.#ints.length, this.#messageBytes);
    yield { record: 'message', tick, offset, bytes: this.#messageBytes.bytes.subarray(0, this.#messageBytes.length) };
  }

  /** What is odd or wrong about a payload, read again with positions. */
  #findingsOf(payload: Uint8Array, kind: Kind): Diagnostics {
    const base = kind === 'delta' && !this.#uncertain ? this.#current : undefined;
    return readPayload(unwrap(payload, 'huffman'), kind, this.#protocol, base).findings;
  }

  *#say(findings: Diagnostics, tick: number, at: number): Generator<DemoRecord, void> {
    for (const finding of findings.all) {
      // What is odd before an error comes from the same damage.
      if (ofRegistrations.has(finding.code) || (findings.error && finding.severity === 'warning')) continue;
      const placed = { ...finding, offset: finding.offset + at };
      if (!this.#reader.doubt(placed)) yield { record: 'finding', tick, finding: placed };
    }
  }
}

const noSnapshotBefore = (tick: number, offset: number): DemoRecord => ({
  record: 'finding',
  tick,
  finding: { severity: 'error', code: 'no_snapshot_before', offset, args: {} },
});

/** A delta leaves registrations to its base. */
const ofRegistrations: ReadonlySet<Code> = new Set(['missing_registration', 'late_registration']);
