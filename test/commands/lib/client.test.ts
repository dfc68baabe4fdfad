import { describe, expect, it } from 'vitest';
import { main } from '../../../commands/index.ts';
import { fakeIo } from '../../support/fake-io.ts';
import { read } from '../../support/samples.ts';

const files = { 'a.demo': read('vanilla-dm1.demo'), 'a.pcap': read('ddnet-ipv6.pcap') };

async function run(...argv: string[]) {
  const io = fakeIo({ files });
  const status = await main(argv, io);
  return { status, stdout: io.stdout.text, stderr: io.stderr.text };
}

describe('--client', () => {
  it.each(['dump', 'info', 'stats', 'checksum'])(
    'of %s leaves nothing of a demo out, which has no clients',
    async (command) => {
      const whole = await run(command, 'a.demo');
      expect(whole.stdout).not.toBe('');
      expect(await run(command, 'a.demo', '--client', '10.0.0.1:1')).toEqual(whole);
    },
  );

  it.each(['dump', 'info', 'stats', 'checksum'])(
    'of %s names the clients of a capture that has another',
    async (command) => {
      const { status, stderr } = await run(command, 'a.pcap', '--client', '10.0.0.1:1');
      expect(status).toBe(2);
      expect(stderr).toBe('tw-snap: a.pcap: there is no client 10.0.0.1:1; there is [::1]:29911\n');
    },
  );
});
