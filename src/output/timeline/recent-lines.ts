import { arrivalSeconds, explains, isDeathByGame, type Notice } from '../../recording/events/event.ts';
import type { Phrase } from '../phrases/event-phrases.ts';
import { plainText } from '../text/layout.ts';
import type { ClientPlace, PlacedLines } from './lines.ts';

const maxRecent = 1000;

export interface RecentLine {
  place: ClientPlace;
  readonly addedAt: number;
  /** Undefined as long as the line is not complete: those after it wait. */
  phrase: Phrase | undefined;
  readonly notices: readonly Notice[];
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
  readonly #events = new Map<string, RecentLine>();

  constructor(lines: PlacedLines) {
    this.#lines = lines;
  }

  /** @param now seconds from the beginning, which do not go back */
  add(place: ClientPlace, now: number, phrase: Phrase | undefined, notices: readonly Notice[] = []): RecentLine {
    const line = { place, addedAt: now, phrase, notices, clients: new Set([place.client]), lastFrame: place.frames[1] };
    this.#recent.push(line);
    if (this.#recent.length > maxRecent) this.#write(this.#recent.slice(0, maxRecent / 2).filter(isComplete));
    return line;
  }

  addNotices(place: ClientPlace, now: number, server: string, notices: readonly Notice[], phrase: Phrase): void {
    const { client, frames } = place;
    this.#remove(this.#recent.filter((line) => line.clients.has(client) && isExplained(line.notices, notices)));
    const key = `${server} ${plainText(phrase)}`;
    const known = this.#events.get(key);
    if (known && !known.clients.has(client)) {
      known.clients.add(client);
      known.lastFrame = Math.max(known.lastFrame, frames[1]);
      return;
    }
    if (this.#recent.some((line) => line.clients.has(client) && isExplained(notices, line.notices))) return;
    this.#events.set(key, this.add(place, now, phrase, notices));
  }

  #remove(lines: readonly RecentLine[]): void {
    if (lines.length === 0) return;
    const removed = new Set(lines);
    this.#recent = this.#recent.filter((line) => !removed.has(line));
    for (const [key, line] of this.#events) if (removed.has(line)) this.#events.delete(key);
  }

  /** Writes the lines that were added some time before `now`. */
  flush(now: number): void {
    const recent = this.#recent.findIndex((line) => line.addedAt >= now - arrivalSeconds || !isComplete(line));
    this.#write(recent < 0 ? [...this.#recent] : this.#recent.slice(0, recent));
  }

  #write(lines: readonly RecentLine[]): void {
    this.#remove(lines);
    for (const { place, lastFrame, clients, phrase, notices } of lines) {
      const client = clients.size > 1 ? `${clients.size} clients` : place.client;
      if (!phrase) continue;
      this.#lines.add({ ...place, frames: [place.frames[0], lastFrame], client }, phrase);
      const { size } = clients;
      for (const notice of notices)
        this.#lines.event(size > 1 ? { ...notice, receivers: size } : notice, place, phrase);
    }
  }
}

const isComplete = ({ phrase }: RecentLine) => phrase !== undefined;

/** Whether the first of these notices is a death by the game that follows from one of the others. */
function isExplained([death]: readonly Notice[], others: readonly Notice[]): boolean {
  return death !== undefined && isDeathByGame(death) && others.some((notice) => explains(notice, death));
}
