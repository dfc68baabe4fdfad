import type { RecordingEntry, SnapshotEntry } from '../../recording/replay/record.ts';
import { matchesClient, type Stream } from '../../recording/replay/stream.ts';
import type { DescribedValue } from '../../wire/annotate/describe.ts';
import type { Value } from '../../wire/annotate/field-values.ts';
import { itemIn } from '../../wire/annotate/item-node.ts';
import type { ValuePath } from '../../wire/annotate/value-path.ts';
import { attempt } from '../../wire/bytes/diagnostic.ts';
import { getOr } from '../../wire/bytes/get-or.ts';
import { ItemTypes } from '../../wire/snapshot/item-types.ts';
import { keyOf } from '../../wire/snapshot/key.ts';
import type { Snapshot } from '../../wire/snapshot/snapshot.ts';
import { PayloadInts } from '../stats/payload-ints.ts';

/*
 * Why a value is what it is. A delta sends the differences of an item to the same item in an older snapshot, the base:
 *
 *   snapshot 9048         delta of 9050, on 9048                   snapshot 9050
 *   weapon 1 (gun)   +    obj_character 2: … weapon −1 …     =     weapon 0 (hammer)
 *                              └─ one varint of the payload, some bits of the file
 *
 * The snapshot in which a value is first another than in the one before it has the bytes that set it. A new item, and a
 * whole snapshot, send the value itself. Later deltas on an older base repeat the difference; they cost bytes and set
 * nothing.
 */

/**
 * How a value came: with a whole snapshot or a new item, as a difference, or unchanged from the base, without any
 * bytes.
 */
type Sending = 'snapshot' | 'new_item' | 'difference' | 'base';

/** Where the ints of a value are: the payload in the file, and in it bits from its beginning. */
export interface SentBits {
  readonly sending: Sending;
  /** What is sent: the difference, or the value. Several ints for a text. */
  readonly ints: readonly number[];
  /** The index of the first of them in the payload. */
  readonly index: number;
  /** The offset of the payload in the file; undefined if it is not one range of it, as in captures. */
  readonly offset: number | undefined;
  readonly payloadBytes: number;
  /** The first bit in the payload, and how many: of a compressed payload those of the Huffman codes. */
  readonly bit: number;
  readonly bits: number;
}

/** A snapshot in which the value is another than before; without a value, the item is not in it any more. */
export interface TraceStep {
  readonly tick: number;
  /** The packet of a capture that completes the snapshot. */
  readonly frame: number | undefined;
  /** The tick of the base, -1 without one. */
  readonly base: number;
  readonly value: DescribedValue | undefined;
  /** The value in the base. */
  readonly from: DescribedValue | undefined;
  readonly sent: SentBits | undefined;
}

export interface Trace extends Pick<ValuePath, 'item' | 'id' | 'field'> {
  readonly stream: Stream;
  /** The tick of the last snapshot up to the one that was asked for. */
  readonly tick: number;
  /** Undefined if the item is not in that snapshot. */
  readonly value: DescribedValue | undefined;
  /** The step that gave it this value, as an index of `steps`; -1 if the item was never there before. */
  readonly setBy: number;
  readonly steps: readonly TraceStep[];
  /** How often the value was sent, also without a change, and what that cost. */
  readonly sent: { readonly times: number; readonly bits: number };
  readonly snapshots: number;
}

interface Life {
  readonly find: ReturnType<ValuePath['finder']>;
  readonly steps: TraceStep[];
  ints: readonly number[] | undefined;
  tick: number;
  value: DescribedValue | undefined;
  setBy: number;
  times: number;
  bits: number;
  snapshots: number;
  isPassed: boolean;
}

/** Follows a value through the records of a recording. */
export class Tracer {
  readonly #traced: ValuePath;
  readonly #tick: number;
  readonly #client: string | undefined;
  readonly #lives = new Map<Stream, Life>();
  readonly #payload = new PayloadInts();

  /** @param tick the moment that is asked about; Infinity for the last */
  constructor(traced: ValuePath, tick: number, client?: string) {
    this.#traced = traced;
    this.#tick = tick;
    this.#client = client;
  }

  add(entry: RecordingEntry): void {
    if (entry.record !== 'snapshot' || !entry.snapshot || !matchesClient(entry.stream, this.#client)) return;
    const life = getOr(this.#lives, entry.stream, (stream) => newLife(this.#traced.finder(stream.protocol)));
    this.#onSnapshot(entry, entry.snapshot, life);
    if (entry.tick > this.#tick) life.isPassed = true;
    if (life.isPassed) return;
    life.tick = entry.tick;
    life.value = life.ints && life.steps.at(-1)!.value;
    life.setBy = life.steps.length - 1;
  }

  /** The traces of the streams with a snapshot up to the moment: first those that have the item then. */
  get traces(): readonly Trace[] {
    const all = [...this.#lives].filter(([, { tick }]) => tick >= 0);
    return all
      .map(([stream, life]): Trace => {
        const { tick, value, setBy, steps, times, bits, snapshots } = life;
        return { ...this.#traced, stream, tick, value, setBy, steps, sent: { times, bits }, snapshots };
      })
      .sort((a, b) => Number(a.value === undefined) - Number(b.value === undefined));
  }

  #onSnapshot(entry: SnapshotEntry, snapshot: Snapshot, life: Life): void {
    const found = life.find(snapshot);
    const head = { tick: entry.tick, frame: entry.frame, base: entry.base };
    if (!found) {
      if (life.ints) life.steps.push({ ...head, value: undefined, from: undefined, sent: undefined });
      life.ints = undefined;
      return;
    }
    life.snapshots++;
    const { i, type, value } = found;
    const { id } = this.#traced;
    const whole = snapshot.item(i);
    const sent = this.#sentBits(entry, snapshot, keyOf(type, id), i, value);
    if (sent && sent.bits > 0) {
      life.times++;
      life.bits += sent.bits;
    }
    const ints = Array.from(whole.subarray(value.at, value.at + value.ints));
    if (life.ints?.every((int, at) => int === ints[at])) return;
    life.ints = ints;
    const base = sent?.sending === 'difference' || sent?.sending === 'base' ? entry.before : undefined;
    const was = base ? base.find(type, id) : -1;
    const types = new ItemTypes(entry.stream.protocol).onSnapshot(snapshot);
    const from = was < 0 ? undefined : itemIn(types, base!, was).describe(value);
    life.steps.push({ ...head, value: itemIn(types, snapshot, i).describe(value), from, sent });
  }

  /** Where the bytes of a value are; undefined if the payload is not known. */
  #sentBits(entry: SnapshotEntry, snapshot: Snapshot, key: number, i: number, value: Value): SentBits | undefined {
    const { payload, delta, before, payloadKind, encoding, offset } = entry;
    const isInBase = (before?.findKey(key) ?? -1) >= 0;
    const update = delta ? delta.keys.subarray(0, delta.count).lastIndexOf(key) : -1;
    const none = { offset: offset < 0 ? undefined : offset, payloadBytes: payload?.length ?? 0 };
    if (payloadKind === 'delta' && update < 0)
      return isInBase ? { sending: 'base', ints: [], index: -1, ...none, bit: 0, bits: 0 } : undefined;
    if (!payload) return undefined;
    const start = payloadKind === 'delta' ? delta!.starts[update]! : snapshot.start(i) + 1;
    const index = start + value.at;
    const read = attempt(() => {
      if (encoding === 'huffman') this.#payload.readCompressed(payload);
      else this.#payload.readPacked(payload, [{ length: payload.length, compressed: false }]);
    });
    if (read instanceof Error || index + value.ints > this.#payload.length) return undefined;
    const { ints, bits } = this.#payload;
    return {
      sending: payloadKind === 'snapshot' ? 'snapshot' : isInBase ? 'difference' : 'new_item',
      ints: Array.from(ints.subarray(index, index + value.ints)),
      index,
      ...none,
      bit: bits[index]!,
      bits: bits[index + value.ints]! - bits[index]!,
    };
  }
}

const newLife = (find: Life['find']): Life => ({
  find,
  steps: [],
  ints: undefined,
  tick: -1,
  value: undefined,
  setBy: -1,
  times: 0,
  bits: 0,
  snapshots: 0,
  isPassed: false,
});
