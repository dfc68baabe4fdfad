import type { Code, Diagnostic } from '../../wire/bytes/diagnostic.ts';
import { crcText } from '../../wire/codec/crc32.ts';
import type { DemoHeader } from '../container/demo/header.ts';
import { assertsSha256, noMap } from '../games/demo-rules.ts';
import { DemoPlayers, type GamePlayed } from './demo-players.ts';

/** What becomes of a demo or a ghost in a game, the worst first. */
export const plays = {
  refused: 'it is not played',
  crashes: 'the game ends itself, or is ended',
  stops: 'playing stops before the end',
  unknown: 'what the game does depends on its memory',
  misread: 'it is played, but read as something else',
  needs_map: 'it is played if the player has the map of the header',
  plays: 'it is played to its end',
} satisfies Record<Play, string>;

/** What becomes of it: {@link plays} says what each means. */
export type Play = 'refused' | 'crashes' | 'stops' | 'unknown' | 'misread' | 'needs_map' | 'plays';

/** Versions of a game that do the same with a demo or a ghost. */
export interface GamePlay {
  readonly game: 'DDNet' | 'Teeworlds';
  /** The first version. */
  readonly from: string;
  /** The first version after it that does something else; undefined for the last ones. */
  readonly before: string | undefined;
  readonly play: Play;
  /** What makes it misread, or need the map; undefined otherwise. */
  readonly code: Code | undefined;
  /** What the game says when it refuses the demo or stops; undefined if it is played to its end. */
  readonly sentence: string | undefined;
  /** The tick that was played last, and where in the file the game had read to; undefined if it does not stop. */
  readonly tick: number | undefined;
  readonly offset: number | undefined;
  /** Whether jumping to another tick is possible. Without a keyframe some versions read beyond their list of these. */
  readonly seeks: boolean;
}

export type Found = Omit<GamePlay, 'game' | 'from' | 'before'>;
type Version = Pick<GamePlayed['game'], 'game' | 'version'>;

interface FoundMap {
  readonly sums: { readonly bytes: number; readonly sha256: string };
  /** Whether a game can open it, by its size in the header or by its tables alone. */
  opens(isExact: boolean): boolean;
}

/** What makes games read items as something else, although they play it. */
const misreadings: readonly Code[] = ['content_of_06', 'content_of_07', 'sizes_of_06'];
/** Of these a game reads what was not in the demo. */
const onOther: readonly Code[] = ['no_snapshot_before', 'size_differs'];

/** What the games do with a recording. */
export abstract class GamePlays {
  /** Empty before the end of the file. */
  rows: readonly GamePlay[] = [];

  /**
   * Of a file that can be read to its end: what a game does that should play it to its end, DDNet's last version or, if
   * a demo has its format, Teeworlds. Undefined if they play it.
   */
  get fault(): GamePlay | undefined {
    return this.rows.find(({ play, before, sentence }) => {
      const isDue = before === undefined && !(sentence && isOfFormat.test(sentence));
      return isDue && (play === 'refused' || play === 'crashes' || play === 'stops' || play === 'misread');
    });
  }

  /** {@link fault} as what is said of the file. */
  get notPlayed(): Diagnostic | undefined {
    if (!this.fault) return undefined;
    const { game, from, play, sentence = '', tick = -1, offset = 0, code = '' } = this.fault;
    return { severity: 'warning', code: 'not_played', offset, args: { game, from, play, sentence, tick, code } };
  }
}

/** What the games do with a demo: run by {@link DemoPlayers}, and what is known of its items and its map. */
export class DemoPlays extends GamePlays {
  readonly players: DemoPlayers;
  readonly #codes = new Set<Code>();

  /** @param skipsMessages whether the demo is read without its messages */
  constructor(skipsMessages = false) {
    super();
    this.players = new DemoPlayers(undefined, { skipsMessages });
  }

  /** Notes what else was found in the demo. */
  add({ code }: Diagnostic): void {
    this.#codes.add(code);
  }

  finish(header: DemoHeader, map: FoundMap | undefined): void {
    const { results } = this.players;
    this.rows = joined(results.map((result) => ({ ...result, found: this.#found(result, header, map) })));
  }

  #found({ game, played }: GamePlayed, header: DemoHeader, map: FoundMap | undefined): Found {
    const { outcome, sentence, tick, offset, seeksBeyond } = played;
    const seeks = !seeksBeyond;
    if (outcome === 'refused') return { ...nothing, play: outcome, sentence, seeks: true };
    if (outcome !== 'plays') {
      return { ...nothing, play: outcome === 'undefined' ? 'unknown' : outcome, sentence, tick, offset, seeks };
    }
    const code = this.#misreading({ game, played });
    if (code) return { ...nothing, play: 'misread', code, seeks };
    return { ...nothing, ...this.#needOfMap(game, header, map), seeks };
  }

  #misreading({ game, played: { isOnOther } }: GamePlayed): Code | undefined {
    const candidates = isOnOther ? [...misreadings, ...onOther] : misreadings;
    // Before 18.5 DDNet does not look at the net version.
    if (!game.rules.knows07 && this.#codes.has('content_of_06')) return isOnOther ? 'no_snapshot_before' : undefined;
    return candidates.find((code) => this.#codes.has(code)) ?? (isOnOther ? 'no_snapshot_before' : undefined);
  }

  /**
   * DDNet takes the map of the file for the right one before version 6, where there is no SHA-256. With one it does not
   * look at the CRC: `CClient::LoadMap`. Without it the map cannot be taken out of the file by some versions.
   * What cannot be opened and has the sums of the header is refused: no map at hand has these.
   */
  #needOfMap({ game, version, rules }: GamePlayed['game'], header: DemoHeader, map: FoundMap | undefined) {
    const isOther = this.#codes.has('other_map');
    const hasMap = map !== undefined && map.sums.bytes > 0;
    const isOtherSha256 = header.sha256 !== map?.sums.sha256;
    const isWrong = game === 'Teeworlds' || (header.version >= 6 && isOtherSha256);
    if (hasMap && !map.opens(rules.checksMap)) {
      if (isOther && isOtherSha256) return { play: 'needs_map', code: 'other_map' } as const;
      const { mapName, mapCrc } = header;
      const name = game === 'DDNet' ? mapName : `${mapName}_${crcText(mapCrc)}`;
      return { play: 'refused', sentence: noMap[game].replace('%', () => name) } as const;
    }
    const isStuck = this.#codes.has('no_sha256') && game === 'DDNet' && !isBefore(version, assertsSha256);
    if (hasMap && !(isOther && isWrong) && !isStuck) return { play: 'plays' } as const;
    return { play: 'needs_map', code: isOther ? 'other_map' : undefined } as const;
  }
}

/** Teeworlds plays one version of the format, and no demo that DDNet records has it: that is no fault of the demo. */
const isOfFormat = /demo version \d+ is not supported/;

const decisive = ['play', 'code', 'tick', 'offset', 'seeks'] as const;
/** Of a recording that is played as it is. */
export const nothing = { code: undefined, sentence: undefined, tick: undefined, offset: undefined };

/** Joins neighbouring versions that do the same; what they say may have other words in each, of which the last count. */
export function joined(all: readonly { readonly game: Version; readonly found: Found }[]): GamePlay[] {
  const rows: GamePlay[] = [];
  for (const { game, found } of all) {
    const last = rows.at(-1);
    if (last?.game === game.game && decisive.every((key) => found[key] === last[key])) {
      rows[rows.length - 1] = { ...last, sentence: found.sentence };
      continue;
    }
    if (last?.game === game.game) rows[rows.length - 1] = { ...last, before: game.version };
    rows.push({ game: game.game, from: game.version, before: undefined, ...found });
  }
  return rows;
}

/** Versions are compared number by number, as `19.10` is after `19.9`. */
function isBefore(version: string, other: string): boolean {
  const [a, b] = [version, other].map((text) => text.split('.').map(Number)) as [number[], number[]];
  const at = b.findIndex((part, i) => part !== (a[i] ?? 0));
  return at >= 0 && (a[at] ?? 0) < b[at]!;
}
