import { join } from 'node:path';
import process from 'node:process';
import { setTimeout as sleep } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { describe, expect, it } from 'vitest';
import type { FromWorker } from '../../commands/lib/platform/protocol.ts';
import { program, samplePath, shell, until, withProgram } from '../support/program.ts';

const place = withProgram();
const demo = samplePath('vanilla-dm1.demo');
const files = [demo, 'missing', samplePath('ddnet-ipv6.pcap'), samplePath('ddnet-race-player.demo'), demo];
const inShell = (line: string) => shell(line, { cwd: place.folder, env: { ...process.env, FILES: files.join(' ') } });

describe('the output of threads', () => {
  it('is equal to the output of one thread, byte for byte', async () => {
    const [alone, together] = await Promise.all(
      [1, 3].map((jobs) => inShell(`tw-snap dump -t ndjson --jobs ${jobs} $FILES`)),
    );
    expect(together).toEqual(alone);
  });

  it('ends quietly when the reader closes the pipe', async () => {
    const { status, stdout, stderr } = await inShell(
      'set -o pipefail; set -- $FILES; tw-snap dump --jobs 2 $1 $1 $1 | head -n 1',
    );
    expect([status, stdout.split('\n').length, stderr]).toEqual([0, 2, '']);
  });

  it('is buffered up to the limit, in chunks of bytes', async () => {
    const worker = new Worker(join(program, '../worker.cjs'), { workerData: { isTerminal: false, colors: 0 } });
    const sizes: number[] = [];
    let result: unknown;
    worker.on('message', (message: FromWorker) => {
      if ('chunk' in message) {
        const { bytes } = message.chunk;
        expect(bytes).toBeInstanceOf(Uint8Array);
        sizes.push(bytes.length);
      } else result = message;
    });
    const options = { from: 'auto', protocol: 'auto', to: 'ndjson', color: 'never', messages: true };
    worker.postMessage({ task: { command: 'dump', file: demo, options, multipleFiles: false, ahead: 1 } });
    try {
      await until(() => sizes.length === 1);
      await sleep(300);
      expect(sizes).toHaveLength(1);
      worker.postMessage({ written: sizes[0]! });
      await until(() => sizes.length === 2);
      await sleep(300);
      expect(sizes).toHaveLength(2);
      worker.postMessage({ written: 1 << 30 });
      await until(() => result !== undefined);
      expect(result).toEqual({ result: { status: 0, isFound: true } });
      expect(sizes.length).toBeGreaterThan(2);
    } finally {
      await worker.terminate();
    }
  });
});

describe('limited resources for threads', () => {
  it.skipIf(process.platform !== 'linux').each([
    // With fewer, Node itself cannot open a file.
    ['20 descriptors', 'ulimit -n 20'],
    ['24 descriptors', 'ulimit -n 24'],
    ['32 descriptors', 'ulimit -n 32'],
    ['40 descriptors', 'ulimit -n 40'],
    ['64 descriptors', 'ulimit -n 64'],
    ['2 GB of address space', 'ulimit -v 2000000'],
    ['3 GB of address space', 'ulimit -v 3000000'],
    ['6 GB of address space', 'ulimit -v 6000000'],
  ])('changes nothing in the output: %s (needs Linux)', async (_, limit) => {
    const alone = await inShell('tw-snap checksum --summary --jobs 1 $FILES');
    expect(alone.status).toBe(3);
    expect(await inShell(`${limit}; tw-snap checksum --summary --jobs 16 $FILES`)).toEqual(alone);
  });
});
