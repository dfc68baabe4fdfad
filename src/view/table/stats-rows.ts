import type { FieldTally, ItemTally } from '../../stats/item-tallies.ts';
import type { PlayerTally } from '../../stats/player-tallies.ts';
import type { RecordingStats } from '../../stats/recording-stats.ts';
import type { SizeCount, Tally } from '../../stats/tally.ts';

export interface StatsReport {
  readonly file: string;
  readonly container: string;
  readonly fileBytes: number;
  readonly stats: RecordingStats;
}

export type StatsBy = 'type' | 'field' | 'player' | 'second';

export interface StatsRow {
  readonly label: string;
  readonly kind: 'item' | 'field' | 'player' | 'world' | 'message' | 'part' | 'more' | 'sum';
  readonly sent: number | undefined;
  readonly full?: number;
  readonly new?: number;
  readonly changed?: number;
  readonly removed?: number;
  readonly bits: number;
  readonly estimate?: number;
  readonly rows?: readonly StatsRow[];
}

/** Rows under a title. `bits` is the sum of the rows. */
export interface StatsSection {
  readonly title: string;
  readonly bits: number;
  readonly rows: readonly StatsRow[];
}

export interface Shown {
  readonly by: StatsBy;
  /** Whether the fields are listed below each item. */
  readonly fields: boolean;
  /** The maximum number of rows of a section; undefined shows all except very small messages. */
  readonly top: number | undefined;
  readonly verbose: boolean;
}

const usualFields = 30;
/** Messages with a smaller share of the whole are combined in one row. */
const smallShare = 0.0005;

/** Returns sections for items, messages and everything around them. Their sums add up to the whole recording. */
export function sectionsOf(tally: Tally, { by, fields, top, verbose }: Shown): StatsSection[] {
  const items = byBits(tally.items.all);
  const itemRows =
    by === 'player'
      ? byBits(tally.players.all).map(playerRow)
      : by === 'field'
        ? byBits(items.flatMap(fieldRows))
        : items.map((item) => itemRow(item, fields));
  const title = by === 'player' ? 'items by player' : by === 'field' ? 'items by field' : 'items';
  const messages = byBits([...tally.messages.values()]);
  const large = messages.filter(({ bits }) => bits >= smallShare * tally.bits).length;
  return [
    section(title, itemRows, top ?? (by === 'field' && !verbose ? usualFields : Infinity)),
    section('messages', messages.map(countedRow('message')), top ?? (verbose ? Infinity : large)),
    section('around them', byBits([...tally.parts.values()]).map(countedRow('part')), Infinity),
  ].filter(({ rows }) => rows.length > 0);
}

function section(title: string, rows: readonly StatsRow[], top: number): StatsSection {
  // Replacing a single row by a row with a count would not save a line.
  const more = rows.length > top + 1 ? rows.slice(top) : [];
  const sent = rows[0]?.kind === 'field' ? undefined : more.reduce((all, row) => all + (row.sent ?? 0), 0);
  const rest: StatsRow[] =
    more.length > 0 ? [{ label: `${more.length} more`, kind: 'more', sent, bits: sum(more) }] : [];
  return { title, bits: sum(rows), rows: [...rows.slice(0, rows.length - more.length), ...rest] };
}

/** The name of a field, or a name for the ints before an item's data or for the ints after its known fields. */
export function fieldName({ name }: FieldTally): string {
  return name === undefined ? '_key' : name === 'rest' ? '_rest' : name;
}

/** A display name; the number or UUID if no table has the item. */
export function labelOf({ name, type, uuid }: ItemTally): string {
  return name ?? uuid ?? (type === undefined ? 'others' : `type ${type}`);
}

function itemRow(item: ItemTally, withFields: boolean): StatsRow {
  const { sent, full, changed, removed, bits, estimate } = item;
  const rows = withFields ? { rows: byBits(fieldRows(item)).map((row) => ({ ...row, label: short(row.label) })) } : {};
  return { label: labelOf(item), kind: 'item', sent, full, new: item.new, changed, removed, bits, estimate, ...rows };
}

function fieldRows(item: ItemTally): StatsRow[] {
  return item.fields.map((field) => {
    const { changed, bits, estimate } = field;
    const numbers = field.name === undefined ? { bits } : { changed, bits, estimate };
    return { label: `${labelOf(item)}.${fieldName(field)}`, kind: 'field', sent: item.sent, ...numbers };
  });
}

const short = (label: string) => label.slice(label.indexOf('.') + 1);

function playerRow({ client, name, sent, changed, bits, estimate }: PlayerTally): StatsRow {
  const label = client === undefined ? 'the world' : name || `client ${client}`;
  return { label, kind: client === undefined ? 'world' : 'player', sent, changed, bits, estimate };
}

const countedRow =
  (kind: 'message' | 'part') =>
  ({ name, times, bits }: SizeCount): StatsRow => ({
    label: kind === 'part' ? name.replaceAll('_', ' ') : name,
    kind,
    sent: times,
    bits,
  });

const sum = (rows: readonly { readonly bits: number }[]) => rows.reduce((all, { bits }) => all + bits, 0);

/** The largest first. */
export function byBits<Row extends { readonly bits: number }>(rows: readonly Row[]): Row[] {
  return [...rows].sort((a, b) => b.bits - a.bits);
}
