import { type Ghost, ghostCharacter, ghostProtocol } from '../../recording/container/ghost/ghost.ts';
import type { RecordingEntry } from '../../recording/replay/record.ts';
import * as enums from '../../wire/protocol/enums.ts';
import { isInRange, type TickRange, ticksPerSecond } from '../../wire/protocol/ticks.ts';
import { ItemFields } from '../../wire/snapshot/item-fields.ts';
import { findingLine } from '../phrases/recording-phrases.ts';
import { clock } from '../text/number.ts';
import { markOf, type ViewStyle } from '../text/theme.ts';

const tiles = (units: number) => (units / 32).toFixed(2);

const columns: readonly (readonly [head: string, width: number, cell: (get: (field: string) => number) => string])[] = [
  ['x', 9, (get) => tiles(get('x'))],
  ['y', 9, (get) => tiles(get('y'))],
  ['vel_x', 8, (get) => (get('vel_x') / 256).toFixed(2)],
  ['angle', 7, (get) => `${((get('angle') / 256 / Math.PI) * 180).toFixed(0)}°`],
  ['direction', 10, (get) => ['left', '', 'right'][get('direction') + 1] ?? String(get('direction'))],
  ['weapon', 8, (get) => enums.heldWeapon[get('weapon')] ?? String(get('weapon'))],
  ['hook', 14, (get) => enums.hookState[get('hook_state') as 0] ?? String(get('hook_state'))],
  ['fires', 6, (get) => (get('tick') - get('attack_tick') <= 1 && get('attack_tick') > 0 ? 'fires' : '')],
];

/** The run of a ghost: a row for each tick. */
export class GhostTimeline {
  readonly #style: ViewStyle & { readonly ticks?: TickRange };
  readonly #fields = new ItemFields(ghostProtocol, ghostCharacter.name);
  #ghost: Ghost | undefined;
  #hasHeading = false;

  constructor(style: ViewStyle & { readonly ticks?: TickRange }) {
    this.#style = style;
  }

  add(entry: RecordingEntry): string {
    const { theme, ticks } = this.#style;
    if (entry.record === 'ghost') this.#ghost = entry.ghost;
    if (entry.record === 'diagnostic') return `${markOf(entry.diagnostic.severity, theme)} ${findingLine(entry)}\n`;
    if (entry.record !== 'snapshot' || !entry.snapshot) return '';
    const { tick, snapshot } = entry;
    const heading = this.#hasHeading ? '' : `${theme.dim(line('tick', 'time', ({ 0: head }) => head))}\n`;
    this.#hasHeading = true;
    if (ticks && !isInRange(tick, ticks)) return heading;
    const get = (field: string) => this.#fields.get(snapshot, 0, field);
    const time = clock((tick - (this.#ghost?.startTick ?? tick)) / ticksPerSecond);
    return `${heading}${line(String(tick), time, ([, , cell]) => cell(get))}\n`;
  }

  finish(): string {
    return '';
  }
}

const line = (tick: string, time: string, cell: (column: (typeof columns)[number]) => string) =>
  [tick.padStart(9), time.padStart(9), ...columns.map((column) => cell(column).padStart(column[1]))]
    .join(' ')
    .trimEnd();
