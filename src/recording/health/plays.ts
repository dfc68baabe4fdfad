import type { Code } from '../../wire/bytes/diagnostic.ts';
import { type DemoHeader, teeworldsVersion } from '../container/demo/header.ts';
import { type Conduct, type Deed, deedIn, detailOf, type GameCheck, isBefore } from '../games/check.ts';
import { demos } from '../games/demos.ts';
import { ints } from '../games/ints.ts';

/** What becomes of a demo in a game, the worst first. */
export const plays = {
  refused: 'it is not played',
  misread: 'it is played, but read as something else',
  stops: 'playing stops before the end',
  needs_map: 'it is played if the player has the map of the header',
  plays: 'it is played to its end',
} as const;

export type Play = keyof typeof plays;

/** Versions of a game that do the same with a demo. */
export interface GamePlay {
  readonly game: 'DDNet' | 'Teeworlds';
  /** The first version. */
  readonly from: string;
  /** The first version after it that does something else; undefined for the last ones. */
  readonly before: string | undefined;
  readonly play: Play;
  /** The check that decides; undefined if the demo is played. */
  readonly code: Code | undefined;
}

/** The first versions whose source was read. DDNet plays demos of 0.7 since 18.5. */
const firstDdnet = { '0.6': '16.0', '0.7': '18.5' } as const;
export const lastDdnet = '20.1';
const teeworlds = '0.7.5';

const playOf: Partial<Record<Deed, Play>> = {
  stops: 'stops',
  crashes: 'stops',
  misread: 'misread',
  refused: 'refused',
};

const orderOf = (play: Play) => Object.keys(plays).indexOf(play);

/** A chunk that cannot be decompressed ends the demo. */
function inChunk(conduct: Conduct): Conduct {
  const { does, ...detail } = detailOf(conduct);
  return { ...detail, does: does === 'refused' ? 'stops' : does };
}

const checks: readonly GameCheck[] = [
  ...demos.checks,
  ...ints.checks.map(({ ddnet, teeworlds = ddnet, ...check }) => {
    return { ...check, ddnet: inChunk(ddnet), teeworlds: inChunk(teeworlds) };
  }),
];

/** Without the SHA-256 the map cannot be taken out of the file: such a demo plays where the map is at hand. */
const withoutSum: Code = 'no_sha256';

/**
 * The codes of demos that can be read to their end, but that a game which plays such demos refuses, misreads or stops.
 */
export const unplayableCodes: ReadonlySet<string> = new Set([
  ...demos.checks.flatMap(({ code, severity, ddnet }) =>
    code && code !== withoutSum && severity === 'warning' && playOf[detailOf(ddnet).does] ? [code] : [],
  ),
  // Teeworlds plays no other demo in which DDNet accepts what Teeworlds refuses.
  'other_net_version' satisfies Code,
]);

/**
 * What the games do with a demo: every version of DDNet that plays demos of its net version, and Teeworlds 0.7.5 if the
 * demo has its format.
 * @param codes of the diagnostics of the demo
 * @param hasMap whether there is a map in the file
 * @param mapSha256 of this map
 */
export function playsOf(header: DemoHeader, codes: ReadonlySet<Code>, hasMap: boolean, mapSha256?: string): GamePlay[] {
  const { netVersion, version } = header;
  const is07 = netVersion.startsWith('0.7');
  const isOtherMap = codes.has('other_map');
  const found = checks.filter(({ code }) => code && codes.has(code));
  const first = firstDdnet[is07 ? '0.7' : '0.6'];
  const changes = found.map(({ ddnet }) => detailOf(ddnet).since ?? first).filter((since) => isBefore(first, since));
  const versions = [...new Set([first, ...changes])].sort((a, b) => (isBefore(a, b) ? -1 : 1));
  // Before version 6 there is no SHA-256, and DDNet takes that of the map in the file for the right one.
  // With one it does not look at the CRC: `CClient::LoadMap`.
  const needsMap = !hasMap || (isOtherMap && version >= 6 && (mapSha256 === undefined || header.sha256 !== mapSha256));
  const rows = versions.map((from): GamePlay => {
    const all = found.map(({ code, ddnet }) => ({ code: code!, deed: deedIn(ddnet, from) }));
    const deeds = all.filter(({ code }) => code !== withoutSum);
    const isStuck = all.some(({ code, deed }) => code === withoutSum && deed === 'crashes');
    return { game: 'DDNet', from, before: undefined, ...worstOf(deeds, needsMap || isStuck, isOtherMap) };
  });
  if (!is07 || version !== teeworldsVersion) return joined(rows);
  const deeds = found.map(({ code, ddnet, teeworlds = ddnet }) => ({ code: code!, deed: deedIn(teeworlds, '') }));
  const own = worstOf(deeds, !hasMap || isOtherMap, isOtherMap);
  return [...joined(rows), { game: 'Teeworlds', from: teeworlds, before: undefined, ...own }];
}

function worstOf(
  deeds: readonly { readonly code: Code; readonly deed: Deed }[],
  needsMap: boolean,
  isOtherMap: boolean,
): Pick<GamePlay, 'play' | 'code'> {
  const all = deeds.flatMap(({ code, deed }): Pick<GamePlay, 'play' | 'code'>[] => {
    const play = playOf[deed];
    return play ? [{ play, code }] : [];
  });
  const best = needsMap
    ? ({ play: 'needs_map', code: isOtherMap ? 'other_map' : undefined } as const)
    : ({ play: 'plays', code: undefined } as const);
  return [...all, best].reduce((a, b) => (orderOf(b.play) < orderOf(a.play) ? b : a));
}

/** Joins neighbouring versions that do the same. */
function joined(rows: readonly GamePlay[]): GamePlay[] {
  const all: GamePlay[] = [];
  for (const row of rows) {
    const last = all.at(-1);
    if (last?.play === row.play && last.code === row.code) continue;
    if (last) all[all.length - 1] = { ...last, before: row.from };
    all.push(row);
  }
  return all;
}
