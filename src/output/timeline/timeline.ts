import { type Ghost, ghostCharacter, ghostProtocol } from '../../recording/container/ghost/ghost.ts';
import { EventDetectors } from '../../recording/events/detectors.ts';
import { type GameEvent, isAction, type Notice } from '../../recording/events/event.ts';
import type { Players } from '../../recording/events/players.ts';
import type { MessageEntry, RecordFilter, RecordingEntry, SnapshotEntry } from '../../recording/replay/record.ts';
import type { Stream } from '../../recording/replay/stream.ts';
import { itemIn, itemOf } from '../../wire/annotate/item-node.ts';
import { getOr } from '../../wire/bytes/get-or.ts';
import { type Payload, removedKeys } from '../../wire/payload/payload.ts';
import * as enums from '../../wire/protocol/enums.ts';
import { clientItems } from '../../wire/protocol/item.ts';
import { isInRange, ticksPerSecond } from '../../wire/protocol/ticks.ts';
import { copyOf, select } from '../../wire/snapshot/builder.ts';
import { compare } from '../../wire/snapshot/compare.ts';
import { ItemFields } from '../../wire/snapshot/item-fields.ts';
import { ItemTypes } from '../../wire/snapshot/item-types.ts';
import { idOf, typeOf } from '../../wire/snapshot/key.ts';
import { Snapshot } from '../../wire/snapshot/snapshot.ts';
import { valueWords } from '../hexdump/item-rows.ts';
import { diagnosticLine } from '../phrases/diagnostic-messages.ts';
import { type Phrase, Phrases } from '../phrases/event-phrases.ts';
import { findingLine, messageLine } from '../phrases/recording-phrases.ts';
import { nameText, valueInLine } from '../text/escape.ts';
import type { Segment } from '../text/layout.ts';
import { clock } from '../text/number.ts';
import { asIs, markOf, type ViewStyle } from '../text/theme.ts';
import { CaptureTimeline } from './capture-timeline.ts';
import { DemoTimeline, type DemoTimelineOptions } from './demo-timeline.ts';
import { type ClientPlace, PlacedLines } from './lines.ts';

/**
 * The events of a demo by tick, with the players' actions; those of a capture by time and client; the run of a ghost.
 */
export class Timeline {
  readonly #options: DemoTimelineOptions;
  #timeline: DemoTimeline | CaptureTimeline | GhostTimeline | undefined;

  constructor(options: DemoTimelineOptions) {
    this.#options = options;
  }

  /** @param isShown false for a record outside the selected ticks */
  add(entry: RecordingEntry, isShown = true): string {
    // A demo has no clients.
    if (entry.record === 'ghost') this.#timeline = new GhostTimeline(this.#options);
    this.#timeline ??=
      entry.stream?.client === '' ? new DemoTimeline(this.#options) : new CaptureTimeline(this.#options);
    return this.#timeline.add(entry, isShown);
  }

  pause(): string {
    return this.#timeline instanceof CaptureTimeline ? this.#timeline.pause() : '';
  }

  finish(): string {
    return this.#timeline?.finish() ?? '';
  }
}

interface SelectionOptions extends ViewStyle {
  readonly filter: RecordFilter;
  /**
   * Whether items are selected for a change, and not until it is undone: then each is shown beside what it was in the
   * snapshot before.
   */
  readonly isMomentary?: boolean | undefined;
  /** Whether it is one snapshot, which has no tick. */
  readonly hasNoTick?: boolean;
}

interface Selected {
  readonly players: Players;
  readonly snapshot: Snapshot;
  readonly types: ItemTypes;
}

/** A line for each selected item that is added, changed or removed, and for each selected message. */
export class SelectionTimeline {
  readonly #options: SelectionOptions;
  readonly #phrases: Phrases;
  #lines: PlacedLines | undefined;
  readonly #last = new Map<Stream, Selected>();
  readonly #detectors = new Map<Stream, EventDetectors>();
  #isDemo = false;
  #place: ClientPlace = { seconds: 0, frames: [0, 0], client: '' };

  constructor(options: SelectionOptions) {
    this.#options = options;
    this.#phrases = new Phrases(options.theme, diagnosticLine);
  }

  /** @param isShown false for a record outside the selected ticks */
  add(entry: RecordingEntry, isShown: boolean): string {
    this.#isDemo ||= entry.stream?.client === '';
    this.#lines ??= new PlacedLines(this.#options, this.#options.hasNoTick ? undefined : this.#isDemo);
    if (!this.#isDemo) this.#place = this.#lines.placeOf(entry);
    switch (entry.record) {
      case 'header':
        this.#lines.expect(entry.header.length);
        break;
      case 'tick':
        this.#lines.clock.begin(entry.tick);
        break;
      case 'snapshot':
        this.#snapshot(entry, isShown);
        break;
      case 'drop':
        this.#last.delete(entry.stream);
        this.#detectors.delete(entry.stream);
        break;
      case 'message':
        this.#message(entry, isShown);
        break;
      case 'diagnostic': {
        const mark = this.#phrases.mark(entry.diagnostic.severity);
        if (isShown) this.#put(entry.tick, [mark, plain(` ${findingLine(entry)}`)]);
        break;
      }
    }
    return this.#lines.flushLines();
  }

  #snapshot(entry: SnapshotEntry, isShown: boolean): void {
    const { stream, tick, snapshot } = entry;
    const { filter } = this.#options;
    if (entry.unapplied && isShown) for (const phrase of this.#differences(entry.unapplied)) this.#put(tick, phrase);
    if (!snapshot) return;
    const detectors = this.#detectorsOf(stream);
    const { players } = detectors;
    detectors.onTick(tick);
    for (const _ of detectors.onSnapshot(snapshot, undefined, true));
    const types = new ItemTypes(stream.protocol).onSnapshot(snapshot);
    const now = { players, snapshot: select(snapshot, (type, id) => filter.item(types, type, id)), types };
    const last = this.#last.get(stream) ?? { players, snapshot: new Snapshot(), types };
    const kept = this.#options.isMomentary ? { ...now, snapshot: copyOf(snapshot) } : now;
    this.#last.set(stream, kept);
    if (!isShown) return;
    const isStill = (type: number, id: number) => now.snapshot.find(type, id) >= 0;
    const old = this.#options.isMomentary ? { ...last, snapshot: select(last.snapshot, isStill) } : last;
    for (const phrase of this.#changes(old, now)) this.#put(tick, phrase);
  }

  /** What a delta says without its base: whether an item is new is not known. */
  *#differences(payload: Payload): Generator<Phrase> {
    const { filter, theme } = this.#options;
    const { types } = payload;
    for (const key of removedKeys(payload)) {
      if (!filter.item(types, typeOf(key), idOf(key))) continue;
      yield [{ text: '-', style: theme.removed }, plain(' '), { text: types.titleOf(key), style: theme.strong }];
    }
    for (let i = 0; i < payload.body.count; i++) {
      const item = itemOf(payload, i);
      if (!filter.item(types, item.type, item.id)) continue;
      const values = valueWords(item, this.#options).flatMap((word) => [plain(' '), word]);
      yield [plain('~ '), { text: item.title, style: theme.strong }, ...values];
    }
  }

  *#changes(old: Selected, now: Selected): Generator<Phrase> {
    const { theme } = this.#options;
    const { removed, added, changed } = compare(old.snapshot, now.snapshot);
    for (const i of removed) yield [{ text: '-', style: theme.removed }, plain(' '), this.#title(old, i)];
    for (const i of added) {
      const words = valueWords(itemIn(now.types, now.snapshot, i), this.#options);
      const values = words.flatMap((word) => [plain(' '), word]);
      yield [{ text: '+', style: theme.added }, plain(' '), this.#title(now, i), ...values];
    }
    for (const { old: was, new: is } of changed) {
      const item = itemIn(now.types, now.snapshot, is, old.snapshot.item(was));
      // `x 784 → 790`, `weapon hammer → gun`
      const steps = Array.from(item.changes()).flatMap(({ value: { label }, change }) => [
        plain(`  ${label} ${change.oldSymbol ?? valueInLine(change.old)} → `),
        { text: change.newSymbol ?? valueInLine(change.new), style: theme.strong },
      ]);
      yield [plain('~ '), this.#title(now, is), ...steps];
    }
  }

  #title({ players, snapshot, types }: Selected, i: number): Segment {
    const type = snapshot.type(i);
    const id = snapshot.id(i);
    const player = clientItems.has(types.of(type)?.name ?? '') ? players.nameOf(id) : undefined;
    const text = types.titleOf(snapshot.keys[i]!);
    return { text: player === undefined ? text : `${text} (${nameText(player)})`, style: this.#options.theme.strong };
  }

  #message(entry: MessageEntry, isShown: boolean): void {
    const { stream, direction, tick, head, certainty } = entry;
    const { players } = this.#detectorsOf(stream);
    const isSelected = isShown && this.#options.filter.message(head.type?.name, head.uuid);
    const isHeard = direction === 'to_client' && head.type !== undefined && head.version === undefined;
    const events =
      isHeard && (isSelected || contextMessages.has(head.type.name)) && !entry.message.diagnostics.error
        ? [...this.#detectorsOf(stream).onMessage(entry.message)]
        : [];
    if (!isSelected) return;
    const sentences =
      certainty === undefined && !this.#options.verbose ? this.#phrases.groups(events.filter(isNotice)) : [];
    for (const { phrase } of sentences) this.#put(tick, phrase);
    if (sentences.length > 0) return;
    const verb = this.#isDemo ? '' : direction === 'to_client' ? 'gets ' : 'sends ';
    this.#put(tick, [plain(verb + messageLine(entry.message, certainty, (client) => players.nameOf(client)))]);
  }

  #detectorsOf(stream: Stream): EventDetectors {
    if (this.#detectors.get(stream)?.protocol !== stream.protocol) this.#detectors.delete(stream);
    return getOr(this.#detectors, stream, () => new EventDetectors(stream.protocol, false));
  }

  #put(tick: number | undefined, phrase: Phrase): void {
    if (this.#isDemo) this.#lines!.at(tick ?? -1, [phrase]);
    else this.#lines!.add(this.#place, phrase);
  }
}

/** The messages on which names depend. */
const contextMessages: ReadonlySet<string> = new Set(['sv_clientinfo', 'sv_clientdrop', 'sv_team', 'sv_skinchange']);

const isNotice = (event: GameEvent): event is Notice => !isAction(event);

const plain = (text: string): Segment => ({ text, style: asIs });

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
class GhostTimeline {
  readonly #style: DemoTimelineOptions;
  readonly #fields = new ItemFields(ghostProtocol, ghostCharacter.name);
  #ghost: Ghost | undefined;
  #hasHeading = false;

  constructor(style: DemoTimelineOptions) {
    this.#style = style;
  }

  add(entry: RecordingEntry): string {
    const { theme, ticks, only } = this.#style;
    // Nothing happens in a ghost but its run.
    if (only) return '';
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
