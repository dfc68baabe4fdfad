import { protocolOf } from '../../../src/wire/protocol/registry.ts';
import { type MakeFault, pick, pickItem, serverFault } from './faults.ts';
import { keyOf, type ServerItem, type ServerSnapshot } from './game-delta.ts';

/** The map changes, and the server goes on with a base of the map before. */
export const otherMapBase = serverFault(({ scenario: { steps }, from }) => {
  const { tick } = steps[Math.max(0, from - 4)]!;
  return { mapChange: (step) => step === from, announcedBase: () => tick, usedBase: () => tick };
});

/** An item is removed, and its id goes to another item of its type at once. */
export const idUsedAgain: MakeFault = (scenario, below, from) => {
  const before = scenario.steps[Math.max(0, from - 3)]!.items;
  const item = pickItem(
    scenario,
    below,
    from,
    (item) => item.type > 0 && before.some((was) => keyOf(was) === keyOf(item)),
  );
  if (!item) return undefined;
  const others = scenario.steps[from]!.items.filter(
    ({ type, id, data }) => type === item.type && id !== item.id && data.length === item.data.length,
  );
  const other = pick(below, others);
  if (!other) return undefined;
  const key = keyOf(item);
  const items = (all: ServerSnapshot) =>
    all.map((item) => (keyOf(item) === key ? { ...item, data: other.data } : item));
  return {
    switches: { items, delta: () => ({ alsoRemoved: new Set([key]), inFull: new Set([key]) }) },
    keys: new Set([key]),
  };
};

/** The table of sizes is the one of the other version. */
export const otherVersionSizes = serverFault(({ scenario: { protocol, steps }, below }) => {
  const { sizeOf } = protocolOf(protocol.version === '0.7' ? '0.6' : '0.7');
  const differs = ({ type }: ServerItem) =>
    type > 0 && type < 64 && sizeOf(type) > 0 && sizeOf(type) !== protocol.sizeOf(type);
  if (!steps[0]!.items.some(differs)) return undefined;
  const value = below(30);
  const resized = (item: ServerItem): ServerItem => {
    if (!differs(item)) return item;
    const data = new Int32Array(sizeOf(item.type)).fill(value);
    data.set(item.data.subarray(0, data.length));
    return { ...item, data };
  };
  const sizes = (type: number) => (type > 0 && type < 64 && sizeOf(type) > 0 ? sizeOf(type) : protocol.sizeOf(type));
  return { items: (items) => items.map(resized), delta: () => ({ sizeOf: sizes }) };
});

/** A second server sends its snapshots from the same address. */
export const twoServers = serverFault(({ scenario: { steps }, below, from, to }) => {
  const ahead = (below(2) === 0 ? 1 : -1) * (1000 + below(100_000));
  const start = steps[from]!.tick;
  if (to - from < 8 || start + ahead < 0) return undefined;
  return { also: (step) => ({ tick: steps[step]!.tick + ahead, items: steps[from - 5]!.items }) };
});

/** One of the parts of a snapshot is never sent. */
export const lostPart: MakeFault = (_, below) => {
  const times = { count: 0 };
  const at = below(3);
  const parts = (all: readonly Uint8Array[]) => {
    if (all.length < 2) return all;
    times.count++;
    return all.map((part, i) => (i === at % all.length ? undefined : part));
  };
  return { switches: { parts }, keys: new Set(), times };
};

/** The announced base is one tick off, or one snapshot. */
export const baseOffByOne = serverFault(({ scenario: { steps }, below }) => {
  const ticks = steps.map(({ tick }) => tick);
  const step = below(2) === 0 ? 1 : -1;
  const isTick = below(2) === 0;
  return {
    announcedBase: (base) => (base < 0 ? base : isTick ? base + step : (ticks[ticks.indexOf(base) + step] ?? base)),
  };
});
