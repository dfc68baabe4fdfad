import type { Args } from '../../wire/bytes/diagnostic.ts';
import { getOr } from '../../wire/bytes/get-or.ts';
import { type Message, valueNamed } from '../../wire/packet/message.ts';
import type { Protocol } from '../../wire/protocol/registry.ts';
import { idOf, typeOf } from '../../wire/snapshot/key.ts';
import type { Snapshot } from '../../wire/snapshot/snapshot.ts';
import { type ItemCode, itemRows, wholeRows } from '../games/expectations.ts';
import { maxJoined } from '../replay/limits.ts';
import type { SnapshotEntry } from '../replay/record.ts';
import { type Broken, Conditions, maxClients } from './conditions.ts';
import { clientsIn } from './message-facts.ts';
import { beyond, type Moment, spanOf, type Told } from './told.ts';

/*
 * What snapshots tell together: a row that is broken in one snapshot may be a matter of one tick, so a span of them is
 * one finding, told when it ends.
 *
 *   tick        1000  1002  …  1050  1052  …  1118  1120
 *   bob         here  here     gone  gone     gone  here          one span: ticks 1050 to 1118
 *   cat         here  here     gone  gone     gone  here          the same ends: one finding of both
 *
 * Rows that `join` come and go with single snapshots, as events do: all of one kind are told at the end.
 */

/** Snapshots of one thing, from the first to the last. */
interface Span extends Broken {
  readonly first: Moment;
  last: Moment;
  snapshots: number;
  /** The ticks that it lasts at least. */
  readonly ticks: number;
  readonly args: Args;
}

/** The ticks within which no hand changes to the dummy and back, and how often that is told. */
const quickTicks = 12;
const enoughReturns = 3;
/** In 0.7 messages say who a player is. So many ticks after its item the server has sent it twice more. */
const announcedWithin = 100;
const maxNames = 4;
/** A player who watches. */
const spectators = -1;

const noneTold: readonly Told[] = [];

type Rebuilt = Pick<SnapshotEntry, 'tick' | 'frame' | 'before' | 'base' | 'kind' | 'delta'>;

/** Follows the snapshots of one stream. */
export class SnapshotStory {
  readonly conditions: Conditions;
  readonly #isDemo: boolean;
  /** What goes on, and of the rows that join all that was. */
  readonly #spans = new Map<string, Span>();
  readonly #joined = new Map<string, Span>();
  readonly #recorder = new RecorderChanges();
  /** Clients that messages name, each with the first message; what can be none has one together. */
  readonly #named = new Map<number, Told>();
  /** The first of more rows that join than are kept. */
  #beyond: { readonly tick: number; readonly frame?: number } | undefined;
  #hasGaps = false;
  #absent: readonly number[] = [];
  #team: number | undefined;

  constructor(isDemo: boolean) {
    this.#isDemo = isDemo;
    this.conditions = new Conditions(isDemo);
  }

  /**
   * Adds the next snapshot that was rebuilt.
   * @param isWhole whether all messages to its receiver are here, from the first one on
   * @returns what has ended with it
   */
  add(entry: Rebuilt, snapshot: Snapshot, protocol: Protocol, isWhole = true): readonly Told[] {
    const { conditions } = this;
    const broken = conditions.read(entry, snapshot, protocol);
    if (conditions.isNew) this.#followRecorder(entry, snapshot);
    if (conditions.team !== this.#team || conditions.isNew) this.#followAbsent();
    if (broken.length === 0 && this.#absent.length === 0 && this.#spans.size === 0) return noneTold;
    const absent = this.#absent.map((of) => ({ code: 'others_absent', of }) as const);
    // In 0.7 messages say who a player is.
    const isByMessage = !this.#isDemo && protocol.version === '0.7';
    const all = isByMessage && !isWhole ? broken.filter(({ code }) => code !== 'player_without_info') : broken;
    return this.#follow([...all, ...absent], entry, snapshot, isByMessage ? announcedWithin : 0);
  }

  #followRecorder(at: Moment, snapshot: Snapshot): void {
    const { conditions } = this;
    if (conditions.recorders?.length === 1)
      this.#recorder.add(conditions.recorders[0]!, at, (client) => conditions.nameOf(client, snapshot));
  }

  /** A snapshot that cannot be rebuilt, or may be wrong: what comes after it is new. */
  addGap(): void {
    this.#hasGaps = true;
    this.conditions.restart();
    this.#team = undefined;
  }

  /** Adds one of the messages that {@link namesPlayers} finds. */
  addMessage(message: Message, at: Moment): void {
    const { announced } = this.conditions;
    const name = message.type?.name ?? '';
    for (const [field, client] of clientsIn(message)) {
      if (name === 'sv_clientinfo') {
        if (!this.#isDemo) announced.set(client, String(valueNamed(message.values, 'name') ?? ''));
      } else if (name === 'sv_clientdrop') announced.delete(client);
      else if (client >= 0)
        getOr(this.#named, Math.min(client, maxClients), () =>
          toldOf('unknown_client', at, at, { name, field, found: client }),
        );
    }
  }

  /** The next map begins: all players are announced again. */
  restart(): void {
    this.conditions.announced.clear();
    this.conditions.restart();
    this.#team = undefined;
  }

  finish(): Told[] {
    const ended = [...this.#spans.values(), ...this.#joined.values()];
    const unknown = this.#hasGaps ? [] : [...this.#named].filter(([client]) => !this.conditions.hasSeen(client));
    const more = this.#beyond && {
      ...this.#beyond,
      ...beyond('odd_items', maxJoined),
      direction: 'to_client' as const,
    };
    const told = [...toldTogether(ended), ...this.#recorder.finish(), ...unknown.map(([, told]) => told)];
    return more ? [...told, more] : told;
  }

  #follow(broken: readonly Broken[], entry: Rebuilt, snapshot: Snapshot, within: number): readonly Told[] {
    const { tick, frame } = entry;
    const now = { tick, frame };
    for (const { code, of } of broken) {
      const key = `${code} ${of}`;
      const { joins } = itemRows[code];
      const spans = joins ? this.#joined : this.#spans;
      const known = spans.get(key);
      if (known) {
        known.last = now;
        known.snapshots++;
      } else if (joins && spans.size >= maxJoined) this.#beyond ??= frame === undefined ? { tick } : { tick, frame };
      else {
        const args = this.#argsOf(code, of, entry, snapshot);
        const ticks = code === 'player_without_info' ? within : 0;
        spans.set(key, { code, of, first: now, last: now, snapshots: 1, ticks, args });
      }
    }
    if (this.#spans.size === 0) return noneTold;
    const ended: Span[] = [];
    for (const [key, span] of this.#spans) {
      if (span.last === now) continue;
      this.#spans.delete(key);
      const isLate = span.code === 'player_without_info' && this.conditions.announced.has(Number(span.of));
      if (!isLate) ended.push(span);
    }
    return toldTogether(ended);
  }

  #argsOf(code: ItemCode, of: number | string, { before }: Rebuilt, snapshot: Snapshot): Args {
    const { conditions } = this;
    const named = (client: number) =>
      conditions.nameOf(client, snapshot) ?? (before && conditions.nameOf(client, before)) ?? `client ${client}`;
    if (typeof of === 'string') return { who: of };
    if (code === 'unregistered_items') return { type: of };
    if (code === 'items_dropped')
      return { ...conditions.fullnessOf(snapshot), gone: before ? this.#goneFrom(before, snapshot, named) : '' };
    const character = conditions.characterOf(of, snapshot);
    return { who: named(of), ...character };
  }

  /** What the snapshot before had and this one lacks: characters by name, other items by type. */
  #goneFrom(before: Snapshot, snapshot: Snapshot, named: (client: number) => string): string {
    const { conditions } = this;
    const gone: string[] = [];
    const types = new Set<number>();
    for (const key of before.keys.subarray(0, before.count)) {
      if (snapshot.findKey(key) >= 0) continue;
      if (conditions.isCharacter(key)) gone.push(`the character of ${named(idOf(key))}`);
      else types.add(typeOf(key));
    }
    const left = [...types]
      .filter((type) => !hasType(snapshot, type))
      .map((type) => `all ${conditions.typeName(type)}`);
    const all = [...gone, ...left];
    const more = all.length - maxNames;
    return [...all.slice(0, maxNames), ...(more > 0 ? [`${more} more`] : [])].join(', ');
  }

  /** The characters of others that go in the snapshot in which the recording player begins to watch, until one is back. */
  #followAbsent(): void {
    const { conditions } = this;
    const { team, isNew, recorders } = conditions;
    const before = this.#team;
    this.#team = team;
    if (this.#absent.length > 0) {
      const isOver = team !== spectators || this.#absent.some((client) => conditions.characters.includes(client));
      this.#absent = isOver ? [] : this.#absent.filter((client) => conditions.players.includes(client));
    } else if (isNew && team === spectators && before !== undefined && before !== spectators) {
      const { charactersBefore, characters, players } = conditions;
      const others = charactersBefore.filter((client) => client !== recorders?.[0] && players.includes(client));
      if (!others.some((client) => characters.includes(client))) this.#absent = others;
    }
  }
}

function hasType({ keys, count }: Snapshot, type: number): boolean {
  for (let i = 0; i < count; i++) if (typeOf(keys[i]!) === type) return true;
  return false;
}

function toldOf(code: ItemCode | keyof typeof wholeRows, first: Moment, last: Moment, args: Args): Told {
  const { weight } = code in itemRows ? itemRows[code as ItemCode] : wholeRows[code as keyof typeof wholeRows];
  const span = spanOf(first, last);
  return { ...span, code, weight, direction: 'to_client', args: { ...args, ...span.args } };
}

/** Spans that have ended: those of one row with the same ends are one finding. */
function toldTogether(ended: readonly Span[]): Told[] {
  const groups = new Map<string, Span[]>();
  for (const span of ended) {
    const { code, first, last, snapshots, ticks } = span;
    if (snapshots < itemRows[code].least || last.tick - first.tick < ticks) continue;
    const key = `${code} ${first.tick} ${last.tick} ${itemRows[code].joins ? span.of : ''}`;
    groups.set(key, [...(groups.get(key) ?? []), span]);
  }
  return [...groups.values()].map((spans) => {
    const [{ code, first, last, snapshots, args }] = spans as [Span];
    const names = spans.map(({ args: { who } }) => String(who));
    const more = names.length - maxNames;
    const who = [...names.slice(0, maxNames), ...(more > 0 ? [`${more} more`] : [])].join(', ');
    return toldOf(code, first, last, { ...args, ...(args.who !== undefined && { who }), snapshots });
  });
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

  add(client: number, { tick, frame }: Moment, nameOf: (client: number) => string | undefined): void {
    const before = this.#now;
    if (before?.client === client) return;
    const since = { tick, frame };
    const name = nameOf(client) ?? `client ${client}`;
    this.#now = { client, name, since };
    // The same name with another number is another map, or who comes back.
    if (!before || before.name === name) return;
    if (this.#from === name && tick - before.since.tick <= quickTicks) this.#returns++;
    this.#from = before.name;
    this.#changes++;
    if (this.#names.size < maxNames) this.#names.add(before.name).add(name);
    this.#first ??= since;
    this.#last = since;
  }

  finish(): Told[] {
    if (this.#changes === 0) return [];
    const args = { who: [...this.#names].join(', '), changes: this.#changes };
    const code = this.#returns < enoughReturns ? 'recorder_changes' : 'recorders_alternate';
    return [toldOf(code, this.#first!, this.#last!, args)];
  }
}
