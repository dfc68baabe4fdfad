import type { Args } from '../../wire/bytes/diagnostic.ts';
import { getOr } from '../../wire/bytes/get-or.ts';
import { type Message, valueNamed } from '../../wire/packet/message.ts';
import type { Protocol } from '../../wire/protocol/registry.ts';
import { intAt } from '../../wire/snapshot/item-fields.ts';
import { ItemTypes } from '../../wire/snapshot/item-types.ts';
import { firstLocalType, idOf, typeOf } from '../../wire/snapshot/key.ts';
import type { Snapshot } from '../../wire/snapshot/snapshot.ts';
import { type ItemCode, itemRows, wholeRows } from '../games/expectations.ts';
import { nameIn, playerItemsOf } from '../replay/player-items.ts';
import type { SnapshotEntry } from '../replay/record.ts';
import { clientsIn } from './message-facts.ts';
import { fullnessOf, maxClients, SnapshotFacts } from './snapshot-facts.ts';
import { type Broken, listed, noneBroken, type Span, Spans } from './spans.ts';
import { type Moment, type Told, tell } from './told.ts';

/*
 * What the snapshots of a stream tell together with its messages: which rows each breaks, who records, whom messages
 * name, and whose characters are absent.
 */

/** The ticks within which no hand changes to the dummy and back, and how often that is told. */
const quickTicks = 12;
const enoughReturns = 3;
const maxRecorders = 4;
/** In 0.7 messages say who a player is. So many ticks after its item the server has sent it twice more. */
const announcedWithin = 100;
/** A player who watches. */
const spectators = -1;

const noneTold: readonly Told[] = [];

/** A snapshot that was rebuilt, and the one before it. */
type Rebuilt = Pick<SnapshotEntry, 'tick' | 'frame' | 'before' | 'base' | 'kind' | 'delta'>;

/** Follows the snapshots of one stream. */
export class SnapshotStory {
  readonly #isDemo: boolean;
  readonly #isWhole: () => boolean;
  readonly #facts = new SnapshotFacts();
  /** The rows that the last snapshot breaks: by its clients, by its local types, and both together. */
  #ofClients: readonly Broken[] = noneBroken;
  #ofTypes: readonly Broken[] = noneBroken;
  #broken = noneBroken;
  #types: ItemTypes | undefined;
  readonly #spans = new Spans((span) => this.#isAnnounced(span));
  readonly #recorder = new RecorderChanges();
  /** Clients that messages name, each with the first message; what can be none has one together. */
  readonly #named = new Map<number, Told>();
  /** By client: the name that a message said, in 0.7. */
  readonly #announced = new Map<number, string>();
  #hasGaps = false;
  /** Whether the clients have to be looked at again, whatever the next snapshot says. */
  #isDue = false;
  /** The team of the player who records, when the clients were looked at. */
  #team: number | undefined;
  /** Whose characters went when the recording player began to watch. */
  #absent: readonly number[] = [];
  /** Whether messages say who the players are: 0.7. */
  #isByMessage = false;

  /** @param isWhole whether all messages to its receiver are here, from the first one on */
  constructor(isDemo: boolean, isWhole = () => true) {
    this.#isDemo = isDemo;
    this.#isWhole = isWhole;
  }

  /** Adds the next snapshot that was rebuilt. @returns what has ended with it */
  add(entry: Rebuilt, snapshot: Snapshot, protocol: Protocol): readonly Told[] {
    const facts = this.#facts;
    facts.read(entry, snapshot, protocol);
    if (facts.hasOtherClients || this.#isDue) this.#lookAtClients(entry, snapshot, protocol);
    if (facts.hasOtherTypes) this.#lookAtTypes(entry, snapshot, protocol);
    const isUsual = this.#broken === noneBroken && this.#spans.broken === noneBroken;
    return isUsual ? noneTold : this.#addBroken(entry, snapshot, protocol);
  }

  #addBroken(entry: Rebuilt, snapshot: Snapshot, protocol: Protocol): readonly Told[] {
    this.#isByMessage = !this.#isDemo && protocol.version === '0.7';
    const isUnsure = this.#isByMessage && !this.#isWhole();
    const broken = isUnsure ? this.#broken.filter(({ code }) => code !== 'player_without_info') : this.#broken;
    const { tick, frame } = entry;
    return this.#spans.add(broken, { tick, frame }, (one) => this.#argsOf(one, entry.before, snapshot, protocol));
  }

  #lookAtClients(at: Rebuilt, snapshot: Snapshot, protocol: Protocol): void {
    const facts = this.#facts;
    this.#isDue = false;
    const recorder = facts.firstWith('recorder');
    const second = recorder === undefined ? undefined : facts.firstWith('recorder', recorder + 1);
    if (recorder !== undefined && second === undefined && recorder !== this.#recorder.client)
      this.#recorder.change(recorder, at, this.#nameOf(recorder, snapshot, protocol));
    this.#followAbsent(recorder);
    const isUsual = second === undefined && this.#absent.length === 0 && !facts.areOdd && !facts.isFull;
    if (isUsual) this.#ofClients = noneBroken;
    else {
      const two = second === undefined ? [] : [{ code: 'two_recorders', of: second } as const];
      const absent = this.#absent.map((of) => ({ code: 'others_absent', of }) as const);
      this.#ofClients = [...brokenByClients(facts, this.#isDemo, this.#announced), ...two, ...absent];
    }
    this.#join();
  }

  #lookAtTypes({ tick }: Rebuilt, snapshot: Snapshot, protocol: Protocol): void {
    const facts = this.#facts;
    const areKnown = this.#types?.areOf(snapshot, protocol);
    if (!areKnown) this.#types = new ItemTypes(protocol).onSnapshot(snapshot);
    const { broken, quiet } = localTypesOf(snapshot, this.#types!, facts.isFull);
    const isSame = areKnown && areOfSame(broken, this.#ofTypes) && `${quiet}` === `${facts.quietTypes}`;
    // A delta on a snapshot before it may leave out what is new here, and is read whole.
    if (!isSame) facts.followSince(tick);
    facts.quietTypes = quiet;
    this.#ofTypes = broken;
    this.#join();
  }

  #join(): void {
    const all = [...this.#ofClients, ...this.#ofTypes];
    this.#broken = all.length === 0 ? noneBroken : all;
  }

  /** A snapshot that cannot be rebuilt, or may be wrong: what comes after it is new. */
  addGap(): void {
    this.#hasGaps = true;
    this.#beginAgain();
  }

  /** The next map begins: all players are announced again. */
  restart(): void {
    this.#announced.clear();
    this.#beginAgain();
  }

  #beginAgain(): void {
    this.#facts.restart();
    this.#team = undefined;
    this.#isDue = true;
  }

  /** Adds a message that names players. */
  addMessage(message: Message, at: Moment): void {
    const name = message.type?.name ?? '';
    for (const [field, client] of clientsIn(message)) {
      if (name === 'sv_clientinfo') {
        if (!this.#isDemo) this.#announced.set(client, String(valueNamed(message.values, 'name') ?? ''));
        this.#facts.seen[client] = 1;
        this.#isDue = true;
      } else if (name === 'sv_clientdrop') this.#announced.delete(client);
      else if (client >= 0)
        getOr(this.#named, Math.min(client, maxClients), () =>
          tell(wholeRows.unknown_client, at, at, { name, field, found: client }),
        );
    }
  }

  finish(): Told[] {
    const unknown = this.#hasGaps ? [] : [...this.#named].filter(([client]) => !this.#facts.seen[client]);
    return [...this.#spans.finish(), ...this.#recorder.finish(), ...unknown.map(([, told]) => told)];
  }

  /** In 0.7 a player may be announced later, and one who has just come may leave before. */
  #isAnnounced({ code, of, first, last }: Span): boolean {
    if (code !== 'player_without_info' || !this.#isByMessage) return false;
    return last.tick! - first.tick! < announcedWithin || this.#announced.has(Number(of));
  }

  /** The name of a client in a snapshot, or as a message said it. */
  #nameOf(client: number, snapshot: Snapshot, protocol: Protocol): string | undefined {
    return nameIn(snapshot, client, protocol) ?? this.#announced.get(client);
  }

  #argsOf({ code, of }: Broken, before: Snapshot | undefined, snapshot: Snapshot, protocol: Protocol): Args {
    const named = (client: number) =>
      this.#nameOf(client, snapshot, protocol) ??
      (before && this.#nameOf(client, before, protocol)) ??
      `client ${client}`;
    if (typeof of === 'string') return { who: of };
    if (code === 'unregistered_items') return { type: of };
    if (code === 'items_dropped')
      return { ...fullnessOf(snapshot, protocol), gone: before ? goneFrom(before, snapshot, protocol, named) : '' };
    return { who: named(of), ...motionOf(snapshot, of, protocol) };
  }

  /** The characters of others that go in the snapshot in which the recording player begins to watch, until one is back. */
  #followAbsent(recorder: number | undefined): void {
    const facts = this.#facts;
    const teamBefore = this.#team;
    this.#team = recorder === undefined ? undefined : facts.team;
    const watches = this.#team === spectators;
    const begins = watches && teamBefore !== undefined && teamBefore !== spectators;
    const players = begins ? facts.clientsWith('player') : this.#absent.filter((of) => facts.has(of, 'player'));
    const absent = begins ? players.filter((of) => of !== recorder && facts.had(of, 'character')) : players;
    this.#absent = watches && !absent.some((of) => facts.has(of, 'character')) ? absent : [];
  }
}

const rows = Object.values(itemRows);

/** The rows that the clients of a snapshot break, and its size. */
function brokenByClients(
  facts: SnapshotFacts,
  isDemo: boolean,
  announced: ReadonlyMap<number, string> = new Map(),
): Broken[] {
  const { isFull } = facts;
  const broken: Broken[] = [];
  for (const { code, has, lacks } of rows) {
    const clients = has ? facts.clientsWith(has, lacks) : [];
    if (clients.length === 0) continue;
    // What a full snapshot lacks may have been left out. Libraries write characters alone, and demos without names.
    const mayLackAll = lacks === 'player' || isDemo;
    if (lacks && (isFull || (mayLackAll && facts.firstWith(lacks) === undefined))) continue;
    for (const of of clients) if (lacks !== 'info' || !announced.has(of)) broken.push({ code: code as ItemCode, of });
  }
  if (isFull) broken.push({ code: 'items_dropped', of: 0 });
  return broken;
}

/** The rows that the local types of a snapshot break, and the types that break none. */
function localTypesOf(
  { keys, count }: Snapshot,
  types: ItemTypes,
  isFull: boolean,
): { broken: Broken[]; quiet: number[] } {
  const broken: Broken[] = [];
  const quiet: number[] = [];
  const used: number[] = [];
  for (let i = 0; i < count; i++) {
    const type = typeOf(keys[i]!);
    if (type < firstLocalType || used.includes(type)) continue;
    used.push(type);
    const uuid = types.uuidOf(type);
    if (uuid === undefined && !isFull) broken.push({ code: 'unregistered_items', of: type });
    else if (uuid !== undefined && !types.of(type)) broken.push({ code: 'newer_items', of: uuid });
    else quiet.push(type);
  }
  return { broken, quiet };
}

const areOfSame = (broken: readonly Broken[], other: readonly Broken[]): boolean =>
  broken.length === other.length && broken.every(({ of }, i) => of === other[i]!.of);

/** What is broken in one snapshot by itself. */
export function brokenIn(snapshot: Snapshot, protocol: Protocol): { readonly code: ItemCode; readonly args: Args }[] {
  const facts = new SnapshotFacts();
  facts.read({ tick: 0, base: -1, kind: 'snapshot', delta: undefined }, snapshot, protocol);
  const types = new ItemTypes(protocol).onSnapshot(snapshot);
  const ofTypes = localTypesOf(snapshot, types, facts.isFull).broken;
  return [...brokenByClients(facts, false), ...ofTypes].map(({ code, of }) => ({
    code,
    args: code === 'items_dropped' ? fullnessOf(snapshot, protocol) : { type: of },
  }));
}

/** Place and speed of a character. */
function motionOf(snapshot: Snapshot, client: number, protocol: Protocol): Args {
  const { character, x, y, velX, velY } = playerItemsOf(protocol);
  const i = snapshot.find(character, client);
  if (i < 0) return {};
  const at = (field: number) => intAt(snapshot, i, field);
  return { x: at(x), y: at(y), vel_x: at(velX), vel_y: at(velY) };
}

/** What the snapshot before had and this one lacks: characters by name, other items by type. */
function goneFrom(before: Snapshot, snapshot: Snapshot, protocol: Protocol, named: (client: number) => string): string {
  const { character } = playerItemsOf(protocol);
  const types = new ItemTypes(protocol).onSnapshot(before);
  const left = new Set(snapshot.keys.subarray(0, snapshot.count).map(typeOf));
  const characters: string[] = [];
  const others = new Set<string>();
  for (const key of before.keys.subarray(0, before.count)) {
    const type = typeOf(key);
    if (snapshot.findKey(key) >= 0) continue;
    if (type === character) characters.push(`the character of ${named(idOf(key))}`);
    else if (!left.has(type)) others.add(`all ${types.nameOf(type)}`);
  }
  return listed([...characters, ...others]);
}

/** Who records: one person, or by turns two of whom a demo was mixed. */
class RecorderChanges {
  #now: { readonly client: number; readonly name: string; readonly since: Moment } | undefined;
  readonly #names = new Set<string>();
  #changes = 0;
  #returns = 0;
  #from: string | undefined;
  #first: Moment | undefined;
  #last: Moment | undefined;

  /** The one who recorded last. */
  get client(): number | undefined {
    return this.#now?.client;
  }

  change(client: number, { tick, frame }: Moment, name = `client ${client}`): void {
    const before = this.#now;
    const since = { tick, frame };
    this.#now = { client, name, since };
    // The same name with another number is another map, or who comes back.
    if (!before || before.name === name) return;
    if (this.#from === name && tick! - before.since.tick! <= quickTicks) this.#returns++;
    this.#from = before.name;
    this.#changes++;
    if (this.#names.size < maxRecorders) this.#names.add(before.name).add(name);
    this.#first ??= since;
    this.#last = since;
  }

  finish(): Told[] {
    if (this.#changes === 0) return [];
    const args = { who: [...this.#names].join(', '), changes: this.#changes };
    const code = this.#returns < enoughReturns ? 'recorder_changes' : 'recorders_alternate';
    return [tell(wholeRows[code], this.#first!, this.#last!, args)];
  }
}
