import { maxItems, maxSnapshotBytes } from '../../snapshot/key.ts';
import type { FieldTally, ItemTally } from '../../stats/item-tallies.ts';
import type { PlayerTally } from '../../stats/player-tallies.ts';
import type { RecordingStats } from '../../stats/recording-stats.ts';
import { bitsOfSecond, type Peak, partBytes, type SecondTally, type SizeCount, type Tally } from '../../stats/tally.ts';
import type { CsvCell } from '../csv/csv.ts';
import { byBits, fieldName, labelOf, type StatsBy, type StatsReport } from '../table/stats.ts';

/** The distribution of a recording's bytes. The bits of `items`, `messages` and `parts` add up to `bits`. */
export function statsJson({ file, container, fileBytes, stats }: StatsReport) {
  const { hasPackets, tally, bytes, seconds } = stats;
  const { full, deltas, empty } = tally.snapshots;
  return {
    file,
    format: container,
    size: fileBytes,
    bytes,
    bits: tally.bits,
    seconds,
    ...(hasPackets ? { packets: stats.packets } : { first_tick: stats.firstTick, last_tick: stats.lastTick }),
    snapshots: { full, deltas, ...(hasPackets ? { empty } : {}) },
    most: {
      items: highest(tally.peaks.items, { limit: maxItems }),
      bytes: highest(tally.peaks.bytes, { limit: maxSnapshotBytes }),
      delta_bytes: highest(tally.peaks.deltaBytes, {
        part: partBytes,
        parts: Math.ceil((tally.peaks.deltaBytes?.value ?? 0) / partBytes),
      }),
    },
    ...(hasPackets ? { rates: stats.modes.map(modeJson) } : {}),
    items: byBits(tally.items.all).map((item) => ({
      type: item.type ?? null,
      name: item.name ?? null,
      ...(item.uuid === undefined ? {} : { uuid: item.uuid }),
      ...itemJson(item),
      fields: item.fields.map((field) => ({ name: fieldName(field), ...fieldJson(field) })),
    })),
    messages: countsJson(tally.messages),
    parts: countsJson(tally.parts),
    players: byBits(tally.players.all).map(playerJson),
    per_second: tally.seconds.all.map(secondJson),
  };
}

const modeJson = ({ mode, perSecond, snapshots, seconds, bits }: RecordingStats['modes'][number]) => {
  return { mode, per_second: perSecond, snapshots, seconds, bits };
};

const itemJson = ({ sent, full, new: created, updated, changed, removed, bits, estimate }: ItemTally) => {
  return { sent, full, new: created, updated, changed, removed, bits, estimate_bits: estimate };
};

const countsJson = (counts: ReadonlyMap<string, SizeCount>) =>
  byBits([...counts.values()]).map(({ name, times, bits }) => ({ name, times, bits }));

const fieldJson = ({ changed, bits, estimate }: FieldTally) => ({ changed, bits, estimate_bits: estimate });

const playerJson = ({ client, name, sent, changed, bits, estimate }: PlayerTally) => ({
  client: client ?? null,
  name: name ?? null,
  sent,
  changed,
  bits,
  estimate_bits: estimate,
});

const secondJson = (one: SecondTally) => ({
  second: one.second,
  snapshots: one.snapshots,
  most_items: one.items,
  messages: one.messages,
  snapshot_bits: one.snapshotBits,
  message_bits: one.messageBits,
  other_bits: one.otherBits,
  bits: bitsOfSecond(one),
});

function highest(one: Peak | undefined, limits: Readonly<Record<string, number>>) {
  if (!one) return null;
  const { value, tick, client } = one;
  return { value, ...limits, tick, ...(client === undefined ? {} : { client }) };
}

const headsOf = (names: string) => ['file', ...names.split(' ')];

/** The columns of each table in CSV. */
export const statsCsvHeads: Readonly<Record<StatsBy, readonly string[]>> = {
  type: headsOf('kind name sent full new updated changed removed bits estimate_bits'),
  field: headsOf('item field sent changed bits estimate_bits'),
  player: headsOf('client name sent changed bits estimate_bits'),
  second: headsOf('second snapshots most_items messages snapshot_bits message_bits other_bits bits'),
};

/** The rows of a table. The bits of `type` add up to the whole file, those of `field` and `player` to all items. */
export function statsCsv({ file, stats: { tally } }: StatsReport, by: StatsBy): CsvCell[][] {
  return rowsBy[by](tally).map((row) => statsCsvHeads[by].map((name) => (name === 'file' ? file : row[name])));
}

const rowsBy: Readonly<Record<StatsBy, (tally: Tally) => readonly Readonly<Record<string, CsvCell>>[]>> = {
  type: ({ items, messages, parts }) => [
    ...items.all.map((one) => ({ kind: 'item', name: labelOf(one), ...itemJson(one) })),
    ...[...messages.values()].map(({ name, times, bits }) => ({ kind: 'message', name, sent: times, bits })),
    ...[...parts.values()].map(({ name, times, bits }) => ({ kind: 'part', name, sent: times, bits })),
  ],
  field: ({ items }) =>
    items.all.flatMap((item) =>
      item.fields.map((one) => ({ item: labelOf(item), field: fieldName(one), sent: item.sent, ...fieldJson(one) })),
    ),
  player: ({ players }) => players.all.map(playerJson),
  second: ({ seconds }) => seconds.all.map(secondJson),
};
