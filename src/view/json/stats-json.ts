import { maxItems, maxSnapshotBytes } from '../../snapshot/key.ts';
import { bitsOfSecond, type Peak, partBytes, type Tally } from '../../stats/tally.ts';
import { fieldName, type StatsReport } from '../table/stats-rows.ts';

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
    ...(hasPackets
      ? {
          rates: stats.modes.map((one) => ({
            mode: one.mode,
            per_second: one.perSecond,
            snapshots: one.snapshots,
            seconds: one.seconds,
            bits: one.bits,
          })),
        }
      : {}),
    items: itemsJson(tally),
    messages: byBits([...tally.messages.values()]).map(({ name, times, bits }) => ({ name, times, bits })),
    parts: byBits([...tally.parts.values()]).map(({ name, times, bits }) => ({ name, times, bits })),
    players: byBits(tally.players.all).map(({ client, name, sent, changed, bits, estimate }) => ({
      client: client ?? null,
      name: name ?? null,
      sent,
      changed,
      bits,
      estimate_bits: estimate,
    })),
    per_second: tally.seconds.all.map((one) => ({
      second: one.second,
      snapshots: one.snapshots,
      most_items: one.items,
      messages: one.messages,
      snapshot_bits: one.snapshotBits,
      message_bits: one.messageBits,
      other_bits: one.otherBits,
      bits: bitsOfSecond(one),
    })),
  };
}

function itemsJson({ items }: Tally) {
  return byBits(items.all).map((item) => ({
    type: item.type ?? null,
    name: item.name ?? null,
    ...(item.uuid === undefined ? {} : { uuid: item.uuid }),
    sent: item.sent,
    full: item.full,
    new: item.new,
    updated: item.updated,
    changed: item.changed,
    removed: item.removed,
    bits: item.bits,
    estimate_bits: item.estimate,
    fields: item.fields.map((field) => ({
      name: fieldName(field),
      changed: field.changed,
      bits: field.bits,
      estimate_bits: field.estimate,
    })),
  }));
}

function highest(one: Peak | undefined, limits: Readonly<Record<string, number>>) {
  if (!one) return null;
  const { value, tick, client } = one;
  return { value, ...limits, tick, ...(client === undefined ? {} : { client }) };
}

function byBits<Row extends { readonly bits: number }>(rows: readonly Row[]): Row[] {
  return [...rows].sort((a, b) => b.bits - a.bits);
}
