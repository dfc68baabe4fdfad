import type { Subject } from './check.ts';

export const connections: Subject = {
  about: 'connection',
  title: 'Connections',
  source: 'CNetConnection::Feed in network_conn.cpp',
  checks: [
    { code: 'wrong_token', severity: 'warning', when: 'wrong token', ddnet: 'dropped' },
    {
      code: 'wrong_ack',
      severity: 'warning',
      when: "ack lower than the last one, or higher than the other side's last sequence number, with or without tokens",
      ddnet: 'dropped',
    },
    { when: 'vital chunk out of order', ddnet: { does: 'ignored', how: 'ignored, resend requested' } },
  ],
};
