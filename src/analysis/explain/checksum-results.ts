import { ChecksumCounts } from '../../recording/health/checksums.ts';
import { type Finding, finding } from '../../recording/health/findings.ts';
import type { SnapshotEntry } from '../../recording/replay/record.ts';
import type { ConnectionStream, Stream } from '../../recording/replay/stream.ts';
import { valuesUpTo } from '../../wire/annotate/field-values.ts';
import { getOr } from '../../wire/bytes/get-or.ts';
import { idOf, typeOf } from '../../wire/snapshot/key.ts';
import { Failure } from './failure.ts';
import { hypotheses, invalidItems } from './hypotheses/index.ts';
import { type NamedItem, Search, type Statement } from './hypothesis.ts';
import { maxFailures, maxOfACause, smallDifference } from './limits.ts';
import { implausibleInts } from './plausible.ts';

export interface ConnectionResults {
  readonly stream: Pick<ConnectionStream, 'number' | 'client' | 'version' | 'undecodable' | 'rejectedPackets'>;
  readonly counts: ChecksumCounts;
}

export interface FailedChecksum {
  /** The packet that completed it; 0 at the end of the recording. */
  readonly frame: number;
  readonly client: string;
  readonly tick: number;
  readonly base: number;
  readonly expected: number;
  readonly crc: number | undefined;
  readonly cause: SnapshotEntry['cause'];
  readonly suspects: readonly Suspect[];
  /** The items that differ from the base. The base had the right checksum, so one of them may be the cause. */
  readonly touched: readonly NamedItem[];
}

/** What is wrong with a snapshot, without what may be the cause. */
export function failedFinding({ tick, base, frame, client, crc, expected, cause }: FailedChecksum): Finding {
  return finding('wrong_snapshot', crc === undefined ? 'unread' : 'wrong', {
    place: { tick, base, frame, client },
    args: { expected, ...(crc !== undefined && { crc }) },
    cause: cause && finding(cause.code, 'unread', { args: cause.args }),
  });
}

const newResults = (stream: ConnectionStream): ConnectionResults => ({ stream, counts: new ChecksumCounts() });

export class ChecksumResults {
  get connections(): readonly ConnectionResults[] {
    return [...this.#byStream.values()];
  }

  readonly failures: FailedChecksum[] = [];
  readonly #dropped = new ChecksumCounts();
  readonly #byStream = new Map<Stream, ConnectionResults>();

  /** Returns what is wrong, if anything is, and not too much was before. */
  add(entry: SnapshotEntry): FailedChecksum | undefined {
    const { stream, verdict } = entry;
    getOr(this.#byStream, stream as ConnectionStream, newResults).counts.count(entry);
    const isWrong = verdict === 'mismatch' || verdict === 'damaged';
    if (!isWrong || this.failures.length >= maxFailures) return undefined;
    const failure = failureOf(entry);
    this.failures.push(failure);
    return failure;
  }

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
  const { frame = 0, tick, base, announced = 0, before, payload, snapshot, stream, cause } = entry;
  const { client, protocol } = stream;
  const failed = { frame, client, tick, base, expected: announced, crc: snapshot?.checksum(), cause };
  if (!before || !payload || !snapshot) return { ...failed, suspects: [], touched: [] };
  const failure = new Failure({ protocol, tick, base, before, payload, announced });
  const { delta, types } = failure;
  const removed = Array.from({ length: delta.removedCount }, (_, i) => delta.removedKey(i));
  const touched = nameItems(new Set([...delta.keys.subarray(0, delta.count), ...removed]), types);
  return { ...failed, suspects: suspectsOf(failure), touched };
}

/** A statement about one failure, beside it, as plain data. */
export interface Suspect extends Omit<Statement, 'after'> {
  readonly items: readonly NamedItem[];
  readonly isLikely: boolean;
}

/**
 * What fits a single failure, the likely items first. What the bytes of a run show is known only from all its failures
 * together.
 */
function suspectsOf(failure: Failure): Suspect[] {
  const isDistinctive = Math.abs(failure.difference ?? 0) >= smallDifference;
  const search = new Search();
  const bySum = hypotheses.flatMap(({ isQuick, find }) => (isQuick ? [...find(failure, search)] : []));
  const { types } = failure;
  const found = [
    ...[...invalidItems(failure), ...unusualValues(failure)].map((fit) => ({
      ...fit,
      isLikely: fit.cause !== 'unregistered',
    })),
    ...bySum.map((fit) => ({ ...fit, isLikely: isDistinctive || fit.standing !== 'fits' })),
  ].map(({ after: _, ...fit }): Suspect => ({ ...fit, items: nameItems(fit.keys, types) }));
  const shown = [...new Set(found.map(({ cause }) => cause))].flatMap((cause) => {
    const fits = found.filter((suspect) => suspect.cause === cause);
    return fits.length <= maxOfACause
      ? fits
      : fits.slice(0, maxOfACause).map((suspect) => ({ ...suspect, isLikely: false }));
  });
  return [...shown.filter(({ isLikely }) => isLikely), ...shown.filter(({ isLikely }) => !isLikely)];
}

const nameItems = (keys: Iterable<number>, types: Failure['types']): NamedItem[] =>
  [...keys].map((key) => {
    const type = typeOf(key);
    return { type, id: idOf(key), name: types.of(type)?.name, label: types.nameOf(type) };
  });

function* unusualValues({ delta, types, snapshot, received: { before, tick } }: Failure): Iterable<Statement> {
  if (!snapshot) return;
  for (let i = 0; i < delta.count; i++) {
    const key = delta.keys[i]!;
    const was = before.findKey(key);
    const is = snapshot.findKey(key);
    if (is < 0) continue;
    const ints = snapshot.item(is);
    const odd = implausibleInts({ types, tick }, key, ints);
    for (const { label: field, at } of valuesUpTo(types.of(typeOf(key)), ints.length)) {
      const value = ints[at]!;
      const isNew = was < 0 || before.item(was)[at] !== value;
      if (!isNew || !odd.has(at)) continue;
      yield { cause: 'damaged', about: 'value', keys: [key], field, numbers: { value }, standing: 'fits' };
    }
  }
}
