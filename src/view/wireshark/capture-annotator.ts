import { join } from '../../bytes/copy.ts';
import { hasOptions, PcapngWriter } from '../../container/capture/pcapng-writer.ts';
import { Players } from '../../recording/players.ts';
import {
  type BlockEntry,
  type DiagnosticEntry,
  isLoss,
  isOfClient,
  type PacketEntry,
  type RecordFilter,
  type RecordingEntry,
  type SnapshotEntry,
  type Stream,
  type Verdict,
} from '../../recording/record.ts';
import { ItemTypes } from '../../snapshot/item-types.ts';
import { reasons } from '../text/recording-phrases.ts';
import { FrameReading } from './frame-reading.ts';
import { ItemValues, schemaMark } from './item-values.ts';
import { isOwnComment } from './own-comment.ts';
import { connectionLine, controlLine, findingText, messageLine, messagesIn, unconnectedLine } from './packet-lines.ts';
import { SentSnapshots } from './sent-snapshots.ts';
import { changesOf, snapshotLines } from './snapshot-lines.ts';

/** Options for the contents of comments. */
export interface AnnotatorOptions {
  /** The items and messages that comments contain. */
  readonly filter: RecordFilter;
  /** Whether the values of all items are written. */
  readonly values: boolean;
  /** Only this client's packets get comments. */
  readonly client?: string | undefined;
}

/** The result that comments show for messages of a snapshot in frames other than the one that has its record. */
function endingOf(verdict: Verdict, number: number): string {
  if (isLoss(verdict)) return `not rebuilt: ${reasons[verdict]}`;
  return number > 0 ? `completed in frame ${number}` : 'rebuilt at the end of the capture';
}

/** The limits for a waiting frame: a part of a snapshot waits for the other parts, a request for its answer. */
const [maxWaitingFrames, maxWaitingBytes, maxWaitingSeconds] = [512, 8 << 20, 1];

/**
 * Writes a capture with decoded packets as comments. Its input is the records of a replay with the options `blocks` and `parts` and
 * without messages. A frame is written when its comments are complete. Later frames wait for it, since the order is preserved.
 */
export class CaptureAnnotator {
  readonly #options: AnnotatorOptions;
  readonly #writer = new PcapngWriter('tw-snap', isOwnComment);
  readonly #values = new ItemValues();
  readonly #names = new WeakMap<Stream, Players>();
  readonly #sent = new SentSnapshots();
  /** The frames that are not written yet, in order. The next records may still belong to the last one. */
  readonly #waiting: FrameReading[] = [];
  #lastFrame = 0;
  #out: Uint8Array[] = [];
  readonly counts = { frames: 0, annotated: 0, cut: 0, withoutPlace: 0, snapshots: 0, mismatches: 0, lost: 0 };

  constructor(options: AnnotatorOptions) {
    this.#options = options;
  }

  add(entry: RecordingEntry): void {
    if (entry.record === 'block') this.#block(entry);
    else if (entry.record === 'packet') this.#packet(entry);
    else if (!isOfClient(entry.stream, this.#options.client)) return;
    else if (entry.record === 'snapshot') this.#snapshot(entry);
    else if (entry.record === 'diagnostic') this.#diagnostic(entry);
  }

  /** Returns the blocks that can be written now. It is called after the records of each piece of the input. */
  take(): Uint8Array {
    this.#write(false);
    return this.#taken();
  }

  /** Returns all blocks without further waiting, at the end of the capture or when its input pauses. */
  flush(): Uint8Array {
    this.#write(true);
    return this.#taken();
  }

  #taken(): Uint8Array {
    const pieces = this.#out;
    this.#out = [];
    return join(pieces);
  }

  #block({ block, frame = 0, time = Number.NaN, datagram }: BlockEntry): void {
    this.#write(false);
    const reading = new FrameReading(block, frame, time);
    if (datagram) {
      const isForAll = this.#options.client === undefined;
      reading.hold(isForAll ? unconnectedLine(datagram) : undefined);
    }
    this.#waiting.push(reading);
    if (frame > 0) {
      this.#lastFrame = frame;
      this.counts.frames++;
    }
  }

  #packet(entry: PacketEntry): void {
    const frame = this.#frame(entry.frame);
    if (!frame) return;
    frame.release();
    const { stream, packet, bytes } = entry;
    if (!isOfClient(stream, this.#options.client)) return;
    if (!stream) {
      const line = this.#options.client === undefined ? unconnectedLine(bytes) : undefined;
      if (line) frame.addLine(line);
      return;
    }
    frame.setConnection(connectionLine(entry));
    if (packet?.kind === 'control') frame.addLine(controlLine(packet));
    else this.#messages(entry, stream, frame);
  }

  #messages(entry: PacketEntry, stream: Stream, frame: FrameReading): void {
    const isToClient = entry.direction === 'to_client';
    const messages = messagesIn(entry);
    for (const one of messages) {
      const { message } = one;
      if (isToClient) this.#namesOf(stream).onMessage(message);
      if (isToClient && this.#sent.add(stream, message, frame)) continue;
      if (this.#options.filter.message(message.type?.name)) frame.addLine(messageLine(one));
    }
    if (messages.length === 0 && entry.packet) frame.addLine('no messages');
  }

  #snapshot(entry: SnapshotEntry): void {
    const { stream, snapshot, verdict, frame: number = 0 } = entry;
    this.counts.snapshots++;
    if (verdict === 'mismatch') this.counts.mismatches++;
    if (isLoss(verdict)) this.counts.lost++;
    const ending = endingOf(verdict, number);
    const sent = this.#sent.settle(stream, entry.tick, number, ending);
    // At the end of a capture, records have no frame. The comments of the parts then show why the snapshot was not rebuilt.
    const frame = number > 0 ? this.#frame(number) : snapshot && sent;
    if (!frame) return;
    const { filter } = this.#options;
    const types = new ItemTypes(stream.protocol);
    if (snapshot) types.onSnapshot(snapshot);
    const names = this.#namesOf(stream);
    if (snapshot) names.onSnapshot(snapshot, stream.protocol);
    const changes = changesOf(entry);
    frame.addSnapshot(snapshotLines(entry, changes, { types, filter, nameOf: (client) => names.nameOf(client) }));
    if (!snapshot || !this.#options.values) return;
    const shown: number[] = [];
    for (let i = 0; i < snapshot.count; i++) {
      if (filter.all || filter.item(types, snapshot.type(i), snapshot.id(i))) shown.push(i);
    }
    if (shown.length === 0) return;
    const head = `values of tick ${entry.tick} · ${stream.protocol.version} · schema ${schemaMark(stream.protocol)}`;
    frame.addValues(head, shown.length, (i) => this.#values.line(snapshot, shown[i]!, types));
  }

  #diagnostic(entry: DiagnosticEntry): void {
    // A diagnostic of the whole file does not belong to a packet.
    if (!entry.stream && entry.diagnostic.frame === undefined) return;
    const frame = this.#frame(entry.frame);
    frame?.addLine(findingText(entry));
    if (entry.stream) frame?.setConnection(connectionLine(entry));
  }

  #namesOf(stream: Stream): Players {
    let names = this.#names.get(stream);
    if (!names) {
      names = new Players();
      this.#names.set(stream, names);
    }
    return names;
  }

  /** Returns a frame that is not written yet. */
  #frame(number: number | undefined): FrameReading | undefined {
    if (!number) return undefined;
    return this.#waiting.findLast((one) => one.number === number);
  }

  /** Writes the frames whose comments are complete, or that have reached a limit of waiting. */
  #write(isEnd: boolean): void {
    const waiting = this.#waiting;
    if (waiting.length === 0) return;
    let bytes = waiting.reduce((sum, { memory }) => sum + memory, 0);
    const now = waiting.at(-1)!.time;
    let written = 0;
    for (const frame of waiting) {
      const isOverdue =
        isEnd ||
        waiting.length - written > maxWaitingFrames ||
        bytes > maxWaitingBytes ||
        now - frame.time > maxWaitingSeconds;
      if (frame.isWaiting && !isOverdue) break;
      bytes -= frame.memory;
      this.#writeFrame(frame);
      written++;
    }
    waiting.splice(0, written);
  }

  #writeFrame(frame: FrameReading): void {
    this.#sent.forget(frame);
    const comments = frame.comments(this.#lastFrame);
    const hasPlace = hasOptions(frame.block);
    if (comments.length > 0) this.counts[hasPlace ? 'annotated' : 'withoutPlace']++;
    if (frame.isCut) this.counts.cut++;
    this.#out.push(this.#writer.write(frame.block, comments));
  }
}
