import type { GameEvent } from '../../recording/events/event.ts';
import { Players } from '../../recording/events/players.ts';
import type { MessageEntry, RecordingEntry, SnapshotEntry } from '../../recording/replay/record.ts';
import type { Stream } from '../../recording/replay/stream.ts';
import { getOr } from '../../wire/bytes/get-or.ts';
import { ItemTypes } from '../../wire/snapshot/item-types.ts';
import { firstLocalType, idOf, typeOf } from '../../wire/snapshot/key.ts';
import { Snapshot } from '../../wire/snapshot/snapshot.ts';
import type { CompiledQuery } from './compile.ts';
import type { FoundItem, Test } from './subjects.ts';

/** What of a record a query is about; a record of a recording is one. */
type MatchedEntry =
  | (Pick<SnapshotEntry, 'record' | 'snapshot' | 'before'> & Origin)
  | (Pick<MessageEntry, 'record' | 'direction' | 'head' | 'message'> & Origin)
  | ({ readonly record: 'drop' } & Origin)
  | { readonly record: Exclude<RecordingEntry['record'], 'snapshot' | 'message' | 'drop'> };

/** A stream, of which only the protocol counts. */
interface Origin {
  readonly stream: Pick<Stream, 'protocol'>;
}

interface Followed {
  readonly players: Players;
  /** The tests by type number, as far as the numbers are the protocol's own. */
  readonly tests: (Test<FoundItem> | undefined)[];
  /** A copy of the last snapshot, where a query needs it. */
  readonly last: Snapshot;
  hasLast: boolean;
  /** How many items of the last snapshot were selected. */
  found: number;
}

/**
 * Finds what a query selects in the records of a recording, one after the other: each is passed to {@link follow}
 * first, and then it is asked for the items and messages in it.
 */
export class QueryMatcher {
  readonly query: CompiledQuery;
  /** How many items of the current snapshot are selected. */
  found = 0;
  readonly #streams = new Map<object, Followed>();
  #selected = new Uint8Array(256);
  #current: Snapshot | undefined;
  #before: Snapshot | undefined;
  #foundBefore = 0;
  #followed: Followed | undefined;
  #item: FoundItem = foundItem(new Players());
  #message: Pick<MessageEntry, 'head' | 'message'> | undefined;

  constructor(query: CompiledQuery) {
    this.query = query;
  }

  follow(entry: MatchedEntry): void {
    this.#current = undefined;
    this.found = 0;
    this.#message = entry.record === 'message' ? entry : undefined;
    if (entry.record === 'drop') this.#streams.delete(entry.stream);
    else if (entry.record === 'snapshot') this.#onSnapshot(entry, this.#followedIn(entry.stream));
    else if (entry.record === 'message') {
      this.#followed = this.#followedIn(entry.stream);
      const isAbout = this.query.needsPlayers && entry.direction === 'to_client' && entry.head.version === undefined;
      if (isAbout && entry.head.type?.name === 'sv_clientinfo') this.#followed.players.onMessage(entry.message);
    }
  }

  /**
   * Whether an item of the current snapshot is selected; of one that it does not have any more, whether it was in the
   * snapshot before.
   */
  item(types: ItemTypes, type: number, id: number): boolean {
    if (!this.#current || (this.found === 0 && this.#foundBefore === 0)) return false;
    const i = this.#current.find(type, id);
    if (i >= 0) return this.#selected[i] === 1;
    const was = this.#before?.find(type, id) ?? -1;
    const known = was < 0 ? undefined : types.of(type);
    if (!known) return false;
    this.#item.before = undefined;
    return this.#isSelected(this.query.item(known), this.#before!, was);
  }

  /** Whether item `i` of the current snapshot is selected. */
  isSelected(i: number): boolean {
    return this.#selected[i] === 1;
  }

  /** Whether the current message is selected. */
  get isMessage(): boolean {
    const { type } = this.#message?.head ?? {};
    if (!type) return false;
    const test = this.query.message(type);
    return typeof test === 'boolean'
      ? test
      : test({ message: this.#message!.message, roster: this.#followed!.players });
  }

  event(event: GameEvent): boolean {
    return this.query.event(event);
  }

  #followedIn(stream: object): Followed {
    return getOr(this.#streams, stream, () => {
      const players = new Players();
      return { players, tests: [], last: new Snapshot(), hasLast: false, found: 0 };
    });
  }

  #onSnapshot({ snapshot, before, stream }: MatchedEntry & { record: 'snapshot' }, followed: Followed): void {
    if (!snapshot) return;
    const { needsPlayers, needsBefore } = this.query;
    if (needsPlayers) followed.players.onSnapshot(snapshot, stream.protocol);
    this.#followed = followed;
    this.#current = snapshot;
    this.#before = before;
    this.#foundBefore = followed.found;
    this.#select(snapshot, stream, followed);
    followed.found = this.found;
    if (!needsBefore) return;
    followed.last.copyFrom(snapshot);
    followed.hasLast = true;
  }

  #select(snapshot: Snapshot, { protocol }: Pick<Stream, 'protocol'>, followed: Followed): void {
    const { keys, count } = snapshot;
    const { tests } = followed;
    if (this.#selected.length < count) this.#selected = new Uint8Array(2 * count);
    const selected = this.#selected;
    if (this.#item.roster !== followed.players) this.#item = foundItem(followed.players);
    this.#item.before = followed.hasLast ? followed.last : undefined;
    let types: ItemTypes | undefined;
    for (let i = 0; i < count; i++) {
      const number = typeOf(keys[i]!);
      let test = tests[number];
      if (number >= firstLocalType) {
        // What a local number stands for is registered in each snapshot.
        types ??= new ItemTypes(protocol).onSnapshot(snapshot);
        const type = types.of(number);
        test = type !== undefined && this.query.item(type);
      } else if (test === undefined) {
        const type = number < 0 ? undefined : protocol.byType(number);
        test = type !== undefined && this.query.item(type);
        if (number >= 0) tests[number] = test;
      }
      const isSelected = test !== false && this.#isSelected(test, snapshot, i);
      selected[i] = isSelected ? 1 : 0;
      if (isSelected) this.found++;
    }
  }

  #isSelected(test: Test<FoundItem>, snapshot: Snapshot, i: number): boolean {
    if (typeof test === 'boolean') return test;
    const item = this.#item;
    const key = snapshot.keys[i]!;
    item.snapshot = snapshot;
    item.key = key;
    item.id = idOf(key);
    item.start = snapshot.offsets[i]!;
    item.end = snapshot.offsets[i + 1]!;
    return test(item);
  }
}

const foundItem = (roster: Players): FoundItem => ({
  snapshot: new Snapshot(),
  before: undefined,
  key: 0,
  id: 0,
  start: 0,
  end: 0,
  roster,
});
