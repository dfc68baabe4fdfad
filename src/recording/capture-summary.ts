import type { LocatedDiagnostic } from '../decode/findings.ts';
import type { CaptureRecord } from './capture.ts';
import type { Connection } from './connection.ts';
import { ConnectionSummary } from './connection-summary.ts';

/** Findings that are kept; the rest is counted. */
const maxFindings = 1000;

/** What a capture holds, gathered from its records. */
export class CaptureSummary {
  readonly connections: ConnectionSummary[] = [];
  readonly findings: LocatedDiagnostic[] = [];
  moreFindings = 0;
  readonly #byConnection = new Map<Connection, ConnectionSummary>();
  readonly #client: string | undefined;

  /** @param client the only one that is wanted, if one is */
  constructor(client?: string) {
    this.#client = client;
  }

  add(record: CaptureRecord): void {
    if (this.#client !== undefined && 'connection' in record && record.connection.client !== this.#client) return;
    switch (record.event) {
      case 'connection':
        this.#of(record.connection);
        break;
      case 'snapshot':
        this.#of(record.connection).onSnapshot(record.received);
        break;
      case 'message':
        this.#of(record.connection).onMessage(record.message, record.direction);
        break;
      case 'close':
        this.#of(record.connection).close = { direction: record.direction, reason: record.reason };
        break;
      case 'finding':
        if (this.findings.length < maxFindings) this.findings.push(record.finding);
        else this.moreFindings++;
        break;
      case 'undecodable':
        // Each connection counts its own.
        break;
    }
  }

  get undecodable(): number {
    return this.connections.reduce((sum, { connection }) => sum + connection.undecodable, 0);
  }

  get snapshots(): number {
    return this.connections.reduce((sum, one) => sum + one.snapshots, 0);
  }

  /** Seconds since 1970 of the first packet of a connection; not a number without one, or without times. */
  get firstTime(): number {
    return this.connections.reduce((first, { connection }) => Math.min(first, connection.firstTime), Infinity);
  }

  /** Seconds from the first packet of a connection to the last; by the ticks where the file tells no times. */
  get seconds(): number {
    const lastTime = this.connections.reduce((last, { connection }) => Math.max(last, connection.lastTime), -Infinity);
    const seconds = lastTime - this.firstTime;
    if (Number.isFinite(seconds)) return seconds;
    return this.connections.reduce((most, { firstTick, lastTick }) => Math.max(most, (lastTick - firstTick) / 50), 0);
  }

  #of(connection: Connection): ConnectionSummary {
    let summary = this.#byConnection.get(connection);
    if (!summary) {
      summary = new ConnectionSummary(connection);
      this.#byConnection.set(connection, summary);
      this.connections.push(summary);
    }
    return summary;
  }
}
