import type { Message } from '../../wire/packet/message.ts';

/** A message of the current tick. A server's demo contains it once for each receiver. */
export interface TickMessage {
  receivers: number;
  /** Whether it is in the other version than the snapshots, so that its player numbers are those of its receivers. */
  readonly isOther: boolean;
  /** Whether the version of the snapshots contains the same message, with the numbers that the snapshots use. */
  isCopy: boolean;
}

const maxComparedBytes = 4096;

/**
 * The values that can differ between receivers of the two versions: DDNet translates the numbers of players for clients
 * of 0.7.
 */
const ownValues: ReadonlySet<string> = new Set(
  'client_id victim killer first target_id team mode type skin'.split(' '),
);

export class TickMessages {
  readonly #limit: number;
  readonly #known = new Map<string, { readonly found: TickMessage; readonly message: Message }>();
  #hasOther = false;
  #last: Message | undefined;
  #lastKey = '';

  constructor(limit: number) {
    this.#limit = limit;
  }

  /** Returns the message if it is the first of its kind in this tick; otherwise it is counted as another receiver's. */
  add(message: Message, bytes: Uint8Array): TickMessage | undefined {
    const isOther = message.version !== undefined;
    // A message that follows itself was read once.
    const key = message === this.#last ? this.#lastKey : keyOf(message, bytes);
    this.#last = message;
    this.#lastKey = key;
    const known = this.#known.get(key);
    if (known) {
      known.found.receivers++;
      return undefined;
    }
    this.#hasOther ||= isOther;
    const found = { receivers: 1, isOther, isCopy: false };
    if (key !== '' && this.#known.size < this.#limit) this.#known.set(key, { found, message });
    return found;
  }

  /** Ends the tick: adds the receivers of the other version to those of the same messages in the snapshots' version. */
  finish(): void {
    if (this.#hasOther) this.#mergeVersions();
    this.#hasOther = false;
    this.#known.clear();
  }

  #mergeVersions(): void {
    const all = [...this.#known.values()].map(({ found, message }) => ({ found, text: textOf(message) }));
    for (const [i, { found, text }] of all.entries()) {
      if (!found.isOther) continue;
      const isSame = (message: (typeof all)[number]) => !message.found.isOther && message.text === text;
      // A server sends a message to all receivers before the next message.
      const original = all.slice(0, i).findLast(isSame) ?? all.slice(i + 1).find(isSame);
      if (!original) continue;
      original.found.receivers += found.receivers;
      found.isCopy = true;
    }
  }
}

/** The number of a message depends on the version, so the name replaces the first byte. */
const keyOf = ({ type, version }: Message, bytes: Uint8Array) =>
  bytes.length <= maxComparedBytes
    ? `${version !== undefined} ${type?.name ?? bytes[0]} ${String.fromCharCode(...bytes.subarray(1))}`
    : '';

function textOf({ type, values }: Message): string {
  const common = values.filter(({ name }) => !ownValues.has(name));
  return JSON.stringify([type?.name, ...common.map(({ name, value }) => [name, value])]);
}
