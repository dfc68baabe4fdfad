import { maxMarkers } from '../recording/container/demo/header.ts';
import type { GameEvent, TickEvents } from '../recording/events/event.ts';
import { type EventInput, EventReader } from '../recording/events/events.ts';
import type { PlayerChoice } from '../recording/events/player-choice.ts';

/** A kind of event, or the markers of the header. */
type EventKind = (typeof eventKinds)[number] | { readonly chat: RegExp };

const eventKinds = ['kill', 'kill:player', 'death', 'finish', 'marker'] as const;

interface FoundEvents {
  readonly tick: number;
  readonly events: readonly GameEvent[];
}

/** Reads `kill`, `kill:player`, `death`, `finish`, `marker` or `chat:/RE/`; undefined for any other text. */
export function readEventKind(text: string): EventKind | undefined {
  const named = eventKinds.find((kind) => kind === text);
  if (named) return named;
  const [, source, flags] = /^chat:\/(.*)\/([imsuv]*)$/s.exec(text) ?? [];
  if (source === undefined) return undefined;
  try {
    return { chat: new RegExp(source, flags) };
  } catch {
    return undefined;
  }
}

/** The events of one kind: all of them, or the last, or the one with this number from 1. */
export interface EventChoice {
  readonly kind: EventKind;
  readonly which: number | 'last' | undefined;
}

/** Reads a kind of event, which may be followed by `:last` or by a number from 1: `kill:3`, `chat:/gg/:last`. */
export function readEventChoice(text: string): EventChoice | undefined {
  const [, name = text, number] = /^(.+):(last|[1-9]\d*)$/s.exec(text) ?? [];
  const kind = readEventKind(name);
  return kind && { kind, which: number === undefined || number === 'last' ? number : Number(number) };
}

/** The search ends after this many ticks. */
export const maxFound = 10_000;

/** Finds the ticks with events of a kind in the records of a demo, including its messages. */
export class EventFinder {
  readonly found: FoundEvents[] = [];
  readonly #kind: EventKind;
  readonly #player: PlayerChoice | undefined;
  readonly #events = new EventReader(undefined, { withExplained: true });

  constructor(kind: EventKind, player?: PlayerChoice) {
    this.#player = player;
    this.#kind = kind;
  }

  add(entry: EventInput): void {
    this.#add(this.#events.add(entry));
  }

  finish(): void {
    for (const tickEvents of this.#events.finish()) this.#add(tickEvents);
  }

  /** The chosen event, which may share its tick with others. */
  only(which: number | 'last'): FoundEvents | undefined {
    const all = this.found.flatMap(({ tick, events }) => events.map((event) => ({ tick, events: [event] })));
    return which === 'last' ? all.at(-1) : all[which - 1];
  }

  #add(tickEvents: TickEvents | undefined): void {
    if (!tickEvents || tickEvents.tick < 0 || this.found.length >= maxFound) return;
    const events = tickEvents.events.filter((event) => isOf(this.#kind, event) && (this.#player?.event(event) ?? true));
    if (events.length > 0) this.found.push({ tick: tickEvents.tick, events });
  }
}

/**
 * The server announces a kill, also by the world or the game; `kill:player` is by a weapon. A death may be seen in the
 * snapshots alone.
 */
function isOf(kind: EventKind, event: GameEvent): boolean {
  const { what } = event;
  if (typeof kind === 'object') return what === 'chat' && kind.chat.test(event.text);
  // DDNet announces a finish in chat. For the finisher it is also an event, which is not reported twice.
  if (what === 'chat') return kind === 'finish' && !event.player && / finished in: /.test(event.text);
  if (kind === 'finish') return what === 'finished';
  if (kind === 'marker') return what === 'marker';
  if (kind === 'kill:player') return what === 'killed' && event.weapon >= 0;
  return what === 'killed' || what === 'team_killed' || (what === 'died' && kind === 'death');
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
