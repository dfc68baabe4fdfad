import type { MessageEntry, SnapshotEntry } from '../recording/record.ts';
import { ItemTypes } from '../snapshot/item-types.ts';
import type { Snapshot } from '../snapshot/snapshot.ts';
import type { Edit } from './editor.ts';
import type { Identities } from './identities.ts';
import { ItemTexts } from './item-texts.ts';
import { anywhere, wholeWord } from './rename.ts';
import { rewriteMessage } from './rewrite-message.ts';
import { isSnapshotMessage } from './sent-snapshots.ts';

/** Names of at least this many characters are replaced inside of words, too. */
const longName = 4;
/** Names of at least this many characters are looked for in bytes that are no text; signs are names only then. */
const minReplacedLength = 3;

/** Texts that are secrets or addresses, whoever's. */
const codes: ReadonlySet<string> = new Set(['generated_code', 'code']);
const address = /\b\d{1,3}(?:\.\d{1,3}){3}(?::\d+)?\b|\[[0-9a-f:]+:[0-9a-f:]*\](?::\d+)?/gi;

/**
 * Gives players and clans pseudonyms, the same everywhere: in items and in all texts of messages, in whatever case they are
 * written there. Addresses and save codes are blanked.
 */
export class Anonymise implements Edit {
  /** Changed texts of messages. */
  texts = 0;
  /** Messages that no table knows, and stayed. */
  unknownKept = 0;
  /** Messages that were left out because a name is in bytes of theirs that are no text. */
  unreadable = 0;
  /** Type numbers of items that no table knows: what is in them stayed. */
  readonly unknownItems = new Set<number>();
  readonly #pseudonyms = new Map<string, string>();
  readonly #inText: RegExp | undefined;
  /** The longer names, anywhere. */
  readonly #names: RegExp | undefined;
  readonly #identities: Identities;
  #items: ItemTexts | undefined;

  constructor(identities: Identities) {
    this.#identities = identities;
    for (const [name, pseudonym] of identities.names) {
      const folded = name.trim().toLowerCase();
      // A blank or a single sign is a name, too, but not in a text.
      if (!this.#pseudonyms.has(folded) && isReplaceable(folded)) this.#pseudonyms.set(folded, pseudonym);
    }
    const longestFirst = [...this.#pseudonyms.keys()].sort((a, b) => b.length - a.length);
    const patterns = longestFirst.map((name) => ([...name].length >= longName ? anywhere(name) : wholeWord(name)));
    if (patterns.length > 0) this.#inText = new RegExp(patterns.join('|'), 'giu');
    const long = longestFirst.filter((name) => [...name].length >= minReplacedLength).map(anywhere);
    if (long.length > 0) this.#names = new RegExp(long.join('|'), 'iu');
  }

  snapshot(snapshot: Snapshot, { stream }: SnapshotEntry): boolean {
    this.#items ??= new ItemTexts(stream.protocol, new Set(['name', 'clan']), (text) => {
      return this.#identities.names.get(text) ?? text;
    });
    this.#noteUnknown(snapshot, stream.protocol);
    return this.#items.apply(snapshot);
  }

  message({ message, bytes }: MessageEntry): Uint8Array | 'drop' | undefined {
    if (isSnapshotMessage(message)) return 'drop';
    const now = rewriteMessage(message, bytes, ({ type, name, value }) => {
      if (type.kind !== 'string' || typeof value !== 'string') return undefined;
      const text = codes.has(name) && value !== '' ? '***' : this.text(value);
      if (text !== value) this.texts++;
      return text;
    });
    if (this.#hasName(now ?? bytes)) {
      this.unreadable++;
      return 'drop';
    }
    if (!message.type) this.unknownKept++;
    return now;
  }

  /** What was done, and what was not touched. */
  get summary() {
    const { unknownKept, unreadable } = this;
    const unknownItems = [...this.unknownItems].sort((a, b) => a - b);
    const [players, clans] = [this.#identities.count('player'), this.#identities.count('clan')];
    return { players, clans, unknownKept, unreadable, unknownItems };
  }

  /** A text without names and addresses. */
  text(text: string): string {
    const named = this.#inText
      ? text.replace(this.#inText, (name) => this.#pseudonyms.get(name.toLowerCase()) ?? 'player')
      : text;
    return named.replace(address, '0.0.0.0');
  }

  /** Whether a name is in bytes that were not read as a text: of an unknown message, or of one that was read wrongly. */
  #hasName(bytes: Uint8Array): boolean {
    if (!this.#names) return false;
    return this.#names.test(utf8.decode(bytes).replace(pseudonym, ''));
  }

  #noteUnknown(snapshot: Snapshot, protocol: ConstructorParameters<typeof ItemTypes>[0]): void {
    let types: ItemTypes | undefined;
    for (let i = 0; i < snapshot.count; i++) {
      const type = snapshot.type(i);
      if (type === 0 || protocol.byType(type) || this.#known.has(type)) continue;
      types ??= new ItemTypes(protocol).onSnapshot(snapshot);
      if (types.of(type)) this.#known.add(type);
      else this.unknownItems.add(type);
    }
  }

  /** Local numbers of known items, which mostly mean the same in all snapshots of a recording. */
  readonly #known = new Set<number>();
}

const utf8 = new TextDecoder();
const pseudonym = /\b(player|clan) \d+/g;

/** Whether a name says who is meant, where it is in a text. */
const isReplaceable = (name: string) => /[\p{L}\p{N}]/u.test(name) || name.length >= minReplacedLength;
