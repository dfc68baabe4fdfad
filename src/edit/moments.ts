import type { GameEvent, TickEvents } from '../events/event.ts';
import { EventReader } from '../events/events.ts';
import type { RecordingEntry } from '../recording/record.ts';

/** What a moment is looked for by: its events, or the markers of the header. */
export type MomentKind = 'kill' | 'death' | 'finish' | 'marker' | { readonly chat: RegExp };

/** A tick at which something happened, and what. */
export interface Moment {
  readonly tick: number;
  readonly events: readonly GameEvent[];
}

/** Reads `kill`, `death`, `finish`, `marker` or `chat:/RE/`; undefined where it is none of them. */
export function readMomentKind(text: string): MomentKind | undefined {
  if (text === 'kill' || text === 'death' || text === 'finish' || text === 'marker') return text;
  const [, source, flags] = /^chat:\/(.*)\/([imsuv]*)$/s.exec(text) ?? [];
  if (source === undefined) return undefined;
  try {
    return { chat: new RegExp(source, flags) };
  } catch {
    return undefined;
  }
}

/** More than these are no moments any more. */
export const maxMoments = 10_000;

/** Finds the moments of a demo in its records, messages included. */
export class MomentFinder {
  readonly moments: Moment[] = [];
  readonly #kind: MomentKind;
  readonly #events = new EventReader();

  constructor(kind: MomentKind) {
    this.#kind = kind;
  }

  add(entry: RecordingEntry): void {
    this.#take(this.#events.add(entry));
  }

  finish(): void {
    this.#take(this.#events.finish());
  }

  #take(told: TickEvents | undefined): void {
    if (!told || told.tick < 0 || this.moments.length >= maxMoments) return;
    const events = told.events.filter((event) => isOf(this.#kind, event));
    if (events.length > 0) this.moments.push({ tick: told.tick, events });
  }
}

/** A kill is by a weapon, whoever held it; a death may also be the world's doing or the player's own wish. */
function isOf(kind: MomentKind, event: GameEvent): boolean {
  if (typeof kind === 'object') return event.what === 'chat' && kind.chat.test(event.text);
  switch (event.what) {
    case 'killed':
      return kind === 'death' || (kind === 'kill' && event.weapon >= 0);
    case 'team_killed':
      return kind === 'death' || kind === 'kill';
    case 'died':
      return kind === 'death';
    case 'finished':
      return kind === 'finish';
    case 'chat':
      // DDNet says a finish in the chat; to the finisher it is also an event, which is not reported twice.
      return kind === 'finish' && !event.player && / finished in: /.test(event.text);
    case 'marker':
      return kind === 'marker';
    default:
      return false;
  }
}
