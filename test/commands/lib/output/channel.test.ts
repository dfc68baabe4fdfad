import { expect, test } from 'vitest';
import { OutputChannel } from '../../../../commands/lib/output/channel.ts';
import { type Chunk, type FromWorker, partsOf } from '../../../../commands/lib/platform/protocol.ts';

const bufferBytes = 2 << 20;
const terminal = { isTerminal: false, columns: undefined, colors: 0 };

/** A channel whose messages are copied as they arrive, and written at once. */
function openChannel() {
  const chunks: Chunk[] = [];
  const channel = new OutputChannel({
    postMessage: ({ chunk }: Extract<FromWorker, { chunk: Chunk }>) => {
      chunks.push({ ...chunk, bytes: chunk.bytes.slice() });
      queueMicrotask(() => channel.written(chunk.bytes.length));
    },
  });
  channel.allow(bufferBytes);
  return { channel, chunks };
}

const textsOf = (chunks: readonly Chunk[]) =>
  chunks.flatMap((chunk) => [...partsOf(chunk)].map(({ to, bytes }) => [to, Buffer.from(bytes).toString()]));

test('text and bytes of any length arrive as they were written', async () => {
  const { channel, chunks } = openChannel();
  const { write } = channel.sink('stdout', terminal);
  const written: Buffer[] = [];
  for (let i = 0; i < 40; i++) {
    const text = '日本€'.repeat(30_011 + i);
    const bytes = Uint8Array.from({ length: 1009 * i }, (_, at) => at + i);
    await write(text);
    await write(bytes);
    written.push(Buffer.from(text), Buffer.from(bytes));
  }
  channel.post({ chunk: { bytes: new Uint8Array(), ends: [] } });
  expect(Buffer.concat(chunks.map(({ bytes }) => bytes)).equals(Buffer.concat(written))).toBe(true);
  expect(new Set(textsOf(chunks).map(([to]) => to))).toEqual(new Set(['stdout']));
  expect(Math.max(...chunks.map(({ bytes }) => bytes.length))).toBeLessThanOrEqual(bufferBytes);
  expect(chunks.length).toBeLessThan(12);
});

test('the order of both outputs is kept, also of 40,001 lines, in few messages', async () => {
  const { channel, chunks } = openChannel();
  const written: string[][] = [];
  const write = async (to: 'stdout' | 'stderr', text: string) => {
    written.push([to, text]);
    await channel.sink(to, terminal).write(text);
  };
  await write('stderr', 'a finding first\n');
  for (let i = 0; i < 20_000; i++) {
    await write('stdout', `line ${i}${' of some length'.repeat(4)}\n`);
    await write('stderr', `finding ${i}\n`);
  }
  channel.post({ chunk: { bytes: new Uint8Array(), ends: [] } });
  expect(chunks.length).toBeGreaterThan(1);
  expect(chunks.length).toBeLessThan(6);
  // A chunk may end within a text.
  const joined: string[][] = [];
  for (const [to = '', text = ''] of textsOf(chunks)) {
    if (joined.at(-1)?.[0] === to) joined.at(-1)![1] += text;
    else joined.push([to, text]);
  }
  expect(joined).toEqual(written);
});
