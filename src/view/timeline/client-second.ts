import { type Direction, isLoss, type Loss, type SnapshotEntry } from '../../recording/record.ts';
import type { Segment } from '../text/layout.ts';
import { count, thousands } from '../text/number.ts';
import { reasons } from '../text/recording-phrases.ts';
import type { Phrase, Phrases } from './phrases.ts';

/** Counts the snapshots and messages of a client in one second that do not have their own lines. */
export class ClientSecond {
  readonly second: number;
  /** The first and last frame. */
  readonly frames: [number, number];
  #snapshots = 0;
  #full = 0;
  #empty = 0;
  #firstTick = 0;
  #lastTick = 0;
  readonly #lost = new Map<Loss, number>();
  readonly #messages: Readonly<Record<Direction, Map<string, number>>> = { to_client: new Map(), to_server: new Map() };

  constructor(second: number, frame: number) {
    this.second = second;
    this.frames = [frame, frame];
  }

  /** Extends the range to this frame. Snapshots that are given up at the end of the recording have no frame. */
  reach(frame: number): void {
    if (frame > 0) this.frames[1] = frame;
  }

  snapshot({ tick, kind, verdict }: SnapshotEntry): void {
    if (this.#snapshots === 0) this.#firstTick = tick;
    this.#lastTick = tick;
    this.#snapshots++;
    if (kind === 'snapshot') this.#full++;
    if (kind === 'empty') this.#empty++;
    if (isLoss(verdict)) this.#lost.set(verdict, (this.#lost.get(verdict) ?? 0) + 1);
  }

  message(name: string, direction: Direction): void {
    const counts = this.#messages[direction];
    counts.set(name, (counts.get(name) ?? 0) + 1);
  }

  /** `25 snapshots, 1 full, tick 9302 to 9350 · 50 input, 25 input_timing · gets sv_motd` */
  phrase(phrases: Phrases): Phrase {
    const parts = [...this.#snapshotParts(phrases), ...this.#messageParts(phrases)];
    return phrases.joined(parts.map((part) => [part]));
  }

  #snapshotParts(phrases: Phrases): Segment[] {
    const kinds = [count(this.#snapshots, 'snapshot')];
    if (this.#full > 0) kinds.push(`${thousands(this.#full)} full`);
    if (this.#empty > 0) kinds.push(`${thousands(this.#empty)} empty`);
    kinds.push(this.#snapshots === 1 ? `tick ${this.#firstTick}` : `tick ${this.#firstTick} to ${this.#lastTick}`);
    const lost = [...this.#lost].map(([reason, times]) => {
      const style = reason === 'damaged' ? phrases.theme.error : phrases.theme.warning;
      return { text: `${thousands(times)} not rebuilt: ${reasons[reason]}`, style };
    });
    return this.#snapshots > 0 ? [phrases.dim(kinds.join(', ')), ...lost] : lost;
  }

  /** The numbers of messages. Routine messages are first, without their direction. */
  #messageParts(phrases: Phrases): Segment[] {
    const counted = (direction: Direction, isRoutine: boolean) =>
      [...this.#messages[direction]]
        .filter(([name]) => routine.has(name) === isRoutine)
        .map(([name, times]) => (times > 1 || isRoutine ? `${thousands(times)} ${name}` : name));
    const all = [
      ['', [...counted('to_server', true), ...counted('to_client', true)]],
      ['gets ', counted('to_client', false)],
      ['sends ', counted('to_server', false)],
    ] as const;
    return all.filter(([, names]) => names.length > 0).map(([verb, names]) => phrases.dim(verb + names.join(', ')));
  }
}

const routine: ReadonlySet<string> = new Set(['input', 'input_timing']);
