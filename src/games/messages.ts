import type { Subject } from './check.ts';

export const messages: Subject = {
  about: 'message',
  title: 'Messages',
  source: 'CUnpacker in packer.cpp',
  checks: [
    { code: 'truncated_message', severity: 'error', when: 'field that ends early, or is missing', ddnet: 'dropped' },
    {
      code: 'unterminated_string',
      severity: 'error',
      when: 'string without a NUL',
      ddnet: 'dropped',
      teeworlds: { does: 'dropped', how: 'dropped; at the end of the message, read as empty' },
    },
    { when: 'string that is not UTF-8', ddnet: { does: 'dropped', since: '18.0' }, teeworlds: 'accepted' },
    { code: 'negative_count', severity: 'error', when: 'negative size of data', ddnet: 'dropped' },
    { code: 'excess_bytes', severity: 'warning', when: 'bytes after the last field', ddnet: 'ignored' },
    {
      code: 'unknown_message',
      severity: 'warning',
      when: 'number that no table has',
      ddnet: 'dropped',
      source: 'CServer::ProcessClientPacket in server.cpp, CClient::ProcessServerPacket in client.cpp',
    },
    {
      code: 'wrong_direction',
      severity: 'warning',
      when: "server's message from a client, or a client's from a server",
      ddnet: 'dropped',
    },
    {
      code: 'reserved_message',
      severity: 'warning',
      when: 'number that no game uses, such as snap_small',
      ddnet: 'ignored',
    },
    {
      code: 'other_version_message',
      severity: 'warning',
      when: 'number of the other version',
      ddnet: { does: 'misread', how: 'read as the message with this number' },
    },
    {
      code: 'unshifted_message',
      severity: 'warning',
      when: 'number without the bit of system messages',
      ddnet: { does: 'misread', how: 'read as the message with half the number' },
    },
    {
      code: 'out_of_place',
      severity: 'warning',
      when: 'ready or enter_game before info, info after enter_game',
      ddnet: 'ignored',
      source: 'CServer::ProcessClientPacket in server.cpp',
    },
    {
      code: 'bad_parts',
      severity: 'warning',
      when: 'snapshot of less than 1 or more than 64 parts, or a part that is not among these',
      ddnet: 'ignored',
      source: 'CClient::ProcessServerPacket in client.cpp',
    },
    { when: 'value out of range', ddnet: { does: 'dropped', how: 'dropped in game messages' } },
  ],
};
