import { ChecksumResults, failedFinding } from '../../analysis/explain/checksum-results.ts';
import { suspectText } from '../../output/phrases/cause-phrases.ts';
import { findingText } from '../../output/phrases/finding-phrases.ts';
import { markersFrom } from '../../recording/container/demo/header.ts';
import { ConnectionNotices, type PlacedNotice } from '../../recording/events/connection-notices.ts';
import { entryFinding } from '../../recording/health/findings.ts';
import {
  type DiagnosticEntry,
  type HeaderEntry,
  isNotRebuilt,
  type MessageEntry,
  type PacketEntry,
  type RecordingEntry,
  type SnapshotEntry,
  unchangedPayload,
} from '../../recording/replay/record.ts';
import type { Stream } from '../../recording/replay/stream.ts';
import { getOr } from '../../wire/bytes/get-or.ts';
import { bytesWithoutSecrets, hasSecretsIn, mayHaveSecrets } from '../../wire/packet/secrets.ts';
import { isSnapshotOrTiming } from '../../wire/protocol/message-registry.ts';
import type { TickRange } from '../../wire/protocol/ticks.ts';
import { type ReadTrack, TrackReading } from './read-track.ts';
import type { PageFinding } from './report-data.ts';
import { clientOf, emptyBase, OpenTrack, type Track, unknownBase } from './track.ts';

export interface TrackLimits {
  /** The ticks that are kept, if not all that are selected fit. */
  readonly range?: TickRange | undefined;
  /** Whether data of a tick are kept, or of a message before any snapshot. */
  has(tick: number | undefined): boolean;
  /** Called with the bytes and snapshots that are kept up to a tick; may throw if these are too many. */
  reach(tick: number, bytes: number, snapshots: number): void;
}

/** Findings that the page shows. */
const maxFindings = 200;
/** What a track takes besides its snapshots and messages. */
const trackBytes = 500;

/** Builds the tracks of a page: one for each stream, and another one for each map, whose ticks begin again. */
export class Tracks {
  readonly #limits: TrackLimits;
  readonly #open = new Map<Stream, OpenTrack>();
  readonly #tracksOf = new Map<string, number>();
  /** What was read of each track that is kept, as its records came. */
  readonly #readings = new Map<Track, TrackReading>();
  readonly #notices = new ConnectionNotices();
  #bytes = 0;
  #snapshots = 0;
  readonly all: OpenTrack['track'][] = [];
  /** What is wrong, with the place in the tracks. */
  readonly findings: PageFinding[] = [];
  readonly #checksums = new ChecksumResults();
  #header: HeaderEntry | undefined;
  /** The first tick of the recording, -1 without any, and the highest. */
  first = -1;
  last = -1;

  constructor(limits: TrackLimits) {
    this.#limits = limits;
  }

  add(entry: RecordingEntry): void {
    for (const notice of this.#notices.add(entry)) this.#onConnection(notice);
    switch (entry.record) {
      case 'header':
        this.#header = entry;
        break;
      case 'tick':
        this.#onTick(entry.tick);
        break;
      case 'message':
        this.#onMessage(entry);
        break;
      case 'packet':
        this.#onPacket(entry);
        break;
      case 'snapshot':
        this.#onSnapshot(entry);
        break;
      case 'drop':
        this.#drop(entry.stream);
        break;
      case 'diagnostic':
        // A connection counts its unreadable packets itself.
        if (!entry.direction && !(entry.weight && entry.stream)) this.#onDiagnostic(entry);
        break;
      // The summary of the recording has what the page says of them.
      case 'ghost':
      case 'map':
      case 'connection':
      case 'copy':
      case 'close':
      case 'chunk':
      case 'block':
      case 'server_info':
      case 'info_exchange':
      case 'handshake':
        break;
      default:
        entry satisfies never;
    }
  }

  #onTick(tick: number): void {
    if (this.first < 0) {
      this.first = tick;
      if (this.#header) this.#of(this.#header.stream).track.markers = markersFrom(this.#header.header, tick);
    }
    this.last = Math.max(this.last, tick);
  }

  #onConnection(placed: PlacedNotice): void {
    const { notice, stream, tick } = placed;
    if (!this.#limits.has(tick < 0 ? undefined : tick)) return;
    // A flood is told to each client of the server.
    const { server } = { server: undefined, ...notice };
    const streams = stream ? [stream] : [...this.#open.keys()].filter((known) => known.server === server);
    for (const known of streams) this.#readingOf(this.#of(known), known).onConnection(placed);
  }

  #onMessage(entry: MessageEntry): void {
    const { stream, direction, tick } = entry;
    if (direction !== 'to_client') return;
    const track = this.#of(stream);
    const at = tick ?? track.tick;
    if (!this.#limits.has(at)) return;
    track.track.mixesVersions ||= stream.mixesVersions === true || undefined;
    const before = track.bytes;
    const { payload, offset } = entry;
    const hides = stream.hidesSecrets && mayHaveSecrets(entry.head);
    if (hides) track.addMessage(at ?? -1, bytesWithoutSecrets([entry.message], entry.bytes));
    else if (payload) track.addMessage(at ?? -1, payload, offset);
    else track.addMessage(at ?? -1, entry.bytes);
    // What has secrets is nothing that everybody sees.
    if (!hides && !isSnapshotOrTiming(entry.bytes, stream.protocol.version))
      this.#readingOf(track, stream).onMessage(entry, at ?? -1);
    this.#reach(at ?? -1, track.bytes - before);
  }

  #onPacket({ stream, direction, frame = 0, time = Number.NaN, bytes, packet }: PacketEntry): void {
    if (!stream) return;
    const track = this.#of(stream);
    if (!this.#limits.has(track.tick)) return;
    const before = track.bytes;
    const isSecret = stream.hidesSecrets === true && packet !== undefined && hasSecretsIn(packet, stream.protocol);
    track.addPacket({ frame, toServer: direction === 'to_server', bytes }, time, isSecret);
    this.#reach(track.tick ?? -1, track.bytes - before);
  }

  #onSnapshot(entry: SnapshotEntry): void {
    const { stream, tick, verdict, payload = isNotRebuilt(verdict) ? undefined : unchangedPayload } = entry;
    this.#onTick(tick);
    const track = this.#of(stream);
    track.tick = tick;
    track.track.hasSizesOf06 ||= stream.protocol.hasSizesOf06 || undefined;
    if (!payload || !this.#limits.has(tick)) return;
    if (track.byTick.size === 0) {
      this.all.push(track.track);
      this.#tracksOf.set(stream.client, (this.#tracksOf.get(stream.client) ?? 0) + 1);
      this.#bytes += trackBytes;
    }
    this.#snapshots++;
    const before = track.bytes;
    addTo(track, entry, payload);
    this.#readingOf(track, stream).onSnapshot(entry);
    this.#reach(tick, track.bytes - before);
    if (verdict === 'mismatch') this.#onMismatch(track.track.name, entry);
  }

  /** Notes a wrong checksum with the items that may be the cause: those that `checksum` names. */
  #onMismatch(track: string, entry: SnapshotEntry): void {
    if (this.findings.length >= maxFindings) return;
    const failure = this.#checksums.add(entry);
    if (!failure) return;
    const { suspects } = failure;
    const likely = suspects[0]?.items[0];
    this.findings.push({
      text: findingText(failedFinding(failure), '')!,
      track,
      tick: entry.tick,
      item: likely && `${likely.label}/${likely.id}`,
      details: suspects.map((suspect) => `${suspectText(suspect)}   ${suspect.isLikely ? 'most likely' : 'possible'}`),
    });
  }

  #onDiagnostic(entry: DiagnosticEntry): void {
    if (this.findings.length >= maxFindings) return;
    const track = entry.stream && this.#open.get(entry.stream);
    this.findings.push({
      text: findingText(entryFinding(entry)!, '')!,
      track: track?.track.name,
      tick: track?.tick,
      item: undefined,
      details: [],
    });
  }

  /** The tracks with the names of their players. */
  build(playerOf: (client: string) => string | undefined): Track[] {
    for (const track of this.all) track.player = playerOf(clientOf(track));
    return this.all;
  }

  /** What was read of each track, in their order. */
  reads(): ReadTrack[] {
    for (const notice of this.#notices.finish()) this.#onConnection(notice);
    return this.all.map((track) => this.#readings.get(track)!.finish());
  }

  #readingOf({ track }: OpenTrack, { protocol }: Stream): TrackReading {
    return getOr(this.#readings, track, () => new TrackReading(protocol, track.markers));
  }

  #drop(stream: Stream): void {
    const track = this.#open.get(stream);
    // Messages of a connection without snapshots are in no track.
    if (track?.byTick.size === 0) {
      this.#bytes -= track.bytes;
      this.#readings.delete(track.track);
    }
    this.#open.delete(stream);
    this.#checksums.drop(stream);
  }

  #reach(tick: number, bytes: number): void {
    this.#bytes += bytes;
    this.#limits.reach(tick, this.#bytes, this.#snapshots);
  }

  #of(stream: Stream): OpenTrack {
    const { client, protocol, mapChanges } = stream;
    let track = this.#open.get(stream);
    // What is announced after a map change, the players first, belongs to the new map.
    if (!track || (track.mapChanges !== mapChanges && track.byTick.size > 0)) {
      const sameClient = this.#tracksOf.get(client) ?? 0;
      const name = sameClient === 0 ? client : `${client} (${sameClient + 1})`;
      track = new OpenTrack(name, protocol);
      this.#open.set(stream, track);
    }
    track.mapChanges = mapChanges;
    return track;
  }
}

function addTo(track: OpenTrack, entry: SnapshotEntry, payload: Uint8Array): void {
  const { tick, payloadKind: kind, encoding, base, offset, snapshot, before, announced, uncertain } = entry;
  const known = track.byTick.get(base) ?? (base === -1 ? emptyBase : undefined);
  const from = kind === 'snapshot' || !snapshot ? unknownBase : known;
  const added = track.add({ tick, kind, encoding, payload, offset, before, base: from, announced, uncertain });
  track.byTick.set(tick, added);
}
