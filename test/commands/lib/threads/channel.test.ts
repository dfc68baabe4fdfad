import { expect, test } from 'vitest';
import { bufferBytes, OutputChannel } from '../../../../commands/lib/threads/channel.ts';
import type { Chunk, FromWorker } from '../../../../commands/lib/threads/protocol.ts';

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

const bytesOf = (chunks: readonly Chunk[], to: Chunk['to']) =>
  Buffer.concat(chunks.filter((chunk) => chunk.to === to).map(({ bytes }) => bytes));

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
  channel.post({ chunk: { to: 'stderr', bytes: new Uint8Array() } });
  expect(bytesOf(chunks, 'stdout').equals(Buffer.concat(written))).toBe(true);
  expect(Math.max(...chunks.map(({ bytes }) => bytes.length))).toBeLessThanOrEqual(bufferBytes);
  expect(chunks.length).toBeLessThan(12);
});

test('what goes to standard error arrives after the output before it', async () => {
  const { channel, chunks } = openChannel();
  await channel.sink('stdout', terminal).write('a line\n');
  await channel.sink('stderr', terminal).write('a finding\n');
  await channel.sink('stdout', terminal).write('another\n');
  channel.post({ chunk: { to: 'stderr', bytes: new Uint8Array() } });
  const texts = chunks.map(({ to, bytes }) => [to, Buffer.from(bytes).toString()]);
  expect(texts).toEqual([
    ['stdout', 'a line\n'],
    ['stderr', 'a finding\n'],
    ['stdout', 'another\n'],
    ['stderr', ''],
  ]);
});
