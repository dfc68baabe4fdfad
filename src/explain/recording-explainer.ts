import type { RecordingEntry, Stream } from '../recording/record.ts';
import { ConnectionExplainer } from './connection-explainer.ts';
import { type Explanation, explain } from './explanation.ts';
import { RecordingHealth, type StreamFinding } from './health.ts';
import { Search } from './hypothesis.ts';

/** Explains the failures of a recording from its records. */
export class RecordingExplainer {
  readonly #search = new Search();
  readonly #health = new RecordingHealth();
  readonly #byStream = new Map<Stream, ConnectionExplainer>();

  add(entry: RecordingEntry): void {
    const { stream } = entry;
    if (!stream) return;
    this.#health.add(entry);
    if (entry.record === 'snapshot') this.of(stream).onSnapshot(entry);
    else if (entry.record === 'message' && entry.direction === 'to_client') this.of(stream).onMessage(entry);
  }

  /** What is known of a stream. */
  of(stream: Stream): ConnectionExplainer {
    let explainer = this.#byStream.get(stream);
    if (!explainer) {
      explainer = new ConnectionExplainer(stream, this.#search);
      this.#byStream.set(stream, explainer);
    }
    return explainer;
  }

  /** Snapshots, those among them that failed, and others whose message can't be read. */
  get counts(): { readonly snapshots: number; readonly failures: number; readonly unreadable: number } {
    const sum = (count: (one: ConnectionExplainer) => number) =>
      [...this.#byStream.values()].reduce((total, one) => total + count(one), 0);
    const failures = sum((one) => one.failures);
    return { snapshots: failures + sum((one) => one.snapshots), failures, unreadable: sum((one) => one.unreadable) };
  }

  get findings(): StreamFinding[] {
    return this.#health.findings;
  }

  explain(): Explanation[] {
    return explain([...this.#byStream.values()].flatMap(({ runs }) => runs));
  }
}
