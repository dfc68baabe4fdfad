import { describe, expect, it } from 'vitest';
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

it.each(['checksum', 'report'])('--ticks of %s is refused for a single payload', async (command) => {
  const { status, stdout, stderr } = await run(`${command} first.huff --ticks 5..6`);
  expect([status, stdout]).toEqual([2, '']);
  expect(stderr).toBe('tw-snap: first.huff: --ticks is for whole recordings; this is a single payload\n');
});
