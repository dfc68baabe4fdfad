import type { OddValues } from '../../recording/health/odd-values.ts';
import type { RecordingSummary } from '../../recording/summary/recording-summary.ts';
import type { StreamSummary } from '../../recording/summary/stream-summary.ts';
import { boundsText, manyClientsSince } from '../../wire/protocol/bounds.ts';
import { defaultTuning } from '../../wire/protocol/tuning.ts';
import { escapeText } from '../text/escape.ts';
import { count, nonZero, thousands } from '../text/number.ts';
import { commas, type LabelledRow } from '../text/rows.ts';
import type { Theme } from '../text/theme.ts';

/** So many values are told in a row. */
const maxTold = 6;

/** The first texts, and how many more there are. */
function firstOf(texts: readonly string[]): string[] {
  const more = texts.length - maxTold;
  return more > 0 ? [...texts.slice(0, maxTold), `${more} more`] : [...texts];
}

/** What a demo and a connection tell alike: versions, tuning, and values that are new, odd or late. */
export const contentRows = (stream: StreamSummary, summary: RecordingSummary, theme: Theme): LabelledRow[] => [
  ...versionRows(stream),
  ...gameRows(stream),
  ...extendedRows(stream),
  ...newerRows(stream, summary),
  ...tuningRows(stream),
  ...oddRows(stream, summary, theme),
  ...highClientRows(stream, summary),
  ...lateRows(stream, summary),
];

/** The messages of the other version, and how sure that is. */
function versionRows({ otherVersion, stream }: StreamSummary): LabelledRow[] {
  const { certain, likely, ambiguous, neither } = otherVersion;
  const version = stream.protocol.version === '0.7' ? '0.6' : '0.7';
  const parts = nonZero(
    [certain, `${thousands(certain)} certain`],
    [likely, `${thousands(likely)} likely`],
    [ambiguous, `${thousands(ambiguous)} make sense in both versions`],
    [neither, `${thousands(neither)} make sense in neither`],
  );
  const total = certain + likely;
  return parts.length > 0 ? [['versions', `${count(total, 'message')} of ${version}:`, ...commas(parts)]] : [];
}

/** `ddrace, ddnet, scores are times in seconds`, `teams, flags`: what snapshots say of the game. */
function gameRows({ game: { types, hasTeams, hasFlags, scoreUnit } }: StreamSummary): LabelledRow[] {
  const kinds = [...types, ...(hasTeams ? ['teams'] : []), ...(hasFlags ? ['flags'] : [])];
  const scores = scoreUnit === 'points' ? [] : [`scores are times in ${scoreUnit}`];
  return kinds.length + scores.length === 0 ? [] : [['game', ...commas([...kinds, ...scores])]];
}

/** The kinds of extended items: what a recording lacks can be seen, too. */
function extendedRows({ items: { extended }, stream, snapshots }: StreamSummary): LabelledRow[] {
  if (extended.size > 0) return [['extended', `${count(extended.size, 'kind')} of items:`, ...commas([...extended])]];
  return stream.client === '' && stream.protocol.version === '0.6' && snapshots > 0 ? [['extended', 'no items']] : [];
}

/** What newer versions or mods send, of which the tables have no names. */
function newerRows({ items: { newer: kinds } }: StreamSummary, { health }: RecordingSummary): LabelledRow[] {
  // After damage values may be wrong.
  if (kinds.size === 0 || health.state === 'damaged') return [];
  const total = count(kinds.size, 'kind');
  return [['newer', `than the tables of tw-snap: ${total} of values:`, ...commas(firstOf([...kinds]))]];
}

/** `grenade_speed 100 (default 1,000) from tick 202 on`: the tuning, unless it is the games' own. */
function tuningRows({ tuning, hasTuning, snapshots, stream, firstTick }: StreamSummary): LabelledRow[] {
  // Demos of 0.7 have it as an item, unless it is the default.
  if (!hasTuning && stream.client === '' && stream.protocol.version !== '0.7' && snapshots > 0)
    return [['tuning', 'none in this demo: games play it with their defaults']];
  if (tuning.size === 0) return [];
  const texts = [...tuning].map(([name, { value, tick }]) => {
    const when = tick > firstTick ? ` from tick ${tick} on` : '';
    return `${name} ${value / 100} (default ${defaultTuning(name)! / 100})${when}`;
  });
  return [['tuning', ...commas(firstOf(texts))]];
}

/** `type 32763 is ddnet_laser, named at tick 1056, 2 ticks after its first item`, or that it never was. */
function lateRows({ items: { late } }: StreamSummary, { health }: RecordingSummary): LabelledRow[] {
  // After damage registrations may be missing.
  if (late.length === 0 || health.state === 'damaged') return [];
  const texts = late.map(({ number, tick, named }) => {
    if (!named) return `type ${number}, from tick ${tick} on, is never named`;
    const after = count(named.tick - tick, 'tick');
    return `type ${number} is ${escapeText(named.name)}, named at tick ${named.tick}, ${after} after its first item`;
  });
  return [['late names', ...commas(firstOf(texts))]];
}

/** `obj_character.ammo_count 77 (outside -1 to 10) 35 ×`: values that clients do not take. */
function oddRows({ items: { odd } }: StreamSummary, { health }: RecordingSummary, theme: Theme): LabelledRow[] {
  // After damage values may be wrong.
  if (odd.length === 0 || health.state === 'damaged') return [];
  const texts = odd.map(({ item, field, value, bounds, count: times }) => {
    if (field === undefined) return theme.warning(`! ${item}, which no game puts into a snapshot`);
    const allowed = boundsText(bounds!.min, bounds!.max);
    return theme.warning(`! ${item}.${field} ${value} (${allowed}) ${thousands(times)} ×`);
  });
  return [['odd', ...commas(firstOf(texts)), ...consequence(odd)]];
}

/**
 * `obj_player_info.client_id up to 70, 22 items`: no fault, but other games than the server's may not show these
 * players.
 */
function highClientRows({ items: { high } }: StreamSummary, { health }: RecordingSummary): LabelledRow[] {
  if (high.length === 0 || health.state === 'damaged') return [];
  const texts = high.map(({ item, field, value, isMessage, count: times }) => {
    return `${item}.${field} up to ${value}, ${count(times, isMessage ? 'message' : 'item')}`;
  });
  const inBoth = 'takes 63 in items and drops the messages, Teeworlds drops both';
  const inOne = high[0]!.isMessage ? 'and Teeworlds drop these messages' : 'takes 63, Teeworlds drops these items';
  const isBoth = high.some(({ isMessage }) => isMessage !== high[0]!.isMessage);
  const taken = `(DDNet before ${manyClientsSince} ${isBoth ? inBoth : inOne})`;
  return [['clients', ...commas(firstOf(texts)), taken]];
}

/** What the games do with items that have such values. */
function consequence(odd: readonly OddValues[]): string[] {
  const rules = new Set(odd.flatMap((odd) => (odd.field === undefined ? [] : [odd.rules])));
  if (rules.size === 0) return [];
  if (rules.has('0.7')) return ['(the games drop these items)'];
  return [rules.has('0.6') ? '(DDNet takes the bounds, Teeworlds drops the items)' : '(DDNet takes the bounds)'];
}
