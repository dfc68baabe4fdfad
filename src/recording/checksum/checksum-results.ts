import type { Delta } from '../../snapshot/delta.ts';
import { ItemTypes } from '../../snapshot/item-types.ts';
import { idOf, typeOf } from '../../snapshot/key.ts';
import type { CaptureRecord } from '../capture.ts';
import type { Connection } from '../connection.ts';
import type { Received } from '../received-snapshot.ts';
import { SumCounts } from './checksum-counts.ts';
import { type Suspect, suspectsOf } from './checksum-suspects.ts';

/** The sums of one connection. */
export interface ConnectionSums {
  readonly connection: Connection;
  readonly counts: SumCounts;
}

/** A snapshot that is not what its server announced. */
export interface SumTrouble {
  readonly client: string;
  readonly tick: number;
  readonly base: number;
  readonly expected: number;
  /** Undefined where it could not be rebuilt. */
  readonly crc: number | undefined;
  readonly fault: Received['fault'];
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
export class CaptureSums {
  /** Those that snapshots came in. */
  readonly connections: ConnectionSums[] = [];
  readonly troubles: SumTrouble[] = [];
  readonly #byConnection = new Map<Connection, ConnectionSums>();

  take({ connection, received }: CaptureRecord & { event: 'snapshot' }): void {
    let sums = this.#byConnection.get(connection);
    if (!sums) {
      sums = { connection, counts: new SumCounts() };
      this.#byConnection.set(connection, sums);
      this.connections.push(sums);
    }
    sums.counts.take(received);
    const isWrong = received.ok === false || received.reason === 'damaged';
    if (isWrong && this.troubles.length < maxTroubles) this.troubles.push(troubleOf(received, connection));
  }

  get total(): SumCounts {
    return this.connections.reduce((total, { counts }) => total.add(counts), new SumCounts());
  }
}

function troubleOf(received: Received, { client, protocol }: Connection): SumTrouble {
  const { tick, base, expected = 0, before, delta, snapshot, crc, fault } = received;
  const trouble = { client, tick, base, expected, crc, fault };
  if (!before || !delta || !snapshot || crc === undefined) return { ...trouble, suspects: [], touched: [] };
  const types = new ItemTypes(protocol).learn(snapshot);
  const suspects = suspectsOf({ before, delta, snapshot, crc, expected }, types);
  return { ...trouble, suspects, touched: touchedBy(delta, types) };
}

function touchedBy(delta: Delta, types: ItemTypes): Touched[] {
  const removed = Array.from({ length: delta.removedCount }, (_, i) => delta.removedKey(i));
  const keys = new Set([...delta.keys.subarray(0, delta.count), ...removed]);
  return [...keys].map((key) => ({ type: typeOf(key), id: idOf(key), name: types.of(typeOf(key))?.name }));
}
