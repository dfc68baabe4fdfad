import { describe, expect, it } from 'vitest';
import { InfoExchange } from '../../../src/recording/replay/info-exchange.ts';
import { maxRequests } from '../../../src/recording/replay/limits.ts';
import { Datagrams } from '../../../src/recording/replay/replay.ts';
import { type Bytes, text } from '../../support/bytes.ts';
import { ints } from '../../support/packet-builder.ts';

// Packets as `CServer::ProcessConnlessPacket` and `SendServerInfoConnless` of the games read and write them.

const [client, server] = ['10.0.0.1', '10.0.0.2'];
const up = { source: client, sourcePort: 50000, destination: server, destinationPort: 8303 };
const down = { source: server, sourcePort: 8303, destination: client, destinationPort: 50000 };

const mark: Bytes = [255, 255, 255, 255, 255, 255];
const marker: Bytes = [255, 255, 255, 255];
const extended = (high: Bytes): Bytes => [0x78, 0x65, ...high, 0, 0];
const packet = (...parts: Bytes[]) => Uint8Array.from(parts.flat());
const ask = (token: number, head = mark) => packet(head, marker, text('gie3'), [token]);
const answer = (token: number, name = 'inf3') =>
  packet(mark, marker, text(name), text(String(token)), [0], text('0.6.4'), [0], text('a server'), [0]);

function exchanged(...packets: readonly (readonly [Uint8Array, typeof up])[]) {
  const exchange = new InfoExchange();
  for (const [frame, [bytes, ends]] of packets.entries()) exchange.add(bytes, ends, { time: 0, frame });
  return exchange.counts;
}

it('an answer repeats the token of its request', () => {
  expect(exchanged([ask(7), up], [answer(7), down])).toMatchObject({
    asked: 1,
    answered: 1,
    unasked: 0,
    otherToken: 0,
  });
  expect(exchanged([ask(7), up], [answer(8), down])).toMatchObject({ asked: 1, answered: 0, otherToken: 1 });
});

it("DDNet's extended request has the upper bits before it, which a server without the extension leaves out", () => {
  const request = ask(0x2c, extended([0x12, 0x34]));
  expect(exchanged([request, up], [answer(0x12342c, 'iext'), down])).toMatchObject({ answered: 1 });
  expect(exchanged([request, up], [answer(0x2c), down])).toMatchObject({ answered: 1 });
  expect(exchanged([request, up], [answer(0x99342c, 'iext'), down])).toMatchObject({ answered: 0, otherToken: 1 });
});

it('a request without an answer, and answers to one that was not seen, are told apart', () => {
  expect(exchanged([ask(1), up], [ask(2), up], [answer(1), down])).toMatchObject({ asked: 2, answered: 1 });
  expect(exchanged([answer(1), down])).toMatchObject({ asked: 0, unasked: 1 });
  // Of another server, with the token that this one was asked with.
  const other = { ...down, source: '10.0.0.3' };
  expect(exchanged([ask(1), up], [answer(1), other])).toMatchObject({
    asked: 1,
    answered: 0,
    unasked: 0,
    otherServer: 1,
  });
  expect(exchanged([ask(1), up], [answer(2), other])).toMatchObject({ unasked: 1, otherServer: 0 });
});

it('a request that is answered twice is answered once', () => {
  expect(exchanged([ask(1), up], [answer(1), down], [answer(1), down])).toMatchObject({ answered: 1, otherToken: 0 });
});

it('what a server sends to its players has the token -1', () => {
  expect(exchanged([answer(-1, 'iext'), down])).toMatchObject({ announced: 1, unasked: 0 });
});

it('0.7 has an int, behind two tokens', () => {
  const head = (...tokens: Bytes[]): Bytes => [0x21, ...tokens.flat()];
  const tokens = [
    [1, 2, 3, 4],
    [5, 6, 7, 8],
  ] as const;
  const request = packet(head(...tokens), marker, text('gie3'), ints(300));
  const reply = packet(head(...tokens), marker, text('inf3'), ints(300), text('0.7.5'), [0]);
  expect(exchanged([request, up], [reply, down])).toMatchObject({ asked: 1, answered: 1 });
});

it('an answer over 1,400 bytes answers nothing: the buffer of `net_udp_recv` has no room for more', () => {
  const long = packet([...answer(1)], new Array(1400).fill(0x61), [0]);
  expect(exchanged([ask(1), up], [long, down])).toMatchObject({ asked: 1, answered: 0, tooLarge: 1 });
  expect(exchanged([ask(1), up], [long, down], [answer(1), down])).toMatchObject({ answered: 1, tooLarge: 1 });
  expect(exchanged([long, down])).toMatchObject({ unasked: 0, tooLarge: 1 });
});

it('each packet is a step with its ends and token; at the end the requests without an answer are told', () => {
  const exchange = new InfoExchange();
  const steps = [
    [ask(1), up],
    [ask(2), up],
    [answer(1), down],
    [answer(9), down],
    [answer(-1), down],
  ].map(([bytes, ends], frame) => exchange.add(bytes as Uint8Array, ends as typeof up, { time: frame, frame }));
  expect(steps.map((one) => one && [one.step, one.client, one.server, one.kind, one.token])).toEqual([
    ['asked', '10.0.0.1:50000', '10.0.0.2:8303', 'gie3', 1],
    ['asked', '10.0.0.1:50000', '10.0.0.2:8303', 'gie3', 2],
    ['answered', '10.0.0.1:50000', '10.0.0.2:8303', 'inf3', 1],
    ['other_token', '10.0.0.1:50000', '10.0.0.2:8303', 'inf3', 9],
    ['announced', '10.0.0.1:50000', '10.0.0.2:8303', 'inf3', -1],
  ]);
  expect(exchange.unanswered.map(({ step, token, frame }) => [step, token, frame])).toEqual([['unanswered', 2, 1]]);
});

it('a request of 0.7 with the token that another server gave is not answered, and says whose it is', () => {
  const to = (token: Bytes) => packet([0x21], token, [9, 9, 9, 9], marker, text('gie3'), [5]);
  const exchange = new InfoExchange();
  const second = { ...up, destinationPort: 8304 };
  exchange.gave('10.0.0.2:8303', 0x01020304);
  exchange.add(to([1, 2, 3, 4]), second, { time: 0, frame: 1 });
  exchange.add(to([5, 6, 7, 8]), second, { time: 0, frame: 2 });
  expect(exchange.unanswered.map(({ tokenOf }) => tokenOf)).toEqual(['10.0.0.2:8303', undefined]);
  expect(exchange.counts).toMatchObject({ asked: 2, answered: 0, foreignToken: 1 });
  // A server that gave the same token takes it.
  exchange.gave('10.0.0.2:8304', 0x01020304);
  expect(exchange.counts.foreignToken).toBe(0);
});

describe('of more requests than are remembered', () => {
  const passage = { time: 0, frame: 0 };
  const tokens = Array.from({ length: 256 }, (_, token) => ({ asked: ask(token), answered: answer(token) }));
  const ofPort = (ends: typeof up, port: number) =>
    ends === up ? { ...up, destinationPort: port } : { ...down, sourcePort: port };

  it('those that are answered are no loss: thousands of servers in a list', () => {
    const exchange = new InfoExchange();
    for (let port = 1; port <= 1 << 15; port++) {
      exchange.add(tokens[port & 0xff]!.asked, ofPort(up, port), passage);
      if (port > 3000) exchange.add(tokens[(port - 3000) & 0xff]!.answered, ofPort(down, port - 3000), passage);
    }
    expect(exchange.counts).toMatchObject({ asked: 1 << 15, answered: (1 << 15) - 3000, unasked: 0, otherToken: 0 });
    expect([exchange.unanswered.length, exchange.isFull]).toEqual([3000, false]);
  });

  it('the first ones without an answer are forgotten, which is said', () => {
    const exchange = new InfoExchange();
    for (let port = 1; port <= maxRequests + 5; port++)
      exchange.add(tokens[7]!.asked, ofPort(up, port), { time: 0, frame: port });
    expect([exchange.unanswered.length, exchange.unanswered[0]!.frame, exchange.isFull]).toEqual([
      maxRequests,
      6,
      true,
    ]);

    // Also by commands that read no messages.
    const datagrams = new Datagrams({ messages: false });
    let records = 0;
    for (let port = 1; port <= maxRequests + 1; port++)
      for (const _ of datagrams.unconnected('connless', { bytes: tokens[7]!.asked, ...passage }, ofPort(up, port)))
        records++;
    expect(records).toBe(0);
    const diagnostic = expect.objectContaining({ severity: 'warning', code: 'limit_reached' });
    expect([...datagrams.finish()]).toEqual([{ record: 'diagnostic', stream: undefined, diagnostic }]);
  });
});
