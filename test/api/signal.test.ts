import { Readable } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { edited, recorded, repaired, sliced } from '../../src/api/edit.ts';
import { explain } from '../../src/api/explain.ts';
import { columns, read } from '../../src/api/index.ts';
import { eventsOf, summaryOf } from '../../src/api/match.ts';
import type { LaterOptions } from '../../src/api/read-recording.ts';
import { read as sample } from '../support/samples.ts';

const file = sample('ddnet-race-player.demo');
const all = { from: 0, to: 1e9 };

type Later = AsyncIterable<Uint8Array>;
const readers: readonly (readonly [string, (input: Later, options: LaterOptions) => unknown])[] = [
  ['read', read],
  ['columns', (input, options) => columns(read(input, options), 'obj_character', ['x'])],
  ['eventsOf', eventsOf],
  ['summaryOf', summaryOf],
  ['explain', explain],
  ['edited', (input, options) => edited(input, options)],
  ['sliced', (input, options) => sliced(input, all, options)],
  ['repaired', repaired],
  ['recorded', recorded],
];

async function finished(result: unknown): Promise<void> {
  if (typeof result === 'object' && result && Symbol.asyncIterator in result) {
    for await (const _ of result as AsyncIterable<unknown>);
  } else await result;
}

/** The beginning of a file, then nothing more, as of a connection that is silent. */
const silent = (bytes = file.subarray(0, 20_000)) => {
  let isFirst = true;
  return new Readable({
    read() {
      if (isFirst) this.push(bytes);
      isFirst = false;
    },
  });
};

describe.each(readers)('a signal ends %s', (_, start) => {
  it('that waits for more, and closes a stream of Node', async () => {
    const stream = silent();
    const controller = new AbortController();
    const reading = finished(start(stream, { signal: controller.signal }));
    setTimeout(() => controller.abort(new Error('enough')), 50);
    await expect(reading).rejects.toThrow('enough');
    expect(stream.destroyed).toBe(true);
  });

  it('that waits for more, and cancels a stream of the web', async () => {
    let isCancelled = false;
    const stream = new ReadableStream<Uint8Array>({
      start: (to) => to.enqueue(file.subarray(0, 20_000)),
      cancel: () => {
        isCancelled = true;
      },
    });
    const controller = new AbortController();
    const reading = finished(start(stream as unknown as Later, { signal: controller.signal }));
    setTimeout(() => controller.abort(new Error('enough')), 50);
    await expect(reading).rejects.toThrow('enough');
    expect(isCancelled).toBe(true);
  });

  it('before it begins', async () => {
    const signal = AbortSignal.abort(new Error('never'));
    await expect(finished(start(silent(), { signal }))).rejects.toThrow('never');
  });
});

it.each(readers.slice(2))('a signal ends %s of records that arrive later', async (name, start) => {
  const controller = new AbortController();
  let isClosed = false;
  async function* records() {
    try {
      for (const entry of read(file, { parts: true })) yield entry;
      controller.abort(new Error('enough'));
      yield* read(file);
    } finally {
      isClosed = true;
    }
  }
  const reading = finished(start(records() as unknown as Later, { signal: controller.signal }));
  await expect(reading, name).rejects.toThrow('enough');
  expect(isClosed).toBe(true);
});

it('a signal that is not aborted leaves nothing behind', async () => {
  let listeners = 0;
  const watched = {
    aborted: false,
    addEventListener: () => listeners++,
    removeEventListener: () => listeners--,
  } as unknown as AbortSignal;
  await summaryOf(new Blob([file]), { signal: watched });
  expect(listeners).toBe(0);
});

it('edits are the same with a signal', async () => {
  const { signal } = new AbortController();
  const kinds = async (records: AsyncIterable<{ record: string }>) => {
    const found: string[] = [];
    for await (const { record } of records) found.push(record);
    return found;
  };
  const range = { from: 200, to: 300 };
  expect(await kinds(sliced(new Blob([file]), range, { signal }))).toEqual(
    await kinds(sliced(new Blob([file]), range)),
  );
});
