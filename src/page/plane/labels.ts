/** Why a name matters. Of two names that overlap, the one that is earlier here is drawn. */
const nameRanks = ['followed', 'chosen', 'hovered', 'drawn', 'other'] as const;

/** The name of a player, and where it would be drawn: the middle of its lower edge, in pixels. */
export interface PlacedName {
  readonly client: number;
  readonly text: string;
  readonly x: number;
  readonly y: number;
  readonly width: number;
  /** `drawn` if it was there in the last picture, so that names do not take turns while players pass each other. */
  readonly rank: (typeof nameRanks)[number];
  /** The distance from what the picture shows. Of names that matter equally, the nearest is drawn. */
  readonly distance: number;
}

/** The height of a name and the least gap between two, in pixels. */
const height = 13;
const gap = 3;

/** Those of some names that are drawn, the most important first: a name that would touch one of them is left out. */
export function namesThatFit(names: readonly PlacedName[]): PlacedName[] {
  const order = ({ rank }: PlacedName) => nameRanks.indexOf(rank);
  const fitting: PlacedName[] = [];
  for (const name of [...names].sort((a, b) => order(a) - order(b) || a.distance - b.distance)) {
    const touches = (other: PlacedName) =>
      Math.abs(name.x - other.x) < (name.width + other.width) / 2 + gap && Math.abs(name.y - other.y) < height;
    if (!fitting.some(touches)) fitting.push(name);
  }
  return fitting;
}
