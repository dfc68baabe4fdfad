import type { Subject } from './check.ts';

export const connections: Subject = {
  about: 'connection',
  title: 'Connections',
  source: 'CNetConnection::Feed in network_conn.cpp',
  checks: [
    {
      code: 'wrong_token',
      severity: 'warning',
      when: 'wrong token',
      ddnet: 'dropped',
      teeworlds: { does: 'dropped', how: 'dropped, but its ack counts' },
    },
    {
      code: 'accept_token',
      severity: 'warning',
      when: "accept of 0.7 that repeats the server's token as another one",
      ddnet: { does: 'ignored', how: 'not looked at; servers of DDNet send its bytes in the order of their memory' },
      teeworlds: { does: 'ignored', how: 'not looked at; its servers repeat none' },
      source: 'CNetServer::OnSixupCtrlMsg in network_server.cpp, CNetConnection::Feed in network_conn.cpp',
    },
    {
      code: 'wrong_ack',
      severity: 'warning',
      when: "ack lower than the last one, or higher than the other side's last sequence number, with or without tokens",
      ddnet: 'dropped',
    },
    {
      code: 'mostly_rejected',
      severity: 'warning',
      when: 'most packets of a server with a token, an ack or a tick that its client does not expect',
      ddnet: 'dropped',
    },
    {
      code: 'changed_chunk',
      severity: 'warning',
      when: 'vital chunk sent again with other content',
      ddnet: { does: 'ignored', how: 'the first one that arrives in its turn counts; one that comes early is dropped' },
      source: 'CPacketChunkUnpacker::UnpackNextChunk (Teeworlds: CNetRecvUnpacker::FetchChunk) in network.cpp',
    },
    {
      code: 'changed_part',
      severity: 'warning',
      when: 'part of a snapshot with another number of parts, checksum or base than those before, or other content',
      ddnet: { does: 'accepted', how: 'the last counts' },
      source: 'CClient::ProcessServerPacket in client.cpp',
    },
    { when: 'vital chunk out of order', ddnet: { does: 'ignored', how: 'ignored, resend requested' } },
  ],
};
