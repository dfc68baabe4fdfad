import { type Below, changing, isRegistration, type MakeFault, pick, pickItem, serverFault } from './faults.ts';
import { checksumOf, deltaIn, gameDelta, keyOf, type ServerItem, type ServerSnapshot } from './game-delta.ts';
import { byProxy, underOtherKeys } from './mixed-faults.ts';
import type { Scenario } from './scenario.ts';

/** Changes items that are sent after the checksum was taken: one that changes, or all of its type. */
const changingSent =
  (
    makeChange: (below: Below, scenario: Scenario) => (ints: Int32Array, step: number, item: ServerItem) => Int32Array,
  ): MakeFault =>
  (scenario, below, from, to) => {
    const [key] = changing(scenario, below, from, to) ?? [];
    if (key === undefined) return undefined;
    const isOfType = below(2) === 0;
    const isHit = (item: ServerItem) => (isOfType ? item.type === key >> 16 : keyOf(item) === key);
    const change = makeChange(below, scenario);
    const sent = (items: ServerSnapshot, step: number) =>
      items.map((item) => (isHit(item) ? { ...item, data: change(item.data, step, item) } : item));
    return { switches: { sent }, keys: new Set([key]) };
  };

/** Positions, ticks and angles are sent as 16 bits, or 8. */
export const narrowInts = changingSent((below) => {
  const [bits, isSigned] = [below(3) === 0 ? 24 : 16, below(2) === 0];
  return (ints) => ints.map((int) => (isSigned ? (int << bits) >> bits : (int << bits) >>> bits));
});

/** Ticks are sent in milliseconds. */
export const milliseconds = changingSent((_, { steps }) => (ints, step) => {
  const { tick } = steps[step]!;
  return ints.map((int) => (int > 0 && Math.abs(int - tick) < 500 ? 20 * int : int));
});

/** Ints are sent in the byte order of the network. */
export const swappedBytes = changingSent(() => (ints) => {
  const view = new DataView(new ArrayBuffer(4));
  return ints.map((int) => {
    view.setInt32(0, int);
    return view.getInt32(0, true);
  });
});

/** Values are sent as the mean of the last two snapshots. */
export const interpolated = changingSent((_, { steps }) => (ints, step, item) => {
  const before = steps[Math.max(0, step - 1)]!.items.find((entry) => keyOf(entry) === keyOf(item));
  return ints.map((int, i) => (int + (before?.data[i] ?? int)) >> 1);
});

/**
 * A field of all items of a type is counted up while they are written; or a flag is set, depending on who receives it.
 */
export const lateField: MakeFault = (scenario, below, from) => {
  const item = pickItem(scenario, below, from, (item) => !isRegistration(item));
  if (!item || item.data.length === 0) return undefined;
  const field = below(item.data.length);
  const [isFlag, isSent, step] = [below(2) === 0, below(2) === 0, 1 << below(8)];
  const change = (items: ServerSnapshot) =>
    items.map((entry) => {
      const value = entry.data[field]!;
      return entry.type === item.type
        ? { ...entry, data: entry.data.with(field, isFlag ? value | step : value + step) }
        : entry;
    });
  return { switches: isSent ? { sent: change } : { counted: change }, keys: new Set([keyOf(item)]) };
};

/** Who joins late has an id that is one too high, in the items of a type or in all. */
export const lateIds = serverFault(({ keys, scenario, below, from }) => {
  const item = pickItem(scenario, below, from, (item) => !isRegistration(item));
  if (!item) return undefined;
  const isOfType = below(2) === 0;
  const isHit = (entry: ServerItem) =>
    entry.id >= item.id && (isOfType ? entry.type === item.type : !isRegistration(entry));
  return {
    sent: (items) => {
      const known = new Set(items.map(keyOf));
      const all = items.map((item) => (isHit(item) ? { ...item, id: item.id + 1 } : item));
      for (const item of all) if (!known.has(keyOf(item))) keys.add(keyOf(item));
      return all;
    },
  };
});

/** An index that is off by one: items of a type are sent with the values of the one before. */
export const itemBefore: MakeFault = (scenario, below, from) => {
  const item = pickItem(scenario, below, from, (item) => !isRegistration(item));
  if (!item) return undefined;
  const sent = (items: ServerSnapshot) => {
    const all = items.filter(({ type }) => type === item.type);
    return items.map((item) => {
      const data = all[all.indexOf(item) - 1]?.data;
      return data?.length === item.data.length ? { ...item, data } : item;
    });
  };
  return { switches: { sent }, keys: new Set([keyOf(item)]) };
};

/** The server corrects its sum from snapshot to snapshot, but not for what goes, comes, or changes. */
export const runningSum = serverFault(({ scenario, below, from }) => {
  const [forgotten, isKept] = [below(3), below(2) === 0];
  let error = 0;
  let before = scenario.steps[Math.max(0, from - 1)]!.items;
  return {
    counted: (items) => items,
    checksum: (now) => {
      const lacking = (some: ServerSnapshot, others: ServerSnapshot) => {
        const keys = new Set(others.map(keyOf));
        return checksumOf(some.filter((item) => !keys.has(keyOf(item))));
      };
      const changed = checksumOf(now) - lacking(now, before) - (checksumOf(before) - lacking(before, now));
      const value = forgotten === 0 ? lacking(before, now) : forgotten === 1 ? -lacking(now, before) : -changed;
      error = ((isKept ? error : 0) + value) | 0;
      before = now;
      return (checksumOf(now) + error) | 0;
    },
  };
});

/** The checksum counts memory that was never written: after each item of a type, or once. */
export const garbageCounted = serverFault(({ scenario, below, from }) => {
  const item = pickItem(scenario, below, from, (item) => !isRegistration(item));
  if (!item) return undefined;
  const [isEach, isConstant, bound] = [below(2) === 0, below(2) === 0, 1 << (4 + below(26))];
  const constant = below(bound);
  return {
    checksum: (items) => {
      const times = isEach ? items.filter(({ type }) => type === item.type).length : 1;
      const garbage = Array.from({ length: times }, () => (isConstant ? constant : below(bound)));
      return garbage.reduce((sum, int) => (sum + int) | 0, checksumOf(items));
    },
  };
});

/** The differences of an item, or of a field of a type, are sent twice as large. */
export const doubledDifferences: MakeFault = (scenario, below, from, to) => {
  const [key] = changing(scenario, below, from, to) ?? [];
  if (key === undefined) return undefined;
  const field = below(2) === 0 ? below(8) : undefined;
  const change = (of: number, ints: readonly number[]) =>
    (field === undefined ? of === key : of >> 16 === key >> 16)
      ? ints.map((int, i) => (field === undefined || i === field ? (2 * int) | 0 : int))
      : ints;
  return { switches: { delta: () => ({ change }) }, keys: new Set([key]) };
};

/** The stored base of an item, or of all items of a type, was overwritten by the state before this one. */
export const overwrittenBase: MakeFault = (scenario, below, from, to) => {
  const [key] = changing(scenario, below, from, to) ?? [];
  if (key === undefined) return undefined;
  const isOfType = below(2) === 0;
  const keys = new Set([key]);
  const delta = (_: ServerSnapshot, __: ServerSnapshot, step: number) => {
    const before = new Map(scenario.steps[Math.max(0, step - 1)]!.items.map((item) => [keyOf(item), item]));
    const pastItem = (of: number) => {
      if (isOfType ? of >> 16 !== key >> 16 : of !== key) return undefined;
      keys.add(of);
      return before.get(of);
    };
    return { pastItem };
  };
  return { switches: { delta }, keys };
};

/** Updates beyond a number are dropped. */
export const cutUpdates = byProxy(({ keys, below }) => {
  const limit = below(12);
  return ({ updates }) => {
    for (const item of updates.slice(limit)) keys.add(keyOf(item));
    return { updates: updates.slice(0, limit) };
  };
});

/** The type of an extended item is registered with another UUID in the delta than in the checksum. */
export const otherUuid: MakeFault = (scenario, below, from) => {
  const item = pick(below, scenario.steps[from]!.items.filter(isRegistration));
  if (!item) return undefined;
  const uuid = Int32Array.from({ length: 4 }, () => below(2 ** 32) | 0);
  const other = (items: ServerSnapshot) =>
    items.map((entry) => (keyOf(entry) === keyOf(item) ? { ...entry, data: uuid } : entry));
  return { switches: below(2) === 0 ? { sent: other } : { counted: other }, keys: new Set([keyOf(item)]) };
};

/** Ints are clamped for sending: to a byte, 16 bits, or no less than 0. */
export const clampedInts = changingSent((below) => {
  const max = [0x7f, 0xff, 0x7fff, 0x7fffffff][below(4)]!;
  const min = below(2) === 0 ? 0 : -max;
  return (ints) => ints.map((int) => Math.min(max, Math.max(min, int)));
});

/** A part of the ints of an item is masked with a constant, as a filter against cheats might. */
export const maskedInts = changingSent((below) => {
  const [mask, field] = [1 + below(2 ** (1 + below(31))), below(3) === 0 ? below(8) : -1];
  return (ints) => ints.map((int, i) => (field < 0 || i === field ? int ^ mask : int));
});

/** Positions are sent in tiles of 32 units. */
export const tiles = changingSent((below) => {
  const fields = 1 + below(4);
  return (ints) => ints.map((int, i) => (i < fields ? Math.trunc(int / 32) : int));
});

/** Differences are sent as 16 bits, or 8. */
export const narrowDifferences: MakeFault = (scenario, below, from, to) => {
  const [key] = changing(scenario, below, from, to) ?? [];
  if (key === undefined) return undefined;
  const [isOfType, bits, isSigned] = [below(2) === 0, below(3) === 0 ? 16 : 24, below(2) === 0];
  const narrow = (int: number) => (isSigned ? (int << bits) >> bits : (int << bits) >>> bits);
  const change = (of: number, ints: readonly number[]) =>
    (isOfType ? of >> 16 === key >> 16 : of === key) ? ints.map(narrow) : ints;
  return { switches: { delta: () => ({ change }) }, keys: new Set([key]) };
};

/**
 * A proxy gives an item, or all items with its id, another id where they are updated, but not where they are removed.
 */
export const proxiedIds = byProxy(({ keys, scenario, below, from, to }) => {
  const [key] = changing(scenario, below, from, to) ?? [];
  if (key === undefined) return undefined;
  const [isOfType, id, other] = [below(2) === 0, key & 0xffff, below(64)];
  if (id === other) return undefined;
  const isHit = (item: ServerItem) => !isRegistration(item) && (isOfType ? keyOf(item) === key : item.id === id);
  return underOtherKeys(keys, (item) => (isHit(item) ? { ...item, id: other } : item));
});

/** The checksum is taken of a set: of items of a type with the same values, one is counted. */
export const twinsCountedOnce = serverFault(({ scenario, below, from }) => {
  const item = pickItem(scenario, below, from, (item) => !isRegistration(item));
  if (!item) return undefined;
  const isOfType = below(2) === 0;
  return {
    counted: (items) => {
      const seen = new Set<string>();
      return items.filter(({ type, data }) => {
        const values = `${type} ${data.join()}`;
        const isTwin = seen.has(values) && (!isOfType || type === item.type);
        seen.add(values);
        return !isTwin;
      });
    },
  };
});

/** The checksum counts the keys of items as well, or their ids, or their sizes: of all items, or of a type. */
export const keysCounted = serverFault(({ scenario, below, from }) => {
  const item = pickItem(scenario, below, from, (item) => !isRegistration(item));
  if (!item) return undefined;
  const [isOfType, kind] = [below(2) === 0, below(3)];
  const more = (item: ServerItem) => (kind === 0 ? keyOf(item) : kind === 1 ? item.id : item.data.length);
  const isHit = (entry: ServerItem) => !isOfType || entry.type === item.type;
  return { checksum: (items) => items.filter(isHit).reduce((sum, item) => (sum + more(item)) | 0, checksumOf(items)) };
});

/** The checksum counts as many items as the snapshot before had, or one fewer or more, if there are so many. */
export const lateCount = serverFault(({ scenario, below }) => {
  const change = below(3) - 1;
  return { counted: (items, step) => items.slice(0, change + scenario.steps[Math.max(0, step - 1)]!.items.length) };
});

/** A field is hidden from a client after the checksum was taken. */
export const hiddenField = changingSent((below) => {
  const [field, value] = [below(8), below(2) === 0 ? 0 : -1];
  return (ints) => ints.map((int, i) => (i === field ? value : int));
});

/** The checksum is summed up in floats of 32 bits, or cut to 24 bits. */
export const floatSum = serverFault(({ below }) => {
  const isFloat = below(2) === 0;
  const add = (sum: number, int: number) => (isFloat ? Math.fround(sum + int) : (sum + int) & 0xffffff);
  return { checksum: (items) => items.flatMap(({ data }) => [...data]).reduce(add, 0) | 0 };
});

/** In each second snapshot the items of two ids are exchanged: of a type, or of all. */
export const exchangedIds = serverFault(({ keys, scenario, below, from, to }) => {
  const [key] = changing(scenario, below, from, to) ?? [];
  if (key === undefined) return undefined;
  const [isOfType, id] = [below(2) === 0, key & 0xffff];
  const others = scenario.steps[from]!.items.filter((item) => item.type === key >> 16 && item.id !== id);
  const other = pick(below, others)?.id;
  if (other === undefined) return undefined;
  return {
    sent: (items, step) =>
      items.map((item) => {
        const to = item.id === id ? other : item.id === other ? id : item.id;
        if (step % 2 === 1 || to === item.id || (isOfType ? item.type !== key >> 16 : isRegistration(item)))
          return item;
        keys.add(keyOf(item)).add(keyOf({ ...item, id: to }));
        return { ...item, id: to };
      }),
  };
});

/**
 * A proxy joins the deltas to the snapshot before and to this one: what both change is in the list twice, and once on
 * the server.
 */
export const mergedDeltas = serverFault(({ keys, scenario: { steps, protocol } }) => ({
  ints: (all, from, step) => {
    const [between, to] = [steps[Math.max(0, step - 1)]!.items, steps[step]!.items];
    const [first, second] = [gameDelta(from, between, protocol), gameDelta(between, to, protocol)];
    if (!first || !second) return all;
    const [removed, others] = [first[0]!, second[0]!];
    const merged = Int32Array.from([
      removed + others,
      first[1]! + second[1]!,
      0,
      ...first.subarray(3, 3 + removed),
      ...second.subarray(3, 3 + others),
      ...first.subarray(3 + removed),
      ...second.subarray(3 + others),
    ]);
    const delta = deltaIn(merged, protocol);
    for (const key of delta.keys.subarray(0, delta.count)) keys.add(key);
    return merged;
  },
}));

/**
 * An entry of the list of removed keys is overwritten by another one: that key is listed twice, and its own item stays.
 */
export const removedTwice = serverFault(({ keys, below }) => ({
  ints: (all) => {
    const count = all[0]!;
    if (count < 2) return all;
    const at = below(count);
    keys.add(all[3 + at]!);
    return all.with(3 + at, all[3 + ((at + 1 + below(count - 1)) % count)]!);
  },
}));

/** Removed keys are written as 16 bits: their types are lost, and those with one id are the same. */
export const narrowRemovedKeys = byProxy(({ keys }) => ({ removed }) => {
  for (const key of removed) keys.add(key);
  return { removed: removed.map((key) => key & 0xffff) };
});

/** The checksum counts an item twice that the snapshot has once. */
export const countedTwice: MakeFault = (scenario, below, from) => {
  const item = pickItem(scenario, below, from, (item) => !isRegistration(item) && checksumOf([item]) !== 0);
  if (!item) return undefined;
  const counted = (items: ServerSnapshot) => [...items, ...items.filter((entry) => keyOf(entry) === keyOf(item))];
  return { switches: { counted }, keys: new Set([keyOf(item)]) };
};

/** The checksum goes on counting what was removed, as it was last. */
export const removedCounted = serverFault(({ keys, scenario: { steps }, from }) => ({
  counted: (items, step) => {
    const gone = new Map<number, ServerItem>();
    for (const item of steps.slice(Math.max(0, from - 1), step).flatMap((before) => before.items))
      gone.set(keyOf(item), item);
    for (const item of items) gone.delete(keyOf(item));
    for (const key of gone.keys()) keys.add(key);
    return [...items, ...gone.values()];
  },
}));
