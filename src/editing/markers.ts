import { maxMarkers } from '../recording/container/demo/header.ts';
import { eventKindsOf, type GameEvent, type TickEvents } from '../recording/events/event.ts';
import type { PlayerChoice } from '../recording/events/player-choice.ts';
import { EventFinder as RecordingEvents } from '../recording/events/recording-events.ts';
import type { RecordingEntry } from '../recording/replay/record.ts';

/** Whether an event is one of those that somebody names. */
type EventTest = (event: GameEvent) => boolean;

interface FoundEvents {
  readonly tick: number;
  readonly events: readonly GameEvent[];
}

/**
 * Reads which events are meant: words with commas between them, each a kind, the beginning of one or a group, as
 * `dump --events --type` has them, or `marker` for those of the header; `kill:by-player`; or `chat:/RE/`. Undefined for
 * any other text.
 */
export function readEventTest(text: string): EventTest | undefined {
  const [, source, flags] = /^chat:\/(.*)\/([imsuv]*)$/s.exec(text) ?? [];
  if (source !== undefined) {
    try {
      const pattern = new RegExp(source, flags);
      return (event) => event.what === 'chat' && pattern.test(event.text);
    } catch {
      return undefined;
    }
  }
  if (text === 'kill:by-player') return (event) => event.what === 'kill' && !event.bySelf && event.weapon >= 0;
  const words = text.split(',').map((word) => (word === 'marker' ? [word] : eventKindsOf(word)));
  if (words.some((kinds) => kinds.length === 0)) return undefined;
  const kinds: ReadonlySet<string> = new Set(words.flat());
  return ({ what }) => kinds.has(what);
}

/** The events that are meant: all of them, or the last, or the one with this number from 1. */
export interface EventChoice {
  readonly test: EventTest;
  readonly which: number | 'last' | undefined;
}

/** Reads which events, which may be followed by `:last` or by a number from 1: `kill:3`, `chat:/gg/:last`. */
export function readEventChoice(text: string): EventChoice | undefined {
  const [, name = text, number] = /^(.+):(last|[1-9]\d*)$/s.exec(text) ?? [];
  const test = readEventTest(name);
  return test && { test, which: number === undefined || number === 'last' ? number : Number(number) };
}

/** The search ends after this many ticks. */
export const maxFound = 10_000;

/** Finds the ticks with certain events in the records of a recording. */
export class EventFinder {
  /** In their order; the tick is -1 before the first. */
  readonly found: FoundEvents[] = [];
  readonly #test: EventTest;
  readonly #player: PlayerChoice | undefined;
  readonly #events = new RecordingEvents({ withTold: true });

  constructor(test: EventTest, player?: PlayerChoice) {
    this.#player = player;
    this.#test = test;
  }

  add(entry: RecordingEntry): void {
    for (const tickEvents of this.#events.add(entry)) this.#add(tickEvents);
  }

  finish(): void {
    for (const tickEvents of this.#events.finish()) this.#add(tickEvents);
  }

  /** The chosen event, which may share its tick with others. */
  only(which: number | 'last'): FoundEvents | undefined {
    const all = this.found.flatMap(({ tick, events }) => events.map((event) => ({ tick, events: [event] })));
    return which === 'last' ? all.at(-1) : all[which - 1];
  }

  #add({ tick, events: all }: TickEvents): void {
    if (this.found.length >= maxFound) return;
    const events = all.filter((event) => this.#test(event) && (this.#player?.event(event) ?? true));
    if (events.length > 0) this.found.push({ tick, events });
  }
}

/** The minimum distance of markers in the games' recorders, one second. */
const apartTicks = 50;

/** The markers that fit into a header, in ascending order and at least a second apart; the others are left out. */
export function markersOf(ticks: readonly number[]): { readonly markers: readonly number[]; readonly dropped: number } {
  const markers: number[] = [];
  let dropped = 0;
  for (const tick of [...new Set(ticks)].sort((a, b) => a - b)) {
    const last = markers.at(-1);
    if ((last !== undefined && tick - last < apartTicks) || markers.length >= maxMarkers) dropped++;
    else markers.push(tick);
  }
  return { markers, dropped };
}
