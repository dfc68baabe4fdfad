import { DemoMessage } from '../recording/replay/lazy-message.ts';
import type { MessageEntry } from '../recording/replay/record.ts';
import { getOr } from '../wire/bytes/get-or.ts';
import { valueNamed } from '../wire/packet/message.ts';

/** The messages that set each state, as it is named in a report. */
const states = {
  tuning: /^sv_tuneparams$/,
  motd: /^sv_motd$/,
  'map info': /^sv_mapinfo$/,
  'team states': /^sv_teamsstate(legacy)?$/,
  records: /^sv_record(legacy)?$/,
  'server settings': /^sv_serversettings$/,
  'game info': /^sv_gameinfo$/,
  players: /^sv_(clientinfo|team|skinchange)$/,
  'vote options': /^sv_vote(clearoptions|option)/,
  commands: /^sv_commandinfo/,
} as const;

type StateName = keyof typeof states;

/**
 * States of which all messages are kept in order. Of others each message replaces the one before, for players that of
 * the same client.
 */
const lists: ReadonlySet<StateName> = new Set(['vote options', 'commands']);

const stateNames = Object.keys(states) as StateName[];
/** The state that each message sets, by its name. */
const stateOf = new Map<string, StateName | undefined>();

/** The maximum memory for kept messages, more than those of any recording need. Beyond it no more are kept. */
const maxBytes = 16 << 20;
const copyBytes = 512;

const memoryOf = ({ bytes, payload }: MessageEntry) => bytes.length + (payload?.length ?? 0) + copyBytes;

interface StoredMessage {
  /** Counts all kept messages from 1. */
  readonly number: number;
  readonly entry: MessageEntry;
}

/**
 * Collects the messages that set the current state, so that a demo can begin in the middle: games know only the
 * messages in it.
 */
export class StateMessages {
  /** The number of kept messages, including those that were replaced later. */
  count = 0;
  #bytes = 0;
  readonly #last = new Map<string, StoredMessage>();
  readonly #lists = new Map<StateName, StoredMessage[]>();

  add(entry: MessageEntry): void {
    // Most messages of a server's demo are system messages, which have bit 0 of the first int set.
    if (entry.bytes[0]! & 1) return;
    const name = entry.head.type?.name;
    if (name === undefined) return;
    if (name === 'sv_clientdrop') this.#drop(valueNamed(entry.message.values, 'client_id'));
    const state = getOr(stateOf, name, () => stateNames.find((candidate) => states[candidate].test(name)));
    if (state === undefined) return;
    const isListed = lists.has(state);
    const key = state === 'players' ? keyOf(name, valueNamed(entry.message.values, 'client_id')) : name;
    const list = this.#lists.get(state) ?? [];
    if (!isListed) this.#forget(key);
    else if (name === 'sv_voteclearoptions')
      for (const message of list.splice(0)) this.#bytes -= memoryOf(message.entry);
    if (this.#bytes + memoryOf(entry) > maxBytes) return;
    this.#bytes += memoryOf(entry);
    const stored = { number: ++this.count, entry: copyOfMessage(entry) };
    // The newest message comes last, as in the recording.
    if (!isListed) this.#last.set(key, stored);
    else {
      list.push(stored);
      this.#lists.set(state, list);
    }
  }

  /**
   * The messages that lead to the current state from the state after the first `since` of them, in the order of the
   * recording.
   */
  messages(since = 0): readonly StoredMessage[] {
    return [...this.#last.values(), ...[...this.#lists.values()].flat()]
      .filter(({ number }) => number > since)
      .toSorted((first, second) => first.number - second.number);
  }

  #drop(client: unknown): void {
    for (const name of ['sv_clientinfo', 'sv_team', 'sv_skinchange']) this.#forget(keyOf(name, client));
  }

  #forget(key: string): void {
    const stored = this.#last.get(key);
    if (!stored) return;
    this.#bytes -= memoryOf(stored.entry);
    this.#last.delete(key);
  }
}

const keyOf = (name: string, value: unknown) => `${name} ${value}`;

/** Messages that wait for a tick or snapshot. */
export class WaitingMessages {
  #messages: MessageEntry[] = [];
  #bytes = 0;

  add(entry: MessageEntry): void {
    this.#bytes += memoryOf(entry);
    if (this.#bytes < maxBytes) this.#messages.push(copyOfMessage(entry));
  }

  /** Returns them, and waits for none. */
  take(): readonly MessageEntry[] {
    const messages = this.#messages;
    this.#messages = [];
    this.#bytes = 0;
    return messages;
  }
}

/** A copy that stays valid when the reader continues. */
export const copyOfMessage = ({ stream, tick, offset, bytes, payload }: MessageEntry): MessageEntry =>
  new DemoMessage(stream, tick ?? -1, offset ?? -1, { bytes: bytes.slice(), payload: payload?.slice() });
