import { describe, expect, it } from 'vitest';
import { playerItems, serverCapture, snapshotMessage } from '../../support/made-capture.ts';
import { runOn } from '../../support/run.ts';
import { read } from '../../support/samples.ts';

const run = runOn({
  'a.demo': read('vanilla-dm1.demo'),
  'a.pcap': read('ddnet-ipv6.pcap'),
  'first.huff': read('first.huff'),
});

describe('--client', () => {
  it.each(['dump', 'info', 'stats', 'checksum', 'explain', 'report'])(
    'of %s is refused for a demo',
    async (command) => {
      const { status, stdout, stderr } = await run(`${command} a.demo --client 10.0.0.1:1`);
      expect([status, stdout]).toEqual([2, '']);
      expect(stderr).toBe('tw-snap: a.demo: --client is for captures; this is a demo\n');
    },
  );

  it.each(['dump', 'info', 'stats', 'checksum'])(
    'of %s names the clients of a capture that has another',
    async (command) => {
      const { status, stderr } = await run(`${command} a.pcap --client 10.0.0.1:1`);
      expect(status).toBe(2);
      expect(stderr).toBe('tw-snap: a.pcap: there is no client 10.0.0.1:1; there is [::1]:29911\n');
    },
  );
});

describe('--client of a capture with several connections', () => {
  const joined = (name: string) => snapshotMessage(10, ...playerItems(3, name), ['obj_player_info', 3, { local: 1 }]);
  const run = runOn({
    'b.pcap': serverCapture([
      [5001, joined('first')],
      [5002, joined('second')],
      [3, joined('third')],
    ]),
  });
  const connectionsOf = async (client: string) => {
    const { stdout } = await run(`dump b.pcap -t ndjson --client ${client}`);
    return [...stdout.matchAll(/"connection":(\d)/g)].map(([, number]) => Number(number));
  };

  it.each([
    ['2', [2]],
    ['5002', [2]],
    ['second', [2]],
    ['/^sec/', [2]],
    ['127.0.0.1:5002', [2]],
  ])('accepts %s', async (client, connections) => {
    expect(await connectionsOf(client)).toEqual(connections);
  });

  // 3 is the third connection and its port.
  it('accepts a number and a port of the same connection', async () => expect(await connectionsOf('3')).toEqual([3]));

  it.each([
    [
      '127.0.0.1',
      'several connections are 127.0.0.1: 1 127.0.0.1:5001 first, 2 127.0.0.1:5002 second, 3 127.0.0.1:3 third;',
    ],
    ['/^.*d$/', 'several connections are /^.*d$/: 2 127.0.0.1:5002 second, 3 127.0.0.1:3 third;'],
    [
      '4',
      'there is no client 4: 1 127.0.0.1:5001 first, 2 127.0.0.1:5002 second, 3 127.0.0.1:3 third; --client accepts',
    ],
  ])('lists the connections for %s', async (client, text) => {
    const { status, stdout, stderr } = await run(`dump b.pcap --client ${client}`);
    expect([status, stdout, stderr]).toEqual([2, '', expect.stringContaining(text)]);
  });

  it('is refused where it is no regular expression', async () => {
    expect((await run('dump b.pcap --client /(/')).stderr).toContain('Expected a name or a regular expression as /RE/');
  });
});

it.each(['checksum', 'report'])('--ticks of %s is refused for a single payload', async (command) => {
  const { status, stdout, stderr } = await run(`${command} first.huff --ticks 5..6`);
  expect([status, stdout]).toEqual([2, '']);
  expect(stderr).toBe('tw-snap: first.huff: --ticks is for whole recordings; this is a single payload\n');
});
