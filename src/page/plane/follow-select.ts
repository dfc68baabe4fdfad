import { escapeText } from '../../view/text/escape.ts';
import { h } from '../dom.ts';
import type { Recording } from '../recording.ts';
import type { DrawnItem } from './drawn-item.ts';

/** The picture shows the whole map, follows the recorded player, shows a free part, or follows a player by client number. */
export type Followed = 'all' | 'camera' | 'free' | number;

/** The list from which the user chooses what the picture follows. */
export class FollowSelect {
  readonly element: HTMLSelectElement;
  readonly #onChange: (followed: Followed) => void;
  #followed: Followed = 'all';

  constructor(onChange: (followed: Followed) => void) {
    this.#onChange = onChange;
    this.element = h('select', { 'aria-label': 'what the picture shows', onchange: () => this.#chosen() });
    this.open([]);
  }

  /** Lists the players. */
  open(players: readonly { readonly client: number; readonly name: string | undefined }[]): void {
    const option = (value: Followed, text: string) => h('option', { value }, text);
    this.element.replaceChildren(
      option('all', 'whole map'),
      option('camera', 'recorded player'),
      option('free', 'a part'),
      ...players.map(({ client, name }) => option(client, name ? escapeText(name) : `player ${client}`)),
    );
    this.element.value = String(this.#followed);
  }

  set(followed: Followed): void {
    this.#followed = followed;
    this.element.value = String(followed);
    this.#onChange(followed);
  }

  /** Stops following, because the user moved the picture. */
  free(): void {
    this.#followed = 'free';
    this.element.value = 'free';
  }

  /** The position of the followed player; undefined if no player is followed or the player has no character. */
  find(
    items: readonly DrawnItem[],
    recording: Recording,
    position: number,
  ): { readonly x: number; readonly y: number } | undefined {
    if (this.#followed === 'all' || this.#followed === 'free') return undefined;
    const client = this.#followed === 'camera' ? recording.localAt(position) : this.#followed;
    return items.find(({ kind, key }) => kind === 'player' && (key & 0xffff) === client);
  }

  #chosen(): void {
    const { value } = this.element;
    this.set(value === 'all' || value === 'camera' || value === 'free' ? value : Number(value));
  }
}
