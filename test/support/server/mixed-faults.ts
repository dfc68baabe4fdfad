import { ByteBuffer } from '../../../src/wire/bytes/buffers.ts';
import { compress } from '../../../src/wire/codec/huffman.ts';
import { type FaultSetting, isRegistration, type MakeFault, pick, pickItem, serverFault } from './faults.ts';
import { deltaIn, keyOf, type ServerItem, type ServerSnapshot } from './game-delta.ts';
import type { Scenario } from './scenario.ts';

// Mods, proxies and wrong tables, and two faults at once: what other causes make the bytes of a known one.

/** A delta as a proxy between server and client sees it. */
interface SeenDelta {
  readonly removed: readonly number[];
  readonly updates: readonly ServerItem[];
}

const readDelta = (all: Int32Array<ArrayBuffer>, { protocol }: Scenario): SeenDelta => {
  const delta = deltaIn(all, protocol);
  const removed = Array.from({ length: delta.removedCount }, (_, i) => delta.removedKey(i));
  const updates = Array.from({ length: delta.count }, (_, i) => {
    const key = delta.keys[i]!;
    return { type: key >> 16, id: key & 0xffff, data: delta.item(i).slice() };
  });
  return { removed, updates };
};

const writeDelta = ({ removed, updates }: SeenDelta, { protocol }: Scenario): Int32Array<ArrayBuffer> => {
  const items = updates.flatMap(({ type, id, data }) => [
    type,
    id,
    ...(protocol.sizeOf(type) === 0 ? [data.length] : []),
    ...data,
  ]);
  return Int32Array.from([removed.length, updates.length, 0, ...removed, ...items]);
};

/** What a proxy changes of a delta. */
type Change = (delta: SeenDelta, base: ServerSnapshot, step: number) => Partial<SeenDelta>;

export const proxy =
  (scenario: Scenario, change: Change) =>
  (all: Int32Array<ArrayBuffer>, base: ServerSnapshot, step: number): Int32Array<ArrayBuffer> => {
    const seen = readDelta(all, scenario);
    return writeDelta({ ...seen, ...change(seen, base, step) }, scenario);
  };

/** A fault of a proxy. */
export const byProxy = (make: (setting: FaultSetting) => Change | undefined): MakeFault =>
  serverFault((setting) => {
    const change = make(setting);
    return change && { ints: proxy(setting.scenario, change) };
  });

/** Updates come under other keys: under those of what `moved` makes of an item, if that is not the item itself. */
export const underOtherKeys =
  (keys: Set<number>, moved: (item: ServerItem) => ServerItem): Change =>
  ({ updates }) => ({
    updates: updates.map((item) => {
      const now = moved(item);
      if (now !== item) keys.add(keyOf(item)).add(keyOf(now));
      return now;
    }),
  });

/** Updates of a type come under the next id, or the one before; or those of one item. */
const shiftedIds = (by: 1 | -1) =>
  byProxy(({ keys, scenario, below, from }) => {
    const like = pickItem(scenario, below, from, (item) => !isRegistration(item) && item.id + by >= 0);
    if (!like) return undefined;
    const isOfType = below(2) === 0;
    const isHit = ({ type, id }: ServerItem) => type === like.type && (isOfType || id === like.id) && id + by >= 0;
    return underOtherKeys(keys, (item) => (isHit(item) ? { ...item, id: item.id + by } : item));
  });
export const idsPlusOne = shiftedIds(1);
export const idsMinusOne = shiftedIds(-1);

/** An update comes under the key of an item of its type that the same delta removes. */
export const underRemoved = byProxy(({ keys }) => ({ removed, updates }) => {
  const at = updates.findIndex(
    ({ type, id }) => type !== 0 && removed.some((key) => key >> 16 === type && key !== ((type << 16) | id)),
  );
  if (at < 0) return {};
  const item = updates[at]!;
  const key = removed.find((key) => key >> 16 === item.type)!;
  keys.add(keyOf(item)).add(key);
  return { updates: updates.with(at, { ...item, id: key & 0xffff }) };
});

/** The delta lists the key of a neighbour as removed, and not that of what is gone. */
export const neighbourRemoved = byProxy(({ keys }) => ({ removed, updates }, base) => {
  const inBase = new Set(base.map(keyOf));
  const taken = new Set([...removed, ...updates.map(keyOf)]);
  const isFree = (key: number) => inBase.has(key) && !taken.has(key);
  const at = removed.findIndex((key) => isFree(key + 1) || isFree(key - 1));
  if (at < 0) return {};
  const gone = removed[at]!;
  const other = isFree(gone + 1) ? gone + 1 : gone - 1;
  keys.add(gone).add(other);
  return { removed: removed.with(at, other) };
});

/** Another base than announced, and an item twice. */
export const otherBaseAndTwice: MakeFault = (scenario, below, from) => {
  const item = pickItem(scenario, below, from, (item) => !isRegistration(item) && item.data.some((int) => int !== 0));
  if (!item) return undefined;
  const key = keyOf(item);
  const items = (all: ServerSnapshot) => {
    const own = all.find((one) => keyOf(one) === key);
    return own ? [...all, { ...own, data: own.data.map((int, i) => (i === 0 ? int + 32 : int)) }] : all;
  };
  const bases = new Set<number>();
  const usedBase = (announced: number, stored: ReadonlyMap<number, ServerSnapshot>) => {
    const older = [...stored.keys()].filter((tick) => tick >= 0 && tick < announced).at(-2) ?? announced;
    bases.add(older);
    return older;
  };
  return { switches: { items, usedBase }, keys: new Set([key]), facts: { bases } };
};

/** Each item of a type has an int more on the wire than server and client count. */
export const longerOnWire: MakeFault = (scenario, below, from) => {
  const { sizeOf } = scenario.protocol;
  const like = pickItem(scenario, below, from, ({ type }) => type > 0 && sizeOf(type) > 0);
  if (!like) return undefined;
  const value = below(200);
  const longer = (item: ServerItem) =>
    item.type === like.type ? { ...item, data: Int32Array.from([...item.data, value]) } : item;
  const ints = proxy(scenario, ({ updates }) => ({ updates: updates.map(longer) }));
  return { switches: { ints }, keys: new Set(), facts: { type: like.type, size: sizeOf(like.type) + 1 } };
};

/** Removed keys with their bytes in the other order. */
export const removedSwapped = byProxy(({ keys }) => ({ removed }) => {
  for (const key of removed) keys.add(key);
  const swap = (key: number) =>
    (key >>> 24) | ((key >>> 8) & 0xff00) | ((key & 0xff00) << 8) | ((key & 0xff) << 24) | 0;
  return { removed: removed.map(swap) };
});

/** A program in text mode puts 0d before each 0a. */
export const textMode = serverFault(() => ({
  payload: (bytes) => Uint8Array.from([...bytes].flatMap((byte) => (byte === 0x0a ? [0x0d, 0x0a] : byte))),
}));

/** A program in text mode takes each 0d away. */
export const withoutReturns = serverFault(() => ({ payload: (bytes) => bytes.filter((byte) => byte !== 0x0d) }));

/** Packets are compressed twice for some time. */
export const compressedTwice = serverFault(() => ({
  message: (bytes) => {
    const into = new ByteBuffer();
    compress(Uint8Array.from(bytes), 0, bytes.length, into, 'extra');
    return [...into.bytes.subarray(0, into.length)];
  },
}));

/** A proxy drops the updates of an item. */
export const updateDropped = byProxy(({ keys, scenario, below, from }) => {
  const like = pickItem(scenario, below, from, (item) => !isRegistration(item));
  if (!like) return undefined;
  keys.add(keyOf(like));
  return ({ updates }) => ({ updates: updates.filter((item) => !keys.has(keyOf(item))) });
});

/** A proxy drops one removed key. */
export const removedDropped = byProxy(({ keys, below }) => ({ removed }) => {
  const gone = pick(below, removed);
  if (gone === undefined) return {};
  keys.add(gone);
  return { removed: removed.filter((key) => key !== gone) };
});

/** An item is removed though it is unchanged, and another one is not removed though it is gone. */
export const removedAndKept = byProxy(({ keys, scenario, below, from }) => {
  const still = pickItem(scenario, below, from, (item) => !isRegistration(item) && item.data.some((int) => int !== 0));
  if (!still) return undefined;
  keys.add(keyOf(still));
  return ({ removed, updates }, base) => {
    const isThere = base.some((item) => keyOf(item) === keyOf(still)) && !removed.includes(keyOf(still));
    const isUpdated = updates.some((item) => keyOf(item) === keyOf(still));
    const [gone, ...rest] = removed;
    if (!isThere || isUpdated || gone === undefined) return {};
    keys.add(gone);
    return { removed: [...rest, keyOf(still)] };
  };
});

/** Two items are sent in full, though the base has them, and one that is gone is not removed. */
export const inFullAndKept: MakeFault = (scenario, below, from) => {
  const before = new Set(scenario.steps[Math.max(0, from - 3)]!.items.map(keyOf));
  const item = pickItem(scenario, below, from, (item) => !isRegistration(item) && before.has(keyOf(item)));
  if (!item) return undefined;
  const keys = new Set([keyOf(item)]);
  const delta = (base: ServerSnapshot, now: ServerSnapshot) => {
    const kept = new Set(now.map(keyOf));
    const gone = base.map(keyOf).find((key) => !kept.has(key));
    if (gone !== undefined) keys.add(gone);
    return { inFull: new Set([keyOf(item)]), notRemoved: new Set(gone === undefined ? [] : [gone]) };
  };
  return { switches: { delta }, keys };
};

/** A version for 16 players: ids of players are taken modulo 16 in what is sent. */
export const sixteenPlayers = byProxy(({ keys }) =>
  underOtherKeys(keys, (item) =>
    item.id < 16 || item.id >= 128 || isRegistration(item) ? item : { ...item, id: item.id % 16 },
  ),
);

/** A proxy lists each update of a type as removed as well, and sends it in full. */
export const removedAndInFull = byProxy(({ keys, scenario, below, from }) => {
  const like = pickItem(scenario, below, from, (item) => !isRegistration(item));
  if (!like) return undefined;
  return ({ removed, updates }, base) => {
    const inBase = new Map(base.map((item) => [keyOf(item), item]));
    const more: number[] = [];
    const now = updates.map((item) => {
      const was = inBase.get(keyOf(item));
      if (item.type !== like.type || !was) return item;
      more.push(keyOf(item));
      keys.add(keyOf(item));
      return { ...item, data: item.data.map((int, i) => (int + was.data[i]!) | 0) };
    });
    return { removed: [...removed, ...more], updates: now };
  };
});

/** What is new comes as a difference to an item of its type that the base has. */
export const newAsDifference = byProxy(({ keys }) => ({ updates }, base) => {
  const inBase = new Set(base.map(keyOf));
  const now = updates.map((item) => {
    const like = base.find(({ type, data }) => type === item.type && data.length === item.data.length);
    if (inBase.has(keyOf(item)) || !like || isRegistration(item)) return item;
    keys.add(keyOf(item)).add(keyOf(like));
    return { ...item, data: item.data.map((int, i) => (int - like.data[i]!) | 0) };
  });
  return { updates: now };
});

/** A translation gives the items of one type the number of another one with as many ints. */
export const otherNumber = byProxy(({ keys, scenario, below, from }) => {
  const { sizeOf } = scenario.protocol;
  const like = pickItem(scenario, below, from, ({ type }) => type > 0 && sizeOf(type) > 0);
  const all = Array.from({ length: 24 }, (_, i) => 1 + i);
  const other =
    like &&
    pick(
      below,
      all.filter((type) => type !== like.type && sizeOf(type) === sizeOf(like.type)),
    );
  if (!like || other === undefined) return undefined;
  return underOtherKeys(keys, (item) => (item.type === like.type ? { ...item, type: other } : item));
});

/** A key is twice in the delta, as a proxy adds it, and one that is gone is not removed. */
export const twiceAndKept: MakeFault = (scenario, below, from) => {
  const like = pickItem(scenario, below, from, (item) => !isRegistration(item) && item.data.some((int) => int !== 0));
  if (!like) return undefined;
  const keys = new Set([keyOf(like)]);
  const items = (all: ServerSnapshot) => {
    const own = all.find((one) => keyOf(one) === keyOf(like));
    return own ? [...all, own] : all;
  };
  const delta = (base: ServerSnapshot, now: ServerSnapshot) => {
    const kept = new Set(now.map(keyOf));
    const gone = base.map(keyOf).find((key) => !kept.has(key));
    if (gone !== undefined) keys.add(gone);
    return { notRemoved: new Set(gone === undefined ? [] : [gone]) };
  };
  return { switches: { items, delta }, keys };
};

/** A filter hides a type from the client, and lists it as removed, before the checksum of what remains; signs change. */
export const hiddenAndSigned: MakeFault = (scenario, below, from) => {
  const like = pickItem(scenario, below, from, (item) => !isRegistration(item));
  const other = pickItem(scenario, below, from, (item) => !isRegistration(item) && item.type !== like?.type);
  if (!like || !other) return undefined;
  const keys = new Set<number>([keyOf(like), keyOf(other)]);
  return {
    switches: {
      sent: (items) => items.filter((item) => keyOf(item) !== keyOf(like)),
      delta: () => ({
        change: (key, differences) => (key === keyOf(other) ? differences.map((int) => -int) : differences),
      }),
    },
    keys,
  };
};
