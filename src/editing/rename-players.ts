import type { MessageEntry, RecordingEntry, SnapshotEntry } from '../recording/replay/record.ts';
import { hasIntsAt } from '../wire/bytes/copy.ts';
import { expects } from '../wire/bytes/expects.ts';
import { getOr } from '../wire/bytes/get-or.ts';
import { isSnapshotMessage, type Message, valueNamed } from '../wire/packet/message.ts';
import type { Field } from '../wire/protocol/item.ts';
import type { Protocol } from '../wire/protocol/registry.ts';
import { intsOfText, textOfInts } from '../wire/protocol/texts.ts';
import { ItemTypes } from '../wire/snapshot/item-types.ts';
import type { Snapshot } from '../wire/snapshot/snapshot.ts';
import { type Edit, rewriteMessage } from './editor.ts';

/** Renames players: in items, and in the texts of messages if their name is a whole word. */
export class Rename implements Edit {
  texts = 0;
  readonly found = new Set<string>();
  readonly names: ReadonlyMap<string, string>;
  readonly #inText: NameFinder;
  readonly #items: ItemTexts;

  constructor(names: ReadonlyMap<string, string>) {
    if (!(names instanceof Map)) expects('Rename', 'a Map from names to names', names);
    this.names = names;
    this.#inText = new NameFinder([...names.keys()], () => true, asIs);
    this.#items = new ItemTexts(['name'], (text) => {
      const now = names.get(text);
      if (now !== undefined) this.found.add(text);
      return now ?? text;
    });
  }

  snapshot(snapshot: Snapshot, { stream }: SnapshotEntry): boolean {
    return this.#items.apply(snapshot, stream.protocol);
  }

  message({ message, bytes }: MessageEntry): Uint8Array | 'drop' | undefined {
    return rewriteTexts(this, message, bytes, (text) =>
      this.#inText.replace(text, (name) => {
        this.found.add(name);
        return this.names.get(name)!;
      }),
    );
  }
}

const rewriteTexts = (
  counts: { texts: number },
  message: Message,
  bytes: Uint8Array,
  rewrite: (text: string, name: string) => string,
): Uint8Array | undefined =>
  rewriteMessage(message, bytes, ({ type, name, value }) => {
    if (type.kind !== 'string' || typeof value !== 'string') return undefined;
    const now = rewrite(value, name);
    if (now !== value) counts.texts++;
    return now;
  });

/** Case does not count, and no place changes. */
const fold = (text: string) =>
  text.replace(/[A-Z]|[^ -~]/gu, (char) => {
    const folded = char.toUpperCase().toLowerCase();
    return folded.length === char.length ? folded : char;
  });

// `$` after a class does not match a letter of two units on Node 26 (V8 14): `/\p{L}$/u.test('𝒴')` is false there.
const endsInWord = /[\p{L}\p{N}_](?!.)/su;
const beginsInWord = /^[\p{L}\p{N}_]/u;

const asIs = (text: string) => text;

/** Finds names in texts. A regular expression of 5,000 names takes 4 ms for each text. */
class NameFinder {
  /** For each name, as it is folded, whether it is not part of a longer word. */
  readonly #isWord: ReadonlyMap<string, boolean>;
  readonly #lengths: readonly number[];
  readonly #fold: (text: string) => string;

  constructor(names: readonly string[], isWord: (name: string) => boolean, foldCase = fold) {
    this.#fold = foldCase;
    this.#isWord = new Map(names.map((name) => [name, isWord(name)]));
    this.#lengths = [...new Set(names.map(({ length }) => length))].sort((a, b) => b - a);
  }

  /** Replaces names, of those that begin at a place the longest. */
  replace(text: string, by: (folded: string) => string): string {
    const folded = this.#fold(text);
    let now = '';
    let from = 0;
    for (let at = 0; at < text.length; at = Math.max(at + 1, from)) {
      const length = this.#lengths.find((candidate) => this.#isNameAt(folded, at, at + candidate));
      if (length === undefined) continue;
      now += text.slice(from, at) + by(folded.slice(at, at + length));
      from = at + length;
    }
    return now + text.slice(from);
  }

  #isNameAt(text: string, at: number, end: number): boolean {
    const isWord = end <= text.length ? this.#isWord.get(text.slice(at, end)) : undefined;
    if (!isWord) return isWord === false;
    return !endsInWord.test(text.slice(Math.max(0, at - 2), at)) && !beginsInWord.test(text.slice(end, end + 2));
  }
}

type IdentityKind = 'player' | 'clan';

/** Names that the games use for players and clans without a name. */
const placeholderNames: ReadonlySet<string> = new Set(['', '(connecting)', '(invalid)']);

/** More take more memory than a command may. */
const maxNames = 100_000;

/** The fields of messages that are names. */
export const nameFields: Readonly<Record<string, Readonly<Record<string, IdentityKind>>>> = {
  sv_clientinfo: { name: 'player', clan: 'clan' },
  de_cliententer: { name: 'player' },
  de_clientleave: { name: 'player' },
  cl_startinfo: { name: 'player', clan: 'clan' },
  cl_changeinfo: { name: 'player', clan: 'clan' },
  sv_savecode: { save_requester: 'player' },
};

/** The phrases with which servers announce players who join, leave or change their name, even if no item names them. */
const announced = [
  /^'(.+)' (?:entered and )?joined/s,
  /^'(.+)' has left/s,
  /^'(.+)' changed name to '(.+)'$/s,
  /^\*\*\* '(.+)' /s,
];

/**
 * Collects all names of a recording, since a server may mention players before their items appear. Each gets a numbered
 * pseudonym.
 */
export class Identities {
  readonly names = new Map<string, string>();
  readonly counts: Record<IdentityKind, number> = { player: 0, clan: 0 };
  /** Whether there are more names than are kept. */
  isFull = false;
  readonly #items = new ItemTexts(['name', 'clan'], (text, field) => {
    this.addName(text, field === 'clan' ? 'clan' : 'player');
    return text;
  });

  add(entry: RecordingEntry): void {
    if (entry.record === 'message') this.addMessage(entry.message);
    else if (entry.record === 'snapshot' && entry.snapshot) this.#items.apply(entry.snapshot, entry.stream.protocol);
  }

  addMessage({ type, values }: Message): void {
    const fields = type && Object.hasOwn(nameFields, type.name) ? nameFields[type.name]! : {};
    for (const { name, value } of values) {
      if (typeof value === 'string' && Object.hasOwn(fields, name)) this.addName(value, fields[name]!);
    }
    if (type?.name !== 'sv_chat' || values.some(({ name, value }) => name === 'client_id' && value !== -1)) return;
    const text = String(valueNamed(values, 'message') ?? '');
    for (const pattern of announced)
      for (const name of pattern.exec(text)?.slice(1) ?? []) this.addName(name, 'player');
  }

  /** Keeps a name as it is; false if nobody has it. */
  keep(name: string): boolean {
    return this.rename(name, name);
  }

  /** Gives a name another pseudonym, which was chosen, after all names were added; false if nobody has it. */
  rename(name: string, pseudonym: string): boolean {
    const was = this.names.get(name);
    if (was === undefined) return false;
    // One that was chosen before is not counted any more.
    const [, kind] = /^(player|clan) \d+$/.exec(was) ?? [];
    if (kind) this.counts[kind as IdentityKind]--;
    this.names.set(name, pseudonym);
    return true;
  }

  addName(name: string, kind: IdentityKind): void {
    if (placeholderNames.has(name) || this.names.has(name)) return;
    this.isFull = this.names.size === maxNames;
    if (this.isFull) return;
    this.names.set(name, `${kind} ${++this.counts[kind]}`);
  }
}

/** Names of at least this many characters are also replaced inside words. */
const longName = 4;
/** Shorter names are not searched for in bytes that are not text, and those of symbols only in names. */
const minReplacedLength = 3;

/** Texts that are secrets or addresses, whoever they belong to. */
const codes: ReadonlySet<string> = new Set(['generated_code', 'code']);
const address = /\b\d{1,3}(?:\.\d{1,3}){3}(?::\d+)?\b|\[[0-9a-f:]+:[0-9a-f:]*\](?::\d+)?/gi;

/**
 * Replaces names of players and clans by pseudonyms in items and texts, regardless of case. Addresses and save codes
 * are blanked.
 */
export class Anonymise implements Edit {
  /** The number of changed texts in messages. */
  texts = 0;
  #unknownKept = 0;
  /** The number of messages that were left out because they contain a name in bytes that are not text. */
  #unreadable = 0;
  /** The type numbers of unknown items, whose content was kept. */
  readonly #unknownItems = new Set<number>();
  /** The numbers of known local types, which mostly mean the same in all snapshots of a recording. */
  readonly #known = new Set<number>();
  readonly #pseudonyms = new Map<string, string>();
  readonly #inText: NameFinder;
  readonly #inBytes: NameFinder;
  readonly #identities: Identities;
  readonly #items: ItemTexts;

  constructor(identities: Identities) {
    this.#identities = identities;
    this.#items = new ItemTexts(
      ['name', 'clan', 'skin'],
      (text, field) => (field === 'skin' ? this.skin(text) : (identities.names.get(text) ?? text)),
      true,
    );
    for (const [name, pseudonym] of identities.names) {
      const folded = fold(name.trim());
      // A blank or a single symbol can be a name too, but is not replaced in texts.
      if (pseudonym === name) continue;
      if (!this.#pseudonyms.has(folded) && isReplaceable(folded)) this.#pseudonyms.set(folded, pseudonym);
    }
    const names = [...this.#pseudonyms.keys()];
    this.#inText = new NameFinder(names, (name) => [...name].length < longName);
    const long = names.filter((name) => [...name].length >= minReplacedLength);
    this.#inBytes = new NameFinder(long, () => false);
  }

  snapshot(snapshot: Snapshot, { stream }: SnapshotEntry): boolean {
    this.#noteUnknown(snapshot, stream.protocol);
    return this.#items.apply(snapshot, stream.protocol);
  }

  message({ message, bytes }: MessageEntry): Uint8Array | 'drop' | undefined {
    if (isSnapshotMessage(message)) return 'drop';
    const now = rewriteTexts(this, message, bytes, (text, name) =>
      codes.has(name) && text !== '' ? '***' : this.text(text),
    );
    // Bytes that were not read as text, in an unknown or misread message, can contain a name.
    const rest = utf8.decode(now ?? bytes).replace(pseudonym, '');
    if (this.#inBytes.replace(rest, () => '') !== rest) {
      this.#unreadable++;
      return 'drop';
    }
    if (!message.type) this.#unknownKept++;
    return now;
  }

  get summary() {
    const { player: players, clan: clans } = this.#identities.counts;
    const unknownItems = [...this.#unknownItems].sort((a, b) => a - b);
    return { players, clans, unknownKept: this.#unknownKept, unreadable: this.#unreadable, unknownItems };
  }

  /** The name of a player or clan as a whole field; undefined for one that is not known. */
  name(text: string): string | undefined {
    return placeholderNames.has(text) ? text : this.#identities.names.get(text);
  }

  /** Whether bytes that may be a text have a name in them. */
  isIn(bytes: Uint8Array): boolean {
    const text = utf8.decode(bytes);
    return this.#inBytes.replace(text, () => '') !== text;
  }

  /** Skins are not about a player, unless one is called as somebody is. */
  skin(text: string): string {
    return this.#inText.replace(text, (name) => this.#pseudonyms.get(name)!);
  }

  /** A text of which only the names, replaced, and the form remain: letters and digits become x. */
  masked(text: string): string {
    const pseudonyms: string[] = [];
    const marked = this.#inText.replace(text.replaceAll(mark, ' '), (name) => {
      pseudonyms.push(this.#pseudonyms.get(name)!);
      return mark;
    });
    return marked.replace(/[^ -/:-@[-`{-~\ue000]/gu, 'x').replaceAll(mark, () => pseudonyms.shift()!);
  }

  text(text: string): string {
    return this.#inText.replace(text, (name) => this.#pseudonyms.get(name)!).replace(address, '0.0.0.0');
  }

  #noteUnknown(snapshot: Snapshot, protocol: Protocol): void {
    let types: ItemTypes | undefined;
    for (let i = 0; i < snapshot.count; i++) {
      const type = snapshot.type(i);
      if (type === 0 || protocol.byType(type) || this.#known.has(type)) continue;
      types ??= new ItemTypes(protocol).onSnapshot(snapshot);
      if (types.of(type)) this.#known.add(type);
      else this.#unknownItems.add(type);
    }
  }
}

/** Stands for a name, and is none of a text: the first character for private use. */
const mark = '\ue000';

const utf8 = new TextDecoder();
const pseudonym = /\b(player|clan) \d+/g;

/** Whether a name in a text identifies a player. */
const isReplaceable = (name: string) => /[\p{L}\p{N}]/u.test(name) || name.length >= minReplacedLength;

/** Replaces texts that are packed in the ints of items. Few of them change from one snapshot to the next. */
class ItemTexts {
  readonly #fields = new Map<Protocol, ReadonlyMap<number, readonly Field[]>>();
  /** The latest ints of each text before and after the replacement. */
  readonly #last = new Map<number, { readonly from: Int32Array; readonly to: Int32Array }>();
  readonly #names: readonly string[];
  readonly #replace: (text: string, field: string) => string;
  readonly #isStrict: boolean;

  /** @param isStrict whether nothing else of a text stays: bytes that are none, and those behind its end */
  constructor(names: readonly string[], replace: (text: string, field: string) => string, isStrict = false) {
    this.#names = names;
    this.#replace = replace;
    this.#isStrict = isStrict;
  }

  /** Replaces the texts of a snapshot in place; returns whether any changed. A text that is too long is truncated. */
  apply(snapshot: Snapshot, protocol: Protocol): boolean {
    const textFields = getOr(this.#fields, protocol, () => this.#textFieldsOf(protocol));
    let isChanged = false;
    for (let i = 0; i < snapshot.count; i++) {
      const fields = textFields.get(snapshot.type(i));
      if (!fields) continue;
      const start = snapshot.offsets[i]!;
      for (const [number, field] of fields.entries()) {
        if (field.at + field.ints > snapshot.size(i)) continue;
        const ints = snapshot.data.subarray(start + field.at, start + field.at + field.ints);
        const now = this.#replaced(snapshot.keys[i]! * maxFields + number, ints, field);
        if (hasIntsAt(now, 0, ints)) continue;
        ints.set(now);
        isChanged = true;
      }
    }
    return isChanged;
  }

  #textFieldsOf({ items }: Protocol): ReadonlyMap<number, readonly Field[]> {
    const isText = ({ name, meaning }: Field) => meaning.kind === 'text' && this.#names.includes(name);
    const texts = items.map(({ type, fields }) => [type, fields.filter(isText)] as const);
    return new Map(texts.flatMap(([type, own]) => (type === undefined || own.length === 0 ? [] : [[type, own]])));
  }

  #replaced(key: number, ints: Int32Array, { name, ints: count }: Field): Int32Array {
    const last = this.#last.get(key);
    if (last && hasIntsAt(ints, 0, last.from)) return last.to;
    const from = ints.slice();
    const text = textOfInts(from, 0, count);
    const now = text === undefined ? (this.#isStrict ? unreadable : undefined) : this.#replace(text, name);
    const isKept = now === undefined || (now === text && !this.#isStrict);
    const to = isKept ? from : fitting(now, count);
    this.#last.set(key, { from, to });
    return to;
  }
}

const maxFields = 16;
/** In place of a text that is none. */
const unreadable = '?';

/** The ints of as much of a text as fits into them. */
function fitting(text: string, count: number): Int32Array {
  const characters = [...text];
  for (;;) {
    const ints = intsOfText(characters.join(''), count);
    if (ints || characters.length === 0) return ints ?? new Int32Array(count);
    characters.pop();
  }
}

/** The size of a name in items of any version, without its NUL. */
export const maxNameBytes = 15;
