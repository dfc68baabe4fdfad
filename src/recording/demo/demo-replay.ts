import { noBytes } from '../../wire/bytes/buffers.ts';
import {
  type Args,
  type Code,
  DecodeError,
  type Diagnostic,
  type Severity,
  type Warn,
} from '../../wire/bytes/diagnostic.ts';
import { PieceReader } from '../../wire/bytes/window.ts';
import { isOnlyOf07, mayBeMixed } from '../../wire/packet/mixed-message.ts';
import type { Diagnostics } from '../../wire/payload/diagnostics.ts';
import { unwrap } from '../../wire/payload/encoding-layers.ts';
import { checkRepeats, type Kind, readPayload } from '../../wire/payload/payload.ts';
import { PayloadReader } from '../../wire/payload/payload-reader.ts';
import {
  noSchema,
  type Protocol,
  protocol07WithSizesOf06,
  protocolOf,
  type SizeOf,
  type Version,
} from '../../wire/protocol/registry.ts';
import type { Delta } from '../../wire/snapshot/delta.ts';
import { maxItems, maxSnapshotBytes } from '../../wire/snapshot/key.ts';
import { Snapshot } from '../../wire/snapshot/snapshot.ts';
import { type DemoFrame, DemoReader } from '../container/demo/demo-reader.ts';
import { type DemoHeader, draftVersion } from '../container/demo/header.ts';
import { wholeRows } from '../games/expectations.ts';
import type { DemoPlayers } from '../playback/demo-players.ts';
import { impossibleMessage } from '../replay/impossible-message.ts';
import { CurrentMessage, DemoMessage } from '../replay/lazy-message.ts';
import { usualInts, usualItems } from '../replay/limits.ts';
import type { DiagnosticEntry, RecordingEntry, SnapshotEntry, SnapshotFacts } from '../replay/record.ts';
import type { ReadOptions, Replay } from '../replay/replay.ts';
import type { Stream } from '../replay/stream.ts';
import { firstByte } from '../story/message-facts.ts';
import { itemBytesOf, storedBytes } from '../story/snapshot-facts.ts';
import { SnapshotStory } from '../story/snapshot-story.ts';
import { type Told, tell } from '../story/told.ts';
import { type Content, contentOf, DemoContent, statedVersion, withLimitOf } from './demo-content.ts';

/*
 * A demo becomes records. `DemoReader` splits the file into frames: header, map, ticks, snapshots, deltas, messages,
 * and what is wrong with the framing. Here their contents are decoded, and each snapshot is rebuilt from the one
 * before.
 *
 *   tick 50 K   snapshot     keyframe: whole, needs nothing before it
 *   tick 52     delta        on tick 50            each delta is on the snapshot before it, so one that is lost makes
 *   tick 54     delta        on tick 52            all after it `uncertain`, up to the next keyframe
 *   tick 300 K  snapshot     certain again
 *
 * There are two snapshots, `current` and `next`: a payload is read into `next`, and `accept` exchanges them. What
 * cannot be read leaves `current` as it was.
 *
 * The header states a version, but cuts and proxies have content of the other one. So the content of the first
 * snapshots is looked at first (`DemoContent`), and only then the file is read from its beginning. A delta of 0.7 that
 * does not fit is tried again with the sizes that DDNet writes into cuts (`#readOtherwise`). A version that the user
 * states ends all of this.
 *
 * Everything is read again with positions where something is wrong (`#diagnosticsOf`): the fast way does not keep them.
 */

/**
 * Rebuilds the snapshots of a demo one after the other, each from the one before.
 * ```ts
 * if (rebuilder.read('delta', payload) && !rebuilder.damage) show(rebuilder.accept());
 * ```
 */
class Rebuilder {
  readonly payload: PayloadReader;
  current = Snapshot.withRoom(usualItems, usualInts);
  /** The snapshot that was read last. `accept` exchanges the two: then this is the one before {@link current}. */
  next = Snapshot.withRoom(usualItems, usualInts);
  /** The error of the last payload, or else its first warning. */
  damage: { readonly code: Code; readonly args: Args } | undefined;
  /** Whether {@link current} may be wrong. It is no damage then if a delta does not fit. */
  uncertain = false;
  #mayMisfit = false;
  readonly #warn: Warn = (code, _, args = {}) => {
    if (!this.#mayMisfit) this.damage ??= { code, args };
  };

  constructor(sizeOf: SizeOf) {
    this.payload = new PayloadReader(sizeOf, { warn: this.#warn });
  }

  /**
   * Reads the payload `bytes[start, end)` of a chunk into {@link next}, or a message's ints; false if it is damaged or
   * does not fit.
   */
  read(kind: Kind | 'message', bytes: Uint8Array, start = 0, end: number = bytes.length): boolean {
    const { payload, current, next } = this;
    this.damage = undefined;
    this.#mayMisfit = false;
    // Not by `attempt`, which takes a new function for each payload.
    try {
      if (kind === 'message') payload.unpack(bytes, 'huffman', start, end);
      else if (kind === 'snapshot') {
        payload.readSnapshot(bytes, 'huffman', next, start, end);
        checkRepeats(next, this.#warn);
      } else {
        payload.readDelta(bytes, 'huffman', start, end);
        this.#mayMisfit = this.uncertain;
        payload.applyTo(current, next);
      }
      return true;
    } catch (error) {
      if (!(error instanceof DecodeError)) throw error;
      if (!this.#mayMisfit) this.damage = { code: error.code, args: error.args };
      return false;
    }
  }

  accept(): Snapshot {
    [this.current, this.next] = [this.next, this.current];
    return this.current;
  }
}

/**
 * The one stream of a demo: the data sent to the recorded player, or by the server. What is read decides how it goes
 * on.
 */
type DemoStream = Stream & { protocol: Protocol; mixesVersions: boolean | 'maybe'; announcesChecksums: boolean };

/**
 * The record of a snapshot of a demo. There is one for all of them, since a new one each time would push other data out
 * of the cache. The view of the payload, which most outputs do not need, is made on demand.
 */
class DemoSnapshot implements SnapshotFacts {
  readonly record = 'snapshot';
  readonly stream: Stream;
  tick = -1;
  kind: Kind = 'snapshot';
  base = -1;
  payloadKind: Kind = 'snapshot';
  readonly encoding = 'huffman';
  offset = 0;
  readonly parts = 1;
  bytes = 0;
  snapshot = new Snapshot();
  before: Snapshot | undefined;
  delta: Delta | undefined;
  readonly announced = undefined;
  readonly verdict = 'unchecked';
  readonly cause = undefined;
  uncertain = false;
  isClean = false;
  #bytes: Uint8Array = noBytes;
  #start = 0;

  constructor(stream: Stream) {
    this.stream = stream;
  }

  setFrame(frame: DemoFrame, kind: Kind): void {
    this.tick = frame.tick;
    this.kind = kind;
    this.payloadKind = kind;
    this.offset = frame.dataOffset;
    this.bytes = frame.end - frame.start;
    this.#bytes = frame.bytes;
    this.#start = frame.start;
  }

  get payload(): Uint8Array {
    return this.#bytes.subarray(this.#start, this.#start + this.bytes);
  }
}

const padded = { padded: true };

/** Rebuilds the snapshots of a demo piece by piece. Damage is reported, and reading continues after it. */
export class DemoReplay extends PieceReader<RecordingEntry> implements Replay {
  readonly container = 'demo';
  readonly datagrams = undefined;
  readonly #reader: DemoReader;
  readonly #options: ReadOptions;
  readonly #players: DemoPlayers | undefined;
  readonly #stream: DemoStream;
  readonly #rebuilder: Rebuilder;
  readonly #record: DemoSnapshot;
  readonly #messageSource = new CurrentMessage();
  #started = false;
  #lastTick = -1;
  /** Whether the last frame was a full snapshot of which nothing is said, and that all versions make. */
  #isWhole = false;
  /** Whether a full snapshot has to come before the next delta: at the beginning, and at each keyframe. */
  #isFullDue = true;
  #content: DemoContent | undefined;
  /** After a seek, whether the first full snapshot still has to decide. */
  #isSought = false;
  /** {@link Content.other} */
  #other: Version | undefined;
  /** {@link Content.hasOneVersion} */
  #hasOneVersion = false;
  /** Whether the deltas of this 0.7 demo contain the sizes that the table of 0.6 lacks. */
  #hasSizesOf06 = false;
  /** The records that are returned next: often the diagnostics of a snapshot, and then its record. */
  readonly #pending: RecordingEntry[] = [];
  /** A diagnostic that the reader returns if the size of its chunk is right. */
  #delayed: { readonly diagnostic: Diagnostic; readonly chunk: Kind | 'message' } | undefined;
  /** What the snapshots tell together; undefined for a part of a demo. */
  #story: SnapshotStory | undefined;
  #hasEnded = false;
  #hasToldEarly = false;
  /** The chunk that was returned as a record, which is read next; only with the option `parts`. */
  #unreadChunk: DemoFrame | undefined;

  /** @param reader a reader that begins at a keyframe; by default at the beginning of the file */
  constructor(options: ReadOptions = {}, reader = new DemoReader()) {
    super();
    this.#options = options;
    this.#players = options.plays?.players;
    this.#reader = reader;
    reader.skipsMessages = options.messages === false;
    reader.skipsTicks = options.ticks === false && !options.parts;
    const protocol = this.#protocolOf(reader.header);
    const messages = {
      mixesVersions: false,
      announcesChecksums: false,
      hidesSecrets: options.hidesSecrets === true,
    };
    this.#stream = { number: 1, client: '', server: '', mapChanges: 0, protocol, ...messages };
    this.#record = new DemoSnapshot(this.#stream);
    this.#rebuilder = new Rebuilder(protocol.sizeOf);
    const { payload, next } = this.#rebuilder;
    payload.maxSnapshotBytes = protocol.maxSnapshotBytes;
    // At a keyframe the header is known, and the snapshot itself decides.
    if (!reader.header) this.#content = new DemoContent(payload, next);
    this.#isSought = reader.header !== undefined;
    this.#story = this.#isSought ? undefined : new SnapshotStory(true);
    if (reader.header) this.#onHeader(reader.header);
  }

  get protocol(): Protocol {
    return this.#stream.protocol;
  }

  get streams(): readonly Stream[] {
    return [this.#stream];
  }

  override add(piece: Uint8Array): void {
    this.#content?.add(piece);
    this.#endSearch();
    if (!this.#content) this.#addPiece(piece);
  }

  #addPiece(piece: Uint8Array): void {
    if (this.#players?.isBehind) this.#leavePlayers();
    this.#reader.add(piece);
    this.#players?.add(piece);
  }

  override end(): void {
    this.#content?.finish();
    this.#endSearch();
    this.#reader.end();
    this.#hasEnded = true;
  }

  /** Lets the games' players read the rest, after all records. */
  protected finishPlayers(): void {
    this.#players?.finish(this.#started ? this.#rebuilder.current : undefined);
  }

  /** Reads from the beginning once the version of the items is known, since the header record contains the protocol. */
  #endSearch(): void {
    const found = this.#content?.found;
    if (!found) return;
    if (this.#players) this.#players.hasContentOf06 = found.other === '0.6' && !this.#options.version;
    this.#addPiece(this.#content!.bytes);
    this.#content = undefined;
    this.#hasOneVersion = found.hasOneVersion;
    this.#stream.announcesChecksums = found.announcesChecksums;
    this.#useContent(found);
  }

  /** Content decides, unless a version is stated for the demo. */
  #useContent({ other }: Content): void {
    if (!other || this.#options.version) return;
    this.#other = other;
    if (other === '0.7') this.#useSizesOf06();
    else this.#useProtocol(this.#protocolOf(this.#reader.header));
  }

  #useSizesOf06(): void {
    this.#hasSizesOf06 = true;
    this.#useProtocol(withLimitOf(this.#reader.header, protocol07WithSizesOf06(this.#options.schema)));
  }

  #useSizesOf07(): void {
    this.#hasSizesOf06 = false;
    this.#useProtocol(withLimitOf(this.#reader.header, protocolOf('0.7', this.#options.schema)));
  }

  #useProtocol(protocol: Protocol): void {
    this.#stream.protocol = protocol;
    this.#rebuilder.payload.sizeOf = protocol.sizeOf;
    this.#rebuilder.payload.maxSnapshotBytes = protocol.maxSnapshotBytes;
  }

  #onHeader(header: DemoHeader): void {
    this.#useProtocol(this.#protocolOf(header));
    const { version, announcements } = this.#options;
    const is07 = statedVersion(header) === '0.7' && this.#other === undefined;
    this.#stream.mixesVersions = !version && !is07 && !this.#hasOneVersion && 'maybe';
    if (announcements && this.#stream.announcesChecksums) this.#reader.skipsMessages = false;
  }

  #protocolOf(header: DemoHeader | undefined): Protocol {
    const { version, schema } = this.#options;
    const protocol = this.#hasSizesOf06
      ? this.protocol
      : protocolOf(version ?? this.#other ?? (header ? statedVersion(header) : '0.6'), schema);
    return withLimitOf(header, protocol);
  }

  override next(): RecordingEntry | undefined {
    for (;;) {
      if (this.#pending.length > 0) return this.#pending.shift();
      const frame = this.#unreadChunk ?? this.#reader.next();
      if (!frame) return this.#endStory();
      const isChunkDue = this.#options.parts && frame.kind !== 'diagnostic' && !this.#unreadChunk;
      this.#unreadChunk = isChunkDue ? frame : undefined;
      if (isChunkDue) return { record: 'chunk', stream: this.#stream, chunk: frame };
      this.#isWhole = false;
      const entry = this.#recordOf(frame);
      if (this.#players) this.#followFrame(frame, this.#players);
      if (this.#pending.length === 0 && entry) return entry;
      if (entry) this.#pending.push(entry);
    }
  }

  /** What is told at the end of the file, one by one. */
  #endStory(): RecordingEntry | undefined {
    if (!this.#hasEnded || !this.#story) return undefined;
    this.#tell(this.#story.finish());
    this.#story = undefined;
    return this.#pending.shift();
  }

  #tell(told: readonly Told[]): void {
    for (const { code, weight, args, tick } of told) {
      const diagnostic = { severity: 'warning', code, offset: 0, args } as const;
      this.#pending.push({ record: 'diagnostic', stream: this.#stream, tick: tick ?? -1, diagnostic, weight });
    }
  }

  /** The games' players read a frame as it is read here, unless something is said of it. */
  #followFrame(frame: DemoFrame, players: DemoPlayers): void {
    const { header } = this.#reader;
    // One that cannot be read is the players' own concern.
    if (!header) return;
    if (frame.kind === 'header') players.followHeader(header);
    const { version, schema } = this.#options;
    // What a schema says of sizes, no game knows.
    const isAsGames =
      !version && (schema ?? noSchema) === noSchema && this.#other === undefined && header.version < draftVersion;
    // What is said of an unknown chunk comes after it; games unpack its data.
    const isOdd = frame.kind === 'diagnostic' ? !beyondPlaying.has(frame.diagnostic!.code) : frame.kind === 'unknown';
    if (!isAsGames || isOdd) this.#leavePlayers();
    else if (frame.kind !== 'diagnostic') players.follow(frame, this.#isWhole);
  }

  /** From here on the games' players read alone. */
  #leavePlayers(): void {
    this.#players?.leave(this.#started ? this.#rebuilder.current : undefined);
  }

  /** The record that results from a frame; any before it are added to {@link #pending}. */
  #recordOf(frame: DemoFrame): RecordingEntry | undefined {
    const stream = this.#stream;
    const { tick } = frame;
    switch (frame.kind) {
      case 'header': {
        const header = this.#reader.header!;
        this.#onHeader(header);
        const { plays } = this.#options;
        this.#pending.push({ record: 'header', stream, header, ...(plays && { plays }) });
        return (
          this.#other && this.#diagnosticEntry(`content_of_${this.#other === '0.7' ? '07' : '06'}`, tick, frame.offset)
        );
      }
      case 'map':
        return this.#mapOf(frame.bytes.subarray(frame.start, frame.end));
      case 'tick':
        this.#isFullDue ||= frame.keyframe;
        return this.#options.ticks === false ? undefined : { record: 'tick', stream, tick, keyframe: frame.keyframe };
      case 'snapshot':
      case 'delta':
        return this.#snapshot(frame, frame.kind);
      case 'message':
        return this.#messageOf(frame);
      case 'diagnostic': {
        const diagnostic = frame.diagnostic!;
        if (diagnostic.severity === 'error') this.#story?.addGap();
        // What goes on being written is as it should be.
        if (diagnostic.code === 'not_stopped')
          return { record: 'diagnostic', stream, tick, diagnostic, weight: wholeRows.not_stopped.weight };
        const delayed = this.#delayed?.diagnostic === diagnostic && this.#delayed;
        const entry = { record: 'diagnostic', stream, tick, diagnostic, ...delayed } as const;
        if (entry.diagnostic.code !== 'missing_tick' || this.#options.ticks === false) return entry;
        this.#pending.push(entry);
        return { record: 'tick', stream, tick, keyframe: true };
      }
      default:
        return undefined;
    }
  }

  /** Rebuilds a snapshot; diagnostics before it are added to {@link #pending}. */
  #snapshot(frame: DemoFrame, kind: Kind): SnapshotEntry | undefined {
    const { tick, offset, dataOffset } = frame;
    const rebuilder = this.#rebuilder;
    const isBaseMissing = kind === 'delta' && this.#isFullDue;
    this.#isFullDue = false;
    // Without a snapshot before it a delta says nothing: that is an error only at a keyframe, and once.
    if (kind === 'delta' && !this.#started) {
      this.#leavePlayers();
      if (isBaseMissing) this.#pending.push(this.#diagnosticEntry('no_snapshot_before', tick, offset, 'error', kind));
      return undefined;
    }

    const read = (this.#read(frame, kind) && !rebuilder.damage) || this.#readOtherwise(frame, kind);
    if (read && isBaseMissing) {
      rebuilder.uncertain = true;
      this.#pending.push(this.#diagnosticEntry('no_snapshot_before', tick, offset, 'error', kind));
    } else if (rebuilder.damage) {
      this.#pending.push(...this.#diagnosticEntries(this.#diagnosticsOf(frame, kind), tick, dataOffset, kind));
    }

    const isSure = read && this.#pending.length === 0 && isMadeByAll(rebuilder.next, this.#stream.protocol);
    if (!isSure) this.#leavePlayers();
    this.#isWhole = isSure && kind === 'snapshot' && tick !== this.#lastTick;
    if (!read) {
      rebuilder.uncertain = true;
      this.#story?.addGap();
      return undefined;
    }

    if (this.#started && tick === this.#lastTick) {
      this.#pending.push(this.#diagnosticEntry('repeated_snapshot', tick, offset, 'warning', kind));
    }

    if (this.#isSought && kind === 'snapshot') {
      this.#isSought = false;
      const content = contentOf(rebuilder.next, statedVersion(this.#reader.header!));
      this.#useContent(content);
      if (content.hasOneVersion) this.#stream.mixesVersions = false;
    }

    const record = this.#record;
    record.setFrame(frame, kind);
    record.base = kind === 'delta' ? this.#lastTick : -1;
    record.snapshot = rebuilder.accept();
    record.before = this.#started ? rebuilder.next : undefined;
    record.delta = kind === 'delta' ? rebuilder.payload.delta : undefined;
    if (kind === 'snapshot') rebuilder.uncertain = false;
    record.uncertain = rebuilder.uncertain;
    record.isClean = !rebuilder.damage && !rebuilder.uncertain;

    this.#started = true;
    this.#lastTick = tick;
    if (rebuilder.uncertain) this.#story?.addGap();
    else if (this.#story) {
      const told = this.#story.add(record, record.snapshot, this.#stream.protocol);
      if (told.length > 0) this.#tell(told);
    }
    return record;
  }

  #mapOf(piece: Uint8Array): RecordingEntry | undefined {
    const stream = this.#stream;
    const { map } = this.#options;
    const diagnostic = map?.add(piece, this.#reader.header!);
    const entry: RecordingEntry = { record: 'map', stream, piece, ...(map && { map: map.sums }) };
    if (!diagnostic) return entry;
    this.#pending.push(entry, { record: 'diagnostic', stream, diagnostic });
    return undefined;
  }

  #read({ bytes, start, end }: DemoFrame, kind: Kind | 'message'): boolean {
    return this.#rebuilder.read(kind, bytes, start, end);
  }

  /**
   * Reads a payload again that was not read without a diagnostic. A delta of 0.7 may fit with the sizes that DDNet
   * writes into cuts, or only with its own where the header does not say 0.7; then all later ones are read with these
   * sizes.
   */
  #readOtherwise(frame: DemoFrame, kind: Kind): boolean {
    const isPossible = this.protocol.version === '0.7' && !this.#options.version;
    if (kind === 'delta' && isPossible && !this.#rebuilder.uncertain) {
      const { protocol } = this.#stream;
      const had = this.#hasSizesOf06;
      if (had) this.#useSizesOf07();
      else this.#useSizesOf06();
      if (this.#read(frame, 'delta') && !this.#rebuilder.damage) {
        if (!had) this.#pending.push(this.#diagnosticEntry('sizes_of_06', frame.tick, frame.offset));
        return true;
      }
      this.#hasSizesOf06 = had;
      this.#useProtocol(protocol);
    }
    return this.#read(frame, kind);
  }

  /** Unpacks a message; diagnostics before it are added to {@link #pending}. */
  #messageOf(frame: DemoFrame): DemoMessage | undefined {
    const { tick, offset, dataOffset, bytes, start, end } = frame;
    const rebuilder = this.#rebuilder;
    const isRead = this.#read(frame, 'message');
    if (rebuilder.damage) {
      this.#leavePlayers();
      const { diagnostics } = unwrap(bytes.slice(start, end), 'huffman');
      this.#pending.push(...this.#diagnosticEntries(diagnostics, tick, dataOffset, 'message'));
    }
    if (!isRead || this.#reader.skipsMessages) return undefined;

    const source = this.#messageSource;
    source.frame = frame;
    source.ints = rebuilder.payload.ints;

    const { mixesVersions, protocol } = this.#stream;
    if (mixesVersions === 'maybe' && protocol.version === '0.6' && isOnlyOf07(source.bytes[0]))
      this.#stream.mixesVersions = true;
    const endBit = rebuilder.damage ? undefined : rebuilder.payload.endBit;
    const message = new DemoMessage(this.#stream, tick, offset, source, endBit);
    const odd = rebuilder.damage ? undefined : this.#impossible(message);
    if (odd) this.#pending.push(odd);
    else if (!rebuilder.damage) this.#follow(message);
    return message;
  }

  /** What a message shows that its sender cannot have meant. Where versions are mixed, another one may be meant. */
  #impossible(message: DemoMessage): DiagnosticEntry | undefined {
    const { mixesVersions, protocol } = this.#stream;
    const { bytes, tick, offset } = message;
    if (mixesVersions === true || mayBeMixed(protocol.version, true, bytes[0])) return undefined;

    const { head } = message;
    const odd = impossibleMessage(head, bytes, 'server', protocol, message, padded);
    if (!odd || head.version !== undefined) return undefined;
    const { code, args, weight } = odd;
    const diagnostic = { severity: 'warning', code, offset, args } as const;
    return { record: 'diagnostic', stream: this.#stream, tick, diagnostic, weight };
  }

  /** What a message tells beside the snapshots; not where it may be of another version. */
  #follow(message: DemoMessage): void {
    const { protocol, mixesVersions } = this.#stream;
    const { tick } = message;
    if (tick >= 0 && !this.#started && !this.#hasToldEarly && this.#story) {
      this.#hasToldEarly = true;
      this.#tell([tell(wholeRows.message_before_snapshot, { tick }, { tick })]);
    }
    if (mixesVersions === true || protocol.version === '0.5') return;
    if (firstByte(message.bytes[0], protocol.version).namesPlayers) this.#story?.addMessage(message.message, { tick });
  }

  /** The diagnostics of a payload, which is read again with positions. */
  #diagnosticsOf({ bytes, start, end }: DemoFrame, kind: Kind): Diagnostics {
    const { current, uncertain } = this.#rebuilder;
    const base = kind === 'delta' && !uncertain ? current : undefined;
    return readPayload(unwrap(bytes.slice(start, end), 'huffman'), kind, this.protocol, base).diagnostics;
  }

  #diagnosticEntry(
    code: Code,
    tick: number,
    offset: number,
    severity: Severity = 'warning',
    chunk?: Kind,
  ): DiagnosticEntry {
    const diagnostic = { severity, code, offset, args: {} };
    return { record: 'diagnostic', stream: this.#stream, tick, diagnostic, ...(chunk && { chunk }) };
  }

  *#diagnosticEntries(
    diagnostics: Diagnostics,
    tick: number,
    at: number,
    chunk: Kind | 'message',
  ): Generator<DiagnosticEntry, void> {
    for (const diagnostic of diagnostics.all) {
      // A warning before an error results from the same damage.
      if (notOfDemos.has(diagnostic.code) || (diagnostics.error && diagnostic.severity === 'warning')) continue;
      const placed = { ...diagnostic, offset: diagnostic.offset + at };
      if (this.#reader.checkSize(placed)) this.#delayed = { diagnostic: placed, chunk };
      else yield { record: 'diagnostic', stream: this.#stream, tick, diagnostic: placed, chunk };
    }
  }
}

/** Teeworlds and DDNet up to 18.5 make a delta of less than the limits; with more, Teeworlds crashes. */
const isMadeByAll = (snapshot: Snapshot, protocol: Protocol): boolean =>
  snapshot.count < maxItems && storedBytes(snapshot, itemBytesOf(protocol)) < maxSnapshotBytes;

/**
 * Warnings that are not said of a payload: registrations may be in the base of a delta, and values that no game sends
 * are no damage, but counted for each item (`ItemValues`).
 */
const notOfDemos: ReadonlySet<Code> = new Set([
  'missing_registration',
  'late_registration',
  'out_of_bounds',
  'never_sent',
]);

/** What is said of the header, and of ticks and numbers that the games do not look at, or look at themselves. */
const beyondPlaying: ReadonlySet<Code> = new Set([
  'demo_version',
  'header_text',
  'net_version',
  'other_net_version',
  'demo_type',
  'negative_length',
  'marker_count',
  'no_sha256',
  'tick_backwards',
  'empty_demo',
  'no_keyframe',
  'other_length',
  'marker_outside',
  'marker_twice',
]);
