import { clientItems } from '../../protocol/client-items.ts';
import { isLoss, type RecordFilter, type SnapshotEntry } from '../../recording/record.ts';
import { type Comparison, compare } from '../../snapshot/compare.ts';
import type { ItemTypes } from '../../snapshot/item-types.ts';
import { Snapshot } from '../../snapshot/snapshot.ts';
import { quotedName } from '../text/escape.ts';
import { count, thousands } from '../text/number.ts';
import { reasons } from '../text/recording-phrases.ts';
import { fieldText, itemName } from './item-values.ts';

/** The maximum number of items in a comment for human readers; further items are counted. The values contain all items. */
const maxItemLines = 64;

export interface SnapshotLineOptions {
  readonly types: ItemTypes;
  readonly filter: RecordFilter;
  /** The name of a client's player. */
  nameOf(client: number): string | undefined;
}

const nothing: Comparison = { removed: [], added: [], changed: [], same: 0, reordered: false };

/** Compares a snapshot with its base. The result is empty for a snapshot that is not rebuilt. */
export function changesOf({ kind, before = new Snapshot(), snapshot }: SnapshotEntry): Comparison {
  return snapshot && kind !== 'empty' ? compare(before, snapshot) : nothing;
}

/**
 * Describes a snapshot and its differences from its base:
 * ```
 * tick 34174 on 34172 · crc ok 796 · 2 items changed, 1 added, 1 removed
 * obj_character/0 "six": x 784 → 790, vel_x 0 → 256
 * + obj_projectile/3: x 784, y 305, type 2
 * - obj_pickup/8
 * ```
 */
export function snapshotLines(entry: SnapshotEntry, changes: Comparison, options: SnapshotLineOptions): string[] {
  const { before, snapshot } = entry;
  const lines = [headOf(entry, changes)];
  if (!snapshot) return lines;
  const { types, filter } = options;
  const isShown = (from: Snapshot, i: number) => filter.all || filter.item(types, from.type(i), from.id(i));
  const changed = changes.changed.filter((one) => isShown(snapshot, one.new));
  const added = changes.added.filter((i) => isShown(snapshot, i));
  const removed = changes.removed.filter((i) => isShown(before!, i));
  const left = () => maxItemLines + 1 - lines.length;
  for (const one of changed.slice(0, left())) {
    lines.push(`${title(snapshot, one.new, options)}: ${changeText(before!.item(one.old), snapshot, one.new, types)}`);
  }
  for (const i of added.slice(0, left())) {
    const values = addedText(snapshot, i, types);
    lines.push(`+ ${title(snapshot, i, options)}${values === '' ? '' : `: ${values}`}`);
  }
  for (const i of removed.slice(0, left())) lines.push(`- ${title(before!, i, options)}`);
  const all = changed.length + added.length + removed.length;
  if (all > maxItemLines) lines.push(`… ${count(all - maxItemLines, 'more item')}`);
  return lines;
}

function headOf(entry: SnapshotEntry, { changed, added, removed }: Comparison): string {
  const { tick, base, parts, snapshot, kind } = entry;
  const changes = [
    changed.length > 0 ? `${count(changed.length, 'item')} changed` : '',
    added.length > 0 ? `${changed.length > 0 ? thousands(added.length) : count(added.length, 'item')} added` : '',
    removed.length > 0
      ? `${changed.length + added.length > 0 ? thousands(removed.length) : count(removed.length, 'item')} removed`
      : '',
  ].filter((text) => text !== '');
  return [
    `tick ${tick} on ${base === -1 ? 'the empty snapshot' : base}`,
    ...(parts > 1 ? [`in ${parts} parts`] : []),
    checksumText(entry),
    ...(snapshot ? [kind === 'empty' || changes.length === 0 ? 'nothing changed' : changes.join(', ')] : []),
  ].join(' · ');
}

/** The forms must be those that the post-dissector reads. */
function checksumText({ verdict, announced, snapshot, cause }: SnapshotEntry): string {
  if (isLoss(verdict)) return `not rebuilt: ${reasons[verdict]}${cause ? ` (${cause.code})` : ''}`;
  const rebuilt = snapshot!.checksum();
  if (announced === undefined) return `crc ${rebuilt}, none announced`;
  return verdict === 'ok' ? `crc ok ${rebuilt}` : `crc mismatch: announced ${announced}, rebuilt ${rebuilt}`;
}

/** `obj_character/0 "six"` */
function title(snapshot: Snapshot, i: number, { types, nameOf }: SnapshotLineOptions): string {
  const name = itemName(types, snapshot.type(i));
  const player = clientItems.has(name) ? nameOf(snapshot.id(i)) : undefined;
  return `${name}/${snapshot.id(i)}${player === undefined ? '' : ` ${quotedName(player)}`}`;
}

/** `x 784 → 790, vel_x 0 → 256`; ints without a field are named by their index, `[22] 0 → 1`. */
function changeText(old: Int32Array, snapshot: Snapshot, i: number, types: ItemTypes): string {
  const now = snapshot.item(i);
  const fields = types.of(snapshot.type(i))?.fields ?? [];
  const texts: string[] = [];
  for (const field of fields) {
    if (!differs(old, now, field.at, field.at + field.ints)) continue;
    texts.push(`${field.name} ${fieldText(field, old)} → ${fieldText(field, now)}`);
  }
  const last = fields.at(-1);
  const known = last ? last.at + last.ints : 0;
  for (let k = known; k < Math.max(old.length, now.length) && texts.length < maxItemLines; k++) {
    if (old[k] !== now[k]) texts.push(`[${k}] ${old[k] ?? '-'} → ${now[k] ?? '-'}`);
  }
  return texts.join(', ');
}

function differs(a: Int32Array, b: Int32Array, start: number, end: number): boolean {
  for (let k = start; k < end; k++) if (a[k] !== b[k]) return true;
  return false;
}

/** The fields that are not 0. */
function addedText(snapshot: Snapshot, i: number, types: ItemTypes): string {
  const ints = snapshot.item(i);
  const fields = types.of(snapshot.type(i))?.fields ?? [];
  return fields
    .map((field) => ({ name: field.name, text: fieldText(field, ints) }))
    .filter(({ text }) => text !== '0' && text !== '-')
    .map(({ name, text }) => `${name} ${text}`)
    .join(', ');
}
