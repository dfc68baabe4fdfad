import type { Topic } from '../report/event-lines.ts';
import type { Place } from './camera.ts';
import type { Inspected } from './inspect.ts';
import type { Mark, Range } from './marks.ts';
import type { ChosenRecord } from './records.ts';
import type { Scene } from './scene.ts';
import type { SearchResult } from './search.ts';
import type { Recording } from './shown-recording.ts';

/**
 * The picture shows the whole map, follows the recorded player, shows a free part, or follows a player by client
 * number.
 */
export type Followed = 'all' | 'camera' | 'free' | number;

/** How the picture looks: as the game, or with flat tiles, a grid and trails. */
export const looks = ['game', 'tiles'] as const;
export type Look = (typeof looks)[number];

/** How the parts of the page are arranged: the picture large, or beside the items, bytes and records. */
export const views = ['watch', 'inspect'] as const;

/** How bytes are shown: with their values, as a grid of sixteen columns, or bit by bit. */
export const layers = ['bytes', 'grid', 'bits'] as const;

/** What a link contains besides the connection and the tick. */
export interface Shown {
  readonly view: (typeof views)[number];
  /** The chosen item: `obj_character/0`. */
  readonly item: string | undefined;
  readonly followed: Followed;
  /** The part of the map that the user chose; undefined for that which fits what is followed. */
  readonly camera: Place | undefined;
  readonly showsPaths: boolean;
  readonly look: Look;
  /** Only items whose type, id and player have all these words are listed. */
  readonly filter: string;
  readonly onlyChanged: boolean;
  readonly hidden: readonly Topic[];
  readonly query: string;
  /** The fields that are plotted: `obj_character/0/health`, several in one plot with `+` between them. */
  readonly plots: readonly string[];
  /** The ticks that playback repeats; undefined for the whole recording. */
  readonly repeated: Range | undefined;
  readonly visible: Range;
  /** The chosen message or packet; undefined if a snapshot is chosen. */
  readonly record: ChosenRecord | undefined;
  /** How the inspector shows bytes. */
  readonly layer: (typeof layers)[number];
}

/** What the inspector shows. */
export interface InspectorState extends Pick<Shown, 'item' | 'filter' | 'onlyChanged' | 'layer'> {
  readonly inspected: Inspected;
  /** The index of the span that is highlighted; -1 for none. */
  readonly lit: number;
  /** Whether the next snapshot follows soon, so that only the visible part is drawn. */
  readonly isPlaying: boolean;
  /** Set to scroll the inspector, and also the page, to the chosen item. */
  readonly revealed?: { readonly inPage: boolean } | undefined;
}

/** What the page shows. */
export interface State extends InspectorState, Shown {
  readonly track: number;
  readonly recording: Recording;
  /** The share of the recording whose paths are known. */
  readonly read: number;
  /** The position of the chosen snapshot. */
  readonly position: number;
  /**
   * The current time: the snapshot's tick or, while the recording is played, a fraction between it and the next one.
   */
  readonly tick: number;
  readonly speed: number;
  /** Whether more positions follow at once, because the slider moves or a key is held. */
  readonly isScrubbing: boolean;
  readonly marks: readonly Mark[];
  readonly found: readonly SearchResult[];
  /** The result that was chosen last; -1 for none. */
  readonly foundAt: number;
  /** The event that is watched. */
  readonly scene: Scene | undefined;
  /** The number of jumps so far: of steps over more than some seconds. */
  readonly jumps: number;
  /** What is said about the last action; empty for nothing. */
  readonly notice: string;
}

/**
 * When a view is drawn. Text on a canvas needs the layout of the page, so that the picture comes before anything else
 * is changed in a frame; what scrolls comes last, when all lists are drawn.
 */
const phases = ['picture', 'content', 'after'] as const;
type Phase = (typeof phases)[number];

interface Listener<S> {
  hasChanged(before: S, after: S): boolean;
  readonly run: () => void;
}

/**
 * Holds the state. Views read it, change it with `set`, and are told what has changed; they keep no copy of it. Most of
 * it is not there before all views are: the first `set` shows it.
 */
export class Store<S extends object> {
  #state: S;
  /** The state that views have been told. */
  #told: S;
  #isTelling = false;
  readonly #derived: { derive(before: S, after: S): S }[] = [];
  readonly #listeners = new Map(phases.map((phase): [Phase, Listener<S>[]] => [phase, []]));

  constructor(first: Partial<S> = {}) {
    this.#state = first as S;
    this.#told = this.#state;
  }

  get state(): S {
    return this.#state;
  }

  /** Computes what results from these values, whenever one of them changes and before any view is drawn. */
  derive(keys: readonly (keyof S)[], compute: (state: S) => Partial<S>): void {
    this.#derived.push({
      derive: (before, after) => (differs(keys, before, after) ? { ...after, ...compute(after) } : after),
    });
  }

  /** Calls `run` after one of these values has changed. In a phase, views are drawn in any order. */
  on(keys: readonly (keyof S)[], run: () => void, phase: Phase = 'content'): void {
    this.#listeners.get(phase)!.push({ hasChanged: (before, after) => differs(keys, before, after), run });
  }

  /** Changes the state. A view that calls it while it is drawn changes what all views are told next. */
  set(change: Partial<S>): void {
    const before = this.#state;
    this.#state = { ...before, ...change };
    for (const entry of this.#derived) this.#state = entry.derive(before, this.#state);
    if (this.#isTelling) return;
    this.#isTelling = true;
    try {
      while (this.#told !== this.#state) this.#tell();
    } finally {
      this.#isTelling = false;
    }
  }

  #tell(): void {
    const before = this.#told;
    const after = this.#state;
    this.#told = after;
    for (const phase of phases)
      for (const { hasChanged, run } of this.#listeners.get(phase)!) if (hasChanged(before, after)) run();
  }
}

const differs = <S>(keys: readonly (keyof S)[], before: S, after: S) => keys.some((key) => before[key] !== after[key]);
