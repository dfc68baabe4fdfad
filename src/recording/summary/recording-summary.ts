import type { Diagnostic } from '../../wire/bytes/diagnostic.ts';
import { ticksPerSecond } from '../../wire/protocol/ticks.ts';
import { type DemoHeader, markersFrom } from '../container/demo/header.ts';
import type { Ghost } from '../container/ghost/ghost.ts';
import {
  countFinding,
  diagnosticFinding,
  type Finding,
  healthOf,
  isLimit,
  judgeFindings,
  oddityFindings,
} from '../health/findings.ts';
import type { HealthState } from '../health/health.ts';
import { oddValueFindings } from '../health/odd-values.ts';
import type { GamePlay, GamePlays } from '../playback/plays.ts';
import { MapSummary } from '../replay/map-summary.ts';
import type { RecordingEntry } from '../replay/record.ts';
import { type DatagramCounts, packetSeconds, type Replay } from '../replay/replay.ts';
import type { ConnectionStream, Stream } from '../replay/stream.ts';
import { addCounts, StreamSummary } from './stream-summary.ts';

const maxDiagnostics = 1000;

export interface Health {
  readonly state: HealthState;
  /** Whether the only damage is that the file ends early. */
  readonly isCut: boolean;
  /** The offsets of all errors of the file, up to a limit. */
  readonly at: readonly number[];
}

/** The counts of a stream that also say something of the whole recording. */
const countsOf = ({ snapshots, outcomes, connection }: StreamSummary) => ({
  snapshots,
  /** Those whose checksum is not the announced one. */
  mismatched: outcomes.mismatched,
  /** Those of a connection that were captured but cannot be read. */
  damaged: connection ? outcomes.damaged : 0,
  /** Those that cannot be rebuilt without packets that are not in the recording. */
  missing: outcomes.missing_base + outcomes.missing_part,
  undecodable: connection?.undecodable ?? 0,
  /** Packets that the games drop: forged, stray or refused. */
  rejectedPackets: connection?.rejectedPackets ?? 0,
});

export type Counts = ReturnType<typeof countsOf>;

/** The summary of a recording, computed from its records. */
export class RecordingSummary {
  header: DemoHeader | undefined;
  ghost: Ghost | undefined;
  map: MapSummary | undefined;
  /** Empty if it has to be computed again. */
  #streams: StreamSummary[] = [];
  /** The counts of connections that were dropped because there were too many. */
  readonly #dropped: Counts = {
    snapshots: 0,
    mismatched: 0,
    damaged: 0,
    missing: 0,
    undecodable: 0,
    rejectedPackets: 0,
  };
  readonly diagnostics: Diagnostic[] = [];
  omittedDiagnostics = 0;
  readonly #kinds = new Set<string>();
  #plays: GamePlays | undefined;
  readonly #replay: Pick<Replay, 'container' | 'datagrams'>;
  readonly #byStream = new Map<Stream, StreamSummary>();
  #last: StreamSummary | undefined;
  readonly #errorOffsets: number[] = [];
  #isCut = false;

  constructor(replay: Pick<Replay, 'container' | 'datagrams' | 'streams'>) {
    this.#replay = replay;
    for (const stream of replay.streams) this.#of(stream);
  }

  /** One for a demo; one for each connection of a capture. */
  get streams(): readonly StreamSummary[] {
    if (this.#streams.length < this.#byStream.size) this.#streams = [...this.#byStream.values()];
    return this.#streams;
  }

  /** `demo`, `pcap`, `pcapng`, `netlog`; `unknown` before the first record. */
  get container(): string {
    return this.#replay.container ?? 'unknown';
  }

  /** Undefined for a recording that does not consist of packets. */
  get datagrams(): DatagramCounts | undefined {
    return this.#replay.datagrams;
  }

  add(entry: RecordingEntry): void {
    if (entry.stream?.client === '') this.#of(entry.stream).follow(entry);
    switch (entry.record) {
      case 'tick':
        this.#of(entry.stream).onTick(entry.tick);
        break;
      case 'snapshot':
        this.#of(entry.stream).onSnapshot(entry);
        break;
      case 'message':
        this.#of(entry.stream).onMessage(entry);
        break;
      case 'ghost':
        this.ghost = entry.ghost;
        this.#plays = entry.plays;
        break;
      case 'connection':
        this.#of(entry.stream).connection = entry.stream;
        break;
      case 'drop':
        this.#drop(entry.stream);
        break;
      case 'diagnostic':
        // A connection counts its unreadable packets itself.
        if (entry.weight && entry.stream) this.#of(entry.stream).oddities.add(entry);
        else if (!entry.direction) this.#onDiagnostic(entry.diagnostic);
        break;
      case 'map':
        this.map ??= entry.map ?? new MapSummary();
        if (!entry.map) this.map.add(entry.piece);
        break;
      case 'header':
        this.header = entry.header;
        this.#plays = entry.plays;
        break;
      // The streams and the datagrams of the replay count them.
      case 'copy':
      case 'close':
      case 'packet':
      case 'server_info':
      case 'info_exchange':
      case 'handshake':
      case 'chunk':
      case 'block':
        break;
      default:
        entry satisfies never;
    }
  }

  /** What is known of a stream; undefined before its first record, and for one that was dropped. */
  summaryOf(stream: Stream): StreamSummary | undefined {
    return this.#byStream.get(stream);
  }

  /** The markers of a demo; none of a recording that was not stopped. */
  get markers(): readonly number[] {
    return this.header ? markersFrom(this.header, this.streams[0]!.firstTick) : [];
  }

  get counts(): Counts {
    const all = { ...this.#dropped };
    for (const stream of this.streams) addCounts(all, countsOf(stream));
    return all;
  }

  /** The time of the first packet of a connection in seconds since 1970; not finite without connections or times. */
  get firstTime(): number {
    const dropped = this.datagrams?.droppedTimes.firstTime ?? Infinity;
    return this.streams.reduce((first, { connection }) => Math.min(first, connection?.firstTime ?? Infinity), dropped);
  }

  /** See `packetSeconds`; computed from ticks if there are no times. */
  get seconds(): number {
    const seconds = packetSeconds(
      this.streams.flatMap(({ connection }) => connection ?? []),
      this.datagrams,
    );
    const ticks = this.streams.map(({ firstTick, lastTick }) => lastTick - firstTick);
    return seconds ?? ticks.reduce((most, own) => Math.max(most, own), 0) / ticksPerSecond;
  }

  /** What is wrong or unusual in the recording. */
  get findings(): Finding[] {
    const { mismatched, missing, undecodable, damaged, snapshots } = this.counts;
    const dropped = this.datagrams?.dropped;
    return [
      ...countFinding('errors', 'unread', this.#errorOffsets.length),
      ...countFinding('undecodable_packets', 'unread', undecodable),
      ...countFinding('damaged_snapshots', 'unread', damaged),
      ...countFinding('mismatched_snapshots', 'wrong', mismatched),
      ...this.streams.flatMap(({ judge }) => judgeFindings(judge)),
      ...countFinding('missing_snapshots', 'warning', missing, { args: { snapshots } }),
      ...countFinding('connections_not_listed', 'warning', dropped?.connections ?? 0, {
        args: { packets: dropped?.packets ?? 0 },
      }),
      ...this.diagnostics.map(diagnosticFinding),
      ...this.streams.flatMap(({ stream, oddities }) => oddityFindings(oddities, stream.client)),
      // After damage values may be wrong.
      ...(this.#errorOffsets.length > 0
        ? []
        : this.streams.flatMap(({ items, stream }) => oddValueFindings(items.odd, stream))),
    ];
  }

  /**
   * What the games do with a demo or a ghost; empty before its end, for other recordings, for one whose header cannot be
   * read, and for records that were read without that.
   */
  get plays(): readonly GamePlay[] {
    return this.#plays?.rows ?? [];
  }

  /** What the last version of a game does that should play it; undefined if it does. */
  get fault(): GamePlay | undefined {
    return this.#plays?.fault;
  }

  get health(): Health {
    const at = this.#errorOffsets;
    return { state: healthOf(this.findings), at, isCut: this.#isCut };
  }

  #onDiagnostic(diagnostic: Diagnostic): void {
    this.#keep(diagnostic);
    const { severity, code, offset } = diagnostic;
    const offsets = this.#errorOffsets;
    if (severity !== 'error' || isLimit(code) || offsets.length >= maxDiagnostics) return;
    // A ghost that is cut has fewer characters than its header says, which is no damage of its own.
    if (offsets.length === 0) this.#isCut = code === 'truncated_chunk' || code === 'truncated_map';
    else this.#isCut &&= code === 'ghost_count';
    offsets.push(offset);
  }

  #keep(diagnostic: Diagnostic): void {
    // The first one of each kind decides about the health as all of them would.
    const kind = `${diagnostic.severity} ${diagnostic.code}`;
    if (this.diagnostics.length < maxDiagnostics || !this.#kinds.has(kind)) this.diagnostics.push(diagnostic);
    else this.omittedDiagnostics++;
    this.#kinds.add(kind);
  }

  #of(stream: Stream): StreamSummary {
    // Most records are of the stream of the one before.
    if (this.#last?.stream === stream) return this.#last;
    this.#last = this.#byStream.get(stream) ?? this.#begin(stream);
    return this.#last;
  }

  #begin(stream: Stream): StreamSummary {
    const summary = new StreamSummary(stream);
    if (this.#streams.length === this.#byStream.size) this.#streams.push(summary);
    this.#byStream.set(stream, summary);
    return summary;
  }

  #drop(stream: ConnectionStream): void {
    const summary = this.#of(stream);
    summary.connection = stream;
    addCounts(this.#dropped, countsOf(summary));
    this.#byStream.delete(stream);
    this.#last = undefined;
    this.#streams = [];
  }
}
