import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { processLimits, ThreadPool, type Threads, threadsWithin } from '../../../../commands/lib/platform/pool.ts';
import { execFileSync } from '../../../support/host.ts';

type Running = ReturnType<Threads['begin']>;

let folder: string;
let pool: Threads;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'tw-snap-threads-'));
});
afterEach(() => pool.end());
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** A pool whose worker threads run this code for each `task`, with `send` to post a message. */
function poolOf(count: number, code: string, start = ''): Threads {
  const script = join(folder, `${Math.random()}.cjs`);
  writeFileSync(
    script,
    `const { parentPort } = require('node:worker_threads');
    const send = (message) => parentPort.postMessage(message);
    ${start}
    parentPort.on('message', ({ task }) => { if (task) { ${code} } });`,
  );
  pool = new ThreadPool(count, { isTerminal: false, columns: undefined, colors: 0 }, script);
  return pool;
}

const begin = (threads: Threads, file: string) =>
  threads.begin({ command: 'info', file, options: {}, multipleFiles: true, ahead: 1000 });

async function bytesOf({ chunks }: Running): Promise<number[]> {
  const bytes: number[] = [];
  for await (const chunk of chunks) bytes.push(...chunk.bytes);
  return bytes;
}

describe('a pool of threads', () => {
  it('reads more files than it has threads; each result belongs to its file', async () => {
    const threads = poolOf(2, "send({ result: task.file + '!' });");
    const files = ['a', 'b', 'c', 'd', 'e'];
    const running = files.map((file) => begin(threads, file));
    expect(await Promise.all(running.map(({ result }) => result))).toEqual(['a!', 'b!', 'c!', 'd!', 'e!']);
  });

  it('passes bytes on unchanged, also bytes that are not text', async () => {
    const send =
      "for (const bytes of [[0, 255, 128], [10]]) send({ chunk: { to: 'stdout', bytes: Uint8Array.from(bytes) } });";
    const threads = poolOf(2, `${send} send({ result: 0 });`);
    expect(await bytesOf(begin(threads, 'a'))).toEqual([0, 255, 128, 10]);
  });

  it('reports the number of bytes that were written', async () => {
    const start = `parentPort.on('message', ({ written }) => { if (written) send({ result: written }); });`;
    const threads = poolOf(1, "send({ chunk: { to: 'stdout', bytes: new Uint8Array(300) } });", start);
    const running = begin(threads, 'a');
    expect(await bytesOf(running)).toHaveLength(300);
    expect(await running.result).toBe(300);
  });

  it('an expected error keeps its exit status', async () => {
    const threads = poolOf(1, "send({ failure: new Error('no'), status: 2 });");
    await expect(begin(threads, 'a').result).rejects.toMatchObject({ message: 'no', status: 2 });
  });

  it('a bug keeps its stack', async () => {
    const threads = poolOf(1, "send({ failure: Object.assign(new Error('oh'), { stack: 'at x.ts' }) });");
    const error = await begin(threads, 'a').result.catch((error) => error);
    expect(error).toMatchObject({ message: 'oh', stack: 'at x.ts' });
    expect(error).not.toHaveProperty('status');
  });
});

describe('a thread that dies', () => {
  it('fails its file with exit status 3; its earlier output is shown, and the other thread continues', async () => {
    const threads = poolOf(
      2,
      "send({ chunk: { to: 'stdout', bytes: Uint8Array.of(1) } }); if (task.file === 'a') setTimeout(() => process.exit(7), 50); else send({ result: 0 });",
    );
    const [a, b, c] = ['a', 'b', 'c'].map((file) => begin(threads, file)) as [Running, Running, Running];
    expect(await bytesOf(a)).toEqual([1]);
    const message = "a: can't be read: its thread ended early (exit code 7)";
    await expect(a.result).rejects.toMatchObject({ message, status: 3 });
    expect(await Promise.all([b.result, c.result])).toEqual([0, 0]);
  });

  it('because memory ran out: the error names the file', async () => {
    const threads = poolOf(
      1,
      "throw Object.assign(new Error('Worker terminated'), { code: 'ERR_WORKER_OUT_OF_MEMORY' });",
    );
    const message = "a: can't be read: its thread ran out of memory; --jobs 1 reads one file at a time";
    await expect(begin(threads, 'a').result).rejects.toMatchObject({ message, status: 3 });
  });

  it('because of a bug: the error is passed on', async () => {
    const threads = poolOf(1, "throw new TypeError('oh');");
    await expect(begin(threads, 'a').result).rejects.toThrow(new TypeError('oh'));
  });
});

describe('threads that the system does not start', () => {
  const failing =
    "throw Object.assign(new Error('Worker initialization failure: EMFILE'), { code: 'ERR_WORKER_INIT_FAILED' });";

  it('are not needed where one can be started', async () => {
    const lock = JSON.stringify(join(folder, 'started'));
    const start = `try { require('node:fs').mkdirSync(${lock}); } catch { ${failing} }`;
    const threads = poolOf(3, 'send({ result: task.file });', start);
    const running = ['a', 'b', 'c'].map((file) => begin(threads, file));
    expect(await Promise.all(running.map(({ result }) => result))).toEqual(['a', 'b', 'c']);
  });

  it('cause a clear error where none can be started', async () => {
    const threads = poolOf(2, '', failing);
    const message = 'no thread can be started: too many open files; --jobs 1 needs none';
    for (const file of ['a', 'b', 'c']) {
      await expect(begin(threads, file).result).rejects.toMatchObject({ message, status: 3 });
    }
  });
});

describe('the number of threads', () => {
  const none = { openFiles: Infinity, addressSpace: Infinity, memory: Infinity };
  const gigabyte = 2 ** 30;

  it.each([
    ['nothing', none, Infinity],
    ['no descriptor to spare', { ...none, openFiles: 20 }, 0],
    ['8 descriptors for each, 32 for the rest', { ...none, openFiles: 64 }, 4],
    ['1 GB of address space for each, 2 GB for the rest', { ...none, addressSpace: 5.5 * gigabyte }, 3],
    ['128 MB of memory for each', { ...none, memory: gigabyte }, 8],
    ['the smallest of these', { openFiles: 1024, addressSpace: 8 * gigabyte, memory: gigabyte / 4 }, 2],
  ])('is limited by %s', (_, limits, count) => {
    expect(threadsWithin(limits)).toBe(count);
  });

  it.skipIf(process.platform !== 'linux')('follows the limits that the shell states (needs Linux)', () => {
    const shown = (name: string) => {
      const text = execFileSync('sh', ['-c', `ulimit -S ${name}`], { encoding: 'utf8' }).trim();
      return text === 'unlimited' ? Infinity : Number(text);
    };
    const { openFiles, addressSpace } = processLimits();
    // The shell counts address space in kilobytes.
    expect([openFiles, addressSpace]).toEqual([shown('-n'), shown('-v') * 1024]);
  });
});
