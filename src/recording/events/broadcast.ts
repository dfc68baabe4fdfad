import type { GameEvent, Notice } from './event.ts';

/** A text that a server shows to its clients. */
export type Broadcast = Notice & { readonly what: 'announcement' };

export const isBroadcast = (event: GameEvent): event is Broadcast =>
  event.what === 'announcement' && event.kind === 'broadcast';

/** How often a broadcast was recorded, and where the first and the last time. */
interface Repeated<Place> {
  readonly notice: Broadcast;
  readonly from: Place;
  readonly to: Place;
}

/**
 * Counts a broadcast that is sent again. A client shows a text for some seconds, so servers send it every few seconds
 * for as long as it is to stay: views show it once, with how often it is in the recording.
 */
export class Broadcasts<Place> {
  #last: Broadcast | undefined;
  #times = 0;
  #from: Place | undefined;
  #to: Place | undefined;

  /** Counts a broadcast with the text of the last one. Returns false for every other event. */
  again(event: GameEvent, place: Place): boolean {
    if (!isBroadcast(event) || event.text !== this.#last?.text) return false;
    this.#count(event, place);
    return true;
  }

  /** A broadcast with another text. It is among those that {@link take} returns, unless it `isShown` already. */
  begin(notice: Broadcast, place: Place, isShown: boolean): void {
    this.#last = notice;
    this.#times = 0;
    if (!isShown) this.#count(notice, place);
  }

  /** Those counted so far, if any, as one with their number as `receivers`. */
  get counted(): Repeated<Place> | undefined {
    if (!this.#last || this.#times === 0) return undefined;
    return { notice: { ...this.#last, receivers: this.#times }, from: this.#from!, to: this.#to! };
  }

  /** As {@link counted}, and counts from 0 again. */
  take(): Repeated<Place> | undefined {
    const { counted } = this;
    this.#times = 0;
    return counted;
  }

  #count({ receivers = 1 }: Broadcast, place: Place): void {
    if (this.#times === 0) this.#from = place;
    this.#to = place;
    this.#times += receivers;
  }
}
