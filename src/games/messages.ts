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
    { when: 'string that is not UTF-8', ddnet: 'dropped', teeworlds: 'accepted' },
    { code: 'negative_count', severity: 'error', when: 'negative size of data', ddnet: 'dropped' },
    { code: 'excess_bytes', severity: 'warning', when: 'bytes after the last field', ddnet: 'ignored' },
    { when: 'value out of range', ddnet: { does: 'dropped', how: 'dropped in game messages' } },
  ],
};
