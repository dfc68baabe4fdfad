import { ItemTypes } from '../../../src/wire/snapshot/item-types.ts';
import { ints } from '../packet-builder.ts';
import { isRegistration, type MakeFault, pickItem, serverFault } from './faults.ts';
import { partBytes } from './game-client.ts';
import { keyOf, type ServerItem, type ServerSnapshot } from './game-delta.ts';
import type { Scenario } from './scenario.ts';

// What mods, filters and programs between a server and its clients do wrong. These kinds were written after the rules,
// too.

const none: ReadonlySet<number> = new Set();

/** A mod adds items of its own to what it sends, after the checksum: they move a little each time, or stand. */
export const addedAfter: MakeFault = (scenario, below, from) => {
  const like = pickItem(scenario, below, from, (item) => !isRegistration(item));
  if (!like) return undefined;
  const [count, speed] = [1 + below(4), below(3)];
  const own = (step: number): ServerItem[] =>
    Array.from({ length: count }, (_, i) => ({
      ...like,
      id: 8000 + i,
      data: like.data.map((int, at) => int + 32 * i + (at === 0 ? speed * step : 0)),
    }));
  const keys = new Set(own(0).map(keyOf));
  return { switches: { sent: (items, step) => [...items, ...own(step)] }, keys, facts: { type: like.type } };
};

/** A filter leaves items out of every second snapshot, after the checksum; the base that the server keeps has them. */
export const blinking: MakeFault = (scenario, below, from) => {
  const like = pickItem(scenario, below, from, (item) => !isRegistration(item));
  if (!like) return undefined;
  const isWholeType = below(2) === 0;
  const isHit = (item: ServerItem) => item.type === like.type && (isWholeType || item.id === like.id);
  const keys = new Set(scenario.steps.flatMap(({ items }) => items.filter(isHit).map(keyOf)));
  const sent = (items: ServerSnapshot, step: number) => (step % 2 === 0 ? items.filter((item) => !isHit(item)) : items);
  return { switches: { sent }, keys };
};

const areEvents = ({ protocol }: Scenario, items: ServerSnapshot) => {
  const types = new ItemTypes(protocol);
  return items.filter(({ type }) => types.of(type)?.event);
};

/** The events of the snapshot before are counted again. */
export const countedEvents = serverFault(({ keys, scenario }) => ({
  counted: (items, step) => {
    const events = areEvents(scenario, scenario.steps[step - 1]?.items ?? []);
    for (const event of events) keys.add(keyOf(event));
    return [...items, ...events];
  },
}));

/** Events are counted, and removed from what is sent. */
export const withoutEvents = serverFault(({ keys, scenario }) => ({
  sent: (items) => {
    const events = new Set(areEvents(scenario, items));
    for (const event of events) keys.add(keyOf(event));
    return items.filter((item) => !events.has(item));
  },
}));

/** The checksum is that of the next snapshot. */
export const nextChecksum = serverFault(({ scenario: { steps } }) => ({
  counted: (items, step) => steps[step + 1]?.items ?? items,
}));

/** The bytes of a delta are packed as if they were ints, once more. */
export const packedTwice = serverFault(() => ({ payload: (bytes) => Uint8Array.from(ints(...bytes)) }));

/** Zeros at the end are not sent. */
export const withoutZeros = serverFault(() => ({
  payload: (bytes) => bytes.slice(0, bytes.findLastIndex((byte) => byte !== 0) + 1),
}));

/** Items with odd ids are sent at half the rate: between, they are as they were, though the checksum has them. */
export const halfRate = serverFault(({ keys, scenario: { steps }, below }) => {
  const odd = below(2);
  return {
    sent: (items, step) => {
      if (step % 2 === odd) return items;
      const before = new Map(steps[step - 1]?.items.map((item) => [keyOf(item), item]));
      return items.map((item) => {
        const was = item.id % 2 === 1 && !isRegistration(item) ? before.get(keyOf(item)) : undefined;
        if (!was || was.data.length !== item.data.length) return item;
        keys.add(keyOf(item));
        return was;
      });
    },
  };
});

/** A mod mirrors the world after the checksum: the first int of the items of a type has the other sign. */
export const mirrored: MakeFault = (scenario, below, from) => {
  const like = pickItem(scenario, below, from, (item) => !isRegistration(item) && item.data[0] !== 0);
  if (!like) return undefined;
  const turn = (items: ServerSnapshot) =>
    items.map((item) => (item.type === like.type ? { ...item, data: item.data.with(0, -item.data[0]!) } : item));
  const keys = new Set(
    scenario.steps.flatMap(({ items }) => items.filter(({ type }) => type === like.type).map(keyOf)),
  );
  return { switches: { items: turn, counted: turn }, keys };
};

/** A program divides snapshots into smaller parts than the games do. */
export const smallParts = serverFault(({ below }) => {
  const size = partBytes - 1 - below(400);
  return {
    parts: (all) => {
      const bytes = all.flatMap((part) => [...part]);
      const count = Math.ceil(bytes.length / size);
      return Array.from({ length: count }, (_, i) => Uint8Array.from(bytes.slice(i * size, (i + 1) * size)));
    },
  };
});

/** The items of a type with odd ids have one int more. */
export const twoSizes: MakeFault = (scenario, below) => {
  const { sizeOf } = scenario.protocol;
  const all = scenario.steps[0]!.items.filter(({ type, id }) => type > 0 && type < 64 && id % 2 === 1);
  const type = all[below(Math.max(1, all.length))]?.type;
  if (type === undefined) return undefined;
  const longer = (item: ServerItem): ServerItem =>
    item.type === type && item.id % 2 === 1 ? { ...item, data: Int32Array.from([...item.data, 1 + below(30)]) } : item;
  const items = (now: ServerSnapshot) => now.map(longer);
  return { switches: { items }, keys: none, facts: { type, size: sizeOf(type) + 1 } };
};

/** The checksum is of what another client gets: an int of the items of a type is another one there. */
export const othersChecksum = serverFault(({ scenario, below, from }) => {
  const like = pickItem(scenario, below, from, (item) => !isRegistration(item));
  if (!like) return undefined;
  const [at, by] = [below(like.data.length), 1 + below(2000)];
  return {
    counted: (items) =>
      items.map((item) =>
        item.type === like.type ? { ...item, data: item.data.with(at, (item.data[at] ?? 0) + by) } : item,
      ),
  };
});

/** A program sends each snapshot's second part first and again in its own place. */
export const secondPartFirst = serverFault(() => ({
  parts: (parts) => (parts.length > 1 ? parts.with(0, parts[1]!) : parts),
}));

/** A filter takes the items of a type out of the base that the server keeps, and sends them in full each time. */
export const forgottenType: MakeFault = (scenario, below, from) => {
  const like = pickItem(scenario, below, from, (item) => !isRegistration(item));
  if (!like) return undefined;
  const keys = new Set(
    scenario.steps.flatMap(({ items }) => items.filter(({ type }) => type === like.type).map(keyOf)),
  );
  return { switches: { delta: () => ({ inFull: keys }) }, keys };
};
