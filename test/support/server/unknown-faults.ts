import { Delta } from '../../../src/snapshot/delta.ts';
import { type Below, changing, isRegistration, type MakeFault, pick, pickItem } from './faults.ts';
import { checksumOf, keyOf, type ServerItem, type ServerSnapshot } from './game-delta.ts';
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
    const isHit = (one: ServerItem) => (isOfType ? one.type === key >> 16 : keyOf(one) === key);
    const change = makeChange(below, scenario);
    const sent = (items: ServerSnapshot, step: number) =>
      items.map((one) => (isHit(one) ? { ...one, data: change(one.data, step, one) } : one));
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
  const before = steps[Math.max(0, step - 1)]!.items.find((one) => keyOf(one) === keyOf(item));
  return ints.map((int, i) => (int + (before?.data[i] ?? int)) >> 1);
});

/** A field of all items of a type is counted up while they are written; or a flag is set, depending on who receives it. */
export const lateField: MakeFault = (scenario, below, from) => {
  const item = pickItem(scenario, below, from, (one) => !isRegistration(one));
  if (!item || item.data.length === 0) return undefined;
  const field = below(item.data.length);
  const [isFlag, isSent, step] = [below(2) === 0, below(2) === 0, 1 << below(8)];
  const change = (items: ServerSnapshot) =>
    items.map((one) => {
      const value = one.data[field]!;
      return one.type === item.type
        ? { ...one, data: one.data.with(field, isFlag ? value | step : value + step) }
        : one;
    });
  return { switches: isSent ? { sent: change } : { counted: change }, keys: new Set([keyOf(item)]) };
};

/** Who joins late has an id that is one too high, in the items of a type or in all. */
export const lateIds: MakeFault = (scenario, below, from) => {
  const item = pickItem(scenario, below, from, (one) => !isRegistration(one));
  if (!item) return undefined;
  const isOfType = below(2) === 0;
  const isHit = (one: ServerItem) => one.id >= item.id && (isOfType ? one.type === item.type : !isRegistration(one));
  const keys = new Set<number>();
  const sent = (items: ServerSnapshot) => {
    const known = new Set(items.map(keyOf));
    const all = items.map((one) => (isHit(one) ? { ...one, id: one.id + 1 } : one));
    for (const one of all) if (!known.has(keyOf(one))) keys.add(keyOf(one));
    return all;
  };
  return { switches: { sent }, keys };
};

/** An index that is off by one: items of a type are sent with the values of the one before. */
export const itemBefore: MakeFault = (scenario, below, from) => {
  const item = pickItem(scenario, below, from, (one) => !isRegistration(one));
  if (!item) return undefined;
  const sent = (items: ServerSnapshot) => {
    const all = items.filter(({ type }) => type === item.type);
    return items.map((one) => {
      const data = all[all.indexOf(one) - 1]?.data;
      return data?.length === one.data.length ? { ...one, data } : one;
    });
  };
  return { switches: { sent }, keys: new Set([keyOf(item)]) };
};

/** The server corrects its sum from snapshot to snapshot, but not for what goes, comes, or changes. */
export const runningSum: MakeFault = (scenario, below, from) => {
  const [forgotten, isKept] = [below(3), below(2) === 0];
  let error = 0;
  let before = scenario.steps[Math.max(0, from - 1)]!.items;
  return {
    switches: {
      counted: (items) => items,
      checksum: (now) => {
        const lacking = (some: ServerSnapshot, others: ServerSnapshot) => {
          const keys = new Set(others.map(keyOf));
          return checksumOf(some.filter((one) => !keys.has(keyOf(one))));
        };
        const changed = checksumOf(now) - lacking(now, before) - (checksumOf(before) - lacking(before, now));
        const one = forgotten === 0 ? lacking(before, now) : forgotten === 1 ? -lacking(now, before) : -changed;
        error = ((isKept ? error : 0) + one) | 0;
        before = now;
        return (checksumOf(now) + error) | 0;
      },
    },
    keys: new Set(),
  };
};

/** The checksum counts memory that was never written: after each item of a type, or once. */
export const garbageCounted: MakeFault = (scenario, below, from) => {
  const item = pickItem(scenario, below, from, (one) => !isRegistration(one));
  if (!item) return undefined;
  const [isEach, isConstant, bound] = [below(2) === 0, below(2) === 0, 1 << (4 + below(26))];
  const constant = below(bound);
  return {
    switches: {
      checksum: (items) => {
        const times = isEach ? items.filter(({ type }) => type === item.type).length : 1;
        const garbage = Array.from({ length: times }, () => (isConstant ? constant : below(bound)));
        return garbage.reduce((sum, int) => (sum + int) | 0, checksumOf(items));
      },
    },
    keys: new Set(),
  };
};

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
  const delta = (_: ServerSnapshot, __: ServerSnapshot, step: number) => {
    const before = new Map(scenario.steps[Math.max(0, step - 1)]!.items.map((item) => [keyOf(item), item]));
    return {
      pastItem: (of: number) => ((isOfType ? of >> 16 === key >> 16 : of === key) ? before.get(of) : undefined),
    };
  };
  return { switches: { delta }, keys: new Set([key]) };
};

/** Updates beyond a number, or the removed keys, are dropped. */
export const cutUpdates: MakeFault = (scenario, below) => {
  const limit = below(12);
  const ints = (all: Int32Array<ArrayBuffer>) => {
    const delta = new Delta();
    delta.read(all, all.length, scenario.protocol.sizeOf);
    if (delta.count <= limit) return all;
    const first = delta.starts[limit]! - (scenario.protocol.sizeOf(delta.keys[limit]! >> 16) === 0 ? 3 : 2);
    return all.slice(0, first).with(1, limit);
  };
  return { switches: { ints }, keys: new Set() };
};

/** The type of an extended item is registered with another UUID in the delta than in the checksum. */
export const otherUuid: MakeFault = (scenario, below, from) => {
  const item = pick(below, scenario.steps[from]!.items.filter(isRegistration));
  if (!item) return undefined;
  const uuid = Int32Array.from({ length: 4 }, () => below(2 ** 32) | 0);
  const other = (items: ServerSnapshot) =>
    items.map((one) => (keyOf(one) === keyOf(item) ? { ...one, data: uuid } : one));
  return { switches: below(2) === 0 ? { sent: other } : { counted: other }, keys: new Set([keyOf(item)]) };
};
