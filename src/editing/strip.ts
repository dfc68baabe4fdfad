import type { MessageEntry } from '../recording/replay/record.ts';
import { expects } from '../wire/bytes/expects.ts';
import { isSnapshotMessage } from '../wire/packet/message.ts';
import { messagesOf } from '../wire/protocol/message-registry.ts';
import { type Schema, versions } from '../wire/protocol/registry.ts';
import type { Edit } from './editor.ts';

/** The names of groups of related messages. */
export const messageGroups: Readonly<Record<string, RegExp>> = {
  chat: /^(sv_chat|cl_say)$/,
  broadcast: /^sv_broadcast$/,
  votes: /^(sv_vote|sv_yourvote|cl_vote|cl_callvote)/,
  motd: /^sv_motd$/,
  kills: /^sv_killmsg/,
  emoticons: /^(sv|cl)_emoticon$/,
  sounds: /^sv_(soundglobal|mapsoundglobal)$/,
  alerts: /^sv_(server|moderator)alert$/,
  commands: /^sv_commandinfo/,
  savecodes: /^sv_savecode$/,
  /** The messages of the server's own connections, which no player shows. */
  network: /^(snap|snap_empty|snap_single|snap_small|input_timing|ping|ping_reply|ping_ex|pong_ex)$/,
  rcon: /^(rcon_|maplist)/,
};

/** The names of the messages in a group, or the name of one message; empty for any other word. */
export function messagesCalled(word: string, schema?: Schema): ReadonlySet<string> {
  const group = Object.hasOwn(messageGroups, word) ? messageGroups[word] : undefined;
  const names = versions.flatMap((version) => messagesOf(version, schema).all.map(({ name }) => name));
  return new Set(names.filter((name) => (group ? group.test(name) : name === word)));
}

function namesOf(word: string, schema: Schema | undefined): ReadonlySet<string> {
  const names = messagesCalled(word, schema);
  if (names.size > 0) return names;
  const groups = Object.keys(messageGroups).join(', ');
  throw new TypeError(`Strip: ${JSON.stringify(word)} is neither a message, such as sv_chat, nor one of ${groups}`);
}

/** Leaves out messages. */
export class Strip implements Edit {
  /** The number of messages of each name that were left out. */
  readonly counts = new Map<string, number>();
  readonly #names: ReadonlySet<string>;

  /**
   * @param words names of messages, or of groups as `tw-snap edit --strip` has them: `chat`, `votes`
   * @param schema the messages of a mod
   * @throws TypeError for a word that is neither: who removes chat before a demo is published must not publish it
   */
  constructor(words: Iterable<string>, schema?: Schema) {
    if (typeof words !== 'object' || words === null) expects('Strip', 'a list or set of names', words);
    this.#names = new Set(Array.from(words).flatMap((word) => [...namesOf(word, schema)]));
  }

  message({ message }: Parameters<NonNullable<Edit['message']>>[0]): 'drop' | undefined {
    const name = message.type?.name;
    if (name === undefined || !this.#names.has(name)) return undefined;
    this.counts.set(name, (this.counts.get(name) ?? 0) + 1);
    return 'drop';
  }
}

/**
 * Leaves out the snapshots for clients in a server's demo. No player shows them, and they would keep old items after an
 * edit.
 */
export class DropSentSnapshots implements Edit {
  count = 0;

  message({ message }: MessageEntry): 'drop' | undefined {
    if (!isSnapshotMessage(message)) return undefined;
    this.count++;
    return 'drop';
  }
}
