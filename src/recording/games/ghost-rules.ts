/*
 * The ghost loaders of the games, as data, as those of demos are: `CGhostLoader` and `CGhost::Load` of DDNet, which is the
 * only game that has ghosts. The map of a ghost is taken to be the one that is played; others are refused.
 */

export interface GhostRules {
  /** Whether texts without a NUL or that are no UTF-8, and a header that is cut, are refused. */
  readonly checksHeader: boolean;
  /** Bytes that are read as a header, also of versions that have no SHA-256. */
  readonly oldHeaderBytes: 101 | 133;
  /** Whether an item has to be in its chunk; otherwise memory is read, which has what earlier chunks left. */
  readonly checksItems: boolean;
  /** Whether characters with and without ticks may be in one ghost. */
  readonly mixesCharacters: boolean;
  /** Whether the game ends itself if an item is the difference to one of another type: in version 4. */
  readonly failsOnTypes: boolean;
  /** @see DemoRules.checksCodes */
  readonly checksCodes: boolean;
  readonly says: Readonly<Record<GhostSaid, string>>;
}

/**
 * What a ghost loader says when it refuses a ghost, or stops reading it. `%` is a value of the file. What it says before
 * names the file, and is left out. An empty sentence is none.
 */
const sentences = {
  header: 'failed to read header',
  magic: 'invalid header marker',
  version: "ghost version '%' is not supported",
  sha256: 'failed to read header map SHA256',
  owner: 'owner name is invalid',
  map: 'map name is invalid',
  ticks: "number of ticks '%' is invalid",
  time: "time '%' is invalid",
  chunk_head: 'chunk header truncated',
  chunk_size: 'invalid chunk header size',
  chunk_data: 'error reading chunk data',
  huffman: 'error during network decompression',
  ints: 'error during intpack decompression',
  too_many: 'Failed to read ghost data: too many ghost characters',
  mixed: 'Failed to read ghost data: ghost character with and without tick cannot be mixed',
  skin: 'Failed to read ghost data: failed to read skin',
  character_without_tick: 'Failed to read ghost data: failed to read ghost character (without tick)',
  character: 'Failed to read ghost data: failed to read ghost character (with tick)',
  start: 'Failed to read ghost data: failed to read start tick',
  count: "Failed to read all ghost data (got '%' ticks, wanted '%' ticks)",
};

export type GhostSaid = keyof typeof sentences;

/** Versions of DDNet from one on, up to the next one of the list. */
export interface GhostGame {
  readonly game: 'DDNet';
  readonly version: string;
  readonly rules: GhostRules;
}

const notSaid = "Failed to read all ghost data (error='1', got '%' ticks, wanted '%' ticks)";

const ddnet164: GhostRules = {
  checksHeader: false,
  oldHeaderBytes: 133,
  checksItems: false,
  mixesCharacters: true,
  failsOnTypes: false,
  checksCodes: false,
  says: {
    ...sentences,
    magic: 'is not a ghost file',
    version: 'ghost version % is not supported',
    ticks: 'invalid header info',
    time: 'invalid header info',
    chunk_head: '',
    chunk_size: '',
    chunk_data: 'error reading chunk',
    too_many: 'invalid ghost data',
    count: 'invalid ghost data',
  },
};

/** What changed, version after version. 16.4 is the first one that was compiled. */
const changes: readonly (readonly [string, Partial<GhostRules>])[] = [
  ['16.4', {}],
  [
    '18.7',
    {
      checksHeader: true,
      checksItems: true,
      says: {
        ...sentences,
        chunk_head: '',
        too_many: notSaid,
        skin: notSaid,
        character_without_tick: notSaid,
        character: notSaid,
        start: notSaid,
        count: notSaid.replace('1', '0'),
      },
    },
  ],
  ['19.9', { oldHeaderBytes: 101, mixesCharacters: false, failsOnTypes: true, says: sentences }],
  ['20.0', { checksCodes: true }],
];

function versionsOfDdnet(): GhostGame[] {
  let rules = ddnet164;
  return changes.map(([version, changed]) => {
    rules = { ...rules, ...changed };
    return { game: 'DDNet', version, rules };
  });
}

export const ghostGames: readonly GhostGame[] = versionsOfDdnet();
