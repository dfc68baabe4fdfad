import { LoneMessage } from '../../recording/replay/lazy-message.ts';
import type { RecordingEntry, SnapshotEntry } from '../../recording/replay/record.ts';
import type { ReadOptions, Replay } from '../../recording/replay/replay.ts';
import type { Direction, Stream } from '../../recording/replay/stream.ts';
import { isSnapshotMessage, snapshotMessage } from '../../wire/packet/message.ts';
import type { PacketContents } from '../../wire/packet/packet-contents.ts';
import { encode } from '../../wire/payload/encoding-layers.ts';
import { baseFound, type Payload } from '../../wire/payload/payload.ts';
import { Delta } from '../../wire/snapshot/delta.ts';
import type { Snapshot } from '../../wire/snapshot/snapshot.ts';

/** A snapshot, or a delta with its result. */
interface OneSnapshot {
  readonly payload: Payload;
  /** Undefined for a delta whose base is not known. */
  readonly snapshot: Snapshot | undefined;
  /** The checksum that a message announces for the snapshot. */
  readonly announced?: number | undefined;
}

/** A packet or message, and to which end it was sent. */
interface OnePacket {
  readonly contents: PacketContents;
  readonly direction: Direction;
}

/**
 * One snapshot, or one packet with its messages and at most one snapshot, as a recording, after what is odd in it: for
 * whoever reads records. Only the message with a snapshot says a tick; other ticks are -1.
 */
export class PayloadReplay implements Replay {
  readonly container: string;
  readonly datagrams = undefined;
  readonly streams: readonly Stream[];
  readonly #entries: readonly RecordingEntry[];

  constructor(one: OneSnapshot | undefined, packet: OnePacket | undefined, { hidesSecrets = false }: ReadOptions = {}) {
    const { protocol } = packet?.contents ?? one!.payload.types;
    const stream: Stream = { number: 1, client: '', server: '', mapChanges: 0, protocol, hidesSecrets };
    this.container = packet?.contents.kind ?? one!.payload.kind;
    this.streams = [stream];
    // What is odd in a delta is odd in its packet. The verdict of the snapshot says that the checksum is wrong.
    const { all } = (packet?.contents ?? one!.payload).diagnostics;
    const found = all
      .filter(({ code }) => code !== 'wrong_checksum')
      .map((diagnostic) => ({ record: 'diagnostic', stream, diagnostic }) as const);
    this.#entries = [...found, ...(packet ? entriesOf(packet, one, stream) : [entryOf(one!, stream)])];
  }

  /** The bytes were read before. */
  feed(): readonly RecordingEntry[] {
    return [];
  }

  finish(): readonly RecordingEntry[] {
    return this.#entries;
  }
}

function* entriesOf(
  { contents, direction }: OnePacket,
  one: OneSnapshot | undefined,
  stream: Stream,
): Generator<RecordingEntry> {
  for (const { message, delta } of contents.messages) {
    if (one && delta?.payload === one.payload) yield entryOf(one, stream, snapshotMessage(message)?.tick);
    else if (!isSnapshotMessage(message))
      yield new LoneMessage(stream, direction, contents.layers.bytes.subarray(message.start, message.end));
  }
}

function entryOf({ payload, snapshot, announced }: OneSnapshot, stream: Stream, tick = -1): SnapshotEntry {
  const { kind, body, layers, base, baseTick = -1 } = payload;
  const { encoding, file } = layers;
  const isSent = encoding === 'huffman' || encoding === 'packed';
  const result = snapshot
    ? ({ snapshot, verdict: verdictOf(snapshot, announced) } as const)
    : ({ snapshot, verdict: 'missing_base', unapplied: payload } as const);
  return {
    record: 'snapshot',
    stream,
    tick,
    kind,
    base: baseTick,
    assumesEmptyBase: baseFound(payload) === 'empty' || undefined,
    payload: isSent ? file : encode(body, 'packed'),
    payloadKind: kind,
    encoding: isSent ? encoding : 'packed',
    offset: 0,
    parts: 1,
    bytes: file.length,
    before: base,
    delta: body instanceof Delta ? body : undefined,
    announced,
    cause: undefined,
    uncertain: false,
    ...result,
  };
}

function verdictOf(snapshot: Snapshot, announced: number | undefined) {
  if (announced === undefined) return 'unchecked';
  return announced === snapshot.checksum() ? 'ok' : 'mismatch';
}
