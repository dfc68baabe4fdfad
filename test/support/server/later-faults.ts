import { changing, isRegistration, type MakeFault, pickItem, serverFault } from './faults.ts';
import { checksumOf, deltaIn, keyOf, type ServerSnapshot } from './game-delta.ts';

// These kinds were written after the code of `src/analysis/explain`, to see what it says of faults that it was not made for.

/**
 * An update is written twice, as a retry does: the client adds the differences once, since the second replaces the
 * first.
 */
export const updateTwice = serverFault(({ keys, scenario: { protocol }, below }) => {
  const ints = (all: Int32Array<ArrayBuffer>) => {
    const delta = deltaIn(all, protocol);
    if (delta.count === 0) return all;
    const at = below(delta.count);
    keys.add(delta.keys[at]!);
    const again = all.subarray(delta.start(at), at + 1 < delta.count ? delta.start(at + 1) : all.length);
    // The server's sum has the differences twice as well.
    return Int32Array.from([all[0]!, all[1]! + 1, 0, ...all.subarray(3), ...again]);
  };
  const counted = (items: ServerSnapshot, step: number) => (step % 3 === 0 ? items : items.slice(1));
  return { ints, counted };
});

/** The checksum is announced as 16 bits. */
export const narrowChecksum = serverFault(() => ({ checksum: (items) => checksumOf(items) & 0xffff }));

/** The snapshot is sent one step late, while its checksum is already of this one. */
export const lateSnapshot = serverFault(({ scenario: { steps } }) => ({
  sent: (_, step) => steps[Math.max(0, step - 1)]!.items,
}));

/** The last items do not fit into a buffer: they are counted and not sent. Which these are changes with the others. */
export const cutItems: MakeFault = ({ steps }, below, from, to) => {
  const { items } = steps[from]!;
  const room = items.length - 1 - below(Math.min(8, items.length - 1));
  const keys = new Set(steps.slice(from, to).flatMap(({ items }) => items.slice(room).map(keyOf)));
  return { switches: { sent: (all) => all.slice(0, room) }, keys };
};

/** Two ints of an item are exchanged where it is sent, as by fields in another order. */
export const exchangedFields: MakeFault = (scenario, below, from, to) => {
  const [key] = changing(scenario, below, from, to) ?? [];
  if (key === undefined) return undefined;
  const weights = (ints: Int32Array) => {
    const [first, second] = [below(ints.length), below(ints.length)];
    return ints.map((int, i) => (i === first ? ints[second]! + 1 : i === second ? ints[first]! : int));
  };
  const sent = (items: ServerSnapshot) =>
    items.map((item) =>
      item.type === key >> 16 && item.data.length > 1 ? { ...item, data: weights(item.data) } : item,
    );
  return { switches: { sent }, keys: new Set([key]) };
};

/** A type is written as another one, the next, as by a table with one entry more. */
export const otherType: MakeFault = (scenario, below, from) => {
  const item = pickItem(scenario, below, from, (item) => !isRegistration(item) && item.type < 24);
  if (!item) return undefined;
  const { sizeOf } = scenario.protocol;
  const type = item.type + 1;
  const sent = (items: ServerSnapshot) =>
    items.map((entry) => {
      if (entry.type !== item.type) return entry;
      const data = new Int32Array(sizeOf(type) || entry.data.length);
      data.set(entry.data.subarray(0, data.length));
      return { ...entry, type, data };
    });
  // A type without an agreed size is sent with the ints that its items had before.
  const found = sizeOf(type) ? undefined : item.data.length;
  return { switches: { sent }, keys: new Set([keyOf(item), keyOf({ ...item, type })]), facts: { type, found } };
};

/** The differences are taken from an older snapshot than the base. */
export const otherBase = serverFault(({ scenario: { steps }, below, from }) => {
  const back = 1 + below(Math.max(1, from - 1));
  return {
    delta: (made) => ({
      pastItem: (key) =>
        steps[Math.max(0, from - back)]!.items.find((item) => keyOf(item) === key) ??
        made.find((item) => keyOf(item) === key),
    }),
  };
});
