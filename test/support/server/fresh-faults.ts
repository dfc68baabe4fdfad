import { areEqual, changing, firstLocalType, isRegistration, type MakeFault, pickItem, serverFault } from './faults.ts';
import { checksumOf, deltaIn, keyOf, type ServerSnapshot } from './game-delta.ts';
import { byProxy } from './mixed-faults.ts';

// These kinds were written after the rules were frozen, as an attack on what is shown.

/** A part has the number of the next one as well, whose bytes are lost. */
export const partTwice = serverFault(({ below }) => ({
  parts: (all) => {
    const at = below(Math.max(1, all.length - 1));
    return all.length < 2 ? all : all.with(at + 1, all[at]!);
  },
}));

export const reversedParts = serverFault(() => ({ parts: (all) => all.toReversed() }));

/** Removed keys have the next id, as those of a loop that counts before it writes. */
export const removedOffByOne = byProxy(({ keys }) => ({ removed }) => {
  for (const key of removed) keys.add(key).add(key + 1);
  return { removed: removed.map((key) => key + 1) };
});

/** The list of removed keys has room for so many only. */
export const cutRemoved = byProxy(({ keys, below }) => {
  const room = below(4);
  return ({ removed }) => {
    for (const key of removed.slice(room)) keys.add(key);
    return { removed: removed.slice(0, room) };
  };
});

/** What goes is listed one snapshot later. */
export const lateRemoved = serverFault(({ keys, scenario: { steps } }) => ({
  delta: (_, now, step) => {
    const kept = new Set(now.map(keyOf));
    const gone = steps[Math.max(0, step - 1)]!.items.map(keyOf).filter((key) => !kept.has(key));
    for (const key of gone) keys.add(key);
    return { notRemoved: new Set(gone) };
  },
}));

/** The announced checksum is the one of the base. */
export const baseChecksum = serverFault(() => {
  let base: ServerSnapshot = [];
  const delta = (made: ServerSnapshot) => {
    base = made;
    return {};
  };
  return { delta, checksum: () => checksumOf(base) };
});

/** One bit of the announced checksum is always another. */
export const checksumBit = serverFault(({ below }) => {
  const bit = 1 << below(32);
  return { checksum: (items) => checksumOf(items) ^ bit };
});

/** The checksum has the size before the ints of extended items as well. */
export const sizesCounted = serverFault(() => {
  const sizes = (items: ServerSnapshot) => {
    const extended = items.filter(({ type }) => type >= firstLocalType);
    return extended.reduce((sum, { data }) => sum + data.length, 0);
  };
  return { checksum: (items) => (checksumOf(items) + sizes(items)) | 0 };
});

/** The base is always the snapshot that was sent last, whatever the client has acknowledged. */
export const lastSentBase: MakeFault = () => {
  const bases = new Set<number>();
  const usedBase = (announced: number, stored: ReadonlyMap<number, ServerSnapshot>) => {
    const tick = [...stored.keys()].at(-2) ?? announced;
    for (const [other, items] of stored) if (areEqual(items, stored.get(tick)!)) bases.add(other);
    return tick;
  };
  return { switches: { usedBase }, keys: new Set(), facts: { bases } };
};

/** A bit of the server's memory flips in a snapshot that was sent, and is a base later. */
export const flippedBase = serverFault(({ scenario, below, from }) => {
  const { steps } = scenario;
  const item = pickItem(scenario, below, from, (one) => !isRegistration(one));
  if (!item) return undefined;
  const [int, bit] = [below(item.data.length), 1 << below(32)];
  const flipped = (items: ServerSnapshot) =>
    items.map((one) =>
      keyOf(one) === keyOf(item)
        ? { ...one, data: one.data.map((value, i) => (i === int ? value ^ bit : value)) }
        : one,
    );
  const right = (_: ServerSnapshot, step: number) => steps[step]!.items;
  const items = (now: ServerSnapshot, step: number) => (step === from ? flipped(now) : now);
  return { items, sent: right, counted: right };
});

/** The first half of an item is still the one of the snapshot before, as by a read without a lock. */
export const tornItem: MakeFault = (scenario, below, from, to) => {
  const [key] = changing(scenario, below, from, to) ?? [];
  if (key === undefined) return undefined;
  const sent = (items: ServerSnapshot, step: number) =>
    items.map((one) => {
      const before = scenario.steps[Math.max(0, step - 1)]!.items.find((other) => keyOf(other) === key);
      if (keyOf(one) !== key || !before) return one;
      return { ...one, data: one.data.map((value, i) => (2 * i < one.data.length ? before.data[i]! : value)) };
    });
  return { switches: { sent }, keys: new Set([key]) };
};

/** Differences are sent without their sign. */
export const unsignedDifferences = serverFault(() => {
  const change = (_: number, ints: readonly number[]) => ints.map(Math.abs);
  return { delta: () => ({ change }) };
});

/** A part is the one of the snapshot before the last, as of a ring of buffers that is too small. */
export const olderPart = serverFault(({ below }) => {
  let [older, last]: (readonly Uint8Array[])[] = [[], []];
  return {
    parts: (all) => {
      const at = below(all.length);
      const old = older![at];
      [older, last] = [last!, all];
      return all.length < 2 || !old ? all : all.with(at, old);
    },
  };
});

/** Ints are packed as those of protocol buffers: seven bits a byte, the sign as the lowest bit. */
export const otherVarint = serverFault(() => {
  const packed = new Map<number, Uint8Array>();
  const ints = (all: Int32Array<ArrayBuffer>, _: ServerSnapshot, step: number) => {
    const bytes = [...all].flatMap((int) => {
      let left = ((int << 1) ^ (int >> 31)) >>> 0;
      const own: number[] = [];
      for (; left > 0x7f; left >>>= 7) own.push((left & 0x7f) | 0x80);
      return [...own, left];
    });
    packed.set(step, Uint8Array.from(bytes));
    return all;
  };
  return { ints, payload: (bytes, step) => packed.get(step) ?? bytes };
});

/** The third int of a delta, which is always 0, is left out. */
export const shortHead = serverFault(() => ({
  ints: (all) => Int32Array.from([...all.subarray(0, 2), ...all.subarray(3)]),
}));

/** Updates have the id before the type. */
export const idFirst = serverFault(({ scenario: { protocol } }) => ({
  ints: (all) => {
    const delta = deltaIn(all, protocol);
    const changed = all.slice();
    for (let i = 0; i < delta.count; i++) changed.set([delta.id(i), delta.type(i)], delta.start(i));
    return changed;
  },
}));

/** Removed keys are written after the updates. */
export const removedLast = serverFault(() => ({
  ints: (all) =>
    Int32Array.from([...all.subarray(0, 3), ...all.subarray(3 + all[0]!), ...all.subarray(3, 3 + all[0]!)]),
}));

/** The number of removed keys is one more, or one less, than there are. */
export const otherRemovedCount = serverFault(({ below }) => {
  const by = below(2) === 0 ? 1 : -1;
  return { ints: (all) => (all[0]! + by < 0 ? all : all.with(0, all[0]! + by)) };
});

/** Items of extended types come without their sizes. */
export const noSizes = serverFault(({ scenario: { protocol } }) => ({
  ints: (all) => {
    const delta = deltaIn(all, protocol);
    const left = new Set(all.keys());
    for (let i = 0; i < delta.count; i++) if (protocol.sizeOf(delta.type(i)) === 0) left.delete(delta.start(i) + 2);
    return all.filter((_, at) => left.has(at));
  },
}));

/** Removed keys have the id above the type. */
export const exchangedRemoved = byProxy(({ keys }) => ({ removed }) => {
  for (const key of removed) keys.add(key);
  return { removed: removed.map((key) => ((key & 0xffff) << 16) | (key >>> 16)) };
});

/** In place of removed keys there are the indexes of the items in the base. */
export const removedIndexes = byProxy(({ keys }) => ({ removed }, base) => {
  const own = base.map(keyOf);
  for (const key of removed) keys.add(key);
  return { removed: removed.map((key) => own.indexOf(key)) };
});

/** The last part is neither sent nor counted. */
export const lastPartDropped = serverFault(() => ({ parts: (all) => (all.length < 2 ? all : all.slice(0, -1)) }));

/** All types are numbered one higher, with the sizes that they had. */
export const typesOneHigher = serverFault(({ scenario: { protocol } }) => ({
  ints: (all) => {
    const delta = deltaIn(all, protocol);
    const changed = all.slice();
    for (let i = 0; i < delta.count; i++) if (delta.type(i) < firstLocalType) changed[delta.start(i)]!++;
    return changed;
  },
}));

/** Every second item is the one of the snapshot before, as of a list that is filled while it is read. */
export const mixedSnapshots = serverFault(({ scenario: { steps }, below }) => {
  const odd = below(2);
  return {
    sent: (items, step) => {
      const before = new Map(steps[Math.max(0, step - 1)]!.items.map((item) => [keyOf(item), item]));
      return items.map((item, i) => (i % 2 === odd ? (before.get(keyOf(item)) ?? item) : item));
    },
  };
});

/** Ids are written as bytes. */
export const narrowIds = serverFault(({ keys, scenario: { protocol }, below }) => {
  const mask = [0x0f, 0x3f, 0xff][below(3)]!;
  return {
    ints: (all) => {
      const delta = deltaIn(all, protocol);
      const changed = all.slice();
      for (let i = 0; i < delta.count; i++) {
        if (delta.type(i) === 0 || delta.id(i) <= mask) continue;
        changed[delta.start(i) + 1]! &= mask;
        keys.add(delta.keys[i]!).add((delta.type(i) << 16) | (delta.id(i) & mask));
      }
      return changed;
    },
  };
});
