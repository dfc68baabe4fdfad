import type { MessageEntry, SnapshotEntry } from '../recording/record.ts';
import { ItemTypes } from '../snapshot/item-types.ts';
import type { Snapshot } from '../snapshot/snapshot.ts';
import type { Edit } from './editor.ts';
import type { Identities } from './identities.ts';
import { ItemTexts } from './item-texts.ts';
import { anywhere, wholeWord } from './rename.ts';
import { rewriteMessage } from './rewrite-message.ts';
import { isSnapshotMessage } from './sent-snapshots.ts';

/** Names of at least this many characters are also replaced inside words. */
const longName = 4;
/**
 * Only names of at least this many characters are searched for in bytes that are not text. Names of symbols are
 * searched for only in names.
 */
const minReplacedLength = 3;

/** Texts that are secrets or addresses, whoever they belong to. */
const codes: ReadonlySet<string> = new Set(['generated_code', 'code']);
const address = /\b\d{1,3}(?:\.\d{1,3}){3}(?::\d+)?\b|\[[0-9a-f:]+:[0-9a-f:]*\](?::\d+)?/gi;

/**
 * Replaces the names of players and clans by pseudonyms, the same in items and in all texts of messages, regardless of
 * case. Addresses and save codes are blanked.
 */
export class Anonymise implements Edit {
  /** The number of changed texts in messages. */
  texts = 0;
  /** The number of unknown messages, which were kept. */
  unknownKept = 0;
  /** The number of messages that were left out because they contain a name in bytes that are not text. */
  unreadable = 0;
  /** The type numbers of unknown items, whose content was kept. */
  readonly unknownItems = new Set<number>();
  readonly #pseudonyms = new Map<string, string>();
  readonly #inText: RegExp | undefined;
  /** Matches the longer names anywhere. */
  readonly #names: RegExp | undefined;
  readonly #identities: Identities;
  #items: ItemTexts | undefined;

  constructor(identities: Identities) {
    this.#identities = identities;
    for (const [name, pseudonym] of identities.names) {
      const folded = name.trim().toLowerCase();
      // A blank or a single symbol can be a name too, but is not replaced in texts.
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

  /** The counts of what was changed and what was left alone. */
  get summary() {
    const { unknownKept, unreadable } = this;
    const unknownItems = [...this.unknownItems].sort((a, b) => a - b);
    const [players, clans] = [this.#identities.count('player'), this.#identities.count('clan')];
    return { players, clans, unknownKept, unreadable, unknownItems };
  }

  /** Replaces the names and addresses in a text. */
  text(text: string): string {
    const named = this.#inText
      ? text.replace(this.#inText, (name) => this.#pseudonyms.get(name.toLowerCase()) ?? 'player')
      : text;
    return named.replace(address, '0.0.0.0');
  }

  /** Whether bytes that were not read as text, in an unknown or misread message, contain a name. */
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

  /** The numbers of known local types, which mostly mean the same in all snapshots of a recording. */
  readonly #known = new Set<number>();
}

const utf8 = new TextDecoder();
const pseudonym = /\b(player|clan) \d+/g;

/** Whether a name in a text identifies a player. */
const isReplaceable = (name: string) => /[\p{L}\p{N}]/u.test(name) || name.length >= minReplacedLength;
