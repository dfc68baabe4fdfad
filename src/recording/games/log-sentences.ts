import { demoSentences } from './demo-rules.ts';

/*
 * What the games write into their logs about what they read, as people paste it into reports. `src/analysis/explain`
 * finds the rows in a log; `src/output/phrases/log-phrases.ts` says what each means and where to look next. Wrong
 * checksums and dropped items have numbers that are compared, so `src/analysis/explain/log.ts` reads those itself.
 *
 * A row is added when its sentence was seen in a log or a report. Sources are of DDNet at 2026-08, unless said.
 */

export interface LogSentence {
  readonly code: LogSentenceCode;
  readonly pattern: RegExp;
  /** Whether the game goes on as if nothing had happened. */
  readonly isHarmless: boolean;
  /** The file and function that writes it. */
  readonly source: string;
}

const table = [
  // The demo player says more than its own table has: `CDemoPlayer` in src/engine/shared/demo.cpp.
  row('demo_seek', /(?<=due to error: )(Error seeking keyframe position)/, 'CDemoPlayer::SeekPercent'),
  row('demo_scan', /Unrecoverable error on incrementally \w+/, 'CDemoPlayer::ScanFile'),
  row('demo_other', /demo_player[\]:]+ (?:E )?Stopped playback due to error: (.+)/, 'CDemoPlayer::Stop'),
  row(
    'demo_delta',
    /(Error unpacking snapshot delta|Snapshot delta invalid|Snapshot invalid)\. DataSize=/,
    'CDemoPlayer::DoTick',
  ),
  row('demo_snapshot', /demo snapshot failed\. error=(-?\d+)/, 'CClient::ProcessServerPacket'),

  // Snapshots: src/engine/client/client.cpp and src/engine/shared/snapshot.cpp.
  row('snapshot_validate', /unpack snapshot and validate failed\. error=(-?\d+)/, 'CClient::UnpackAndValidateSnapshot'),
  row('snapshot_translate', /failed to translate snapshot\. error=(-?\d+)/, 'CGameClient::TranslateSnap'),
  row('snapshot_item_type', /Invalid snap item (Type: -?\d+)/, 'CSnapshotBuilder::NewItem, an assertion'),
  row('snapshot_item_id', /Invalid snap item (Id: -?\d+)/, 'CSnapshotBuilder::NewItem, an assertion'),
  row('snapshot_item_size', /Invalid snap item (Size: -?\d+)/, 'CSnapshotBuilder::NewItem, an assertion'),
  row('snapshot_types_full', /too many extended (?:item )?types/i, 'CSnapshotBuilder::AddExtendedItemType'),

  // Ghosts: `CGhostLoader` in src/engine/client/ghost.cpp.
  row('ghost_version', /ghost_loader.*ghost version '?(\d+)'? is not supported/, 'CGhostLoader::ValidateHeader'),
  row(
    'ghost_map',
    /ghost_loader.*(?:map (?:SHA256|CRC) mismatch|does not match current map|map '[^']*' (?:crc|sha256))/i,
    'CGhostLoader::CheckHeaderMap',
  ),
  row(
    'ghost_header',
    /ghost_loader.*(failed to read header[^.]*|invalid header marker|(?:owner|map) name is invalid|(?:number of ticks|time) '[^']*' is invalid)/,
    'CGhostLoader::ValidateHeader',
  ),
  row(
    'ghost_chunk',
    /ghost_loader.*(chunk header truncated|invalid chunk header size|error reading chunk data|error during (?:network|intpack) decompression|not enough data)/,
    'CGhostLoader::ReadChunk',
  ),

  // Connections: src/engine/shared/network_conn.cpp, src/engine/server/server.cpp.
  row('token_mismatch', /token mismatch, expected (\S+) got (\S+)/, 'CNetConnection::Feed', true),
  row('token_unsupported', /token not supported by server/, 'CNetConnection::Feed', true),
  row('wrong_version', /Wrong version\. Server is running '([^']*)' and client '([^']*)'/, 'CServer::OnNetMsgInfo'),
  row('wrong_password', /(?:reason|error)='(Wrong password)'/, 'CServer::OnNetMsgInfo'),
  row('server_full', /(?:reason|error)='(This server is full)'/, 'CServer::OnNetMsgInfo'),
  row('timeout', /(?:reason|error)='(Timeout)'/, 'CNetConnection::Update'),
  row('weak_connection', /(?:reason|error)='([Tt]oo weak connection[^']*)'/, 'CNetConnection::Update'),
  row('too_many_connections', /Too many connections in a short time/, 'CNetServer::OnPreConnMsg'),
  row('server_shutdown', /(?:reason|error)='(Server shutdown)'/, 'CServer::Run'),
  row('map_missing', /map '([^']+)' not found/, 'CClient::LoadMap', true),
  row('map_differs', /map differs from the server\. (\S+) != (\S+)/, 'CClient::LoadMap', true),
  row('network_drop', /0\.7 DROP send sys (\d+)/, 'CClient::SendMsg', true),
] as const;

/**
 * What the demo players say. Sentences of Teeworlds and of DDNet before 17.4 begin in lower case, and may stand in other
 * lines as well: they count behind the name of the player. That is looked for where the words were found: before them, it
 * would be looked for at each character of a long line.
 */
const ofDemos = demoSentences.map(([said, sentence]) => {
  const words = sentence.replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&').replace(/'?%'?/, "'?[^']*'?");
  const isOld = /^[a-z]/.test(sentence);
  return {
    code: `demo_${said}` as const,
    pattern: new RegExp(isOld ? `${words}(?<=demo_player.*)` : words),
    isHarmless: false,
    source: 'CDemoPlayer',
  };
});

export const logSentences: readonly LogSentence[] = [...ofDemos, ...table];

function row<Code extends string>(code: Code, pattern: RegExp, source: string, isHarmless = false) {
  return { code, pattern, isHarmless, source };
}

export type LogSentenceCode = (typeof table)[number]['code'] | (typeof ofDemos)[number]['code'];
