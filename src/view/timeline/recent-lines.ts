import { arrivalSeconds, explains, isDeathByGame, type Notice } from '../../events/event.ts';
import type { ClientLines, FrameRange } from './client-lines.ts';
import type { Phrase } from './phrases.ts';

const maxRecent = 1000;

/** The place of a line. */
export interface LinePlace {
  readonly seconds: number;
  readonly frames: FrameRange;
  readonly client: string;
}

interface RecentLine {
  readonly place: LinePlace;
  readonly addedAt: number;
  readonly phrase: Phrase;
  readonly notices: readonly Notice[];
  readonly clients: Set<string>;
  frames: FrameRange;
}

/**
 * Keeps the latest lines of a capture for a moment, in their order: an event that a server reports to several clients becomes one
 * line, and a death by the game is removed if its player leaves or changes the team.
 */
export class RecentLines {
  readonly #lines: ClientLines;
  #recent: RecentLine[] = [];
  /** The latest line of each event of a server. */
  readonly #events = new Map<string, RecentLine>();

  constructor(lines: ClientLines) {
    this.#lines = lines;
  }

  /** @param now seconds from the beginning, which do not go back */
  add(place: LinePlace, now: number, phrase: Phrase): void {
    this.#add({ place, addedAt: now, phrase, notices: [], clients: new Set([place.client]), frames: place.frames });
  }

  addNotices(place: LinePlace, now: number, server: string, notices: readonly Notice[], phrase: Phrase): void {
    const { client, frames } = place;
    this.#remove(this.#recent.filter((line) => this.#isExplained(line, client, notices)));
    const key = `${server} ${phrase.map(({ text }) => text).join('')}`;
    const known = this.#events.get(key);
    if (known && !known.clients.has(client)) {
      known.clients.add(client);
      known.frames = [known.frames[0], Math.max(known.frames[1], frames[1])];
      return;
    }
    const line = { place, addedAt: now, phrase, notices, clients: new Set([client]), frames };
    const isKnown = this.#recent.some((one) => one.clients.has(client) && this.#isExplained(line, client, one.notices));
    if (isKnown) return;
    this.#events.set(key, line);
    this.#add(line);
  }

  #remove(lines: readonly RecentLine[]): void {
    if (lines.length === 0) return;
    const removed = new Set(lines);
    this.#recent = this.#recent.filter((line) => !removed.has(line));
    for (const [key, line] of this.#events) if (removed.has(line)) this.#events.delete(key);
  }

  #isExplained(line: RecentLine, client: string, notices: readonly Notice[]): boolean {
    const [death] = line.notices;
    if (!death || !isDeathByGame(death) || !line.clients.has(client)) return false;
    return notices.some((notice) => explains(notice, death));
  }

  #add(line: RecentLine): void {
    this.#recent.push(line);
    if (this.#recent.length > maxRecent) this.#write(this.#recent.slice(0, maxRecent / 2));
  }

  /** Writes the lines that were added some time before `now`. */
  flush(now: number): void {
    let old = 0;
    while (old < this.#recent.length && this.#recent[old]!.addedAt < now - arrivalSeconds) old++;
    this.#write(this.#recent.slice(0, old));
  }

  #write(lines: readonly RecentLine[]): void {
    this.#remove(lines);
    for (const { place, frames, clients, phrase } of lines) {
      this.#lines.add(place.seconds, frames, clients.size > 1 ? `${clients.size} clients` : place.client, phrase);
    }
  }
}
