import type { LogSentenceCode } from '../../recording/games/log-sentences.ts';

/** What a sentence of a game's log means, and what to look at next. */
export interface LogPhrase {
  readonly meaning: string;
  /** A command, or who can tell. */
  readonly next: string;
}

const info = 'tw-snap info FILE.demo: where it is damaged, and which game plays it';
const repair = 'tw-snap repair FILE.demo -o out.demo';
const capture = 'a capture (tcpdump -w server.pcap udp port 8303), and tw-snap explain on it';
const invalidItem = {
  meaning: 'the program was about to write an item that the format has no room for: an error of the program',
  next: 'the newest version of the client or server; else report it with the version',
};

export const logPhrases: Readonly<Record<LogSentenceCode, LogPhrase>> = {
  demo_huffman: {
    meaning: "a chunk's Huffman code can't be decompressed: the demo is damaged there",
    next: info,
  },
  demo_ints: { meaning: "a chunk's varints can't be unpacked: the demo is damaged there", next: info },
  demo_chunk_data: { meaning: 'the demo ends within a chunk, or the lengths of its chunks are damaged', next: info },
  demo_chunk_head: { meaning: 'the demo ends within a chunk, or the lengths of its chunks are damaged', next: info },
  demo_end: {
    meaning: 'the demo ends where a chunk should be; older versions say so at the end of a whole demo, too',
    next: info,
  },
  demo_format: {
    meaning: 'the demo is of a version that this game does not read',
    next: `${info}; edit --demo-version writes another`,
  },
  demo_net_version: { meaning: 'the demo is of another network version than this game plays', next: info },
  demo_markers: { meaning: 'the demo ends within its header', next: info },
  demo_sha256: { meaning: 'the demo ends within its header', next: info },
  demo_delta_first: {
    meaning: 'the demo begins with a difference, without the snapshot that it refers to',
    next: repair,
  },
  demo_empty: { meaning: 'no tick is in the demo: nothing was recorded, or its first chunk is damaged', next: info },
  demo_scan: { meaning: 'the ticks or lengths of its chunks make no sense: the demo is damaged', next: info },
  demo_map: { meaning: 'the demo ends within its map', next: info },
  demo_seek: { meaning: 'the file changed or was cut while it was played', next: info },
  demo_other: { meaning: 'the player stopped; no sentence of DDNet at 2026-08 says so', next: info },
  demo_delta: {
    meaning: 'a snapshot of the demo was left out: its difference does not fit',
    next: 'tw-snap checksum FILE.demo',
  },
  demo_header: { meaning: 'the demo is shorter than its header, or its header is damaged', next: info },
  demo_snapshot: {
    meaning: 'a snapshot could not be written into the demo that is recorded: it has a hole there',
    next: capture,
  },
  snapshot_validate: {
    meaning:
      'a snapshot was dropped after its checksum was right; error -4: it would hold more items than a snapshot may',
    next: capture,
  },
  snapshot_translate: {
    meaning: 'a snapshot of a 0.7 server could not be turned into one of 0.6, and was dropped',
    next: capture,
  },
  snapshot_item_type: invalidItem,
  snapshot_item_id: invalidItem,
  snapshot_item_size: invalidItem,
  snapshot_types_full: {
    meaning: 'a server or mod registers more extended item types than the format holds, 64',
    next: capture,
  },
  ghost_version: {
    meaning: 'the game no longer reads ghosts of this version; the file is not damaged',
    next: 'tw-snap info FILE.gho',
  },
  ghost_map: {
    meaning: 'the ghost was driven on another map, or on another version of it',
    next: 'tw-snap info FILE.gho: its map and hash',
  },
  ghost_header: {
    meaning: 'the header of the ghost is damaged or not written by the game',
    next: 'tw-snap info FILE.gho',
  },
  ghost_chunk: { meaning: 'the ghost is damaged or cut after its header', next: 'tw-snap info FILE.gho' },
  token_mismatch: {
    meaning: 'a packet with the token of another connection was dropped: an old one, or somebody else at this address',
    next: 'nothing, unless it goes on: then a capture (tcpdump -w server.pcap udp port 8303)',
  },
  token_unsupported: { meaning: 'the server knows no tokens: one of Teeworlds 0.6 or an old mod', next: 'nothing' },
  wrong_version: {
    meaning: 'the client speaks another version than the server, which refuses it',
    next: 'a client of the same version, or a server that accepts both, as DDNet does (sv_sixup 1)',
  },
  wrong_password: { meaning: 'the server asks for a password, and got none or another', next: 'the password' },
  server_full: { meaning: 'no slot was free', next: 'tw-snap info server.pcap: who is connected' },
  timeout: {
    meaning: 'nothing was heard from the other side for the time-out (conn_timeout)',
    next: `${capture}: whether the other side went on sending`,
  },
  weak_connection: { meaning: 'the other side was heard, but did not acknowledge what was sent', next: capture },
  too_many_connections: {
    meaning: 'the server limits how often one address may connect (sv_connlimit)',
    next: 'waiting, or the server’s settings',
  },
  server_shutdown: { meaning: 'the server ended', next: "the server's own log" },
  map_missing: {
    meaning: 'the client does not have the map, and downloads it',
    next: 'nothing, if it joins afterwards',
  },
  map_differs: {
    meaning: 'the client has another map of this name, and downloads the right one',
    next: 'nothing, if it joins afterwards',
  },
  network_drop: { meaning: 'a message that a 0.7 server does not know was not sent', next: 'nothing' },
};
