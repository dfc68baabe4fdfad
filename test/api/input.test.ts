import { once } from 'node:events';
import { createReadStream } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { decode, read, readCapture, readDemo } from '../../src/api/index.ts';
import { protocolOf } from '../../src/wire/protocol/registry.ts';
import { read as sample } from '../support/samples.ts';

const file = sample('vanilla-dm1.demo');

/** A stream of a browser that has `getReader` and nothing else. */
function onlyReader(bytes: Uint8Array, ends = true) {
  const state = { cancelled: 0 };
  let at = 0;
  let release = (_: { done: true }) => {};
  const stream = {
    getReader: () => ({
      read: async () => {
        at += 4096;
        if (at < bytes.length + 4096) return { done: false, value: bytes.subarray(at - 4096, at) };
        return ends
          ? { done: true }
          : new Promise<{ done: true }>((resolve) => {
              release = resolve;
            });
      },
      cancel: async () => {
        state.cancelled++;
        release({ done: true });
      },
    }),
  };
  return { stream, state };
}

describe.each([
  ['plain', file],
  ['gzip', new Uint8Array(gzipSync(file))],
])('a stream with getReader alone, %s', (_, bytes) => {
  it('is cancelled on a break, on an error of the program, and by each()', async () => {
    const all = [0, 1, 2].map(() => onlyReader(bytes));
    for await (const { record } of readDemo(all[0]!.stream)) if (record === 'header') break;
    const failing = async () => {
      for await (const { record } of readDemo(all[1]!.stream)) if (record === 'snapshot') throw new Error('mine');
    };
    await expect(failing()).rejects.toThrow('mine');
    await readDemo(all[2]!.stream, { reuse: true }).each(({ record }) => record !== 'header');
    await sleep(0);
    expect(all.map(({ state }) => state.cancelled)).toEqual([1, 1, 1]);
  });

  it('is cancelled by a signal, also while it waits for more', async () => {
    const { stream, state } = onlyReader(bytes.subarray(0, 12_000), false);
    const controller = new AbortController();
    setTimeout(() => controller.abort(new Error('enough')), 100);
    const reading = async () => {
      for await (const _ of readDemo(stream, { signal: controller.signal }));
    };
    await expect(reading()).rejects.toThrow('enough');
    expect(state.cancelled).toBe(1);
  });
});

it('a signal destroys a stream of Node', async () => {
  const path = join(import.meta.dirname, '../../samples/vanilla-dm1.demo');
  const stream = createReadStream(path, { highWaterMark: 1000 });
  const controller = new AbortController();
  const reading = async () => {
    for await (const { record } of read(stream, { signal: controller.signal })) {
      if (record === 'header') controller.abort(new Error('enough'));
    }
  };
  await expect(reading()).rejects.toThrow('enough');
  if (!stream.closed) await once(stream, 'close');
  expect(stream.destroyed).toBe(true);
});

it('gzip that is cut is read as far as it goes, then there is a diagnostic', async () => {
  const bytes = gzipSync(file);
  for (const cut of [bytes.length - 1, bytes.length >> 1]) {
    const records = [];
    for await (const entry of read(new Blob([bytes.subarray(0, cut)]))) records.push(entry);
    expect(records.filter(({ record }) => record === 'snapshot').length).toBeGreaterThan(400);
    expect(records.at(-1)).toMatchObject({ record: 'diagnostic', diagnostic: { code: 'input_failed' } });
  }
});

describe('read', () => {
  it('recognises a demo, a capture and what is none', () => {
    expect([...read(file)].length).toBe([...readDemo(file)].length);
    const capture = sample('ddnet-ipv6.pcap');
    expect([...read(capture)].map(({ record }) => record)).toEqual(
      [...readCapture(capture)].map(({ record }) => record),
    );
    expect(() => [...read(new Uint8Array(200))]).toThrow('this is not a recording');
  });
});

it('a protocol is accepted wherever a version is', () => {
  const packet = sample('vanilla-dm1-tick9892.packet');
  const mod = protocolOf('0.7', { items: [], messages: [] });
  for (const protocol of [protocolOf('0.7'), mod]) {
    const { messages } = decode(packet, { kind: 'packet', protocol });
    expect(messages.map(({ message }) => message.type?.name)).toEqual(
      decode(packet, { kind: 'packet', protocol: '0.7' }).messages.map(({ message }) => message.type?.name),
    );
    const [header] = readDemo(file, { protocol });
    expect(header?.stream?.protocol.version).toBe('0.7');
  }
  for (const wrong of ['0.8', 7, null, {}]) {
    expect(() => decode(packet, { protocol: wrong as never })).toThrow(TypeError);
    expect(() => [...readDemo(file, { protocol: wrong as never })]).toThrow(TypeError);
  }
});
