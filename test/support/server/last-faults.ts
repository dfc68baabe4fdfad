import { changing, firstLocalType, isRegistration, type MakeFault, pick, pickItem, serverFault } from './faults.ts';
import { deltaIn, keyOf, type ServerSnapshot } from './game-delta.ts';

// These kinds were written after the rules of `shown` and `fits`, to see what is said of faults that neither was made
// for.

/** The base is the one of another client at the same tick: an int of the items of a type is another one there. */
export const othersBase = serverFault(({ scenario, below, from, to }) => {
  const [key] = changing(scenario, below, from, to) ?? [];
  if (key === undefined) return undefined;
  const [int, by] = [below(4), 1 + below(1000)];
  return {
    delta: (base) => ({
      pastItem: (of: number) => {
        const item = base.find((one) => keyOf(one) === of);
        if (!item || of >> 16 !== key >> 16) return item;
        return { ...item, data: item.data.map((value, i) => (i === int ? value + by : value)) };
      },
    }),
  };
});

/** The bytes of the snapshot before are sent again, with the tick and the checksum of this one. */
export const sentAgain = serverFault(() => ({ parts: (parts, previous) => (previous.length > 0 ? previous : parts) }));

/** The ints of some updates are all 0. */
export const emptyUpdates = serverFault(({ scenario, below, from, to }) => {
  const [key] = changing(scenario, below, from, to) ?? [];
  if (key === undefined) return undefined;
  const isOfType = below(2) === 0;
  const change = (of: number, ints: readonly number[]) =>
    (isOfType ? of >> 16 === key >> 16 : of === key) ? ints.map(() => 0) : ints;
  return { delta: () => ({ change }) };
});

/** Two updates of a type have each other's id. */
export const swappedUpdates = serverFault(({ keys, scenario: { protocol }, below }) => ({
  ints: (all) => {
    const delta = deltaIn(all, protocol);
    const at = below(Math.max(1, delta.count - 1));
    if (at + 1 >= delta.count || delta.type(at) !== delta.type(at + 1) || delta.type(at) === 0) return all;
    for (const key of delta.keys.subarray(at, at + 2)) keys.add(key);
    const idAt = (i: number) => delta.start(i) + 1;
    return all.with(idAt(at), delta.id(at + 1)).with(idAt(at + 1), delta.id(at));
  },
}));

/** The items of an extended type are sent with another number than the one that is registered. */
export const otherLocalType: MakeFault = (scenario, below, from) => {
  const item = pickItem(scenario, below, from, ({ type }) => type >= firstLocalType);
  if (!item) return undefined;
  const type = item.type - 100 - below(50);
  const sent = (items: ServerSnapshot) => items.map((one) => (one.type === item.type ? { ...one, type } : one));
  return { switches: { sent }, keys: new Set(), facts: { type } };
};

/** The checksum is taken of items in which one int is counted from another start, as ticks of a warmup. */
export const otherStart = serverFault(({ scenario, below, from, to }) => {
  const [key] = changing(scenario, below, from, to) ?? [];
  if (key === undefined) return undefined;
  const [int, by] = [below(6), (below(2) === 0 ? 1 : -1) * (1 + below(5000))];
  return {
    counted: (items) =>
      items.map((one) =>
        one.type === key >> 16 ? { ...one, data: one.data.map((value, i) => (i === int ? value + by : value)) } : one,
      ),
  };
});

/** A filter takes items out of the checksum that the client gets: each so many-th. */
export const filteredBefore = serverFault(({ below }) => {
  const [every, first] = [2 + below(20), below(20)];
  return { counted: (items) => items.filter((one, i) => isRegistration(one) || (i + first) % every > 0) };
});

/** A full snapshot is announced, though the differences are to a base. */
export const announcedFull = serverFault(() => ({ announcedBase: () => -1 }));

/** The id of one item is the one of another that has just gone: the client gets the difference between the two. */
export const idOfAnother: MakeFault = (scenario, below, from) => {
  const item = pickItem(scenario, below, from, (one) => !isRegistration(one) && one.type < firstLocalType);
  const others = scenario.steps[from]!.items.filter((one) => one.type === item?.type && one.id !== item.id);
  const other = pick(below, others);
  if (!item || !other) return undefined;
  const sent = (items: ServerSnapshot) =>
    items
      .filter((one) => keyOf(one) !== keyOf(other))
      .map((one) => (keyOf(one) === keyOf(item) ? { ...one, id: other.id } : one));
  return { switches: { sent }, keys: new Set([keyOf(item), keyOf(other)]) };
};
