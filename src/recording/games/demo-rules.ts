/*
 * The demo players of the games, as data: what each version does, and what it says. Nothing else has version numbers.
 * `playback` is the player that these rules drive.
 *
 * Where the source of a rule changed was found with the games' own code, compiled from their tags, before and after it.
 * A comment says where that was not done.
 */

export interface DemoRules {
  /** The only version of the format that is played, with the only net version; undefined: all from version 3 on. */
  readonly only: { readonly format: number; readonly netVersion: string } | undefined;
  /** Whether a header that is cut, or whose texts are no UTF-8 with a NUL, is refused. */
  readonly checksHeader: boolean;
  /** How the size of the map is read, to skip it. Teeworlds reads the map. */
  readonly mapSize: 'i32' | 'u32' | 'read';
  /** Whether a tick below 0 or from 0x6fffffff on, and a step before a tick, is an error. */
  readonly checksTicks: boolean;
  /** Whether the six low bits of a marker are a step in every version of the format. */
  readonly hasLongSteps: boolean;
  /** What of the whole file is looked at before playing, and refuses it. */
  readonly scan: 'nothing' | 'heads' | 'heads and keyframes' | 'keyframes, if all heads are right';
  /** Whether items have the sizes of 0.7 where the net version begins with it. */
  readonly knows07: boolean;
  /** A delta before the first snapshot is applied to what the player showed last: that of another demo, or nothing. */
  readonly deltaFirst: 'on another demo' | 'stops' | 'skipped';
  /** Whether a code of Huffman that the end of the chunk cuts is an error; otherwise zeros follow. */
  readonly checksCodes: boolean;
  /** Whether an int is read beyond the end of the data, and bit 31 from its fifth byte. */
  readonly readsIntsPastEnd: boolean;
  /** Snapshots with their keys, sorted; their memory is not that of the file. */
  readonly sortsItems: boolean;
  /** Whether a snapshot has at most 1,024 items and 64 KiB; before, a delta makes at most 1,023. */
  readonly limitsSnapshots: boolean;
  /** Whether offsets and sizes have to be multiples of 4. */
  readonly alignsItems: boolean;
  /** What becomes of a delta if an item of its base has a negative type. */
  readonly negativeType: 'kept' | 'refused' | 'assertion';
  /** Whether an update has to have the size of the item in its base. */
  readonly checksSizes: boolean;
  /** Whether the sum of a value and its difference may be beyond 32 bits. */
  readonly overflows: 'wrap' | 'by platform';
  /** Whether the size of a map has to be that of its header: `CDataFileReader::Open`. */
  readonly checksMap: boolean;
  /** Whether jumping in a demo without a keyframe reads memory beyond the list of keyframes. */
  readonly seeksWithout: 'beyond' | 'not';
  readonly says: Readonly<Record<Said, string>>;
}

/** What a demo player says when it refuses a demo or ends it. `%` is a value of the file. */
const sentences = {
  header: 'Error reading demo header',
  format: "Demo version '%' is not supported",
  net_version: '',
  markers: 'Error reading timeline markers',
  sha256: 'Error reading SHA256',
  map: 'Error skipping map data',
  scan: 'Error scanning demo file',
  empty: 'Empty demo',
  end: '',
  chunk_head: 'Error reading chunk header',
  chunk_data: 'Error reading chunk data',
  huffman: 'Error during network decompression',
  ints: 'Error during intpack decompression',
  delta_first: 'Delta snapshot before any full snapshot',
};

export type Said = keyof typeof sentences;

/** Those of Teeworlds, and of DDNet before 17.4; they are in the console only. */
const oldSentences: DemoRules['says'] = {
  ...sentences,
  header: 'is not a demo file',
  format: 'demo version % is not supported',
  net_version: "net version '%' is not supported",
  empty: 'empty demo',
  end: 'end of file',
  chunk_head: 'end of file',
  chunk_data: 'error reading chunk',
  huffman: 'error during network decompression',
  ints: 'error during intpack decompression',
};

/** Versions of a game from one on, up to the next one of the list. */
export interface DemoGame {
  readonly game: 'DDNet' | 'Teeworlds';
  readonly version: string;
  readonly rules: DemoRules;
}

const ddnet164: DemoRules = {
  only: undefined,
  checksHeader: false,
  mapSize: 'i32',
  checksTicks: false,
  hasLongSteps: false,
  scan: 'nothing',
  knows07: false,
  deltaFirst: 'on another demo',
  checksCodes: false,
  readsIntsPastEnd: false,
  sortsItems: false,
  limitsSnapshots: false,
  alignsItems: false,
  negativeType: 'kept',
  checksSizes: false,
  overflows: 'wrap',
  checksMap: false,
  seeksWithout: 'beyond',
  says: oldSentences,
};

/**
 * What changed in DDNet, version after version. 16.4 is the first one: up to 16.2 snapshots were not checked at all.
 * Those of 19.5.1, 19.6.1, 19.7.1 and 19.8.2 have a fix of 19.9. 19.8.1 was replaced on its day, and is left out.
 */
const changes: readonly (readonly [string, Partial<DemoRules>])[] = [
  ['16.4', {}],
  // A `long` has 32 bits in Windows: there nothing is refused.
  ['16.7', { negativeType: 'refused', overflows: 'by platform' }],
  ['16.7.2', { overflows: 'wrap' }],
  ['17.4', { checksHeader: true, checksTicks: true, scan: 'heads', says: sentences }],
  ['18.5', { knows07: true }],
  ['18.6', { limitsSnapshots: true }],
  ['18.9', { mapSize: 'u32' }],
  ['19.2', { scan: 'heads and keyframes', checksMap: true }],
  ['19.4', { scan: 'keyframes, if all heads are right' }],
  ['19.5.1', { checksSizes: true }],
  ['19.6', { checksSizes: false }],
  ['19.6.1', { checksSizes: true }],
  ['19.7', { checksSizes: false }],
  ['19.7.1', { checksSizes: true }],
  ['19.8', { checksSizes: false, negativeType: 'assertion' }],
  ['19.8.2', { checksSizes: true }],
  ['20.0', { deltaFirst: 'stops', checksCodes: true, alignsItems: true }],
  // By the title of ddnet/ddnet#12777.
  ['20.1', { seeksWithout: 'not' }],
];

const teeworlds: DemoRules = {
  ...ddnet164,
  only: { format: 4, netVersion: '0.7 802f1be60a05665f' },
  mapSize: 'read',
  hasLongSteps: true,
  knows07: true,
  deltaFirst: 'skipped',
  readsIntsPastEnd: true,
  sortsItems: true,
};

function versionsOfDdnet(): DemoGame[] {
  let rules = ddnet164;
  return changes.map(([version, changed]) => {
    rules = { ...rules, ...changed };
    return { game: 'DDNet', version, rules };
  });
}

/** The games in the order in which they are told, with the versions of DDNet from the first to the last. */
export const demoGames: readonly DemoGame[] = [
  ...versionsOfDdnet(),
  { game: 'Teeworlds', version: '0.7.5', rules: teeworlds },
];

/** What a game says if it can open no map with the sums of the header. `%` is the name. */
export const noMap: Readonly<Record<DemoGame['game'], string>> = {
  DDNet: "Could not find map '%'",
  Teeworlds: "map 'downloadedmaps/%.map' not found",
};

/** From here on DDNet fails an assertion where it takes the map out of a demo of version 6 without a SHA-256. */
export const assertsSha256 = '19.7';

/** The last version whose source was read. */
export const lastDdnet: string = changes.at(-1)![0];

/** All that the players of any version say, with what it means. An empty sentence is none. */
export const demoSentences: readonly (readonly [said: Said, sentence: string])[] = [sentences, oldSentences].flatMap(
  (says) => (Object.entries(says) as [Said, string][]).filter(([, sentence]) => sentence !== ''),
);
