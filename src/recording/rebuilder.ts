import { type Args, attempt, type Code, DecodeError, type Warn } from '../bytes/diagnostic.ts';
import { checkRepeats, type Kind } from '../decode/payload.ts';
import { PayloadReader } from '../decode/payload-reader.ts';
import type { SizeOf } from '../protocol/registry.ts';
import { Snapshot } from '../snapshot/snapshot.ts';

/** The items of a few players and their ints. With room for them the arrays of a small demo are made only once. */
const [usualItems, usualInts] = [64, 512];

/**
 * Rebuilds the snapshots of a demo one after the other, each from the one before.
 * ```ts
 * if (rebuilder.read('delta', payload) && !rebuilder.damage) show(rebuilder.accept());
 * ```
 */
export class Rebuilder {
  readonly payload: PayloadReader;
  /** The latest accepted snapshot, the base of the next delta. */
  current = Snapshot.withRoom(usualItems, usualInts);
  /** The snapshot that was read last; once that is accepted, the one before it. */
  next = Snapshot.withRoom(usualItems, usualInts);
  /** The error of the last payload, or else its first warning. */
  damage: { readonly code: Code; readonly args: Args } | undefined;
  /** Whether {@link current} may be wrong. It is no damage then if a delta does not fit. */
  uncertain = false;
  #mayMisfit = false;
  readonly #warn: Warn = (code, _, args = {}) => {
    if (!this.#mayMisfit) this.damage ??= { code, args };
  };

  constructor(sizeOf: SizeOf) {
    this.payload = new PayloadReader(sizeOf, { warn: this.#warn });
  }

  /** Reads the payload `bytes[start, end)` of a chunk into {@link next}; false if it is damaged or does not fit. */
  read(kind: Kind, bytes: Uint8Array, start = 0, end: number = bytes.length): boolean {
    const { payload, current, next } = this;
    this.damage = undefined;
    const result = attempt(() => {
      if (kind === 'snapshot') {
        payload.readSnapshot(bytes, 'huffman', next, start, end);
        checkRepeats(next, this.#warn);
      } else {
        payload.readDelta(bytes, 'huffman', start, end);
        this.#mayMisfit = this.uncertain;
        payload.applyTo(current, next);
      }
    });
    const isRead = !(result instanceof DecodeError);
    if (!isRead && !this.#mayMisfit) this.damage = { code: result.code, args: result.args };
    this.#mayMisfit = false;
    return isRead;
  }

  accept(): Snapshot {
    [this.current, this.next] = [this.next, this.current];
    return this.current;
  }
}
