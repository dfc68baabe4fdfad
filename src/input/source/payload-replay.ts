import type { RecordingEntry, SnapshotEntry } from '../../recording/replay/record.ts';
import type { Replay } from '../../recording/replay/replay.ts';
import type { Stream } from '../../recording/replay/stream.ts';
import { encode } from '../../wire/payload/encoding-layers.ts';
import type { Payload } from '../../wire/payload/payload.ts';
import { Delta } from '../../wire/snapshot/delta.ts';
import type { Snapshot } from '../../wire/snapshot/snapshot.ts';

/**
 * A snapshot, or a delta with its result, as a recording of one record, after what is odd in it: for whoever reads
 * records. It has no tick, which is -1.
 */
export class PayloadReplay implements Replay {
  readonly container: string;
  readonly datagrams = undefined;
  readonly streams: readonly Stream[];
  readonly #entries: readonly RecordingEntry[];

  /** @param announced the checksum that a message announces for the snapshot */
  constructor(payload: Payload, snapshot: Snapshot, announced?: number) {
    const { kind, types, diagnostics } = payload;
    const stream: Stream = { number: 1, client: '', server: '', mapChanges: 0, protocol: types.protocol };
    this.container = kind;
    this.streams = [stream];
    const found = diagnostics.all.map((diagnostic) => ({ record: 'diagnostic', stream, diagnostic }) as const);
    this.#entries = [...found, entryOf(payload, snapshot, stream, announced)];
  }

  /** The bytes were read before. */
  feed(): readonly RecordingEntry[] {
    return [];
  }

  finish(): readonly RecordingEntry[] {
    return this.#entries;
  }
}

function entryOf(payload: Payload, snapshot: Snapshot, stream: Stream, announced: number | undefined): SnapshotEntry {
  const { kind, body, layers, base, baseTick = -1, assumesEmptyBase } = payload;
  const { encoding, file } = layers;
  const isSent = encoding === 'huffman' || encoding === 'packed';
  const isOther = announced !== undefined && announced !== snapshot.checksum();
  return {
    record: 'snapshot',
    stream,
    tick: -1,
    kind,
    base: baseTick,
    assumesEmptyBase,
    payload: isSent ? file : encode(body, 'packed'),
    payloadKind: kind,
    encoding: isSent ? encoding : 'packed',
    offset: 0,
    parts: 1,
    bytes: file.length,
    before: base,
    delta: body instanceof Delta ? body : undefined,
    announced,
    verdict: announced === undefined ? 'unchecked' : isOther ? 'mismatch' : 'ok',
    snapshot,
    cause: undefined,
    uncertain: false,
  };
}
