import { ghostCharacter, ghostItemSize, ghostTypes } from '../../recording/container/ghost/ghost.ts';
import type { Players } from '../../recording/events/players.ts';
import type { RecordFilter, SnapshotEntry } from '../../recording/replay/record.ts';
import type { Stream } from '../../recording/replay/stream.ts';
import type { Protocol } from '../../wire/protocol/registry.ts';
import type { Delta } from '../../wire/snapshot/delta.ts';
import { ItemTypes } from '../../wire/snapshot/item-types.ts';
import { idOf, KeyIndex, typeOf } from '../../wire/snapshot/key.ts';
import { Snapshot } from '../../wire/snapshot/snapshot.ts';
import type { Sending } from './item-tallies.ts';
import type { PayloadInts } from './payload-ints.ts';
import type { Tally } from './tally.ts';

interface CountContext {
  readonly protocol: Protocol;
  readonly names: Players;
  readonly number: number;
  readonly isSelected: (key: number) => boolean;
}

export function countSnapshot(
  tally: Tally,
  payload: PayloadInts,
  { stream, tick, kind, delta, before }: Pick<SnapshotEntry, 'stream' | 'tick' | 'kind' | 'delta' | 'before'>,
  snapshot: Snapshot,
  names: Players,
): void {
  const { protocol, number } = stream;
  const isSelected = tally.filter ? selectionOf(tally.filter, protocol, snapshot) : always;
  const context = { protocol, number, names, isSelected };
  const client = stream.client || undefined;
  const { peaks, seconds, snapshots } = tally;
  snapshots[kind === 'snapshot' ? 'full' : 'deltas']++;
  if (delta) {
    countDelta(tally, payload, delta, before!, snapshot, context);
    peaks.add('deltaBytes', payload.packedBytes, tick, client);
  } else countFull(tally, payload, snapshot, before, context);
  peaks.add('items', snapshot.count, tick, client);
  peaks.add('bytes', 4 * snapshot.intCount, tick, client);
  seconds.current.snapshots++;
  seconds.current.items = Math.max(seconds.current.items, snapshot.count);
}

function countFull(
  tally: Tally,
  payload: PayloadInts,
  snapshot: Snapshot,
  before: Snapshot | undefined,
  context: CountContext,
): void {
  const { ints, bits } = payload;
  if (before) fillItemsBefore(before);
  tally.items.onSnapshot(snapshot, context.protocol);
  let countedBits = bits[Math.min(2 + snapshot.count, payload.length)]!;
  tally.part('snapshot_heads', countedBits);
  for (let i = 0; i < snapshot.count; i++) {
    const head = snapshot.start(i);
    const size = snapshot.size(i);
    const key = ints[head]!;
    const was = before ? itemsBefore.get(key) : -1;
    const isAlike = was >= 0 && before!.size(was) === size;
    const old = isAlike ? before!.data : undefined;
    const oldAt = isAlike ? before!.offsets[was]! : 0;
    countedBits += countItem(tally, payload, context, key, 'full', head, head + 1, head + 1 + size, old, oldAt);
  }
  tally.part('excess', payload.streamBits - countedBits);
}

function countDelta(
  tally: Tally,
  payload: PayloadInts,
  delta: Delta,
  before: Snapshot,
  snapshot: Snapshot,
  context: CountContext,
): void {
  const { bits } = payload;
  fillItemsBefore(before);
  const keys = delta.start(0) - delta.removedCount;
  tally.part('snapshot_heads', bits[keys]!);
  let countedBits = bits[delta.start(0)]!;
  tally.part('removed_keys', countedBits - bits[keys]!, delta.removedCount);
  tally.items.onSnapshot(before, context.protocol);
  for (let i = 0; i < delta.removedCount; i++) {
    const key = delta.removedKey(i);
    if (context.isSelected(key)) tally.items.of(typeOf(key)).removed++;
  }
  tally.items.onSnapshot(snapshot, context.protocol);
  for (let i = 0; i < delta.count; i++) {
    const key = delta.keys[i]!;
    const start = delta.starts[i]!;
    const sending = itemsBefore.get(key) >= 0 ? 'updated' : 'new';
    countedBits += countItem(tally, payload, context, key, sending, delta.start(i), start, start + delta.sizes[i]!);
  }
  tally.part('excess', payload.streamBits - countedBits);
}

/** The items of the base by key. With an index in each snapshot, the bases of a capture would take twice the memory. */
const itemsBefore = new KeyIndex();

function fillItemsBefore({ keys, count }: Snapshot): void {
  itemsBefore.reset(count);
  for (let i = 0; i < count; i++) itemsBefore.add(keys[i]!, i);
}

/** Counts a chunk of a ghost: its first character is whole, the others are differences. */
export function countGhost(
  tally: Tally,
  payload: PayloadInts,
  type: number,
  count: number,
  { protocol }: Stream,
): void {
  const { ints, bits, length } = payload;
  const isCharacters = type === ghostTypes.character || type === ghostTypes.characterWithoutTick;
  const size = isCharacters ? ghostItemSize(type)! : 0;
  tally.items.onSnapshot(new Snapshot(), protocol);
  let at = 0;
  for (let i = 0; i < count && isCharacters && at + size <= length; i++, at += size) {
    const item = tally.items.of(ghostCharacter.type!);
    item.count(i === 0 ? 'full' : 'updated', ints, at, at, at + size, bits);
    tally.itemBits(item.last.bits);
  }
  const other = type === ghostTypes.start ? 'tick_markers' : 'snapshot_heads';
  tally.part(isCharacters ? 'excess' : other, payload.streamBits - bits[at]!);
}

const always = () => true;

function selectionOf(filter: RecordFilter, protocol: Protocol, snapshot: Snapshot): (key: number) => boolean {
  const types = new ItemTypes(protocol).onSnapshot(snapshot);
  return (key) => filter.item(types, typeOf(key), idOf(key));
}

/**
 * Counts an item among those of its kind and its player, or as unselected, and returns its bits. Its arguments are no
 * object, of which there would be one for each item.
 * @param head where its type, id, size or key begin; its data is `[start, end)`
 */
function countItem(
  tally: Tally,
  { ints, bits }: PayloadInts,
  { names, number, isSelected }: CountContext,
  key: number,
  sending: Sending,
  head: number,
  start: number,
  end: number,
  old?: Int32Array,
  oldAt = 0,
): number {
  const itemBits = bits[end]! - bits[head]!;
  if (!isSelected(key)) {
    tally.part('unselected', itemBits);
    return itemBits;
  }
  const item = tally.items.of(typeOf(key));
  item.count(sending, ints, head, start, end, bits, old, oldAt);
  tally.itemBits(itemBits);
  tally.players.add(item, idOf(key), names, number);
  tally.players.itemOf(item)?.count(sending, ints, head, start, end, bits, old, oldAt);
  return itemBits;
}
