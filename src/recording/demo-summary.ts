import type { Diagnostic } from '../bytes/diagnostic.ts';
import type { DemoHeader } from '../container/demo/header.ts';
import type { Protocol } from '../protocol/registry.ts';
import { ticksPerSecond } from '../protocol/ticks.ts';
import { MapSums } from './map-sums.ts';
import { PlayerNames } from './player-names.ts';
import type { RecordingEntry } from './record.ts';

/** Diagnostics that are kept, and errors among them; of a demo that is broken all over the rest is counted. */
const maxDiagnostics = 1000;
/** Kinds of messages that are told apart: some can have any UUID. */
const maxMessages = 1000;

/** What a demo is, gathered from its records. */
export class DemoSummary {
  header: DemoHeader | undefined;
  protocol: Protocol | undefined;
  /** Of the map's bytes as they are; the header says what they should be. */
  readonly #map = new MapSums();
  mapSha256 = '';
  firstTick = -1;
  lastTick = -1;
  keyframes = 0;
  deltas = 0;
  mostItems = 0;
  mostBytes = 0;
  readonly messages = new Map<string, number>();
  readonly names = new PlayerNames();
  readonly diagnostics: Diagnostic[] = [];
  moreDiagnostics = 0;
  readonly #errors: Diagnostic[] = [];

  add(record: RecordingEntry): void {
    switch (record.record) {
      case 'header':
        this.header = record.header;
        this.protocol = record.stream.protocol;
        break;
      case 'map':
        this.#map.add(record.piece);
        break;
      case 'tick':
        if (this.firstTick < 0) this.firstTick = record.tick;
        // Not the highest: a damaged one may be wild.
        this.lastTick = record.tick;
        break;
      case 'snapshot': {
        const { snapshot, kind } = record;
        if (!snapshot) break;
        if (kind === 'snapshot') this.keyframes++;
        else this.deltas++;
        this.mostItems = Math.max(this.mostItems, snapshot.count);
        this.mostBytes = Math.max(this.mostBytes, 4 * snapshot.intCount);
        this.names.onSnapshot(snapshot, this.protocol!);
        break;
      }
      case 'message': {
        const { message } = record;
        this.#count(message.type?.name ?? `unknown ${message.uuid ?? message.id ?? ''}`);
        this.names.onMessage(message);
        break;
      }
      case 'diagnostic': {
        const { diagnostic } = record;
        if (this.diagnostics.length < maxDiagnostics) this.diagnostics.push(diagnostic);
        else this.moreDiagnostics++;
        if (diagnostic.severity === 'error' && this.#errors.length < maxDiagnostics) this.#errors.push(diagnostic);
      }
    }
  }

  #count(name: string): void {
    const times = this.messages.get(name);
    const key = times === undefined && this.messages.size >= maxMessages ? 'unknown others' : name;
    this.messages.set(key, (this.messages.get(key) ?? 0) + 1);
  }

  /** The demo has ended. */
  finish(): void {
    this.mapSha256 = this.#map.sha256();
  }

  get mapBytes(): number {
    return this.#map.size;
  }

  get mapCrc(): number {
    return this.#map.crc;
  }

  get messageCount(): number {
    return [...this.messages.values()].reduce((sum, count) => sum + count, 0);
  }

  /** Whether the map inside is the one the header names; undefined without a map. */
  get mapIsRight(): boolean | undefined {
    if (!this.header || this.mapBytes === 0) return undefined;
    const { mapCrc, sha256: stated } = this.header;
    return mapCrc === this.mapCrc && (stated === undefined || stated === this.mapSha256);
  }

  /** Seconds from the first tick to the last. */
  get seconds(): number {
    return Math.max(0, this.lastTick - this.firstTick) / ticksPerSecond;
  }

  /** `healthy`, or what is wrong: where it is cut, how many places are damaged. */
  get health(): { readonly state: 'healthy' | 'cut' | 'damaged' | 'unreadable'; readonly at: readonly number[] } {
    const errors = this.#errors;
    const at = errors.map(({ offset }) => offset);
    if (errors.length === 0) return { state: 'healthy', at };
    if (!this.header) return { state: 'unreadable', at };
    const cut = errors.length === 1 && (errors[0]!.code === 'truncated_chunk' || errors[0]!.code === 'truncated_map');
    return { state: cut ? 'cut' : 'damaged', at };
  }
}
