import { HeaderRepair } from '../../editing/header-repair.ts';
import type { Losses } from '../../editing/losses.ts';
import { Repairer } from '../../editing/repair.ts';
import { Players } from '../../recording/events/players.ts';
import type { GamePlays } from '../../recording/playback/plays.ts';
import type { MessageEntry, RecordingEntry, SnapshotEntry } from '../../recording/replay/record.ts';
import type { Stream } from '../../recording/replay/stream.ts';
import { AppendBuffer } from '../../wire/bytes/buffers.ts';
import type { Diagnostic } from '../../wire/bytes/diagnostic.ts';
import { getOr } from '../../wire/bytes/get-or.ts';
import { copyOf } from '../../wire/snapshot/builder.ts';
import type { Delta } from '../../wire/snapshot/delta.ts';
import { typeOf } from '../../wire/snapshot/key.ts';
import type { Snapshot } from '../../wire/snapshot/snapshot.ts';
import { type Explanation, explain } from './explanation.ts';
import type { PreviousSnapshot } from './failure.ts';
import { Search } from './hypothesis.ts';
import { partsOf, sameParts } from './item-evidence.ts';
import { maxEarlier, maxRunsOfStream } from './limits.ts';
import { Run } from './run.ts';
import { RecordingHealth, type StreamFinding } from './server-faults.ts';

export class RecordingExplainer {
  readonly #search = new Search();
  readonly health = new RecordingHealth();
  readonly #byStream = new Map<Stream, ConnectionExplainer>();
  readonly #begin = (stream: Stream) => new ConnectionExplainer(stream, this.#search);
  readonly #dropped = { counts: new Counts(), runs: [] as Run[] };

  add(entry: RecordingEntry): void {
    const { stream } = entry;
    this.health.add(entry);
    if (!stream) return;
    if (entry.record === 'snapshot') this.of(stream).onSnapshot(entry);
    else if (entry.record === 'message' && entry.direction === 'to_client') this.of(stream).onMessage(entry);
    else if (entry.record === 'drop') this.#drop(stream);
  }

  of(stream: Stream): ConnectionExplainer {
    return getOr(this.#byStream, stream, this.#begin);
  }

  get counts(): Counts {
    return this.#all.reduce((sum, { counts }) => sum.add(counts), new Counts());
  }

  get findings(): StreamFinding[] {
    return this.health.findings;
  }

  explain(): Explanation[] {
    return explain(this.#all.flatMap(({ runs }) => runs));
  }

  /** All connections but those whose packets make no sense: neither do their snapshots. */
  get #all() {
    return [this.#dropped, ...[...this.#byStream.values()].filter(({ stream }) => !this.health.isNoise(stream))];
  }

  #drop(stream: Stream): void {
    const explainer = this.#byStream.get(stream);
    if (!explainer) return;
    this.#byStream.delete(stream);
    this.#dropped.counts.add(explainer.counts);
    this.#dropped.runs.push(...explainer.runs);
  }
}

/**
 * The numbers of snapshots, of failures among them, and of snapshots with unreadable messages and without their base.
 */
class Counts {
  snapshots = 0;
  failures = 0;
  unreadable = 0;
  missingBases = 0;

  add(other: Counts): this {
    for (const name of ['snapshots', 'failures', 'unreadable', 'missingBases'] as const) this[name] += other[name];
    return this;
  }
}

/** A copy of a snapshot's payload, since that of a record is valid only until the next; it is filled again. */
class KeptPayload {
  readonly #bytes = new AppendBuffer(1 << 10);
  #partEnds: SnapshotEntry['partEnds'];
  base = -1;
  isRight = false;

  keep(payload: Uint8Array, { partEnds, base, verdict }: SnapshotEntry): void {
    this.#bytes.clear();
    this.#bytes.bytes(payload);
    this.#partEnds = partEnds;
    this.base = base;
    this.isRight = verdict === 'ok';
  }

  get parts(): Uint8Array[] {
    return partsOf({ payload: this.#bytes.view().slice(), partEnds: this.#partEnds });
  }
}

/** Follows the snapshots of one stream, and tests each failure while the snapshots it depends on are available. */
class ConnectionExplainer {
  readonly stream: Stream;
  readonly runs: Run[] = [];
  readonly players = new Players();
  readonly counts = new Counts();
  readonly #search: Search;
  /** The types in deltas that were right and of which no ints were left over. */
  readonly #knownTypes = new Set<number>();
  #run: Run | undefined;
  /** The last payloads: only a failure needs their parts, which took 3 % of `info` for each snapshot. */
  #last: KeptPayload | undefined;
  #secondLast: KeptPayload | undefined;
  /** The tick of the last snapshot with the right checksum, and the snapshot before if its checksum was wrong. */
  #right = -1;
  #failed: Snapshot | undefined;
  /** The checksums of the last snapshots as they were rebuilt, the last first. */
  readonly #earlier: number[] = [];

  constructor(stream: Stream, search: Search) {
    this.stream = stream;
    this.#search = search;
  }

  onMessage(entry: MessageEntry): void {
    // Only this one has a name, and reading a message takes longer than its head.
    if (entry.head.type?.name === 'sv_clientinfo') this.players.onMessage(entry.message);
  }

  onSnapshot(entry: SnapshotEntry): void {
    const { verdict, snapshot, payload, tick } = entry;
    if (verdict === 'mismatch' || verdict === 'damaged') this.#onFailure(entry);
    else if (snapshot) this.#onRight(entry, snapshot);
    else if (verdict === 'missing_base') this.counts.missingBases++;
    if (!payload) return;
    const filled = this.#secondLast ?? new KeptPayload();
    filled.keep(payload, entry);
    this.#secondLast = this.#last;
    this.#last = filled;
    if (!snapshot) return;
    this.#earlier.unshift(snapshot.checksum());
    if (this.#earlier.length > maxEarlier) this.#earlier.pop();
    if (verdict === 'ok') this.#right = tick;
    this.#failed = verdict === 'mismatch' ? copyOf(snapshot) : undefined;
  }

  get #previous(): PreviousSnapshot | undefined {
    if (!this.#last) return undefined;
    const { parts, base, isRight } = this.#last;
    return { parts, repeated: sameParts(parts, this.#secondLast?.parts), base, isRight };
  }

  #onRight({ delta, kind, stream, payload, partEnds }: SnapshotEntry, snapshot: Snapshot): void {
    this.#run?.end(snapshot, payload ? partsOf({ payload, partEnds }) : []);
    this.#run = undefined;
    if (kind === 'empty') return;
    this.counts.snapshots++;
    if (delta && delta.end === delta.length) this.#noteTypes(delta);
    // Names change seldom, and a look at all items of each snapshot takes time.
    if (!delta || Players.areIn(delta, stream.protocol)) this.players.onSnapshot(snapshot, stream.protocol);
  }

  #noteTypes({ keys, count }: Delta): void {
    // Items of a type stand together.
    for (let i = 0, last = -1; i < count; i++) {
      const type = typeOf(keys[i]!);
      if (type !== last) this.#knownTypes.add(type);
      last = type;
    }
  }

  #onFailure({ tick, base, before, payload, announced, partEnds, stored, frame = 0 }: SnapshotEntry): void {
    if (!before || !payload || announced === undefined) {
      this.counts.unreadable++;
      return;
    }
    this.counts.snapshots++;
    this.counts.failures++;
    if (!this.#run && (this.runs.length >= maxRunsOfStream || !this.#search.keepRun())) return;
    const right = [...(stored ?? [])].find(([tick]) => tick === this.#right)?.[1];
    const previous = this.#failed ?? right;
    const references = [
      ...(previous ? [{ when: 'previous', isRight: !this.#failed, earlier: previous }] : []),
      ...(right ? [{ when: 'right', isRight: true, earlier: right }] : []),
    ];
    const context = { protocol: this.stream.protocol, partEnds, stored, previous: this.#previous, references };
    const known = { earlier: [...this.#earlier], knownTypes: this.#knownTypes };
    const received = { tick, base, before, payload, announced, ...context, ...known };
    if (!this.#run) {
      this.#run = new Run(this.stream, this.players, received);
      this.runs.push(this.#run);
    }
    this.#run.add(received, frame, this.#search);
  }
}

/** The faults of a demo: the data that `repair` would leave out or read differently. */
export interface DemoFaults {
  /** The ticks of snapshots that are unreadable or depend on unreadable ones. */
  readonly losses: Losses;
  /** The number of deltas in a 0.7 demo that have the item sizes of 0.6. */
  readonly wrongSizes: number;
  /** Whether the map differs from the one in the header. */
  readonly isOtherMap: boolean;
  /** Why a game does not play it. */
  readonly unplayable: readonly Diagnostic[];
  /** Whether `repair` would leave a demo that the games play: at least two ticks and a snapshot. */
  readonly isRepairable: boolean;
}

/** Repairs a demo without writing it. Requires the records of chunks (`parts`). */
export class DemoCheck {
  readonly #header = new HeaderRepair();
  readonly #repairer = new Repairer((entry) => {
    if (entry.record === 'snapshot') this.#hasSnapshot = true;
    if (entry.record !== 'tick') return;
    if (this.#firstTick < 0) this.#firstTick = entry.tick;
    else if (entry.tick !== this.#firstTick) this.#hasTicks = true;
  });
  #plays: GamePlays | undefined;
  #hasHeader = false;
  /** Of what `repair` would write. */
  #firstTick = -1;
  #hasTicks = false;
  #hasSnapshot = false;

  add(entry: RecordingEntry): void {
    if (entry.record === 'header') {
      this.#hasHeader = true;
      this.#plays = entry.plays;
      this.#header.header(entry);
    }
    if (!this.#hasHeader) return;
    if (entry.record === 'map') this.#header.addMap(entry.piece);
    this.#repairer.add(entry);
  }

  /** Ends the demo; returns undefined if it has no fault. */
  finish(): DemoFaults | undefined {
    if (!this.#hasHeader) return undefined;
    this.#repairer.finish();
    const { wrongSizes } = this.#repairer;
    const { losses } = this.#repairer.losses;
    const { isOtherMap } = this.#header;
    const notPlayed = this.#plays?.notPlayed;
    // Items with wrong sizes are counted.
    const unplayable = notPlayed && notPlayed.args.play !== 'misread' ? [notPlayed] : [];
    const isFaulty = losses.count > 0 || losses.messages > 0 || wrongSizes > 0 || isOtherMap || unplayable.length > 0;
    const isRepairable = this.#hasTicks && this.#hasSnapshot;
    return isFaulty ? { losses, wrongSizes, isOtherMap, unplayable, isRepairable } : undefined;
  }
}
