import type { Delta } from '../../snapshot/delta.ts';
import { ItemTypes } from '../../snapshot/item-types.ts';
import { idOf, typeOf } from '../../snapshot/key.ts';
import type { ConnectionStream, SnapshotEntry, Stream } from '../record.ts';
import { ChecksumCounts } from './checksum-counts.ts';
import { type Suspect, suspectsOf } from './checksum-suspects.ts';

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
  readonly touched: readonly Touched[];
}

interface Touched {
  readonly type: number;
  readonly id: number;
  readonly name: string | undefined;
}

/** Failures that are kept; more are only counted. */
const maxFailures = 1000;

/** Compares the rebuilt snapshots of a capture with their announced checksums. */
export class ChecksumResults {
  /** The connections with snapshots. */
  readonly connections: ConnectionResults[] = [];
  readonly failures: FailedChecksum[] = [];
  readonly #byStream = new Map<Stream, ConnectionResults>();

  add(entry: SnapshotEntry): void {
    const { stream, verdict } = entry;
    let sums = this.#byStream.get(stream);
    if (!sums) {
      sums = { stream: stream as ConnectionStream, counts: new ChecksumCounts() };
      this.#byStream.set(stream, sums);
      this.connections.push(sums);
    }
    sums.counts.count(entry);
    const isWrong = verdict === 'mismatch' || verdict === 'damaged';
    if (isWrong && this.failures.length < maxFailures) this.failures.push(failureOf(entry));
  }

  get total(): ChecksumCounts {
    return this.connections.reduce((total, { counts }) => total.add(counts), new ChecksumCounts());
  }
}

function failureOf(entry: SnapshotEntry): FailedChecksum {
  const { frame = 0, tick, base, announced: expected = 0, before, delta, snapshot, cause, stream } = entry;
  const { client, protocol } = stream;
  const crc = snapshot?.checksum();
  const failure = { frame, client, tick, base, expected, crc, cause };
  if (!before || !delta || !snapshot || crc === undefined) return { ...failure, suspects: [], touched: [] };
  const types = new ItemTypes(protocol).onSnapshot(snapshot);
  const suspects = suspectsOf({ before, delta, snapshot, crc, expected }, types);
  return { ...failure, suspects, touched: touchedBy(delta, types) };
}

function touchedBy(delta: Delta, types: ItemTypes): Touched[] {
  const removed = Array.from({ length: delta.removedCount }, (_, i) => delta.removedKey(i));
  const keys = new Set([...delta.keys.subarray(0, delta.count), ...removed]);
  return [...keys].map((key) => ({ type: typeOf(key), id: idOf(key), name: types.of(typeOf(key))?.name }));
}
