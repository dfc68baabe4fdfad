import {
  changing,
  flippedBit,
  hasSum,
  isRegistration,
  keysAt,
  type MakeFault,
  notRemoved,
  pick,
  pickItem,
  removedUnchanged,
  serverFault,
  wrongBase,
} from './faults.ts';
import { checksumOf, keyOf, type ServerItem, type ServerSnapshot } from './game-delta.ts';
import { byProxy, proxy, underOtherKeys } from './mixed-faults.ts';

// Proxies, mods, damage and two faults at once, thought out before the rules of `explain` were read, and with the
// causes that may be said of them.

const same = (some: ServerItem, other: ServerItem) => some.data.every((int, i) => int === other.data[i]);

/** The keys of the items that a change makes others, which are known only while it is played. */
function changed(keys: Set<number>, before: ServerSnapshot, after: ServerSnapshot): ServerSnapshot {
  for (const [i, item] of after.entries()) if (!same(item, before[i]!)) keys.add(keyOf(item));
  return after;
}

/** A mod against cheats sends an item that is out of sight with zeros. */
export const zeroed: MakeFault = (scenario, below, from) => {
  const like = pickItem(scenario, below, from, (item) => hasSum(item) && !isRegistration(item));
  if (!like) return undefined;
  const zeros = (item: ServerItem) =>
    keyOf(item) === keyOf(like) ? { ...item, data: new Int32Array(item.data.length) } : item;
  return { switches: { sent: (items) => items.map(zeros) }, keys: new Set([keyOf(like)]) };
};

/** It sends the values of another item of its type. */
export const copied: MakeFault = (scenario, below, from) => {
  const like = pickItem(scenario, below, from, (item) => hasSum(item) && !isRegistration(item));
  const others = scenario.steps[from]!.items.filter(
    (item) => item.type === like?.type && item.id !== like.id && item.data.length === like.data.length,
  );
  const other = pick(below, others);
  if (!like || !other) return undefined;
  const sent = (items: ServerSnapshot) => {
    const now = items.find((item) => keyOf(item) === keyOf(other));
    return items.map((item) => (now && keyOf(item) === keyOf(like) ? { ...item, data: now.data } : item));
  };
  return { switches: { sent }, keys: new Set([keyOf(like)]) };
};

/** A proxy drops the updates of items that it has not seen before. */
export const newDropped = byProxy(({ keys }) => ({ updates }, base) => {
  const known = new Set(base.map(keyOf));
  for (const item of updates) if (!known.has(keyOf(item))) keys.add(keyOf(item));
  return { updates: updates.filter((item) => known.has(keyOf(item))) };
});

/** The update of an item comes twice in the delta, with a part of the differences each. */
const split =
  (parts: (differences: Int32Array<ArrayBufferLike>) => readonly Int32Array[]): MakeFault =>
  (scenario, below, from, to) => {
    const keys = changing(scenario, below, from, to);
    if (!keys) return undefined;
    const ints = proxy(scenario, ({ updates }, base) => ({
      updates: updates.flatMap((item) => {
        const isHit = keys.has(keyOf(item)) && base.some((one) => keyOf(one) === keyOf(item));
        return isHit ? parts(item.data).map((data) => ({ ...item, data: Int32Array.from(data) })) : item;
      }),
    }));
    return { switches: { ints }, keys };
  };
export const halves = split((data) => [data.map((int) => int >> 1), data.map((int) => int - (int >> 1))]);
export const zerosAfter = split((data) => [data, data.map(() => 0)]);

/** Updates of a type, or of all, come under other ids. */
const renumbered = (idOf: (id: number) => number) =>
  byProxy(({ keys, scenario, below, from }) => {
    const isFit = (item: ServerItem) => !isRegistration(item) && item.id < 64;
    const like = pickItem(scenario, below, from, isFit);
    if (!like) return undefined;
    const isAll = below(2) === 0;
    return underOtherKeys(keys, (item) =>
      (isAll || item.type === like.type) && isFit(item) ? { ...item, id: idOf(item.id) } : item,
    );
  });
export const mirroredIds = renumbered((id) => 63 - id);
export const swappedIds = renumbered((id) => ((id & 0xff) << 8) | (id >> 8));

/** A proxy exchanges an int of two updates of a type. */
export const exchangedInts = byProxy(({ keys, below }) => {
  const at = below(3);
  return ({ updates }) => {
    const first = updates.findIndex(
      (item, i) => item.type !== 0 && updates[i + 1]?.type === item.type && item.data.length > at,
    );
    if (first < 0) return {};
    const [one, other] = [updates[first]!, updates[first + 1]!];
    keys.add(keyOf(one)).add(keyOf(other));
    return {
      updates: updates
        .with(first, { ...one, data: one.data.with(at, other.data[at]!) })
        .with(first + 1, { ...other, data: other.data.with(at, one.data[at]!) }),
    };
  };
});

/** The sum begins with the second item. */
export const firstNotCounted = serverFault(({ keys }) => ({
  counted: (items) => {
    for (const item of items.slice(0, 1)) keys.add(keyOf(item));
    return items.slice(1);
  },
}));

/** Removed keys have the type of another version. */
export const removedTypes = byProxy(({ keys, below }) => {
  const by = below(2) === 0 ? 1 : -1;
  return ({ removed }) => {
    const moved = removed.map((key) => key + by * 0x10000);
    for (const key of [...removed, ...moved]) keys.add(key);
    return { removed: moved };
  };
});

/** An empty snapshot comes in place of some deltas, so that the client takes the base for it. */
export const emptied = serverFault(({ keys, scenario }) => ({
  ints: (all, base, step) => {
    if (step % 3 !== 0) return all;
    proxy(scenario, (seen) => {
      for (const key of [...seen.removed, ...seen.updates.map(keyOf)]) keys.add(key);
      return seen;
    })(all, base, step);
    return undefined;
  },
}));

/** A proxy that holds ints as floats of 32 bits: large ones lose their low bits. */
export const floats = byProxy(({ keys }) => ({ updates }) => ({
  updates: changed(
    keys,
    updates,
    updates.map((item) => ({ ...item, data: item.data.map((int) => Math.fround(int) | 0) })),
  ),
}));

/** The negative differences of a type are one too high, as those of a packer that forgets to invert them. */
export const negativesOffByOne = byProxy(({ keys, scenario, below, from, to }) => {
  const [key] = changing(scenario, below, from, to) ?? [];
  if (key === undefined) return undefined;
  return ({ updates }) => ({
    updates: changed(
      keys,
      updates,
      updates.map((item) =>
        item.type === key >> 16 ? { ...item, data: item.data.map((int) => (int < 0 ? int + 1 : int)) } : item,
      ),
    ),
  });
});

/** A mod sends an item where it will be, after the checksum was taken. */
export const ahead: MakeFault = (scenario, below, from, to) => {
  const keys = changing(scenario, below, from, to);
  if (!keys) return undefined;
  const sent = (items: ServerSnapshot, step: number) => {
    const before = scenario.steps[Math.max(0, step - 1)]!.items;
    return items.map((item) => {
      const was = before.find((one) => keyOf(one) === keyOf(item) && one.data.length === item.data.length);
      return was && keys.has(keyOf(item))
        ? { ...item, data: item.data.map((int, i) => (2 * int - was.data[i]!) | 0) }
        : item;
    });
  };
  return { switches: { sent }, keys };
};

/** Damage at a random byte of the payload. */
const damaged =
  (change: (payload: Uint8Array, at: number, before: Uint8Array, length: number) => Uint8Array): MakeFault =>
  (scenario, below) => {
    const keys = new Set<number>();
    let before = new Uint8Array(0);
    const payload = (bytes: Uint8Array) => {
      const at = 3 + below(Math.max(1, bytes.length - 4));
      const length = 4 + below(13);
      for (let i = at; i < Math.min(bytes.length, at + length); i++)
        for (const key of keysAt(scenario, bytes, i)) keys.add(key);
      const made = at + 1 < bytes.length ? change(bytes, at, before, length) : bytes;
      before = Uint8Array.from(bytes);
      return made;
    };
    return { switches: { payload }, keys };
  };
export const byteTwice = damaged((bytes, at) => Uint8Array.from([...bytes.subarray(0, at + 1), ...bytes.subarray(at)]));
export const bytesExchanged = damaged((bytes, at) => bytes.with(at, bytes[at + 1]!).with(at + 1, bytes[at]!));
export const zerosAtEnd = damaged((bytes, at, _, length) =>
  bytes.map((byte, i) => (i >= Math.max(at, bytes.length - length) ? 0 : byte)),
);
export const bytesBefore = damaged((bytes, at, before, length) =>
  bytes.map((byte, i) => (i >= at && i < at + length ? (before[i] ?? byte) : byte)),
);

/** An item gets the differences that it had in the delta before. */
export const sameDifferences: MakeFault = (scenario, below, from, to) => {
  const keys = changing(scenario, below, from, to);
  if (!keys) return undefined;
  let before: Int32Array<ArrayBuffer> | undefined;
  const ints = proxy(scenario, ({ updates }, base) => ({
    updates: updates.map((item) => {
      if (!keys.has(keyOf(item)) || !base.some((one) => keyOf(one) === keyOf(item))) return item;
      const data = before ?? item.data;
      before = Int32Array.from(item.data);
      return { ...item, data };
    }),
  }));
  return { switches: { ints }, keys };
};

/** The differences of one item are those to some snapshots earlier. */
export const olderItem: MakeFault = (scenario, below, from, to) => {
  const keys = changing(scenario, below, from, to);
  if (!keys) return undefined;
  const distance = 2 + below(5);
  const delta = (_: ServerSnapshot, __: ServerSnapshot, step: number) => ({
    pastItem: (key: number) =>
      keys.has(key)
        ? scenario.steps[Math.max(0, step - 5 - distance)]!.items.find((item) => keyOf(item) === key)
        : undefined,
  });
  return { switches: { delta }, keys };
};

/** Differences below a few units are not worth their bytes. */
export const smallLeftOut = serverFault(({ keys, scenario, below, from, to }) => {
  const [key] = changing(scenario, below, from, to) ?? [];
  if (key === undefined) return undefined;
  const least = 2 + below(6);
  const change = (of: number, ints: readonly number[]) => {
    if (of >> 16 !== key >> 16) return ints;
    if (ints.some((int) => int !== 0 && Math.abs(int) < least)) keys.add(of);
    return ints.map((int) => (Math.abs(int) < least ? 0 : int));
  };
  return { delta: () => ({ change }) };
});

/** Another base than announced, and the update of an item dropped. */
export const otherBaseAndDropped: MakeFault = (scenario, below, from, to) => {
  const keys = changing(scenario, below, from, to);
  const base = wrongBase(scenario, below, from, to);
  if (!keys || !base) return undefined;
  const ints = proxy(scenario, ({ updates }) => ({ updates: updates.filter((item) => !keys.has(keyOf(item))) }));
  return { ...base, switches: { ...base.switches, ints }, keys };
};

/** An item is counted and sent twice, and another one is sent in full. */
export const twiceAndInFull: MakeFault = (scenario, below, from) => {
  const isFit = (item: ServerItem) => hasSum(item) && !isRegistration(item);
  const twice = pickItem(scenario, below, from, isFit);
  const full = pickItem(scenario, below, from, (item) => isFit(item) && keyOf(item) !== (twice && keyOf(twice)));
  if (!twice || !full) return undefined;
  const items = (all: ServerSnapshot) => {
    const own = all.find((item) => keyOf(item) === keyOf(twice));
    return own ? [...all, { ...own, data: own.data.map((int) => (int + 1) | 0) }] : all;
  };
  const inFull = new Set([keyOf(full)]);
  return { switches: { items, delta: () => ({ inFull }) }, keys: new Set([keyOf(twice), keyOf(full)]) };
};

/** Two parts are exchanged, and one item is never sent. */
export const exchangedAndDropped: MakeFault = (scenario, below, from) => {
  const like = pickItem(scenario, below, from, (item) => hasSum(item) && !isRegistration(item));
  if (!like) return undefined;
  const ints = proxy(scenario, ({ updates }) => ({
    updates: updates.filter((item) => keyOf(item) !== keyOf(like)),
  }));
  const parts = (all: readonly Uint8Array[]) => (all.length < 2 ? all : all.with(0, all[1]!).with(1, all[0]!));
  return { switches: { ints, parts }, keys: new Set([keyOf(like)]) };
};

/** An item is listed as removed though it is there, and the sum lacks the first item. */
export const removedAndNotCounted: MakeFault = (scenario, below, from, to) => {
  const removed = removedUnchanged(scenario, below, from, to);
  if (!removed) return undefined;
  const keys = new Set(removed.keys);
  for (const { items } of scenario.steps.slice(from, to)) for (const item of items.slice(0, 1)) keys.add(keyOf(item));
  const checksum = (items: ServerSnapshot) => checksumOf(items.slice(1));
  return { switches: { ...removed.switches, checksum }, keys };
};

/** A flipped bit, and an item that is gone is not listed. */
export const flippedAndKept: MakeFault = (scenario, below, from, to) => {
  const [kept, flipped] = [notRemoved(scenario, below, from, to), flippedBit(scenario, below, from, to)];
  if (!kept || !flipped) return undefined;
  // Both sets grow while the fault is played.
  const both = new Set<number>();
  const { delta } = kept.switches;
  const { payload } = flipped.switches;
  const add = () => {
    for (const key of [...kept.keys, ...flipped.keys]) both.add(key);
  };
  return {
    switches: {
      delta: (base, now, step) => delta!(base, now, step),
      payload: (bytes, step) => {
        const made = payload!(bytes, step);
        add();
        return made;
      },
    },
    keys: both,
  };
};
