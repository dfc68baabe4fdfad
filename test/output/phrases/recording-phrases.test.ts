import { describe, expect, it } from 'vitest';
import { messageLine, oddityText, packetFinding, whereOf } from '../../../src/output/phrases/recording-phrases.ts';
import { messageName, readMessage } from '../../../src/wire/packet/message.ts';
import { messageBytes } from '../../support/recording.ts';

const read = (bytes: Uint8Array) => readMessage(bytes, 0, bytes.length, '0.6', { padded: true });

describe('of a capture', () => {
  it('a message is a line, with all its values', () => {
    const chat = read(messageBytes('0.6', 'sv_chat', [0, 3, 'say "hi"\u001b[2J']));
    expect(messageLine(chat)).toBe(String.raw`sv_chat team=0 (all) client_id=3 message="say \"hi\"\u{1b}[2J"`);
    const named = messageLine(chat, undefined, (client) => (client === 3 ? 'nameless tee' : undefined));
    expect(named).toContain('client_id=3 (nameless tee) message=');
    // Its last value is cut off.
    expect(messageLine(read(Uint8Array.from([3 << 1, 0])))).toBe('sv_chat team=0 (all)');
    // map_data: last, crc, chunk, and the size of the data that follows.
    expect(messageLine(read(Uint8Array.from([(3 << 1) | 1, 1, 2, 3, 2, 0xaa, 0xbb])))).toMatch(
      /^map_data last=1 crc=2 chunk=3 .*data=\(2 bytes\)$/,
    );
  });

  it('an unknown message has its number, or its UUID', () => {
    expect(messageName(read(Uint8Array.from([0xba, 1])))).toBe('unknown message 61');
    const uuid = Array.from({ length: 16 }, (_, i) => i);
    expect(messageName(read(Uint8Array.from([0, ...uuid])))).toBe(
      'unknown message 00010203-0405-0607-0809-0a0b0c0d0e0f',
    );
    expect(messageName(read(Uint8Array.from([0xbb, 1])))).toBe('unknown system message 61');
  });

  it('a message with the flag of the others has its name', () => {
    const kill = Buffer.from('ee610b6f909f311e93f711a95f55a086', 'hex');
    expect(messageName(read(Uint8Array.from([1, ...kill, 3, 0])))).toBe('sv_killmsgteam as a system message');
  });

  it('a snapshot is named by its ticks', () => {
    expect(whereOf({ tick: 31290, base: 31282 })).toBe('tick 31290 on base 31282');
    expect(whereOf({ tick: 31290, base: -1 })).toBe('tick 31290 on the empty snapshot');
  });

  it('what is odd has its frame, which is the first one of several', () => {
    const odd = { code: 'empty_demo', args: {}, frame: 5 } as const;
    expect(oddityText(odd, 1)).toMatch(/^empty_demo, frame 5: (?!.*times)/);
    expect(oddityText(odd, 2)).toMatch(/^empty_demo, first in frame 5: .*, 2 times$/);
  });

  it('a packet that ends early is reported with the reason', () => {
    const record = { frame: 12, diagnostic: { severity: 'error', code: 'huffman_no_eof' } } as Parameters<
      typeof packetFinding
    >[0];
    expect(packetFinding(record)).toBe("packet 12 can't be read to its end: huffman_no_eof");
  });
});
