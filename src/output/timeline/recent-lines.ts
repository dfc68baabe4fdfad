import { arrivalSeconds, explains, type GameEvent, isAction, isDeathByGame } from '../../recording/events/event.ts';
import type { Phrase } from '../phrases/event-phrases.ts';
import { plainText } from '../text/layout.ts';
import type { ClientPlace, PlacedLines } from './lines.ts';

const maxRecent = 1000;

export interface RecentLine {
  place: ClientPlace;
  readonly addedAt: number;
  /** Undefined as long as the line is not complete: those after it wait. */
  phrase: Phrase | undefined;
  readonly events: readonly GameEvent[];
  readonly clients: Set<string>;
  lastFrame: number;
}

/**
 * Keeps the latest lines of a capture for a moment, in their order: an event that a server reports to several clients
 * becomes one line, and a death by the game is removed if its player leaves or changes the team.
 */
export class RecentLines {
  readonly #lines: PlacedLines;
  #recent: RecentLine[] = [];
  readonly #byText = new Map<string, RecentLine>();
  /** Those that are complete, in the order of time: others may still come before them. */
  #held: RecentLine[] = [];
  readonly #isByTime: boolean;

  /** @param isByTime whether a line stands at its time, although it is known later, or else where it was added */
  constructor(lines: PlacedLines, isByTime: boolean) {
    this.#lines = lines;
    this.#isByTime = isByTime;
  }

  /** @param now seconds from the beginning, which do not go back */
  add(place: ClientPlace, now: number, phrase: Phrase | undefined, events: readonly GameEvent[] = []): RecentLine {
    const line = { place, addedAt: now, phrase, events, clients: new Set([place.client]), lastFrame: place.frames[1] };
    this.#recent.push(line);
    if (this.#recent.length > maxRecent) this.#write(this.#recent.slice(0, maxRecent / 2).filter(isComplete));
    return line;
  }

  /** @param withTold whether deaths remain that others explain */
  addEvents(
    place: ClientPlace,
    now: number,
    server: string,
    events: readonly GameEvent[],
    phrase: Phrase,
    withTold = false,
  ): void {
    const { client, frames } = place;
    const isTold = (some: readonly GameEvent[], others: readonly GameEvent[]) => !withTold && isExplained(some, others);
    this.#remove(this.#recent.filter((line) => line.clients.has(client) && isTold(line.events, events)));
    const key = `${server} ${plainText(phrase)}`;
    const known = this.#byText.get(key);
    if (known && !known.clients.has(client)) {
      known.clients.add(client);
      known.lastFrame = Math.max(known.lastFrame, frames[1]);
      return;
    }
    if (this.#recent.some((line) => line.clients.has(client) && isTold(events, line.events))) return;
    this.#byText.set(key, this.add(place, now, phrase, events));
  }

  #remove(lines: readonly RecentLine[]): void {
    if (lines.length === 0) return;
    const removed = new Set(lines);
    this.#recent = this.#recent.filter((line) => !removed.has(line));
    for (const [key, line] of this.#byText) if (removed.has(line)) this.#byText.delete(key);
  }

  /**
   * Writes the lines that were added some time before `now`.
   * @param oldest the seconds after which others may still come between them
   */
  flush(now: number, oldest = Infinity): void {
    const recent = this.#recent.findIndex((line) => line.addedAt >= now - arrivalSeconds || !isComplete(line));
    this.#write(recent < 0 ? [...this.#recent] : this.#recent.slice(0, recent));
    if (this.#held.length === 0) return;
    const until = this.#recent.reduce((least, { place }) => (place.seconds < least ? place.seconds : least), oldest);
    const held = this.#held.findIndex(({ place }) => place.seconds > until);
    this.#put(this.#held.splice(0, held < 0 ? this.#held.length : held));
  }

  #write(lines: readonly RecentLine[]): void {
    this.#remove(lines);
    if (!this.#isByTime) {
      this.#put(lines);
      return;
    }
    for (const line of lines) {
      const before = this.#held.findLastIndex(({ place }) => !(place.seconds > line.place.seconds));
      this.#held.splice(before + 1, 0, line);
    }
    if (this.#held.length > maxRecent) this.#put(this.#held.splice(0, this.#held.length - maxRecent / 2));
  }

  #put(lines: readonly RecentLine[]): void {
    for (const { place, lastFrame, clients, phrase, events } of lines) {
      const client = clients.size > 1 ? `${clients.size} clients` : place.client;
      if (!phrase) continue;
      this.#lines.add({ ...place, frames: [place.frames[0], lastFrame], client }, phrase);
      const { size } = clients;
      for (const event of events)
        this.#lines.event(size > 1 && !isAction(event) ? { ...event, receivers: size } : event, place, phrase);
    }
  }
}

const isComplete = ({ phrase }: RecentLine) => phrase !== undefined;

/** Whether the first of these events is a death by the game that follows from one of the others. */
function isExplained([death]: readonly GameEvent[], others: readonly GameEvent[]): boolean {
  return death !== undefined && isDeathByGame(death) && others.some((event) => explains(event, death));
}
