import { describe, expect, it } from 'vitest';
import { readMessage, readPacket } from '../../../src/api/live.ts';
import { messageBytes, writePacket } from '../../../src/wire/packet/write.ts';

describe('a packet that would be another one is refused', () => {
  const bytes = (length: number) => Uint8Array.from({ length }, (_, i) => (i * 37) ^ (i >> 3));
  const chunk = (length: number) => ({ message: bytes(length) });

  it.each([
    ['ack', { ack: 5000 }, 'ack is 5000; it takes an int from 0 to 1023'],
    ['half an ack', { ack: 1.5 }, 'ack is 1.5; it takes an int from 0 to 1023'],
    ['token', { version: '0.7', token: 2 ** 32 }, 'token is 4294967296; it takes an int from 0 to 4294967295'],
    ['a message of 0.6', { chunks: [chunk(1024)] }, 'chunks[0].message has 1024 bytes; it takes at most 1023'],
    [
      'a message of 0.7',
      { version: '0.7', chunks: [chunk(4096)] },
      'chunks[0].message has 4096 bytes; it takes at most 4095',
    ],
    ['a packet of 0.7', { version: '0.7', chunks: [chunk(1392)] }, 'a packet has 1401 bytes; it takes at most 1400'],
    ['a control packet', { control: bytes(1398) }, 'a packet has 1401 bytes; it takes'],
    [
      'sequence',
      { chunks: [{ message: bytes(1), vital: true, sequence: 1024 }] },
      'chunks[0].sequence is 1024; it takes an int from 0 to 1023',
    ],
    [
      'chunks',
      { chunks: Array.from({ length: 256 }, () => chunk(1)) },
      'a packet has 256 chunks; it takes at most 255',
    ],
  ] as const)('%s', (_, content, message) => {
    const version = 'version' in content ? content.version : '0.6';
    const write = () => writePacket(version, content);
    expect(write).toThrow(RangeError);
    expect(write).toThrow(message);
  });

  it.each([
    [{ chunks: [{ message: 'text' }] }, 'chunks[0].message is a string; it takes a Uint8Array'],
    [{ ack: '7' }, 'ack is a string; it takes an int'],
    [{ control: [0] }, 'control is an object; it takes a Uint8Array'],
    [{ control: new Uint8Array(0) }, 'a control packet has the number of its kind, and no chunks'],
  ])('%j', (content, message) => {
    expect(() => writePacket('0.6', content as never)).toThrow(new TypeError(message));
  });

  it.each(['0.5', undefined])('of the version %s', (version) => {
    const message = `packets have the version 0.6 or 0.7, not ${version}`;
    expect(() => writePacket(version as never, {})).toThrow(new TypeError(message));
  });

  it('and the largest one is written', () => {
    for (const [version, size] of [
      ['0.6', 1023],
      ['0.7', 1391],
    ] as const) {
      const packet = readPacket(writePacket(version, { ack: 1023, chunks: [chunk(size)] }), version);
      const [{ start, end } = { start: 0, end: 0 }] = packet.chunks;
      expect([packet.ack, packet.payload.slice(start, end)]).toEqual([1023, bytes(size)]);
    }
  });
});

describe('a message that would be another one is refused', () => {
  const input = {
    ...{ ack_snapshot: -1, intended_tick: 5, input_size: 40, direction: 0, target_x: 0, target_y: 0, jump: 0, fire: 0 },
    ...{ hook: 0, player_flags: 0, wanted_weapon: 0, next_weapon: 0, prev_weapon: 0 },
  };
  const snap = { tick: 1, delta: 2, crc: 3, size: 2, bytes: Uint8Array.of(0, 0) };

  it.each([
    ['0.6', 'input', { ...input, target_x: 2 ** 40 }, 'input.target_x is 1099511627776; it takes an int from -2147'],
    [
      '0.6',
      'input',
      { ...input, target_x: 0.5 },
      'input.target_x is 0.5; it takes an int from -2147483648 to 2147483647',
    ],
    ['0.6', 'input', { ...input, target_x: Number.NaN }, 'input.target_x is NaN; it takes an int from'],
    ['0.6', 'snap_single', { ...snap, size: 3 }, 'snap_single.bytes has 2 bytes; it takes 3'],
    ['0.6', 'sv_motd', { message: 'a\0b' }, 'sv_motd.message has a NUL, which ends a text'],
  ] as const)('%s %s %o', (version, name, fields, message) => {
    const write = () => messageBytes(version, name, fields);
    expect(write).toThrow(RangeError);
    expect(write).toThrow(message);
  });

  it.each([
    ['0.6', 'input', { ...input, target_x: '5' }, 'input.target_x is a string; it takes an int'],
    ['0.6', 'input', { ...input, target_x: null }, 'input.target_x is null; it takes an int'],
    ['0.6', 'sv_motd', { message: 7 }, 'sv_motd.message is a number; it takes a text'],
    ['0.6', 'sv_motd', { mesage: 'x' }, 'sv_motd has no field "mesage"; it has message'],
    ['0.6', 'sv_motd', null, 'sv_motd is null; it takes an object with its fields'],
    ['0.6', 'snap_single', { ...snap, bytes: [0, 0] }, 'snap_single.bytes is an object; it takes a Uint8Array'],
    ['0.8', 'sv_motd', { message: '' }, 'a protocol is one of 0.5, 0.6, 0.7, not 0.8'],
    [7, 'sv_motd', { message: '' }, 'a protocol is one of 0.5, 0.6, 0.7, not undefined'],
  ])('%s %s %o', (version, name, fields, message) => {
    expect(() => messageBytes(version as never, name, fields as never)).toThrow(new TypeError(message));
  });

  it('and the extremes are written', () => {
    for (const target_x of [-(2 ** 31), 2 ** 31 - 1, -1, 0]) {
      const read = readMessage(messageBytes('0.6', 'input', { ...input, target_x }), '0.6');
      expect(read.fields).toMatchObject({ target_x });
    }
  });
});
