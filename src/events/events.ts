import type { Diagnostic } from '../bytes/diagnostic.ts';
import type { DemoHeader } from '../container/demo/header.ts';
import type { Message } from '../packet/message.ts';
import { isSnapshotOrTiming } from '../protocol/message-registry.ts';
import type { Protocol } from '../protocol/registry.ts';
import type { SnapshotEntry, Stream } from '../recording/record.ts';
import type { Snapshot } from '../snapshot/snapshot.ts';
import { EventDetectors } from './detectors.ts';
import type { GameEvent, PlayerRef, TickEvents } from './event.ts';

/** The records of one stream that events are found in. */
export type EventInput =
  | {
      readonly record: 'header';
      readonly header: Pick<DemoHeader, 'markers' | 'length'>;
      readonly stream: Pick<Stream, 'protocol'>;
    }
  | { readonly record: 'map' | 'connection' | 'close' | 'chunk' | 'packet' }
  | { readonly record: 'tick'; readonly tick: number }
  | {
      readonly record: 'snapshot';
      readonly tick: number;
      readonly kind: SnapshotEntry['kind'];
      readonly snapshot: Snapshot | undefined;
      readonly before: Snapshot | undefined;
    }
  | { readonly record: 'message'; readonly bytes: Uint8Array; readonly message: Message }
  | { readonly record: 'diagnostic'; readonly diagnostic: Diagnostic };

/** A tick that holds more than that is damaged or made up. */
const maxHappenings = 500;
/** Snapshots come every other tick mostly; a step of so many ticks is a gap. */
const gapTicks = 50;
/** Longer messages are not looked at for repeats. */
const maxRepeatedBytes = 1000;
const killedByGame = -3;

/** Tells what happened in a demo: its records, in their order, become events per tick. */
export class EventReader {
  #tellers: EventDetectors | undefined;
  #markers: readonly number[] = [];
  #tick = -1;
  #moment: GameEvent[] = [];
  #more = 0;
  /** Messages of this tick: a server's demo holds them once for each receiver. */
  readonly #heard = new Set<string>();
  /** Whether the next full snapshot is worth mentioning. */
  #mentionsFull = true;
  #hasSnapshot = false;

  /** @param protocol where no header will be taken */
  constructor(protocol?: Protocol) {
    if (protocol) this.#tellers = new EventDetectors(protocol);
  }

  /** Takes the next record; when it begins a tick the one before it is told. */
  add(record: EventInput): TickEvents | undefined {
    switch (record.record) {
      case 'header':
        this.#tellers = new EventDetectors(record.stream.protocol);
        this.#markers = record.header.markers.toSorted((a, b) => a - b);
        break;
      case 'tick':
        return this.#turn(record.tick);
      case 'snapshot':
        if (!record.snapshot) break;
        if (record.kind === 'snapshot' && this.#mentionsFull) {
          this.#tell([{ what: 'full_snapshot', items: record.snapshot.count }]);
        }
        // A story may begin between two full ones.
        if (record.kind === 'snapshot' || !this.#hasSnapshot) this.#mentionsFull = false;
        this.#hasSnapshot = true;
        this.#tell(this.#tellers?.onSnapshot(record.snapshot, record.before) ?? []);
        break;
      case 'message':
        this.#hear(record);
        break;
      case 'diagnostic':
        if (record.diagnostic.severity === 'error') this.#mentionsFull = true;
        this.#tell([{ what: 'diagnostic', diagnostic: record.diagnostic }]);
        break;
    }
    return undefined;
  }

  /** The demo has ended. */
  finish(): TickEvents | undefined {
    return this.#told();
  }

  #turn(tick: number): TickEvents | undefined {
    const told = this.#told();
    const before = this.#tick;
    this.#tick = tick;
    this.#tellers?.onTick(tick);
    if (before >= 0 && tick - before > gapTicks) {
      this.#mentionsFull = true;
      this.#tell([{ what: 'gap', ticks: tick - before - 1 }]);
    }
    for (const [i, marker] of this.#markers.entries()) {
      if (marker <= tick && marker > before) this.#tell([{ what: 'marker', number: i + 1, of: this.#markers.length }]);
    }
    return told;
  }

  /** What is told so far; nothing before the first tick, if nothing was. */
  #told(): TickEvents | undefined {
    if (this.#tick < 0 && this.#moment.length === 0) return undefined;
    const events = withoutRepeats(this.#moment);
    if (this.#more > 0) events.push({ what: 'more', count: this.#more });
    this.#moment = [];
    this.#more = 0;
    this.#heard.clear();
    return { tick: this.#tick, events };
  }

  #tell(events: Iterable<GameEvent>): void {
    for (const event of events) {
      if (this.#moment.length < maxHappenings) this.#moment.push(event);
      else this.#more++;
    }
  }

  #hear(record: EventInput & { record: 'message' }): void {
    const { bytes } = record;
    const { protocol } = this.#tellers ?? {};
    if (!protocol) return;
    if (isSnapshotOrTiming(bytes, protocol.version)) return;
    const { message } = record;
    if (!message.type) return;
    if (bytes.length <= maxRepeatedBytes) {
      const key = String.fromCharCode(...bytes);
      if (this.#heard.has(key)) return;
      if (this.#heard.size < maxHappenings) this.#heard.add(key);
    }
    this.#tell(this.#tellers!.onMessage(message));
  }
}

/** Who leaves or changes the team is killed by the game first: that goes without saying. */
function withoutRepeats(moment: readonly GameEvent[]): GameEvent[] {
  const gone = new Set<number>();
  const lines: string[] = [];
  for (const one of moment) {
    if (one.what === 'left' || one.what === 'side') gone.add(one.who.client);
    if (one.what === 'chat' && !one.who) lines.push(one.text);
  }
  const isSaid = ({ client, name }: PlayerRef) =>
    gone.has(client) ||
    lines.some((line) => line.startsWith(`'${name}' has left`) || line.startsWith(`'${name}' joined`));
  return moment.filter((one) => !(one.what === 'killed' && one.weapon === killedByGame && isSaid(one.who)));
}
