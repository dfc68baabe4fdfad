import type { RecordingEntry, Stream } from '../recording/record.ts';
import { ConnectionExplainer } from './connection-explainer.ts';
import { type Explanation, explain } from './explanation.ts';
import { RecordingHealth, type StreamFinding } from './health.ts';
import { Search } from './hypothesis.ts';
import type { Run } from './run.ts';

/** Explains the failures of a recording from its records. */
export class RecordingExplainer {
  readonly #search = new Search();
  readonly #health = new RecordingHealth();
  readonly #byStream = new Map<Stream, ConnectionExplainer>();
  /** What is kept of connections that were dropped. */
  readonly #dropped = { snapshots: 0, failures: 0, unreadable: 0, runs: [] as Run[] };

  add(entry: RecordingEntry): void {
    const { stream } = entry;
    if (!stream) return;
    this.#health.add(entry);
    if (entry.record === 'snapshot') this.of(stream).onSnapshot(entry);
    else if (entry.record === 'message' && entry.direction === 'to_client') this.of(stream).onMessage(entry);
    else if (entry.record === 'drop') this.#drop(stream);
  }

  of(stream: Stream): ConnectionExplainer {
    let explainer = this.#byStream.get(stream);
    if (!explainer) {
      explainer = new ConnectionExplainer(stream, this.#search);
      this.#byStream.set(stream, explainer);
    }
    return explainer;
  }

  /** The numbers of snapshots, of failures among them, and of snapshots with unreadable messages. */
  get counts(): { readonly snapshots: number; readonly failures: number; readonly unreadable: number } {
    const all = [this.#dropped, ...this.#byStream.values()];
    const failures = all.reduce((sum, one) => sum + one.failures, 0);
    const snapshots = all.reduce((sum, one) => sum + one.snapshots, failures);
    return { snapshots, failures, unreadable: all.reduce((sum, one) => sum + one.unreadable, 0) };
  }

  get findings(): StreamFinding[] {
    return this.#health.findings;
  }

  explain(): Explanation[] {
    return explain([this.#dropped, ...this.#byStream.values()].flatMap(({ runs }) => runs));
  }

  #drop(stream: Stream): void {
    const explainer = this.#byStream.get(stream);
    if (!explainer) return;
    this.#byStream.delete(stream);
    const dropped = this.#dropped;
    dropped.snapshots += explainer.snapshots;
    dropped.failures += explainer.failures;
    dropped.unreadable += explainer.unreadable;
    dropped.runs.push(...explainer.runs);
  }
}
