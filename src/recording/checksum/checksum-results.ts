import type { Delta } from '../../snapshot/delta.ts';
import { ItemTypes } from '../../snapshot/item-types.ts';
import { idOf, typeOf } from '../../snapshot/key.ts';
import type { CaptureRecord } from '../capture.ts';
import type { Connection } from '../connection.ts';
import type { ReceivedSnapshot } from '../received-snapshot.ts';
import { ChecksumCounts } from './checksum-counts.ts';
import { type Suspect, suspectsOf } from './checksum-suspects.ts';

/** The sums of one connection. */
export interface ConnectionResults {
  readonly connection: Connection;
  readonly counts: ChecksumCounts;
}

/** A snapshot that is not what its server announced. */
export interface FailedChecksum {
  readonly client: string;
  readonly tick: number;
  readonly base: number;
  readonly expected: number;
  /** Undefined where it could not be rebuilt. */
  readonly crc: number | undefined;
  readonly fault: ReceivedSnapshot['fault'];
  readonly suspects: readonly Suspect[];
  /** The items that differ from the base, which had the right sum: the reason is among them, if it is an item. */
  readonly touched: readonly Touched[];
}

interface Touched {
  readonly type: number;
  readonly id: number;
  readonly name: string | undefined;
}

/** Troubles that are kept; the rest is counted. */
const maxTroubles = 1000;

/** Holds the rebuilt snapshots of a capture against their announced sums. */
export class ChecksumResults {
  /** Those that snapshots came in. */
  readonly connections: ConnectionResults[] = [];
  readonly troubles: FailedChecksum[] = [];
  readonly #byConnection = new Map<Connection, ConnectionResults>();

  add({ connection, received }: CaptureRecord & { event: 'snapshot' }): void {
    let sums = this.#byConnection.get(connection);
    if (!sums) {
      sums = { connection, counts: new ChecksumCounts() };
      this.#byConnection.set(connection, sums);
      this.connections.push(sums);
    }
    sums.counts.count(received);
    const isWrong = received.ok === false || received.reason === 'damaged';
    if (isWrong && this.troubles.length < maxTroubles) this.troubles.push(troubleOf(received, connection));
  }

  get total(): ChecksumCounts {
    return this.connections.reduce((total, { counts }) => total.add(counts), new ChecksumCounts());
  }
}

function troubleOf(received: ReceivedSnapshot, { client, protocol }: Connection): FailedChecksum {
  const { tick, base, expected = 0, before, delta, snapshot, crc, fault } = received;
  const trouble = { client, tick, base, expected, crc, fault };
  if (!before || !delta || !snapshot || crc === undefined) return { ...trouble, suspects: [], touched: [] };
  const types = new ItemTypes(protocol).onSnapshot(snapshot);
  const suspects = suspectsOf({ before, delta, snapshot, crc, expected }, types);
  return { ...trouble, suspects, touched: touchedBy(delta, types) };
}

function touchedBy(delta: Delta, types: ItemTypes): Touched[] {
  const removed = Array.from({ length: delta.removedCount }, (_, i) => delta.removedKey(i));
  const keys = new Set([...delta.keys.subarray(0, delta.count), ...removed]);
  return [...keys].map((key) => ({ type: typeOf(key), id: idOf(key), name: types.of(typeOf(key))?.name }));
}
