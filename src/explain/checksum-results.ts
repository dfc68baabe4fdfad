import { ChecksumCounts } from '../recording/checksum/checksum-counts.ts';
import type { ConnectionStream, SnapshotEntry, Stream } from '../recording/record.ts';
import { Failure } from './failure.ts';
import { type NamedItem, nameItems, type Suspect, suspectsOf } from './suspects.ts';

/** The checksums of one connection. */
export interface ConnectionResults {
  readonly stream: ConnectionStream;
  readonly counts: ChecksumCounts;
}

/** A snapshot that does not match the announced checksum, or is damaged. */
export interface FailedChecksum {
  /** The packet that completed it; 0 at the end of the recording. */
  readonly frame: number;
  readonly client: string;
  readonly tick: number;
  readonly base: number;
  readonly expected: number;
  /** Undefined if it could not be rebuilt. */
  readonly crc: number | undefined;
  readonly cause: SnapshotEntry['cause'];
  readonly suspects: readonly Suspect[];
  /** The items that differ from the base. The base had the right checksum, so one of them may be the cause. */
  readonly touched: readonly NamedItem[];
}

/** The maximum number of kept failures; more are only counted. */
const maxFailures = 1000;

/** Compares the rebuilt snapshots of a capture with their announced checksums. */
export class ChecksumResults {
  /** The connections with snapshots. */
  get connections(): readonly ConnectionResults[] {
    return [...this.#byStream.values()];
  }

  readonly failures: FailedChecksum[] = [];
  readonly #dropped = new ChecksumCounts();
  readonly #byStream = new Map<Stream, ConnectionResults>();

  /** @returns what is wrong, if anything is, and not too much was before */
  add(entry: SnapshotEntry): FailedChecksum | undefined {
    const { stream, verdict } = entry;
    let sums = this.#byStream.get(stream);
    if (!sums) {
      sums = { stream: stream as ConnectionStream, counts: new ChecksumCounts() };
      this.#byStream.set(stream, sums);
    }
    sums.counts.count(entry);
    const isWrong = verdict === 'mismatch' || verdict === 'damaged';
    if (!isWrong || this.failures.length >= maxFailures) return undefined;
    const failure = failureOf(entry);
    this.failures.push(failure);
    return failure;
  }

  /** The connection was dropped: only its counts are kept. */
  drop(stream: Stream): void {
    const results = this.#byStream.get(stream);
    if (results) this.#dropped.add(results.counts);
    this.#byStream.delete(stream);
  }

  get total(): ChecksumCounts {
    const total = new ChecksumCounts().add(this.#dropped);
    return this.connections.reduce((sum, { counts }) => sum.add(counts), total);
  }
}

function failureOf(entry: SnapshotEntry): FailedChecksum {
  const { frame = 0, tick, base, announced = 0, before, payload, snapshot, cause, stream } = entry;
  const { client, protocol } = stream;
  const failed = { frame, client, tick, base, expected: announced, crc: snapshot?.checksum(), cause };
  if (!before || !payload || !snapshot) return { ...failed, suspects: [], touched: [] };
  const failure = new Failure({ protocol, tick, base, before, payload, announced });
  return { ...failed, suspects: suspectsOf(failure), touched: touchedBy(failure) };
}

function touchedBy({ delta, types }: Failure): NamedItem[] {
  const removed = Array.from({ length: delta.removedCount }, (_, i) => delta.removedKey(i));
  return nameItems(new Set([...delta.keys.subarray(0, delta.count), ...removed]), types);
}
