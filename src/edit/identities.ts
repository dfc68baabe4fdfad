import type { Message } from '../packet/message.ts';
import type { RecordingEntry } from '../recording/record.ts';
import { ItemTexts } from './item-texts.ts';

/** The owner of a name. */
export type IdentityKind = 'player' | 'clan';

/** Names that the games use for players and clans without a name. */
const placeholderNames: ReadonlySet<string> = new Set(['', '(connecting)', '(invalid)']);

/** The maximum number of names; no server has more players. */
const maxNames = 100_000;

/** The messages with names, and their fields. */
const nameFields: Readonly<Record<string, Readonly<Record<string, IdentityKind>>>> = {
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
 * Collects the names of a whole recording, since a server may mention players before their items appear. Each name gets
 * a pseudonym, numbered in the order of appearance.
 */
export class Identities {
  readonly #names = new Map<string, string>();
  readonly #counts: Record<IdentityKind, number> = { player: 0, clan: 0 };
  #items: ItemTexts | undefined;

  /** Names and pseudonyms. */
  get names(): ReadonlyMap<string, string> {
    return this.#names;
  }

  count(kind: IdentityKind): number {
    return this.#counts[kind];
  }

  add(entry: RecordingEntry): void {
    if (entry.record === 'snapshot' && entry.snapshot) {
      this.#items ??= new ItemTexts(entry.stream.protocol, new Set(['name', 'clan']), (text, field) => {
        this.addName(text, field === 'clan' ? 'clan' : 'player');
        return text;
      });
      this.#items.apply(entry.snapshot);
    } else if (entry.record === 'message') this.#onMessage(entry.message);
  }

  #onMessage({ type, values }: Message): void {
    const fields = type && Object.hasOwn(nameFields, type.name) ? nameFields[type.name]! : {};
    for (const { name, value } of values) {
      if (typeof value === 'string' && Object.hasOwn(fields, name)) this.addName(value, fields[name]!);
    }
    if (type?.name !== 'sv_chat' || values.some(({ name, value }) => name === 'client_id' && value !== -1)) return;
    const text = String(values.find(({ name }) => name === 'message')?.value ?? '');
    for (const pattern of announced)
      for (const name of pattern.exec(text)?.slice(1) ?? []) this.addName(name, 'player');
  }

  /** Assigns a pseudonym to a name that has none yet. */
  addName(name: string, kind: IdentityKind): void {
    if (placeholderNames.has(name) || this.#names.has(name) || this.#names.size >= maxNames) return;
    this.#names.set(name, `${kind} ${++this.#counts[kind]}`);
  }
}
