import type { Args, Code, Diagnostic } from '../../wire/bytes/diagnostic.ts';
import { isSnapshotMessage, maxPadding, snapshotMessage, wholeSnapshotMessage } from '../../wire/packet/message.ts';
import { neverWritten } from '../replay/never-written.ts';
import type { ChunkEntry, DiagnosticEntry, MessageEntry, RecordingEntry, SnapshotEntry } from '../replay/record.ts';

/*
 * What is known of each tick of a demo. A demo has no checksum of its own, and each delta is made from the snapshot
 * before it, so a fault goes on up to the next full snapshot. Two things tell of it: signs of damage (what no game
 * writes), and the checksums that the server announced, in a demo that it recorded for one player. Their messages come
 * after the snapshot of the same tick:
 *
 *   tick 50 K  snapshot  announced: 50, fits       confirmed
 *   tick 52    delta                               plain       nothing announced, and no sign of damage
 *   tick 54    delta     announced: 54, differs    doubtful    and all after it ...
 *   tick 56    delta                               doubtful
 *   tick 58    delta     announced: 58, fits       doubtful    it may fit by chance: what is wrong by little often does
 *   tick 60    delta     announced: 60, fits       confirmed   ... up to two that fit, or to a full snapshot
 *   tick 62    ???                                 lost        cannot be read, or only its checksum is there
 *   tick 65    delta     announced: 64, fits       doubtful    it is the snapshot of another tick
 *
 * Each snapshot is judged once, in the order of the file: as soon as its checksum is compared, or when the next chunk
 * shows that none follows.
 */

export const trusts = {
  confirmed: 'their checksums are the announced ones',
  plain: 'they are read without a sign of damage, and no checksum confirms them',
  doubtful: 'a sign of damage or a checksum that does not fit, up to those that do or to a full snapshot',
  lost: 'they cannot be read, or a checksum is announced for a snapshot that is not there',
} as const;

/** What is known of a snapshot, and so of its tick. */
type Trust = keyof typeof trusts;

/** What is known of snapshots, from a tick on, and why. */
type OnJudged = (trust: Trust, from: number, snapshots: number, cause: Diagnostic | undefined) => void;

/** Ticks in the order of the file of which the same is known for the same reason. */
export interface JudgedRange {
  readonly trust: Trust;
  readonly from: number;
  /** The last of them; infinite if nothing follows what is lost. */
  to: number;
  /** Those that are read; of lost ones, those that are known to have been there. */
  snapshots: number;
  /** What the reader says, or how the announced checksum differs; undefined for what is confirmed or plain. */
  readonly cause: Diagnostic | undefined;
}

/** The kept ranges; the last one stands for all that follow, with the worst of them. */
const maxRanges = 1000;

/** So many other messages may come between a snapshot and its checksum: those who write wait for it. */
const maxBetween = 512;

/** A record, or as much of the record of a chunk as is needed here. */
export type JudgeInput =
  | Exclude<RecordingEntry, ChunkEntry>
  | { readonly record: 'chunk'; readonly chunk: Pick<ChunkEntry['chunk'], 'kind'> };

/** A snapshot whose announced checksum may still come. */
interface Open {
  readonly tick: number;
  readonly offset: number;
  readonly checksum: number;
  /** Why it is doubtful unless its checksum fits. */
  readonly doubt: Diagnostic | undefined;
  readonly signs: number;
}

/**
 * Judges the snapshots of one demo, record by record. Records of chunks and ticks are not needed.
 * ```ts
 * for (const entry of replay.feed(file)) judge.add(entry);
 * judge.finish();
 * judge.ranges; // [{ trust: 'confirmed', from: 2126, to: 2176, snapshots: 26, cause: undefined }, …]
 * ```
 */
export class TickJudge {
  readonly ranges: JudgedRange[] = [];
  readonly snapshots: Record<Trust, number> = { confirmed: 0, plain: 0, doubtful: 0, lost: 0 };
  /**
   * The announced checksums: those that fit, and that do not; those of another tick than the snapshot beside them, by
   * the distance, and those that do not fit that; those without a snapshot.
   */
  readonly sums = { announced: 0, matched: 0, mismatched: 0, shifted: new Map<number, number>(), other: 0, missing: 0 };
  /** Signs of damage in snapshots that no checksum confirms, and around them. */
  signs = 0;
  readonly #onJudged: OnJudged | undefined;
  /** Whether checksums of the demo's snapshots are expected. */
  announces = false;
  #lastTick = -1;
  #open: Open | undefined;
  /** Why the next delta is doubtful, and why the next full snapshot is: signs in its own bytes. */
  #doubt: Diagnostic | undefined;
  #doubtOfFull: Diagnostic | undefined;
  /** An item has a key that ends some games. A checksum does not tell: keys are not in it. */
  #invalidKey: Diagnostic | undefined;
  /** A snapshot is lost or has another checksum: the next checksum that fits may do so by chance. */
  #isWrong = false;
  /** Signs since the last snapshot. */
  #newSigns = 0;
  /** A snapshot that cannot be read, unless its record follows. */
  #unread: { readonly tick: number; readonly cause: Diagnostic } | undefined;
  /** What cannot be read up to the next snapshot: chunks cannot be followed, or there is none before a delta. */
  #gap: { readonly from: number; snapshots: number; readonly cause: Diagnostic } | undefined;
  /** The messages since the last snapshot. */
  #messages = 0;
  /** The tick of the last announced checksum. */
  #announced = -1;

  /** @param onJudged receives the result of each snapshot in their order, and as soon as it is known what is lost */
  constructor(onJudged?: OnJudged) {
    this.#onJudged = onJudged;
  }

  /** Whether the last snapshot is not judged yet. */
  get isOpen(): boolean {
    return this.#open !== undefined;
  }

  add(entry: JudgeInput): void {
    // Connections have verdicts of their own.
    if ('stream' in entry && entry.stream?.client) return;
    switch (entry.record) {
      case 'snapshot':
        this.#onSnapshot(entry);
        break;
      case 'message':
        this.#onMessage(entry);
        break;
      case 'tick':
        this.#endTick();
        break;
      case 'chunk':
        if (entry.chunk.kind !== 'message') this.#endTick();
        break;
      case 'diagnostic':
        this.#onDiagnostic(entry);
        break;
      case 'header':
        this.announces = entry.stream.announcesChecksums === true;
        break;
    }
  }

  finish(): void {
    this.#endTick();
    this.#closeGap(Infinity);
    this.signs += this.#newSigns;
    this.#newSigns = 0;
  }

  #onSnapshot({ tick, kind, snapshot, offset }: SnapshotEntry): void {
    // An error about a snapshot whose record follows is only a sign. One before its bytes is about another of the tick.
    if (this.#unread?.tick === tick && this.#unread.cause.offset >= offset) this.#unread = undefined;
    this.#endTick();
    if (!snapshot) return;
    this.#closeGap(tick);
    if (kind === 'snapshot') {
      this.#doubt = this.#doubtOfFull;
      this.#isWrong = false;
      if (this.#doubt?.code !== 'invalid_key') this.#invalidKey = undefined;
    }
    this.#doubtOfFull = undefined;
    const checksum = this.announces ? snapshot.checksum() : 0;
    this.#open = { tick, offset, checksum, doubt: this.#doubt, signs: this.#newSigns };
    this.#newSigns = 0;
    this.#messages = 0;
    this.#lastTick = tick;
    if (!this.announces) this.#settle();
  }

  #onMessage(entry: MessageEntry): void {
    this.#loseUnread();
    if (!this.announces) return;
    const { head, tick: at, offset = 0 } = entry;
    if (!isSnapshotMessage(head)) {
      if (this.#open && ++this.#messages > maxBetween) this.#settle();
      return;
    }
    const whole = wholeSnapshotMessage(entry.bytes, head.type!.name, maxPadding);
    const { tick = -1, crc } = whole ?? snapshotMessage(entry.message) ?? {};
    // The parts of one snapshot have the same checksum.
    if (crc === undefined || tick === this.#announced) return;

    const { sums } = this;
    this.#announced = tick;
    sums.announced++;
    if (this.#open && this.#open.tick !== at) this.#settle();
    const open = this.#open;
    if (!open) {
      sums.missing++;
      this.#lose(tick, tick, 1, doubtOf('snapshot_missing', offset, { expected: tick }));
    } else if (open.tick === tick) {
      if (open.checksum === crc) {
        sums.matched++;
        if (this.#invalidKey) this.#contradict(open, this.#invalidKey);
        else this.#confirm(open);
      } else {
        sums.mismatched++;
        this.#contradict(open, doubtOf('wrong_checksum', open.offset, { found: open.checksum, expected: crc }));
      }
    } else if (open.checksum === crc) {
      const distance = open.tick - tick;
      sums.shifted.set(distance, (sums.shifted.get(distance) ?? 0) + 1);
      this.#contradict(open, doubtOf('other_tick', open.offset, { found: open.tick, expected: tick }));
    } else {
      sums.other++;
      this.#contradict(open, doubtOf('other_checksum', open.offset, { found: open.tick, expected: tick }));
    }
  }

  #onDiagnostic({ diagnostic, tick = -1, chunk, weight }: DiagnosticEntry): void {
    const { code, severity } = diagnostic;
    const isError = severity === 'error';
    const isOfFraming = ofFraming.has(code);
    // Damage inside a message does not spoil snapshots.
    if (weight || (!isError && !neverWritten.has(code)) || (chunk === 'message' && !isOfFraming)) return;

    if (isError) this.#endTick();
    if (!isError) this.#newSigns++;
    else if (isOfFraming) this.#openGap(tick > this.#lastTick ? tick : tick + 1, 0, diagnostic);
    else if (chunk) this.#unread = { tick, cause: diagnostic };
    if (chunk === 'snapshot' && !isError) this.#doubtOfFull ??= diagnostic;
    else if (!this.#doubt || (isError && this.#doubt.severity === 'warning')) this.#doubt = diagnostic;
    if (code === 'invalid_key') this.#invalidKey ??= diagnostic;
  }

  /** What belongs to the last tick is complete. */
  #endTick(): void {
    this.#settle();
    this.#loseUnread();
  }

  /** No checksum of the last snapshot follows. */
  #settle(): void {
    const open = this.#open;
    if (open) this.#judge(open, open.doubt ? 'doubtful' : 'plain', open.doubt);
  }

  #confirm(open: Open): void {
    const isFirst = this.#isWrong;
    this.#isWrong = false;
    if (isFirst) {
      this.#settle();
      return;
    }
    // What was seen since is about what comes next.
    if (this.#doubt === open.doubt) this.#doubt = undefined;
    this.#judge(open, 'confirmed', undefined);
  }

  #contradict(open: Open, cause: Diagnostic): void {
    this.#doubt ??= cause;
    this.#isWrong = true;
    this.#judge(open, 'doubtful', open.doubt ?? cause);
  }

  #judge({ tick, signs }: Open, trust: Trust, cause: Diagnostic | undefined): void {
    this.#open = undefined;
    if (trust !== 'confirmed') this.signs += signs;
    this.#extend(trust, tick, tick, 1, cause);
    this.#onJudged?.(trust, tick, 1, cause);
  }

  #loseUnread(): void {
    const unread = this.#unread;
    this.#unread = undefined;
    if (!unread) return;
    const { tick, cause } = unread;
    if (this.#lastTick < 0) this.#openGap(tick, 1, cause);
    else {
      this.#lose(tick, tick, 1, cause);
      this.#onJudged?.('lost', tick, 1, cause);
    }
  }

  #openGap(from: number, snapshots: number, cause: Diagnostic): void {
    this.#gap ??= { from, snapshots: 0, cause };
    this.#gap.snapshots += snapshots;
    this.#onJudged?.('lost', from, snapshots, cause);
  }

  #closeGap(next: number): void {
    const gap = this.#gap;
    this.#gap = undefined;
    if (gap) this.#lose(gap.from, Math.max(gap.from, next - 1), gap.snapshots, gap.cause);
  }

  #lose(from: number, to: number, snapshots: number, cause: Diagnostic): void {
    const last = this.ranges.at(-1);
    this.#doubt ??= cause;
    this.#isWrong = true;
    // The checksum of a snapshot that cannot be read.
    if (last?.trust === 'lost' && last.to === to) return;
    this.#extend('lost', from, to, snapshots, cause);
  }

  #extend(trust: Trust, from: number, to: number, snapshots: number, cause: Diagnostic | undefined): void {
    this.snapshots[trust] += snapshots;
    const last = this.ranges.at(-1);
    if (last?.trust === trust && last.cause?.code === cause?.code) {
      last.to = to;
      last.snapshots += snapshots;
    } else if (this.ranges.length < maxRanges) this.ranges.push({ trust, from, to, snapshots, cause });
    else {
      const worst = order.indexOf(trust) > order.indexOf(last!.trust) ? { trust, cause } : last!;
      this.ranges[maxRanges - 1] = { ...last!, ...worst, from: last!.from, to, snapshots: last!.snapshots + snapshots };
    }
  }
}

/** The best first. */
const order = Object.keys(trusts);

const doubtOf = (code: Code, offset: number, args: Args): Diagnostic => ({ severity: 'warning', code, offset, args });

/** Errors that stop the reading of chunks until the next keyframe or for good. */
const ofFraming: ReadonlySet<Code> = new Set<Code>([
  'framing_lost',
  'no_keyframe_left',
  'truncated_chunk',
  'bad_tick',
  'step_before_tick',
  'missing_tick',
  'bad_map_size',
  'truncated_map',
]);
