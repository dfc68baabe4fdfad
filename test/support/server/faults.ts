import { IntBuffer } from '../../../src/wire/bytes/buffers.ts';
import { ignore } from '../../../src/wire/bytes/diagnostic.ts';
import { unpackInts } from '../../../src/wire/codec/varint.ts';
import { Delta } from '../../../src/wire/snapshot/delta.ts';
import type { Switches } from './faulty-server.ts';
import { keyOf, oldBucketOf, oldBucketSize, type ServerItem, type ServerSnapshot } from './game-delta.ts';
import type { Scenario } from './scenario.ts';

/** A fault on some items of a scenario: what the server does wrong, and the expected explanation. */
export interface Fault {
  readonly switches: Switches;
  /** The keys of the affected items. Keys that are not known before are added while the fault is played. */
  readonly keys: ReadonlySet<number>;
  /** Other facts that a correct explanation contains. */
  readonly facts?: Readonly<Record<string, unknown>>;
  /** The number of snapshots with the fault, if not every snapshot allows it. */
  readonly times?: { readonly count: number };
}

export type Below = (bound: number) => number;

/** Selects a fault for the steps `from` up to `to` of a scenario; undefined if none is possible there. */
export type MakeFault = (scenario: Scenario, below: Below, from: number, to: number) => Fault | undefined;

/** Where a fault is selected, and the set for the keys of the items that it affects. */
export interface FaultSetting {
  readonly scenario: Scenario;
  readonly below: Below;
  readonly from: number;
  readonly to: number;
  readonly keys: Set<number>;
}

/** A fault by its switches alone, or undefined. The keys are added while it is selected, or played. */
export const serverFault =
  (make: (setting: FaultSetting) => Switches | undefined): MakeFault =>
  (scenario, below, from, to) => {
    const keys = new Set<number>();
    const switches = make({ scenario, below, from, to, keys });
    return switches && { switches, keys };
  };

export const firstLocalType = 0x4000;

export function pick<Value>(below: Below, values: readonly Value[]): Value | undefined {
  return values[below(values.length)];
}

/** Some of the values, in random order. */
function some<Value>(below: Below, values: readonly Value[], count: number): Value[] {
  const left = [...values];
  const picked: Value[] = [];
  while (picked.length < count && left.length > 0) picked.push(...left.splice(below(left.length), 1));
  return picked;
}

export const hasSum = ({ data }: ServerItem) => data.reduce((sum, int) => (sum + int) | 0, 0) !== 0;
export const isRegistration = ({ type }: ServerItem) => type === 0;

/** Items that are in the snapshot of step `from`; picked by type first, so that rare types have their share. */
export function pickItem(
  scenario: Scenario,
  below: Below,
  from: number,
  isFit: (item: ServerItem) => boolean,
): ServerItem | undefined {
  const items = scenario.steps[from]!.items.filter(isFit);
  const type = pick(below, [...new Set(items.map((item) => item.type))]);
  return pick(
    below,
    items.filter((item) => item.type === type),
  );
}

/** H1: two items of one type get the same id, or one item is added twice. */
export const duplicateKey: MakeFault = (scenario, below, from) => {
  const first = pickItem(scenario, below, from, (item) => hasSum(item) && !isRegistration(item));
  if (!first) return undefined;
  const others = scenario.steps[from]!.items.filter(
    (item) => item.type === first.type && item.id !== first.id && item.data.length === first.data.length,
  );
  const other = below(4) > 0 ? pick(below, others) : undefined;
  const isBefore = below(2) === 0;
  const items = (now: ServerSnapshot) => {
    const at = now.findIndex((item) => keyOf(item) === keyOf(first));
    if (at < 0) return now;
    // The other item under the id of the first; the first item again if there is no other.
    const twin = other && now.find((item) => keyOf(item) === keyOf(other));
    const left = twin ? now.filter((item) => item !== twin) : [...now];
    const place = left.findIndex((item) => keyOf(item) === keyOf(first));
    return left.toSpliced(isBefore ? place : place + 1, 0, { ...(twin ?? now[at]!), id: first.id });
  };
  return { switches: { items }, keys: new Set([keyOf(first)]) };
};

/** Items that are the same in all snapshots from some steps before `from` up to `to`. */
function unchanged(scenario: Scenario, from: number, to: number): ServerItem[] {
  const span = scenario.steps.slice(Math.max(0, from - 8), to);
  return scenario.steps[from]!.items.filter(
    (item) =>
      hasSum(item) &&
      !isRegistration(item) &&
      span.every(({ items }) =>
        items.some((entry) => keyOf(entry) === keyOf(item) && entry.data.every((int, i) => int === item.data[i])),
      ),
  );
}

/** H2: unchanged items are listed as removed. */
export const removedUnchanged: MakeFault = (scenario, below, from, to) => {
  const items = unchanged(scenario, from, to);
  const type = pick(below, [...new Set(items.map((item) => item.type))]);
  const hit = some(
    below,
    items.filter((item) => item.type === type),
    [1, 1, 2, 4][below(4)]!,
  );
  if (hit.length === 0) return undefined;
  const keys = new Set(hit.map(keyOf));
  return {
    switches: { delta: (base) => ({ alsoRemoved: new Set(base.map(keyOf).filter((key) => keys.has(key))) }) },
    keys,
  };
};

/** Items that go are not listed as removed: one, or all of its type. */
export const notRemoved: MakeFault = (scenario, below, from, to) => {
  const after = new Set(scenario.steps[Math.min(to, scenario.steps.length) - 1]!.items.map(keyOf));
  const first = pickItem(scenario, below, from - 1, (item) => !after.has(keyOf(item)) && hasSum(item));
  if (!first) return undefined;
  const isOfType = below(2) === 0;
  const keys = new Set([keyOf(first)]);
  const notListed = (base: ServerSnapshot, now: ServerSnapshot) => {
    const kept = new Set(now.map(keyOf));
    const gone = base.filter((item) => !kept.has(keyOf(item)) && item.type === first.type).map(keyOf);
    if (isOfType) for (const key of gone) keys.add(key);
    return { notRemoved: keys };
  };
  return { switches: { delta: notListed }, keys };
};

/** H3: items are sent in full although the base has them. */
export const sentInFull: MakeFault = (scenario, below, from) => {
  const before = scenario.steps[Math.max(0, from - 3)]!.items;
  const inBase = (item: ServerItem) => before.some((entry) => keyOf(entry) === keyOf(item) && hasSum(entry));
  const first = pickItem(scenario, below, from, (item) => inBase(item) && !isRegistration(item));
  if (!first) return undefined;
  const more = scenario.steps[from]!.items.filter((item) => item.type === first.type && item !== first && inBase(item));
  const keys = new Set([first, ...some(below, more, [0, 0, 1, 3][below(4)]!)].map(keyOf));
  return { switches: { delta: () => ({ inFull: keys }) }, keys };
};

/** H2 and H3 as in DDNet until 2022: too many pickups for a bucket of the hash table. */
export const fullBuckets = serverFault(({ keys, scenario, below, from, to }) => {
  const type = 4;
  const most = Math.max(...scenario.steps.map(({ items }) => items.length));
  if (most > 300) return undefined;
  const size = scenario.protocol.sizeOf(type);
  const start = 1000 + below(500);
  // Ids with a distance of sixteen are in the same bucket.
  const ids = Array.from({ length: 66 }, (_, i) => start + 16 * i);
  const more = ids.map((id, i): ServerItem => {
    const data = new Int32Array(size);
    data.set([1000 + 32 * (i % 40) + below(3), 2000 + 32 * Math.floor(i / 40), 1 + below(2)]);
    return { type, id, data };
  });
  const overflow = (items: ServerSnapshot) => {
    const used = new Map<number, number>();
    const lost = items.filter((item) => {
      const bucket = oldBucketOf(keyOf(item));
      used.set(bucket, (used.get(bucket) ?? 0) + 1);
      return used.get(bucket)! > oldBucketSize;
    });
    return lost.map(keyOf);
  };
  // The last pickups are added one by one, until the bucket is full.
  return {
    items: (items, step) => [
      ...items,
      ...more.slice(0, Math.min(more.length, 60 + Math.floor((12 * (step - from)) / (to - from)))),
    ],
    delta: (base, now) => {
      for (const key of [...overflow(base), ...overflow(now)]) keys.add(key);
      return { bucketOf: oldBucketOf, bucketSize: oldBucketSize };
    },
  };
});

/**
 * H4: the server has another size for a type than the client, or sends the size although the client has a fixed one.
 */
export const otherSize: MakeFault = (scenario, below) => {
  const { sizeOf } = scenario.protocol;
  const typesOf = (items: ServerSnapshot) =>
    new Set(items.map(({ type }) => type).filter((type) => type > 0 && type < 64 && sizeOf(type) > 0));
  const atFirst = typesOf(scenario.steps[0]!.items);
  const later = new Set(
    [...typesOf(scenario.steps.flatMap(({ items }) => items))].filter((type) => !atFirst.has(type)),
  );
  const type = pick(below, [...(later.size > 0 && below(2) === 0 ? later : atFirst)]);
  if (type === undefined) return undefined;
  const agreed = sizeOf(type);
  const isSizeSent = below(3) === 0;
  // If the size is sent, the size itself need not differ.
  const longer = isSizeSent ? below(2) : 1 + below(3);
  const size = below(2) === 0 || agreed < 4 ? agreed + longer : agreed - 1;
  if (!isSizeSent && size === agreed) return undefined;
  const value = 1 + below(30);
  const resized = ({ data, ...item }: ServerItem): ServerItem => {
    const ints = new Int32Array(size).fill(value);
    ints.set(data.subarray(0, size));
    return { ...item, data: ints };
  };
  return {
    switches: {
      items: (items) => items.map((item) => (item.type === type ? resized(item) : item)),
      delta: () => ({ sizeOf: (value) => (value === type ? (isSizeSent ? 0 : size) : sizeOf(value)) }),
    },
    keys: new Set([type << 16]),
    facts: { type, size: isSizeSent ? 0 : size },
  };
};

/** H5: the labels of two parts are exchanged. */
export const exchangedParts = serverFault(({ below }) => ({
  parts: (parts) => {
    if (parts.length < 2) return parts;
    const at = below(parts.length - 1);
    return parts.with(at, parts[at + 1]!).with(at + 1, parts[at]!);
  },
}));

/** H5: a part contains the bytes of the preceding snapshot. */
export const stalePart = serverFault(({ below }) => ({
  parts: (parts, previous, step) => {
    const at = below(parts.length);
    // A stale part is not repeated in turn.
    return parts.length < 2 || !previous[at] || step % 2 === 1 ? parts : parts.with(at, previous[at]);
  },
}));

/** H5: a part other than the last is short, since the bytes are divided at other positions than the client expects. */
export const shortPart: MakeFault = (_, below) => {
  const times = { count: 0 };
  return {
    switches: {
      parts: (parts) => {
        if (parts.length < 2) return parts;
        times.count++;
        const cut = 1 + below(200);
        const [first, second] = [parts[0]!, parts[1]!];
        const moved = Uint8Array.from([...first.subarray(first.length - cut), ...second]);
        // Bytes beyond the end of a part are moved to the next part.
        const fit = moved.length <= 900 ? [moved] : [moved.subarray(0, 900), moved.subarray(900)];
        return [first.subarray(0, first.length - cut), ...fit, ...parts.slice(2)];
      },
    },
    keys: new Set(),
    times,
  };
};

/** H6: the delta is made from another snapshot than the announced base. */
export const wrongBase: MakeFault = (_, below) => {
  const distance = 1 + below(6);
  const used = new Set<number>();
  return {
    switches: {
      usedBase: (announced, stored) => {
        const ticks = [...stored.keys()].filter((tick) => tick >= 0);
        const at = ticks.indexOf(announced);
        const tick = at < 0 ? -1 : (ticks[at - distance] ?? -1);
        // If a server has sent equal snapshots, each of them is the base.
        for (const [other, items] of stored) if (areEqual(items, stored.get(tick) ?? [])) used.add(other);
        return tick;
      },
    },
    keys: new Set(),
    facts: { bases: used },
  };
};

export const areEqual = (some: ServerSnapshot, others: ServerSnapshot) =>
  some.length === others.length &&
  some.every((item, i) => {
    const other = others[i]!;
    return keyOf(item) === keyOf(other) && item.data.every((int, k) => int === other.data[k]);
  });

/** H7: several consecutive snapshots lack the registration of a UUID item. */
export const unregistered: MakeFault = (scenario, below, from, to) => {
  const span = scenario.steps.slice(from, to);
  const types = new Set(scenario.steps[from]!.items.map(({ type }) => type).filter((type) => type >= firstLocalType));
  const type = pick(
    below,
    [...types].filter((type) => span.every(({ items }) => items.some((item) => item.type === type))),
  );
  if (type === undefined || span.length < 5) return undefined;
  return {
    switches: { items: (now) => now.filter((item) => item.type !== 0 || item.id !== type) },
    keys: new Set([type << 16]),
    facts: { type },
  };
};

/** H8: more items than a client accepts. */
export const tooManyItems: MakeFault = (scenario, below) => filledUp(scenario, [1025, 1030, 1100][below(3)]!, 4);

/** H8: the maximum number of items or bytes, after which a server drops further items. */
export const fullSnapshot: MakeFault = (scenario, below) =>
  below(2) === 0
    ? filledUp(scenario, 1023 + below(2), 4)
    : filledUp(scenario, 1000, scenario.version === '0.7' ? 10 : 9);

/** Adds items of a type until snapshots are full. */
function filledUp(scenario: Scenario, total: number, type: number): Fault {
  const size = scenario.protocol.sizeOf(type);
  const perItem = 4 * size + (scenario.version === '0.7' ? 12 : 8);
  return {
    switches: {
      items: (now) => {
        const bytes = now.reduce((sum, { data }) => sum + perItem - 4 * size + 4 * data.length, 8);
        const room = Math.floor((0x10000 - 1 - bytes) / perItem);
        const count = Math.max(0, Math.min(total - now.length, room));
        const more = Array.from({ length: count }, (_, i) => {
          const data = new Int32Array(size);
          data.set([32 * (i % 50), 32 * Math.floor(i / 50)]);
          return { type, id: 20000 + i, data };
        });
        return [...now, ...more];
      },
    },
    keys: new Set(),
    facts: { total },
  };
}

/** The same items, of which those with some keys are as in an earlier step. */
function asIn(scenario: Scenario, step: number, items: ServerSnapshot, keys: ReadonlySet<number>): ServerSnapshot {
  const before = scenario.steps[Math.max(0, step)]!.items;
  return items.map((item) =>
    keys.has(keyOf(item))
      ? (before.find((entry) => keyOf(entry) === keyOf(item) && entry.data.length === item.data.length) ?? item)
      : item,
  );
}

/** The key of an item that changes while the fault is played. */
export function changing(scenario: Scenario, below: Below, from: number, to: number): ReadonlySet<number> | undefined {
  const still = new Set(unchanged(scenario, from, to).map(keyOf));
  const item = pickItem(scenario, below, from, (item) => !isRegistration(item) && !still.has(keyOf(item)));
  return item && new Set([keyOf(item)]);
}

/** The delta has an old state of an item, or the checksum has: the item was not updated. */
export const staleSent: MakeFault = (scenario, below, from, to) => {
  const keys = changing(scenario, below, from, to);
  return keys && { switches: { sent: (items) => asIn(scenario, from - 1, items, keys) }, keys };
};
export const staleCounted: MakeFault = (scenario, below, from, to) => {
  const keys = changing(scenario, below, from, to);
  return keys && { switches: { counted: (items) => asIn(scenario, from - 1, items, keys) }, keys };
};

/** The checksum is taken before a late change of an item. */
export const lateChange: MakeFault = (scenario, below, from, to) => {
  const keys = changing(scenario, below, from, to);
  return keys && { switches: { counted: (items, step) => asIn(scenario, step - 1, items, keys) }, keys };
};

/** The checksum of the snapshot before. */
export const previousChecksum = serverFault(({ scenario }) => ({
  counted: (_, step) => scenario.steps[Math.max(0, step - 1)]!.items,
}));

/** The checksum lacks extended items, with or without their registrations. */
export const withoutExtended = serverFault(({ scenario, below, from }) => {
  if (!scenario.steps[from]!.items.some(({ type }) => type >= firstLocalType)) return undefined;
  const least = below(2);
  return { counted: (items) => items.filter(({ type }) => type >= least && type < firstLocalType) };
});

/** The fields of an item, or of all items of a type, are sent one place too early or too late. */
export const shiftedFields: MakeFault = (scenario, below, from) => {
  const item = pickItem(scenario, below, from, (item) => item.data.length > 2 && !isRegistration(item));
  if (!item) return undefined;
  const isOfType = below(2) === 0;
  const isEarly = below(2) === 0;
  const isHit = (entry: ServerItem) => (isOfType ? entry.type === item.type : keyOf(entry) === keyOf(item));
  const keys = new Set<number>();
  const shift = (item: ServerItem): ServerItem => {
    if (!isHit(item)) return item;
    keys.add(keyOf(item));
    const ints = [...item.data];
    return { ...item, data: Int32Array.from(isEarly ? [...ints.slice(1), 0] : [0, ...ints.slice(0, -1)]) };
  };
  return { switches: { sent: (items) => items.map(shift) }, keys, facts: { type: item.type } };
};

/** Differences of an item, or of a field of a type, have the other sign. */
export const signError: MakeFault = (scenario, below, from, to) => {
  const [key] = changing(scenario, below, from, to) ?? [];
  if (key === undefined) return undefined;
  const size = scenario.steps[from]!.items.find((item) => keyOf(item) === key)!.data.length;
  const field = below(2) === 0 ? below(size) : undefined;
  const keys = new Set<number>();
  const change = (of: number, ints: readonly number[]) => {
    if (field === undefined ? of !== key : of >> 16 !== key >> 16) return ints;
    keys.add(of);
    return ints.map((int, i) => (field === undefined || i === field ? -int | 0 : int));
  };
  return { switches: { delta: () => ({ change }) }, keys, facts: { type: key >> 16 } };
};

/** The difference of an item is taken from another item of its type in the base. */
export const otherItem: MakeFault = (scenario, below, from, to) => {
  const [key] = changing(scenario, below, from, to) ?? [];
  const others = scenario.steps[from]!.items.filter((item) => key !== undefined && item.type === key >> 16);
  const other = pick(
    below,
    others.filter((item) => keyOf(item) !== key && item.data.length === others[0]!.data.length),
  );
  if (key === undefined || !other) return undefined;
  const pastOf = new Map([[key, keyOf(other)]]);
  if (below(2) === 0) pastOf.set(keyOf(other), key);
  return { switches: { delta: () => ({ pastOf }) }, keys: new Set([key, keyOf(other)]) };
};

/** Items are left out for a client after the checksum was taken. */
export const filtered: MakeFault = (scenario, below, from) => {
  const first = pickItem(scenario, below, from, (item) => hasSum(item) && !isRegistration(item));
  if (!first) return undefined;
  const more = scenario.steps[from]!.items.filter((item) => item.type === first.type && item !== first);
  const keys = new Set([first, ...some(below, more, [0, 1, 3, 100][below(4)]!)].map(keyOf));
  return { switches: { sent: (items) => items.filter((item) => !keys.has(keyOf(item))) }, keys };
};

/** The announced base was never sent. */
export const unknownBase = serverFault(({ below }) => {
  const distance = 1 + 2 * below(3);
  return { announcedBase: (base) => (base < 0 ? base : base - distance) };
});

/** Packets are compressed with another Huffman table. */
export const otherHuffman = serverFault(({ below }) => {
  const [factor, offset] = [1 + 2 * below(128), 1 + below(255)];
  return { symbol: (byte) => (byte * factor + offset) & 0xff };
});

/** Positions of an item, or of all items of its type, are rounded after the checksum. */
export const rounded: MakeFault = (scenario, below, from, to) => {
  const [key] = changing(scenario, below, from, to) ?? [];
  if (key === undefined) return undefined;
  const isOfType = below(2) === 0;
  const isHit = (item: ServerItem) => (isOfType ? item.type === key >> 16 : keyOf(item) === key);
  const mask = ~((1 << (2 + below(4))) - 1);
  const round = (item: ServerItem) => (isHit(item) ? { ...item, data: item.data.map((int) => int & mask) } : item);
  return { switches: { sent: (items) => items.map(round) }, keys: new Set([key]) };
};

/** The checksum is another function of the ints than their sum. */
export const otherChecksum = serverFault(({ below }) => {
  const kind = below(3);
  const step = (sum: number, int: number, i: number) =>
    kind === 0 ? sum ^ int : kind === 1 ? (sum + (int & 0xffff)) | 0 : (sum + (i % 64 === 0 ? 0 : int)) | 0;
  return { checksum: (items) => items.flatMap(({ data }) => [...data]).reduce(step, 0) };
});

/** The head of a delta counts one update too many or too few. */
export const otherCount = serverFault(({ below }) => {
  const change = below(2) === 0 ? 1 : -1;
  return { ints: (delta) => delta.with(1, Math.max(0, delta[1]! + change)) };
});

/** H9: a bit of the payload is flipped. */
export const flippedBit = serverFault(({ keys, scenario, below }) => ({
  payload: (payload) => {
    const at = 3 + below(Math.max(1, payload.length - 3));
    if (at >= payload.length) return payload;
    for (const key of keysAt(scenario, payload, at)) keys.add(key);
    return payload.with(at, payload[at]! ^ (1 << below(8)));
  },
}));

/** H9: bytes of the payload are missing: at its end, or within. */
export const cutPayload = serverFault(({ keys, scenario, below }) => ({
  payload: (payload) => {
    const count = 1 + below(6);
    const at = below(2) === 0 ? Math.max(3, payload.length - count) : 3 + below(Math.max(1, payload.length - 3));
    for (const key of keysAt(scenario, payload, at)) keys.add(key);
    return Uint8Array.from([...payload.subarray(0, at), ...payload.subarray(at + count)]);
  },
}));

/** The items that damage at a byte of a delta can affect: its own, the preceding and the next. */
export function keysAt(scenario: Scenario, payload: Uint8Array, byte: number): number[] {
  const ints = new IntBuffer({ positions: true });
  unpackInts(payload, 0, payload.length, ints, ignore);
  const delta = new Delta();
  delta.read(ints.ints, ints.length, scenario.protocol.sizeOf);
  const at = ints.offsets!.subarray(0, ints.length).findLastIndex((start) => start <= byte);
  let item = -1;
  while (item + 1 < delta.count && delta.start(item + 1) <= at) item++;
  const keys = [...delta.keys.subarray(Math.max(0, item - 1), Math.min(delta.count, item + 2))];
  return at < 3 + delta.removedCount ? [...keys, ...delta.ints.subarray(3, 3 + delta.removedCount)] : keys;
}
