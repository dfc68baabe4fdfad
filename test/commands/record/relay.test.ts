import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';
import { networkInterfaces } from 'node:os';
import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { type Passenger, Relay } from '../../../commands/record/relay.ts';
import { Channel } from '../../../src/api/live.ts';
import { until } from '../../support/program.ts';

const maxClients = 16;

/** The first packet of a client: DDNet's of 0.6 with its mark, and a request of 0.7, which has 519 bytes. */
const requests = (['0.6', '0.7'] as const).map((version) => new Channel(version, 'client').packets(1)[0]!);
const [request06, request07] = requests as [Uint8Array, Uint8Array];
/** `gie3` with a token: a request for the server's information. */
const infoRequest = Uint8Array.from(Buffer.from('ffffffffffffffffffff6769653300', 'hex'));

const open: { close(): void }[] = [];
afterEach(() => {
  for (const one of open.splice(0)) one.close();
  vi.useRealTimers();
});

interface End {
  readonly socket: Socket;
  readonly port: number;
  readonly received: Buffer[];
  /** From whom the last datagram came. */
  from: number;
}

async function end(answer?: (bytes: Buffer) => Uint8Array[], address = '127.0.0.1'): Promise<End> {
  const socket = createSocket('udp4');
  socket.bind(0, address);
  await once(socket, 'listening');
  open.push(socket);
  const made: End = { socket, port: socket.address().port, received: [], from: 0 };
  socket.on('message', (bytes, { port }) => {
    made.received.push(bytes);
    made.from = port;
    for (const one of answer?.(bytes) ?? []) socket.send(one, port, address);
  });
  return made;
}

/** A passenger that notes what it sees. */
function passengers(state: { isConnected?: boolean; isProven?: boolean } = {}) {
  const seen: { direction: string; bytes: number }[] = [];
  const counts = { boarded: 0, left: 0 };
  const board = (): Passenger => {
    counts.boarded++;
    return {
      isConnected: state.isConnected ?? false,
      isProven: state.isProven ?? false,
      pass: (direction, { length }) => seen.push({ direction, bytes: length }),
      end: () => counts.left++,
    };
  };
  return { seen, counts, board };
}

async function relayed(server: End, board: () => Passenger, address = '127.0.0.1') {
  const at = (port: number, host = '127.0.0.1') => ({ address: host, port, family: 4 as const });
  const failed = (error: unknown) => {
    throw error;
  };
  const relay = await Relay.open({ listen: at(0, address), server: at(server.port), board, failed });
  open.push(relay);
  return { relay, port: Number(relay.address.split(':').at(-1)) };
}

const outside = Object.values(networkInterfaces())
  .flatMap((all) => all ?? [])
  .find(({ internal, family }) => !internal && family === 'IPv4')?.address;

const sendTo = ({ socket }: End, port: number, bytes: Uint8Array) => socket.send(bytes, port, '127.0.0.1');
const bytesIn = (list: readonly Uint8Array[]) => list.reduce((sum, { length }) => sum + length, 0);

describe('a relay', () => {
  it.each([
    ['0.6', request06],
    ['0.7', request07],
    ['server information', infoRequest],
  ])('passes what is asked and answered as it is: %s', async (_, request) => {
    const answer = Uint8Array.of(0xff, 1, 2, 3);
    const server = await end(() => [answer]);
    const client = await end();
    const { seen, board } = passengers();
    const { port } = await relayed(server, board);
    sendTo(client, port, request);
    await until(() => client.received.length === 1);
    expect(server.received.map((one) => one.toString('hex'))).toEqual([Buffer.from(request).toString('hex')]);
    expect([...client.received[0]!]).toEqual([...answer]);
    expect(seen).toEqual([
      { direction: 'to_server', bytes: request.length },
      { direction: 'to_client', bytes: 4 },
    ]);
  });

  it('keeps clients apart, each on a socket of its own', async () => {
    const server = await end((bytes) => [bytes]);
    const [first, second] = [await end(), await end()];
    const { board, counts } = passengers();
    const { port } = await relayed(server, board);
    sendTo(first, port, request06);
    sendTo(second, port, request07);
    await until(() => first.received.length === 1 && second.received.length === 1);
    expect(first.received[0]!.length).toBe(request06.length);
    expect(second.received[0]!.length).toBe(request07.length);
    expect(counts.boarded).toBe(2);
  });

  it('does not answer who asks for nothing', async () => {
    const server = await end();
    const client = await end();
    const { board, counts } = passengers();
    const { relay, port } = await relayed(server, board);
    const nothing = [Uint8Array.of(), Uint8Array.of(0), Uint8Array.of(0, 0, 1, 2, 3, 4), new Uint8Array(1400)];
    for (const bytes of nothing) sendTo(client, port, bytes);
    await until(() => relay.refused === nothing.length);
    expect([server.received.length, client.received.length, counts.boarded]).toEqual([0, 0, 0]);
  });

  it('takes nothing from others than the server', async () => {
    const server = await end();
    const [client, other] = [await end(), await end()];
    const { board } = passengers();
    const { relay, port } = await relayed(server, board);
    sendTo(client, port, request06);
    await until(() => server.from > 0);
    // The socket of the client, which only the server knows.
    sendTo(other, server.from, Uint8Array.of(1, 2, 3));
    await until(() => relay.refused === 1);
    sendTo(server, server.from, Uint8Array.of(4, 5, 6));
    await until(() => client.received.length === 1);
    expect([...client.received[0]!]).toEqual([4, 5, 6]);
  });

  it('has a limit of clients: those that are connected stay, and one that is not makes room', async () => {
    const server = await end();
    const clients = await Promise.all(Array.from({ length: maxClients + 20 }, () => end()));
    const { board, counts } = passengers({ isConnected: true });
    const { relay, port } = await relayed(server, board);
    for (const client of clients) sendTo(client, port, request06);
    await until(() => relay.refused === 20);
    expect([counts.boarded, counts.left, server.received.length]).toEqual([maxClients, 0, maxClients]);

    // Nobody is idle until the clock says so, however long it takes.
    vi.useFakeTimers({ toFake: ['performance'] });
    const idle = passengers();
    const other = await relayed(server, idle.board);
    for (const client of clients) sendTo(client, other.port, request06);
    await until(() => other.relay.refused === 20);
    vi.advanceTimersByTime(1100);
    sendTo(clients.at(-1)!, other.port, request06);
    await until(() => idle.counts.boarded === maxClients + 1);
    expect(idle.counts.left).toBe(1);
  });

  it('a flood of requests sends as many bytes as it has, and no more places than the limit', async () => {
    const server = await end();
    const clients = await Promise.all(Array.from({ length: 100 }, () => end()));
    const { board, counts } = passengers();
    const { port } = await relayed(server, board);
    let sent = 0;
    for (let round = 0; round < 50; round++) {
      for (const client of clients) {
        sendTo(client, port, request07);
        sent += request07.length;
      }
      await pause(5);
    }
    await pause(200);
    expect(bytesIn(server.received)).toBeLessThanOrEqual(sent);
    // Places are given again at most once a second: the test takes about half of one.
    expect(counts.boarded - counts.left).toBeLessThanOrEqual(maxClients);
    expect(clients.every(({ received }) => received.length === 0)).toBe(true);
  });

  it.skipIf(!outside)(
    'sends a client of another machine no more than it sent, until it is proven (needs a network address)',
    async () => {
      const large = new Uint8Array(300);
      // Of each request that the server answers with 300 and 5 bytes, the client may have the 5.
      const server = await end(() => [large, Uint8Array.of(1, 2, 3, 4, 5)]);
      for (const isProven of [false, true]) {
        const client = await end(undefined, outside);
        const { relay, port } = await relayed(server, passengers({ isProven }).board, outside);
        for (let i = 0; i < 20; i++) client.socket.send(request06, port, outside);
        await until(() => client.received.length + relay.refused === 40);
        const sent = 20 * request06.length;
        if (isProven) expect(bytesIn(client.received)).toBe(20 * 305);
        else expect(bytesIn(client.received)).toBeLessThanOrEqual(sent);
        expect(client.received.length).toBeGreaterThan(0);
      }
    },
  );

  it('fails with a code where the address is in use', async () => {
    const taken = await end();
    const { board } = passengers();
    const at = { address: '127.0.0.1', port: taken.port, family: 4 as const };
    await expect(Relay.open({ listen: at, server: at, board, failed: () => {} })).rejects.toMatchObject({
      code: 'EADDRINUSE',
    });
  });
});
