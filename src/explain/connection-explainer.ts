import { Players } from '../recording/players.ts';
import type { MessageEntry, SnapshotEntry, Stream } from '../recording/record.ts';
import { typeOf } from '../snapshot/key.ts';
import type { PreviousSnapshot } from './failure.ts';
import type { Search } from './hypothesis.ts';
import { partsOf } from './parts.ts';
import { Run } from './run.ts';

/** The maximum number of kept runs per connection; further ones add no information. */
const maxRuns = 200;

/** Follows the snapshots of one stream, and tests each failure while the snapshots it depends on are available. */
export class ConnectionExplainer {
  readonly stream: Stream;
  readonly runs: Run[] = [];
  readonly players = new Players();
  /** The number of rebuilt snapshots, and of failures: snapshots with another checksum or with an unreadable delta. */
  snapshots = 0;
  failures = 0;
  /** The number of snapshots with an unreadable message. */
  unreadable = 0;
  readonly #search: Search;
  /** The types that occurred in correct deltas. */
  readonly #knownTypes = new Set<number>();
  #run: Run | undefined;
  #previous: PreviousSnapshot | undefined;

  constructor(stream: Stream, search: Search) {
    this.stream = stream;
    this.#search = search;
  }

  onMessage(entry: MessageEntry): void {
    // Only this one has a name, and reading a message takes longer than its head.
    if (entry.head.type?.name === 'sv_clientinfo') this.players.onMessage(entry.message);
  }

  onSnapshot(entry: SnapshotEntry): void {
    const { verdict, snapshot, payload, partEnds, base } = entry;
    if (verdict === 'mismatch' || verdict === 'damaged') this.#onFailure(entry);
    else if (snapshot) this.#onRight(entry);
    if (!payload) return;
    const parts = partsOf({ payload, partEnds }).map((part) => part.slice());
    this.#previous = { parts, base, isRight: verdict === 'ok' };
  }

  #onRight(entry: SnapshotEntry): void {
    const { snapshot, delta, kind, stream, payload, partEnds } = entry;
    if (!snapshot) return;
    this.#run?.end(snapshot, payload ? partsOf({ payload, partEnds }) : []);
    this.#run = undefined;
    if (kind === 'empty') return;
    this.snapshots++;
    for (let i = 0; i < (delta?.count ?? 0); i++) this.#knownTypes.add(typeOf(delta!.keys[i]!));
    this.players.onSnapshot(snapshot, stream.protocol);
  }

  #onFailure({ tick, base, before, payload, announced, partEnds, stored, frame = 0 }: SnapshotEntry): void {
    if (!before || !payload || announced === undefined) {
      this.unreadable++;
      return;
    }
    this.failures++;
    if (!this.#run && (this.runs.length >= maxRuns || !this.#search.keepRun())) return;
    const { protocol } = this.stream;
    const previous = this.#previous;
    const received = { protocol, tick, base, before, payload, announced, partEnds, stored, previous };
    if (!this.#run) {
      this.#run = new Run(this.stream, this.players, received);
      this.runs.push(this.#run);
    }
    this.#run.add(received, frame, this.#knownTypes, this.#search);
  }
}
