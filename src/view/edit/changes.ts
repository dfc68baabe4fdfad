import { count } from '../text/number.ts';
import { nameText } from '../text/untrusted-text.ts';

/** The changes made by an edit. */
export interface Changes {
  /** The number of messages left out, by name. */
  readonly stripped: ReadonlyMap<string, number>;
  readonly sentSnapshots: number;
  /** Old and new names, and the names that were not found. */
  readonly renamed: readonly (readonly [from: string, to: string])[];
  readonly notFound: readonly string[];
  /** The number of texts in messages in which a name was replaced. */
  readonly texts: number;
  readonly anonymised: Anonymised | undefined;
  /** The number of dropped markers. */
  readonly droppedMarkers: number;
}

interface Anonymised {
  readonly players: number;
  readonly clans: number;
  readonly unknownKept: number;
  readonly unreadable: number;
  readonly unknownItems: readonly number[];
}

/** A line for each kind of change and for the data that was not changed. */
export function renderChanges(changes: Changes): string[] {
  const { stripped, sentSnapshots, renamed, notFound, texts, anonymised, droppedMarkers } = changes;
  const lines: string[] = [];
  if (stripped.size > 0) {
    const byCount = [...stripped].sort(([, a], [, b]) => b - a);
    lines.push(`left out: ${byCount.map(([name, times]) => `${count(times, name, name)}`).join(', ')}`);
  }
  if (sentSnapshots > 0)
    lines.push(`left out: ${count(sentSnapshots, 'snapshot')} that the server sent to its clients`);
  for (const [from, to] of renamed) lines.push(`renamed: ${nameText(from)} → ${nameText(to)}`);
  if (renamed.length > 0) lines.push(`changed: ${count(texts, 'text')} of messages`);
  for (const name of notFound) lines.push(`not found: no player has the name ${nameText(name)}`);
  if (anonymised) lines.push(...anonymisedLines(anonymised, texts));
  if (droppedMarkers > 0)
    lines.push(`left out: ${count(droppedMarkers, 'marker')}, more than 64 or less than a second apart`);
  return lines;
}

function anonymisedLines(one: Anonymised, texts: number): string[] {
  if (one.players === 0) return ['not found: no player has a name; nothing was anonymised'];
  const names = [count(one.players, 'player'), ...(one.clans > 0 ? [count(one.clans, 'clan')] : [])].join(', ');
  const kept = [
    'skins, colours and countries',
    'chat, except for names (--strip chat)',
    ...(one.unknownKept > 0 ? [count(one.unknownKept, 'unknown message')] : []),
    ...(one.unknownItems.length > 0 ? [`unknown items of type ${one.unknownItems.join(', ')}`] : []),
  ];
  return [
    `anonymised: ${names}; names replaced in ${count(texts, 'text')} of messages`,
    ...(one.unreadable > 0
      ? [`left out: ${count(one.unreadable, 'message')} with a name in a field that is not text`]
      : []),
    `not touched: ${kept.join('; ')}`,
  ];
}
