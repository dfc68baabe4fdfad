import { JsonReader } from '../../wire/bytes/json-reader.ts';
import { partBytes } from '../../wire/snapshot/key.ts';
import { fieldName, labelOf } from './item-tallies.ts';
import type { RecordingStats } from './recording-stats.ts';

/**
 * What the traffic of a server may cost, as `stats --save` writes it and `stats --budget` reads it. The numbers are
 * bytes: per second, per snapshot for items, their fields and what is around them, and of the largest snapshot. People
 * edit the file: what it leaves out is not compared.
 */
export interface Budget {
  readonly tolerance: Tolerance;
  readonly bytes_per_second?: number;
  readonly bytes_per_snapshot?: number;
  readonly largest_snapshot?: Largest;
  readonly items?: Readonly<Record<string, ItemBudget>>;
  readonly around?: Readonly<Record<string, number>>;
}

/** How much a number may grow: by this share of it, and as many bytes besides. */
interface Tolerance {
  readonly percent: number;
  readonly bytes: number;
}

interface Largest {
  readonly items?: number;
  readonly bytes?: number;
  readonly delta_bytes?: number;
  readonly parts?: number;
}

interface ItemBudget {
  readonly bytes: number;
  readonly fields?: Readonly<Record<string, number>>;
}

/** A tenth of a byte is a field that is 0 in every snapshot, and the noise of two recordings of one game. */
export const usualTolerance: Tolerance = { percent: 10, bytes: 0.1 };

/** They are once in a file, however long it is. */
const once: ReadonlySet<string> = new Set(['file_header', 'map']);

/**
 * Numbers that are compared are those that are written, so that a recording is within its own budget with any
 * tolerance.
 */
const rounded = (value: number) => Math.round(value * 1000) / 1000;

/** What a recording costs; undefined if it has no snapshots. */
export function budgetOf({ tally, seconds }: RecordingStats, tolerance: Tolerance): Budget | undefined {
  const snapshots = tally.snapshots.full + tally.snapshots.deltas;
  if (snapshots === 0) return undefined;
  const each = (bits: number) => rounded(bits / 8 / snapshots);
  const around = [...tally.parts.values()].filter(({ name }) => !once.has(name));
  const onceBits = [...once].reduce((sum, name) => sum + (tally.parts.get(name as 'map')?.bits ?? 0), 0);
  const snapshotBits = tally.seconds.all.reduce((sum, tally) => sum + tally.snapshotBits, 0);
  const { items, bytes, deltaBytes } = tally.peaks;
  return {
    tolerance,
    ...(seconds > 0 && { bytes_per_second: rounded((tally.bits - onceBits) / 8 / seconds) }),
    bytes_per_snapshot: each(snapshotBits),
    largest_snapshot: {
      ...(items && { items: items.value }),
      ...(bytes && { bytes: bytes.value }),
      ...(deltaBytes && { delta_bytes: deltaBytes.value, parts: Math.ceil(deltaBytes.value / partBytes) }),
    },
    items: byName(
      tally.items.all.map((item) => [
        labelOf(item),
        {
          bytes: each(item.bits),
          fields: Object.fromEntries(item.fields.map((field) => [fieldName(field), each(field.bits)])),
        },
      ]),
    ),
    around: byName(around.map(({ name, bits }) => [name, each(bits)])),
  };
}

/** In an order that does not depend on sizes: the next budget differs in its numbers only. */
const byName = <Value>(entries: readonly (readonly [string, Value])[]): Record<string, Value> =>
  Object.fromEntries([...entries].sort(([a], [b]) => (a < b ? -1 : 1)));

/** Something that takes more than its budget and the tolerance. */
export interface Growth {
  readonly what: 'per_second' | 'per_snapshot' | 'largest' | 'item' | 'field' | 'around';
  /** The item; of the others the key in the budget. */
  readonly name: string;
  readonly field?: string;
  readonly unit: 'bytes/s' | 'bytes per snapshot' | 'items' | 'bytes' | 'bytes packed' | 'parts';
  /** 0 for what the budget does not have. */
  readonly budget: number;
  readonly allowed: number;
  readonly now: number;
}

export interface BudgetCheck {
  readonly file: string;
  readonly budget: Budget;
  readonly now: Budget;
  readonly grown: readonly Growth[];
}

export const checkOf = (file: string, budget: Budget, now: Budget): BudgetCheck => ({
  file,
  budget,
  now,
  grown: growthOf(budget, now),
});

/** What grew: fields by how much, then items, what is around them, and the whole. */
function growthOf(budget: Budget, now: Budget): readonly Growth[] {
  const { percent, bytes } = budget.tolerance;
  const over = (
    about: Pick<Growth, 'what' | 'name' | 'field' | 'unit'>,
    before: number | undefined,
    value: number | undefined,
  ): Growth[] => {
    if (before === undefined || value === undefined) return [];
    const allowed = rounded(before * (1 + percent / 100) + bytes);
    return value > allowed ? [{ ...about, budget: before, allowed, now: value }] : [];
  };
  const unit = 'bytes per snapshot';
  const items = Object.entries(budget.items === undefined ? {} : (now.items ?? {}));
  const largestFirst = (all: Growth[]) => all.sort((a, b) => b.now - b.budget - (a.now - a.budget));
  const fields = items.flatMap(([name, item]) => {
    const known = budget.items![name];
    if (known && !known.fields) return [];
    return Object.entries(item.fields ?? {}).flatMap(([field, value]) =>
      over({ what: 'field', name, field, unit }, known?.fields?.[field] ?? 0, value),
    );
  });
  const whole = items.flatMap(([name, { bytes: value }]) =>
    over({ what: 'item', name, unit }, budget.items![name]?.bytes ?? 0, value),
  );
  const around = Object.entries(budget.around === undefined ? {} : (now.around ?? {})).flatMap(([name, value]) =>
    over({ what: 'around', name, unit }, budget.around![name] ?? 0, value),
  );
  const before = budget.largest_snapshot ?? {};
  const largest = now.largest_snapshot ?? {};
  return [
    ...largestFirst(fields),
    ...largestFirst(whole),
    ...largestFirst(around),
    ...over(
      { what: 'per_snapshot', name: 'bytes_per_snapshot', unit },
      budget.bytes_per_snapshot,
      now.bytes_per_snapshot,
    ),
    ...over(
      { what: 'per_second', name: 'bytes_per_second', unit: 'bytes/s' },
      budget.bytes_per_second,
      now.bytes_per_second,
    ),
    ...largestUnits.flatMap(([name, of]) => over({ what: 'largest', name, unit: of }, before[name], largest[name])),
  ];
}

const largestUnits = [
  ['items', 'items'],
  ['bytes', 'bytes'],
  ['delta_bytes', 'bytes packed'],
  ['parts', 'parts'],
] as const;

const reader: JsonReader = new JsonReader('bad_budget');
const maxNumber = 1e12;

/**
 * Reads a budget.
 * @throws DecodeError `bad_budget` with the path of a wrong value
 */
export function readBudget(text: string): Budget {
  const json = objectAt(reader.parse(text), '');
  const keys = ['tolerance', 'bytes_per_second', 'bytes_per_snapshot', 'largest_snapshot', 'items', 'around'];
  refuseOthers(json, '', keys);
  const tolerance = objectAt(json.tolerance, 'tolerance');
  refuseOthers(tolerance, 'tolerance', ['percent', 'bytes']);
  const optional = (key: string) => (json[key] === undefined ? {} : { [key]: numberAt(json[key], key) });
  const [largest, items, around] = ['largest_snapshot', 'items', 'around'].map((key) =>
    json[key] === undefined ? undefined : objectAt(json[key], key),
  );
  if (largest)
    refuseOthers(
      largest,
      'largest_snapshot',
      largestUnits.map(([name]) => name),
    );
  return {
    tolerance: {
      percent: numberAt(tolerance.percent ?? 0, 'tolerance.percent'),
      bytes: numberAt(tolerance.bytes ?? 0, 'tolerance.bytes'),
    },
    ...optional('bytes_per_second'),
    ...optional('bytes_per_snapshot'),
    ...(largest && { largest_snapshot: numbersAt(largest, 'largest_snapshot') }),
    ...(items && { items: mapped(items, 'items', itemAt) }),
    ...(around && { around: numbersAt(around, 'around') }),
  };
}

function itemAt(value: unknown, path: string): ItemBudget {
  const json = objectAt(value, path);
  refuseOthers(json, path, ['bytes', 'fields']);
  const fields = json.fields === undefined ? undefined : objectAt(json.fields, `${path}.fields`);
  return {
    bytes: numberAt(json.bytes, `${path}.bytes`),
    ...(fields && { fields: numbersAt(fields, `${path}.fields`) }),
  };
}

type Json = Readonly<Record<string, unknown>>;

const objectAt = (value: unknown, path: string): Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Json)
    : reader.reject(path, value, 'an object, as stats --save writes it');

function refuseOthers(json: Json, path: string, keys: readonly string[]): void {
  const other = Object.keys(json).find((key) => !keys.includes(key));
  if (other !== undefined) reader.fail(path, `the key ${other.slice(0, 40)}`, keys.join(', '));
}

const numberAt = (value: unknown, path: string): number =>
  typeof value === 'number' && value >= 0 && value <= maxNumber ? value : reader.reject(path, value, 'a number from 0');

const numbersAt = (json: Json, path: string) => mapped(json, path, numberAt);

/** Names are those of items of any mod, so the objects have no prototype. */
function mapped<Value>(json: Json, path: string, read: (value: unknown, path: string) => Value) {
  const all: Record<string, Value> = Object.create(null);
  for (const [key, value] of Object.entries(json)) all[key] = read(value, `${path}.${key}`);
  return all;
}
