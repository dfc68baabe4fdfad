import type { Diagnostic } from '../bytes/diagnostic.ts';
import { ticksPerSecond } from '../protocol/ticks.ts';
import { ConnectionSummary } from './connection-summary.ts';
import type { ConnectionStream, RecordingEntry } from './record.ts';

/** Diagnostics that are kept; the rest is counted. */
const maxDiagnostics = 1000;

/** What a capture holds, gathered from its records. */
export class CaptureSummary {
  readonly connections: ConnectionSummary[] = [];
  readonly diagnostics: Diagnostic[] = [];
  moreDiagnostics = 0;
  readonly #byConnection = new Map<ConnectionStream, ConnectionSummary>();
  readonly #client: string | undefined;

  /** @param client the only one that is wanted, if one is */
  constructor(client?: string) {
    this.#client = client;
  }

  add(entry: RecordingEntry): void {
    const stream = entry.stream as ConnectionStream | undefined;
    if (this.#client !== undefined && stream && stream.client !== this.#client) return;
    switch (entry.record) {
      case 'connection':
        this.#of(entry.stream);
        break;
      case 'snapshot':
        this.#of(stream!).onSnapshot(entry);
        break;
      case 'message':
        this.#of(stream!).onMessage(entry.message, entry.direction);
        break;
      case 'close':
        this.#of(entry.stream).close = { direction: entry.direction, reason: entry.reason };
        break;
      case 'diagnostic':
        // Each connection counts its own packets that can't be read.
        if (stream) break;
        if (this.diagnostics.length < maxDiagnostics) this.diagnostics.push(entry.diagnostic);
        else this.moreDiagnostics++;
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
    return this.connections.reduce(
      (most, { firstTick, lastTick }) => Math.max(most, (lastTick - firstTick) / ticksPerSecond),
      0,
    );
  }

  #of(connection: ConnectionStream): ConnectionSummary {
    let summary = this.#byConnection.get(connection);
    if (!summary) {
      summary = new ConnectionSummary(connection);
      this.#byConnection.set(connection, summary);
      this.connections.push(summary);
    }
    return summary;
  }
}
