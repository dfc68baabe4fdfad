import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** What the games do with one case of data that no game writes: a row of `docs/formats/tolerated.md`. */
export interface ToleratedCase {
  /** As vectors name it: `delta: key removed twice`. */
  readonly row: string;
  readonly about: string;
  /** The cells of DDNet and Teeworlds: a deed, and how. That of Teeworlds is DDNet's where it is empty. */
  readonly ddnet: string;
  readonly teeworlds: string;
  /** Undefined for a case that is not reported. */
  readonly code: string | undefined;
}

/** The headings of the tables, and what vectors call their subjects. */
const subjects = {
  'Compression and ints': 'int',
  Deltas: 'delta',
  'Whole snapshots': 'snapshot',
  Items: 'item',
  Demos: 'demo',
  Ghosts: 'ghost',
  Messages: 'message',
  Packets: 'packet',
  Connections: 'connection',
} as const;

/** The rows of the table below a heading of a page of `docs/formats`: their cells. */
export function tableBelow(page: string, heading: string): string[][] {
  const text = readFileSync(join(import.meta.dirname, '../../docs/formats', page), 'utf8');
  const [, section = ''] = text.split(`\n## ${heading}\n`);
  const [, , ...rows] = section.split('\n## ', 1)[0]!.match(/^\|.*\|$/gm)!;
  return rows.map((line) =>
    line
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim()),
  );
}

export const toleratedCases: readonly ToleratedCase[] = Object.entries(subjects).flatMap(([heading, about]) =>
  tableBelow('tolerated.md', heading).map(([when, ddnet = '', teeworlds = '', code = '']) => {
    return { row: `${about}: ${when}`, about, ddnet, teeworlds, code: /`(\w+)`/.exec(code)?.[1] };
  }),
);

/**
 * What a game does; `skipped` is an item, message or chunk of a demo that is left out, and what is `dropped` is thrown
 * away. Before the version that a cell names after `from` it does what is in brackets.
 */
const deeds = /^(?:accepted|ignored|skipped|dropped|clamped|misread|stops|refused|crashes)\b/;

/** The deed with which a cell begins. */
export function deedIn(cell: string): string {
  const [deed] = deeds.exec(cell) ?? [];
  if (deed === undefined) throw new Error(`"${cell}" of tolerated.md begins with no deed`);
  return deed;
}
