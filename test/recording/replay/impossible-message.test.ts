import { describe, expect, it } from 'vitest';
import { impossibleMessage, intsByFirstByte, isOfInts } from '../../../src/recording/replay/impossible-message.ts';
import { ByteBuffer } from '../../../src/wire/bytes/buffers.ts';
import { packInts } from '../../../src/wire/codec/varint.ts';
import { readMessage, readMessageHead } from '../../../src/wire/packet/message.ts';
import { protocolOf } from '../../../src/wire/protocol/registry.ts';

function packed(...ints: readonly number[]): Uint8Array {
  const into = new ByteBuffer();
  packInts(Int32Array.from(ints), 0, ints.length, into);
  return into.bytes.slice(0, into.length);
}

const protocol = protocolOf('0.6');
/** `NETMSG_INPUT` of 0.6 is system message 16; three ints and the ten of `CNetObj_PlayerInput` follow. */
const input = (16 << 1) | 1;
const values = [1200, 1201, 40, -1, 300, -200, 0, 1, 0, 1, 0, 0, 0];

describe('a look at the bytes of a message', () => {
  const { [input]: count } = intsByFirstByte(protocol, 'client');

  it('knows the ints of those that consist of nothing else, at the end that sends them', () => {
    expect(count).toEqual({ least: values.length, most: values.length });
    expect(intsByFirstByte(protocol, 'server')[input]).toBeUndefined();
    // `NETMSG_INFO` has texts, `NETMSG_ENTERGAME` has nothing.
    expect(intsByFirstByte(protocol, 'client')[(1 << 1) | 1]).toBeUndefined();
    expect(intsByFirstByte(protocol, 'client')[(15 << 1) | 1]).toBeUndefined();
  });

  it('knows that the last int of an input of 0.7 may be left out', () => {
    // `NETMSG_INPUT` of 0.7 is system message 20. After the ten ints of the input a client may send one more, of its
    // ping.
    const input07 = (20 << 1) | 1;
    const counted = intsByFirstByte(protocolOf('0.7'), 'client')[input07]!;
    const isSound = (count: number) => isOfInts(packed(input07, ...values, 5, 5).subarray(0, -2 + count), counted);
    expect([-1, 0, 1, 2].map(isSound)).toEqual([false, true, true, false]);
  });

  it.each([
    ['sound', packed(input, ...values), true],
    ['an int too few', packed(input, ...values.slice(1)), false],
    ['an int too many', packed(input, ...values, 7), false],
    ['cut in an int', packed(input, ...values.slice(1), 5000).slice(0, -1), false],
    ['an overlong int', Uint8Array.of(...packed(input, ...values.slice(1)), 0x81, 0x00), false],
    ['an int of five bytes, in doubt', packed(input, ...values.slice(1), 2 ** 31 - 1), false],
  ])('%s', (_, bytes, isSound) => {
    expect(isOfInts(bytes, count!)).toBe(isSound);
    if (!isSound) return;
    const read = { message: readMessage(bytes, 0, bytes.length, protocol) };
    expect(impossibleMessage(readMessageHead(bytes, protocol), bytes, 'client', protocol, read)).toBeUndefined();
  });
});

it('a text that is not UTF-8 is a warning: DDNet drops the message from 18.0 on', () => {
  const bytes = Uint8Array.of(1 << 1, 0x61, 0xe9, 0);
  const protocol = protocolOf('0.6');
  const read = { message: readMessage(bytes, 0, bytes.length, protocol) };
  const found = impossibleMessage(readMessageHead(bytes, protocol), bytes, 'server', protocol, read);
  expect(found).toMatchObject({ code: 'not_utf8', args: { message: 'sv_motd', field: 'message' }, weight: 'warning' });
});

// A mod's chat with a field more: the game message 3 is 6 without the bit, and any ints are tune params. The games read
// the chat, and ignore what follows.
it.each([
  ['0.6', [0, 0, 'x'.charCodeAt(0), 0]],
  ['0.7', [1, 0, -1, 'x'.charCodeAt(0), 0]],
] as const)('a chat of %s with bytes after it is no message without its bit', (version, chat) => {
  const bytes = packed(3 << 1, ...chat, 1, 2, 3, 4, 5, 6, 7, 1);
  const protocol = protocolOf(version);
  const read = { message: readMessage(bytes, 0, bytes.length, protocol) };
  const found = impossibleMessage(readMessageHead(bytes, protocol), bytes, 'server', protocol, read);
  expect(found).toMatchObject({ code: 'excess_bytes', weight: 'warning', args: { message: 'sv_chat' } });
});

describe('the player slots of 0.7', () => {
  // `NETMSGTYPE_SV_SERVERSETTINGS` of 0.7 is game message 17. MAX_CLIENTS, the bound of its last int, is 64 in Teeworlds
  // 0.7.5, and 128 in DDNet from 19.0, whose servers send as many.
  it.each([
    [64, undefined],
    [128, 'note'],
    [129, 'warning'],
  ])('%d: %s', (slots, weight) => {
    const bytes = packed(17 << 1, 1, 0, 1, 0, 0, slots);
    const protocol = protocolOf('0.7');
    const read = { message: readMessage(bytes, 0, bytes.length, protocol) };
    const found = impossibleMessage(readMessageHead(bytes, protocol), bytes, 'server', protocol, read);
    expect(found?.weight).toBe(weight);
    expect(found?.code).toBe(weight && 'out_of_bounds');
  });
});
