import type { BudgetCheck, Growth } from '../../analysis/stats/budget.ts';
import { type FieldTally, fieldName, type ItemTally, labelOf } from '../../analysis/stats/item-tallies.ts';
import type { ModeTally } from '../../analysis/stats/packet-stats.ts';
import { itemsOfPlayer, type PlayerTally } from '../../analysis/stats/player-tallies.ts';
import type { RecordingStats } from '../../analysis/stats/recording-stats.ts';
import { bitsOfSecond, type Peak, type SecondTally, type SizeCount, type Tally } from '../../analysis/stats/tally.ts';
import { maxItems, maxSnapshotBytes, partBytes } from '../../wire/snapshot/key.ts';
import { type Fields, fieldsOf, pick } from './fields.ts';
import { rateModes } from './shared.ts';

/** The distribution of a recording's bytes. */
export interface StatsReport {
  readonly file: string;
  readonly container: string;
  readonly fileBytes: number;
  readonly stats: RecordingStats;
  /** With a budget: what grew beyond it. */
  readonly check?: BudgetCheck | undefined;
}

/** The largest first. */
export function byBits<Row extends { readonly bits: number }>(rows: readonly Row[]): Row[] {
  return [...rows].sort((a, b) => b.bits - a.bits);
}

const ofField = fieldsOf<FieldTally>();

const fieldCounts = {
  changed: ofField.int('how often it changed', ({ changed }) => changed),
  bits: ofField.number('size as sent, packed', ({ bits }) => bits),
};

export const statsFieldFields = {
  name: ofField.text('the field; _key are the ints before the data, _rest those after its known fields', fieldName),
  ...fieldCounts,
};

const ofItem = fieldsOf<ItemTally>();

const itemCounts = {
  sent: ofItem.int('how often it was sent: full, new and updated', ({ sent }) => sent),
  full: ofItem.int('in full snapshots', ({ full }) => full),
  new: ofItem.int('in deltas whose base lacks it', ({ new: created }) => created),
  updated: ofItem.int('as a difference to the base', ({ updated }) => updated),
  changed: ofItem.int('updates that change something', ({ changed }) => changed),
  removed: ofItem.int('how often it was removed', ({ removed }) => removed),
  bits: ofItem.number('size as sent, packed', ({ bits }) => bits),
};

export const statsItemFields = {
  type: ofItem.orNull.int('number of the type; null for a type with a UUID', ({ type }) => type),
  name: ofItem.orNull.text('name of the type; null for one that no table has', ({ name }) => name),
  uuid: ofItem.orAbsent.text('of a type with a UUID', ({ uuid }) => uuid),
  ...itemCounts,
  fields: ofItem.table('its fields', ({ fields }) => fields, statsFieldFields),
};

const ofCount = fieldsOf<SizeCount>();

export const statsCountFields = {
  name: ofCount.text('name of the message or part', ({ name }) => name),
  times: ofCount.int('how often', ({ times }) => times),
  bits: ofCount.int('size', ({ bits }) => bits),
};

const ofPlayer = fieldsOf<PlayerTally>();

const playerFields = {
  client: ofPlayer.orNull.int("number of the player; null for the world's items", ({ client }) => client),
  name: ofPlayer.orNull.name("name of the player; null for the world's items", ({ name }) => name),
  sent: ofPlayer.int('how often its items were sent', ({ sent }) => sent),
  changed: ofPlayer.int('updates that change something', ({ changed }) => changed),
  bits: ofPlayer.number('size as sent, packed', ({ bits }) => bits),
};

export const statsPlayerFields = {
  ...playerFields,
  items: ofPlayer.orAbsent.table(
    'the items of the player, with --by player-field',
    (player) => {
      const items = byBits(itemsOfPlayer(player));
      return items.length > 0 ? items : undefined;
    },
    statsItemFields,
  ),
};

export type ClientTally = RecordingStats['clients'][number];

const ofClient = fieldsOf<ClientTally>();

const statsClientFields = {
  client: ofClient.orNull.text('address; null for datagrams of no connection', ({ client }) => client),
  player: ofClient.orNull.name('name of the player', ({ player }) => player),
  packets_to_server: ofClient.int('packets that the client sent', ({ packets }) => packets.to_server),
  bytes_to_server: ofClient.bytes('bytes of these packets', ({ bytes }) => bytes.to_server),
  most_per_second: ofClient.int('the most packets that it sent in a second', ({ most }) => most),
  most_at: ofClient.int('that second, from 0', ({ mostAt }) => mostAt),
  packets_to_client: ofClient.int('packets that the server sent it', ({ packets }) => packets.to_client),
  bytes_to_client: ofClient.bytes('bytes of these packets', ({ bytes }) => bytes.to_client),
};

/** Those who sent the most packets first. */
export const byPackets = (clients: readonly ClientTally[]): ClientTally[] =>
  [...clients].sort((a, b) => b.packets.to_server - a.packets.to_server);

const ofSecond = fieldsOf<SecondTally>();

export const statsSecondFields = {
  second: ofSecond.int('number of the second, from 0', ({ second }) => second),
  snapshots: ofSecond.int('snapshots, of captures the empty ones, too', ({ snapshots }) => snapshots),
  most_items: ofSecond.int('items of the largest snapshot', ({ items }) => items),
  messages: ofSecond.int('messages', ({ messages }) => messages),
  snapshot_bits: ofSecond.int(
    'size of items, and of the counts, sizes and messages around them',
    (tally) => tally.snapshotBits,
  ),
  message_bits: ofSecond.int('size of other messages', ({ messageBits }) => messageBits),
  other_bits: ofSecond.int('size of everything else', ({ otherBits }) => otherBits),
  bits: ofSecond.int('size of all', bitsOfSecond),
};

const ofPackets = fieldsOf<{ readonly count: number; readonly bytes: number }>();

const packetFields = {
  count: ofPackets.int('packets', ({ count }) => count),
  bytes: ofPackets.bytes('bytes of these', ({ bytes }) => bytes),
};

const ofPeak = fieldsOf<Peak>();
const peakEnd = {
  tick: ofPeak.tick('tick of the snapshot', ({ tick }) => tick),
  client: ofPeak.orAbsent.text('of a capture: address of the client', ({ client }) => client),
};
const value = ofPeak.int('the largest number', ({ value }) => value);
const limited = (limit: number) => ({ value, limit: ofPeak.int('what the games allow', () => limit), ...peakEnd });

const ofTally = fieldsOf<Tally>();

const mostFields = {
  items: ofTally.orNull.object('items of a snapshot', ({ peaks }) => peaks.items, limited(maxItems)),
  bytes: ofTally.orNull.object('bytes of a snapshot in memory', ({ peaks }) => peaks.bytes, limited(maxSnapshotBytes)),
  delta_bytes: ofTally.orNull.object('bytes of a packed delta', ({ peaks }) => peaks.deltaBytes, {
    value,
    part: ofPeak.int('bytes of a part, in which servers send it', () => partBytes),
    parts: ofPeak.int('parts that it takes', ({ value }) => Math.ceil(value / partBytes)),
    ...peakEnd,
  }),
};

const ofMode = fieldsOf<ModeTally>();

const modeFields = {
  mode: ofMode.among(rateModes.among, rateModes.meaning, ({ mode }) => mode),
  per_second: ofMode.number('snapshots a second that the server aims at', ({ perSecond }) => perSecond),
  snapshots: ofMode.int('number of snapshots', ({ snapshots }) => snapshots),
  seconds: ofMode.seconds('how long', ({ seconds }) => seconds),
  bits: ofMode.int('size of the snapshots', ({ bits }) => bits),
};

const ofGrowth = fieldsOf<Growth>();

const growthFields = {
  what: ofGrowth.among(
    ['per_second', 'per_snapshot', 'largest', 'item', 'field', 'around'],
    'what grew: the whole, an item, a field of it, or what is around items',
    ({ what }) => what,
  ),
  name: ofGrowth.text('the item; of the others the key in the budget', ({ name }) => name),
  field: ofGrowth.orAbsent.text('the field', ({ field }) => field),
  unit: ofGrowth.text('of the numbers', ({ unit }) => unit),
  budget: ofGrowth.number('what the budget has; 0 for something new', ({ budget }) => budget),
  allowed: ofGrowth.number('the same with the tolerance', ({ allowed }) => allowed),
  now: ofGrowth.number('what it takes', ({ now }) => now),
};

const ofCheck = fieldsOf<BudgetCheck>();

const budgetFields = {
  file: ofCheck.name('path of the budget, as it was given', ({ file }) => file),
  percent: ofCheck.number('how much a number may grow, in percent', ({ budget }) => budget.tolerance.percent),
  bytes: ofCheck.number('how much it may grow besides', ({ budget }) => budget.tolerance.bytes),
  grown: ofCheck.table('what grew by more, fields first', ({ grown }) => grown, growthFields),
};

const ofReport = fieldsOf<StatsReport>();

const packetsOf = ({ stats }: StatsReport) => (stats.hasPackets ? stats : undefined);
const ticksOf = ({ stats }: StatsReport) => (stats.hasPackets ? undefined : stats);
const tallyOf = ({ stats }: StatsReport) => stats.tally;
const ofStats = fieldsOf<RecordingStats>();
const ofPacketCounts = fieldsOf<RecordingStats['packets']>();
const file = ofReport.name('path of the recording, as it was given', ({ file }) => file);

export const statsFields = {
  file,
  format: ofReport.text('demo, ghost, pcap, pcapng or netlog', ({ container }) => container),
  size: ofReport.bytes('bytes of the recording, unpacked', ({ fileBytes }) => fileBytes),
  bytes: ofReport.bytes('bytes that are counted', ({ stats }) => stats.bytes),
  bits: ofReport.int(
    'the same in bits: those of items, messages and parts add up to it',
    (report) => report.stats.tally.bits,
  ),
  seconds: ofReport.seconds('from the first tick or packet to the last', ({ stats }) => stats.seconds),
  packets: ofReport.orAbsent.object('of captures: the packets', (report) => packetsOf(report)?.packets, {
    to_client: ofPacketCounts.object('those of servers', ({ to_client }) => to_client, packetFields),
    to_server: ofPacketCounts.object('those of clients', ({ to_server }) => to_server, packetFields),
    other: ofPacketCounts.object('those of no connection', ({ other }) => other, packetFields),
  }),
  ...ofReport.orAbsent.from(ticksOf, {
    first_tick: ofStats.tick('of demos: -1 without a tick', ({ firstTick }) => firstTick),
    last_tick: ofStats.tick('of demos: -1 without a tick', ({ lastTick }) => lastTick),
  }),
  snapshots: ofReport.object('number of snapshots', ({ stats }) => stats, {
    full: ofStats.int('full ones; of captures those on the empty snapshot', ({ tally }) => tally.snapshots.full),
    deltas: ofStats.int('differences to an earlier one', ({ tally }) => tally.snapshots.deltas),
    empty: ofStats.orAbsent.int('of captures: those without a change', ({ hasPackets, tally }) =>
      hasPackets ? tally.snapshots.empty : undefined,
    ),
  }),
  most: ofReport.object('the fullest snapshots; null without any', tallyOf, mostFields),
  rates: ofReport.orAbsent.table(
    'of captures: stretches with one rate',
    (report) => packetsOf(report)?.modes,
    modeFields,
  ),
  items: ofReport.table(
    'items by their types, the largest first',
    (report) => byBits(tallyOf(report).items.all),
    statsItemFields,
  ),
  messages: ofReport.table(
    'messages, the largest first',
    (report) => byBits([...tallyOf(report).messages.values()]),
    statsCountFields,
  ),
  parts: ofReport.table(
    'what is around items and messages, the largest first',
    (report) => byBits<SizeCount>([...tallyOf(report).parts.values()]),
    statsCountFields,
  ),
  players: ofReport.table(
    'the items once more, by player',
    (report) => byBits(tallyOf(report).players.all),
    statsPlayerFields,
  ),
  clients: ofReport.orAbsent.table(
    'of captures: the packets once more, by client, those who sent most first',
    (report) => packetsOf(report) && byPackets(report.stats.clients),
    statsClientFields,
  ),
  per_second: ofReport.table(
    'all that has a time once more, by second',
    (report) => tallyOf(report).seconds.all,
    statsSecondFields,
  ),
  budget: ofReport.orAbsent.object('with --budget: what grew beyond it', ({ check }) => check, budgetFields),
};

// The tables of `stats -t csv`: rows of a kind, each with its file.

interface StatsRows<Row> {
  readonly fields: Fields<Row>;
  readonly rows: (tally: Tally, stats: RecordingStats) => readonly Row[];
}

interface TypeRow {
  readonly kind: 'item' | 'message' | 'part';
  readonly name: string;
  readonly item?: ItemTally;
  readonly count?: SizeCount;
}

const ofType = fieldsOf<TypeRow>();
const itemOf = ({ item }: TypeRow) => item;

const typeFields = {
  kind: ofType.among(['item', 'message', 'part'], 'item, message or part', ({ kind }) => kind),
  name: ofType.text('its name; of an item that no table has the number or UUID', ({ name }) => name),
  sent: ofType.int('how often it was sent', ({ item, count }) => item?.sent ?? count?.times ?? 0),
  ...ofType.orNull.from(itemOf, pick(itemCounts, 'full', 'new', 'updated', 'changed', 'removed')),
  bits: ofType.number('size as sent', ({ item, count }) => item?.bits ?? count?.bits ?? 0),
};

const countRows = (kind: 'message' | 'part', counts: Iterable<SizeCount>): TypeRow[] =>
  [...counts].map((count) => ({ kind, name: count.name, count }));

interface FieldRow {
  readonly player?: PlayerTally;
  readonly item: ItemTally;
  readonly field: FieldTally;
}

const ofFieldRow = fieldsOf<FieldRow>();

const fieldRowFields = {
  item: ofFieldRow.text('name of the item; of one that no table has the number or UUID', ({ item }) => labelOf(item)),
  field: ofFieldRow.text(statsFieldFields.name.meaning, ({ field }) => fieldName(field)),
  sent: ofFieldRow.int('how often the item was sent', ({ item }) => item.sent),
  ...ofFieldRow.from(({ field }) => field, fieldCounts),
};

const fieldRows = (items: readonly ItemTally[], player?: PlayerTally): FieldRow[] =>
  items.flatMap((item) => item.fields.map((field) => ({ item, field, ...(player && { player }) })));

const table = <Row>(fields: Fields<Row>, rows: StatsRows<Row>['rows']): StatsRows<unknown> =>
  ({ fields, rows }) as unknown as StatsRows<unknown>;

/** The tables. The bits of `type` add up to the whole file, those of `field` and `player` to all items. */
const statsTables = {
  type: table(typeFields, ({ items, messages, parts }) => [
    ...items.all.map((item): TypeRow => ({ kind: 'item', name: labelOf(item), item })),
    ...countRows('message', messages.values()),
    ...countRows('part', parts.values()),
  ]),
  field: table(fieldRowFields, ({ items }) => fieldRows(items.all)),
  player: table(playerFields, ({ players }) => players.all),
  'player-field': table(
    { ...ofFieldRow.orNull.from(({ player }) => player, pick(playerFields, 'client', 'name')), ...fieldRowFields },
    ({ players }) => players.all.flatMap((player) => fieldRows(itemsOfPlayer(player), player)),
  ),
  client: table(statsClientFields, (_, { clients }) => byPackets(clients)),
  second: table(statsSecondFields, ({ seconds }) => seconds.all),
};

/** What each row is about. */
export type StatsBy = keyof typeof statsTables;

interface RowOfFile {
  readonly report: StatsReport;
  readonly row: unknown;
}

const ofRowOfFile = fieldsOf<RowOfFile>();

/** The columns of a table, with the file first. */
export const statsColumns = (by: StatsBy): Fields<RowOfFile> => ({
  ...ofRowOfFile.from(({ report }) => report, { file }),
  ...ofRowOfFile.from(({ row }) => row, statsTables[by].fields),
});

export const statsRows = (report: StatsReport, by: StatsBy): RowOfFile[] =>
  statsTables[by].rows(report.stats.tally, report.stats).map((row) => ({ report, row }));
