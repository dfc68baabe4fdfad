import type { Subject } from './check.ts';

const unpackMessageId = 'UnpackMessageId in protocol_ex.cpp';
const ofClient = 'CClient::ProcessServerPacket in client.cpp';
const ofServer = 'CServer::ProcessClientPacket in server.cpp';
const ofGame = 'CGameContext::OnMessage in gamecontext.cpp, CGameClient::OnMessage in gameclient.cpp';

export const messages: Subject = {
  about: 'message',
  title: 'Messages',
  source: 'CUnpacker in packer.cpp',
  checks: [
    {
      code: 'truncated_message',
      severity: 'error',
      when: 'field that ends early, or is missing',
      ddnet: { does: 'dropped', how: 'dropped; tune params and teams are read up to there' },
      teeworlds: {
        does: 'dropped',
        how: 'dropped; a text that is missing at the end is read as empty',
      },
      source: `CUnpacker in packer.cpp, ${ofGame}`,
    },
    { code: 'unterminated_string', severity: 'error', when: 'string without a NUL', ddnet: 'dropped' },
    { when: 'string that is not UTF-8', ddnet: { does: 'dropped', since: '18.0' }, teeworlds: 'accepted' },
    { code: 'negative_count', severity: 'error', when: 'negative size of data', ddnet: 'dropped' },
    {
      code: 'negative_count',
      severity: 'warning',
      when: 'game message of 0.7: negative number of vote options',
      ddnet: { does: 'accepted', how: 'read as none' },
      source: 'CGameClient::TranslateGameMsg in sixup_translate_game.cpp, CGameClient::OnMessage in gameclient.cpp',
    },
    { code: 'excess_bytes', severity: 'warning', when: 'bytes after the last field', ddnet: 'ignored' },
    {
      code: 'out_of_bounds',
      severity: 'warning',
      when: 'game message: value outside the bounds of its field',
      ddnet: 'dropped',
      source: 'CNetObjHandler::SecureUnpackMsg, which datasrc/compile.py writes',
    },
    {
      when: 'game message: client number from 64 to 127; `out_of_bounds` for a client that says its version, otherwise `info` counts them',
      ddnet: { does: 'accepted', since: '19.0', before: 'dropped' },
      teeworlds: 'dropped',
      source: 'CNetObjHandler::SecureUnpackMsg; MAX_CLIENTS in protocol.h',
    },
    {
      when: 'game message of 0.7: number of players from 65 to 128; `out_of_bounds`, as a note',
      ddnet: { does: 'accepted', since: '19.0', before: 'dropped' },
      teeworlds: 'dropped',
      source:
        'CNetObjHandler::SecureUnpackMsg; CGameContext::SendSettings in gamecontext.cpp; MAX_CLIENTS in protocol.h',
    },
    {
      code: 'unknown_message',
      severity: 'warning',
      when: 'number or UUID that no table has',
      ddnet: 'dropped',
      source: `${unpackMessageId}, ${ofServer}, ${ofClient}`,
    },
    {
      code: 'wrong_direction',
      severity: 'warning',
      when: "server's message from a client, or a client's from a server",
      ddnet: { does: 'ignored', how: 'ignored: a system message as an unknown one, one of the game after it is read' },
      source: `${ofServer}, ${ofClient}, ${ofGame}`,
    },
    {
      code: 'wrong_flag',
      severity: 'warning',
      when: 'message with a UUID, with the bit of system messages though it is one of the game, or the other way round',
      ddnet: 'dropped',
      teeworlds: { does: 'dropped', how: 'dropped: it knows no UUIDs' },
      source: `${unpackMessageId}, ${ofServer}, ${ofClient}`,
    },
    {
      code: 'reserved_message',
      severity: 'warning',
      when: 'number that no game uses: snap_small',
      ddnet: 'ignored',
      source: `${ofServer}, ${ofClient}`,
    },
    {
      when: '0.6: sv_extraprojectile, which servers of DDNet before 16.0 and of Teeworlds before 0.6.4 send for shots',
      ddnet: { does: 'ignored', since: '16.0', before: 'accepted' },
      teeworlds: { does: 'ignored', how: 'ignored from 0.6.4' },
      source: 'CGameClient::OnMessage in gameclient.cpp, CCharacter::FireWeapon in character.cpp',
    },
    {
      code: 'other_version_message',
      severity: 'warning',
      when: 'number of the other version',
      ddnet: { does: 'misread', how: 'read as the message with this number' },
      source: `${ofServer}, ${ofClient}`,
    },
    {
      code: 'unshifted_message',
      severity: 'warning',
      when: 'number without the bit of system messages',
      ddnet: { does: 'misread', how: 'read as the message with half the number' },
      source: `${unpackMessageId}, ${ofServer}, ${ofClient}`,
    },
    {
      code: 'out_of_place',
      severity: 'warning',
      when: 'ready or enter_game before info, info after enter_game',
      ddnet: { does: 'ignored', how: 'ignored, but ready is answered with con_ready' },
      teeworlds: 'ignored',
      source: ofServer,
    },
    {
      code: 'bad_parts',
      severity: 'warning',
      when: 'snapshot of less than 1 or more than 64 parts, a part that is not among these, or of more than 900 bytes',
      ddnet: 'dropped',
      source: ofClient,
    },
    {
      when: 'part of a snapshot, not the last, of less than 900 bytes (`bad_parts`)',
      ddnet: { does: 'misread', how: 'with older bytes in the gap' },
      source: ofClient,
    },
    {
      when: 'message of a client in a chunk that is not vital, other than input, ping and ping_ex',
      ddnet: 'dropped',
      source: ofServer,
    },
  ],
};
