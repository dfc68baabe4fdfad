import { join } from 'node:path';
import process from 'node:process';
import { setTimeout as sleep } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { describe, expect, it } from 'vitest';
import type { FromWorker } from '../../commands/lib/threads/protocol.ts';
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
      expect(result).toEqual({ result: { status: 0 } });
      expect(sizes.length).toBeGreaterThan(2);
    } finally {
      await worker.terminate();
    }
  });
});
