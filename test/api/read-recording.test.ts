import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import {
  apply,
  type Borrowed,
  checksum,
  DecodeError,
  decode,
  diff,
  encode,
  items,
  type RecordingEntry,
  readCapture,
  readDemo,
  Snapshot,
  writeDemo,
} from '../../src/api/index.ts';
import { corpusFile, hasCorpus } from '../support/corpus.ts';

const sample = (name: string) => new Uint8Array(readFileSync(join(import.meta.dirname, '../../samples', name)));
const demo = sample('vanilla-dm1.demo');
const capture = sample('ddnet-ipv6.pcap');
const damaged = demo.slice(0, demo.length - 5);

/** Pieces of changing size. */
function* pieces(bytes: Uint8Array): Generator<Uint8Array> {
  for (let at = 0, size = 3; at < bytes.length; at += size, size = ((7 * size) % 70_000) + 1) {
    yield bytes.slice(at, at + size);
  }
}

async function* asyncPieces(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield* pieces(bytes);
}

const textOf = ({ buffer, byteOffset, byteLength }: Uint8Array | Int32Array) =>
  Buffer.from(buffer, byteOffset, byteLength).toString('latin1');

/** The values that the buffers of a record contain now, as text; of a piece of a map its length. */
const contents = (entry: Borrowed<RecordingEntry>) =>
  entry.record === 'map' ? entry.piece.length : JSON.stringify(valuesOf(entry));

function valuesOf(entry: Borrowed<RecordingEntry>): unknown {
  switch (entry.record) {
    case 'snapshot':
      return [
        entry.tick,
        entry.verdict,
        entry.payload && textOf(entry.payload),
        entry.snapshot && textOf(entry.snapshot.toInts()),
        entry.before && textOf(entry.before.toInts()),
        entry.delta && textOf(entry.delta.ints.subarray(0, entry.delta.length)),
      ];
    case 'message':
      return [
        entry.tick,
        entry.frame,
        textOf(entry.bytes),
        entry.head.type?.name,
        entry.message.version,
        entry.certainty,
        entry.message.values.map(({ value }) => (value instanceof Uint8Array ? textOf(value) : value)),
      ];
    case 'packet':
      return [entry.frame, textOf(entry.bytes), entry.packet && textOf(entry.packet.payload)];
    case 'chunk': {
      const { bytes, start, end, offset, kind } = entry.chunk;
      return [kind, offset, textOf(bytes.subarray(start, end))];
    }
    default:
      return entry.record;
  }
}

it.skipIf(!hasCorpus)(
  'a record that stays valid has its message in the version in which it was read (needs ../shared)',
  () => {
    const mixed = corpusFile('ddnet20/06-07-mixed-ddnet20-coverage-server.demo').slice(0, 120_000);
    const expected: unknown[] = [];
    readDemo(mixed, { reuse: true }).each((entry) => expected.push(contents(entry)));
    expect([...readDemo(mixed)].map(contents)).toEqual(expected);
  },
);

describe.each([
  ['readDemo', readDemo, demo.slice(0, 15_000)],
  ['readCapture', readCapture, capture.slice(0, 20_000)],
] as const)('%s', (_, read, bytes) => {
  const options = { parts: true };
  const expected: unknown[] = [];
  read(bytes, { ...options, reuse: true }).each((entry) => expected.push(contents(entry)));

  it('returns records that stay valid when later ones are read', () => {
    expect([...read(bytes, options)].map(contents)).toEqual(expected);
  });

  it('accepts an iterable and an async iterable of pieces', async () => {
    const sync = Array.from(read(pieces(bytes)), contents);
    const async: unknown[] = [];
    for await (const entry of read(asyncPieces(bytes))) async.push(contents(entry));
    const whole = Array.from(read(bytes), contents);
    const isNoMap = (entry: unknown) => typeof entry !== 'number';
    expect(sync.filter(isNoMap)).toEqual(whole.filter(isNoMap));
    expect(async).toEqual(sync);
  });

  it('accepts an ArrayBuffer, a Blob, and a stream of the web, decompressed if it is gzip', async () => {
    const whole = Array.from(read(bytes), contents);
    expect(Array.from(read(bytes.slice().buffer), contents)).toEqual(whole);
    const isNoMap = (entry: unknown) => typeof entry !== 'number';
    for (const input of [new Blob([bytes]), new Blob([bytes]).stream(), new Blob([gzipSync(bytes)])]) {
      const streamed: unknown[] = [];
      for await (const entry of read(input)) streamed.push(contents(entry));
      expect(streamed.filter(isNoMap)).toEqual(whole.filter(isNoMap));
    }
    let visited = 0;
    await read(new Blob([bytes]), { reuse: true }).each(async () => ++visited < 7);
    expect(visited).toBe(7);
    const zipped = new Uint8Array(gzipSync(bytes));
    for (const input of [zipped, zipped.buffer, pieces(zipped), [zipped.subarray(0, 1), zipped.subarray(1)]]) {
      const read1 = Array.from(read(input as Uint8Array), contents);
      expect(read1.filter(isNoMap)).toEqual(whole.filter(isNoMap));
    }
  });

  it('yields what is readable of damaged gzip, then what is wrong as a diagnostic', async () => {
    const zipped = gzipSync(bytes);
    const wrongSum = Buffer.from(zipped);
    wrongSum[wrongSum.length - 8]! ^= 1;
    const streamed = async (input: Blob | AsyncIterable<Uint8Array>) => {
      const all: RecordingEntry[] = [];
      for await (const entry of read(input)) all.push(entry);
      return all;
    };
    function* brokenNow() {
      yield zipped.subarray(0, 5000);
      throw new RangeError('the disk is gone');
    }
    expect(() => [...read(brokenNow())]).toThrow(new RangeError('the disk is gone'));
    expect(() => [...read(zipped.subarray(0, 12))]).toThrow(
      expect.objectContaining({ code: 'input_failed', message: 'the gzip data ends early' }),
    );
    for (const [damaged, what] of [
      [zipped.subarray(0, -2000), 'the gzip data ends early'],
      [zipped.subarray(0, -3), 'the gzip data ends early'],
      [wrongSum, 'the gzip data is damaged: its checksum is wrong'],
    ] as const) {
      const all = await streamed(new Blob([damaged]));
      const failed = all.at(-1) as Extract<RecordingEntry, { record: 'diagnostic' }>;
      expect(failed.diagnostic).toMatchObject({ code: 'input_failed', severity: 'error', args: { what } });
      expect([...read(damaged)].at(-1)).toEqual(failed);
      const { offset } = failed.diagnostic;
      const isOther = ({ record }: { record: string }) => record !== 'map';
      expect(all.slice(0, -1).filter(isOther).map(contents)).toEqual(
        Array.from(read(bytes.subarray(0, offset)))
          .filter(isOther)
          .map(contents),
      );
      let last: unknown;
      await read(new Blob([damaged]), { reuse: true }).each((entry) => {
        last = entry;
      });
      expect(last).toEqual(failed);
    }
    const nothing = {
      name: 'DecodeError',
      code: 'input_failed',
      offset: 0,
      args: { what: 'the gzip data ends early' },
    };
    await expect(streamed(new Blob([zipped.subarray(0, 12)]))).rejects.toMatchObject(nothing);
    async function* broken() {
      yield zipped.subarray(0, 5000);
      throw new RangeError('the disk is gone');
    }
    await expect(streamed(broken())).rejects.toThrow(new RangeError('the disk is gone'));
  });

  it('says what it expects where it is given something else', () => {
    const wrong = (input: unknown) => [...read(input as Uint8Array)];
    const expected = `${read.name} expects a Uint8Array, an ArrayBuffer, a Blob, a stream, or an iterable of Uint8Arrays; got `;
    expect(() => wrong('my.demo')).toThrow(new TypeError(`${expected}the string "my.demo"`));
    expect(() => wrong(undefined)).toThrow(new TypeError(`${expected}undefined`));
    expect(() => wrong({})).toThrow(new TypeError(`${expected}the Object`));
    expect(() => wrong([1])).toThrow(
      new TypeError(`${read.name} expects pieces that are Uint8Arrays; got the number 1`),
    );
  });

  it('throws a DecodeError for another kind of file', () => {
    const [other, code] = read === readDemo ? ([capture, 'not_a_demo'] as const) : ([demo, 'not_a_capture'] as const);
    for (const wrong of [other, new Uint8Array(0), Uint8Array.of(1, 2, 3)]) {
      expect(() => [...read(wrong)]).toThrow(expect.objectContaining({ code, offset: 0, name: DecodeError.name }));
    }
  });
});

it('readDemo reports damage as a record and returns what is before it', () => {
  const records = [...readDemo(damaged)];
  expect(records.at(-1)).toMatchObject({ record: 'diagnostic', diagnostic: { code: 'truncated_chunk' } });
  expect(records.filter(({ record }) => record === 'snapshot').length).toBeGreaterThan(1000);
});

it('the blocks of a capture stay valid, and are the file', () => {
  const blocks = [...readCapture(pieces(capture), { blocks: true, parts: true })].flatMap((entry) =>
    entry.record === 'block' ? [entry] : [],
  );
  expect(Buffer.concat(blocks.map(({ block }) => block.bytes)).equals(capture)).toBe(true);
  const numbers = blocks.flatMap(({ block }) => block.packet?.number ?? []);
  expect(numbers).toEqual(numbers.map((_, i) => i + 1));
  expect(numbers.length).toBeGreaterThan(1);
  for (const { block, datagram } of blocks) {
    if (datagram) expect(Buffer.from(block.bytes).includes(Buffer.from(datagram))).toBe(true);
  }
});

describe('decode', () => {
  it('recognises what bytes are', () => {
    expect(decode(sample('first.huff'))).toMatchObject({ kind: 'delta', encoding: 'huffman', diagnostics: [] });
    expect(decode(sample('ddnet-dm1-tick2786.snapshot.huff')).kind).toBe('snapshot');
    expect(decode(sample('vanilla-dm1-tick9892.packet')).kind).toBe('packet');
    // Ready to enter, a message of 0.6 (NETMSG_ENTERGAME is 15 << 1 | 1).
    expect(decode(Uint8Array.of(0x1f), { kind: 'message', protocol: '0.6' })).toMatchObject({ kind: 'message' });
  });

  it('throws where bytes cannot be read to the end, or returns what could be read', () => {
    const cut = sample('first.packed').subarray(0, 30);
    expect(() => decode(cut, { encoding: 'packed', kind: 'delta' })).toThrow(DecodeError);
    const partial = decode(cut, { encoding: 'packed', kind: 'delta', partial: true });
    expect(partial.diagnostics.at(-1)).toMatchObject({ severity: 'error', code: 'truncated_delta' });
    expect(partial.kind === 'delta' && partial.delta.count).toBe(2);
  });
});

// The checksums are those of samples/README.md, which other programs computed.
describe('a recorded delta and its base', () => {
  const base = decode(sample('ddnet-race-tick956.snapshot.huff'));
  const next = decode(sample('ddnet-race-tick958.delta.packed'));
  if (base.kind !== 'snapshot' || next.kind !== 'delta') throw new Error('the samples are a snapshot and a delta');
  const now = apply(base.snapshot, next.delta);

  it('have the checksums that were recorded', () => {
    expect([checksum(new Snapshot()), checksum(base.snapshot), checksum(now)]).toEqual([0, 333080729, 333080975]);
    const withBase = decode(sample('ddnet-race-tick958.delta.packed'), { base: base.snapshot });
    expect(withBase.kind === 'delta' && checksum(withBase.snapshot!)).toBe(333080975);
  });

  it('differ by the five items that the delta updates', () => {
    const { added, removed, changed } = diff(base.snapshot, now, base.protocol);
    expect(added.length + changed.length).toBe(5);
    expect(removed).toEqual([]);
    const named = [...items(now, '0.6')].filter(({ name }) => name === 'ddnet_character');
    expect(named.length).toBe(3);
    expect(named[0]!.fields).toHaveProperty('freeze_end');
  });

  it('are encoded to the recorded bytes again', () => {
    expect(encode(next.delta, 'packed')).toEqual(sample('ddnet-race-tick958.delta.packed'));
    expect(encode(base.snapshot)).toEqual(sample('ddnet-race-tick956.snapshot.huff'));
  });
});

describe('writeDemo', () => {
  it.each(['vanilla-dm1.demo', 'ddnet-race-player.demo'])('writes the records of %s as they were recorded', (name) => {
    const file = sample(name);
    expect(writeDemo(readDemo(file))).toEqual(file);
    expect(writeDemo((emit) => readDemo(file, { reuse: true }).each(emit))).toEqual(file);
  });

  it('writes a demo without its messages that has the same snapshots', () => {
    const without = writeDemo([...readDemo(demo)].filter(({ record }) => record !== 'message'));
    const sums = (file: Uint8Array) =>
      [...readDemo(file)].flatMap((entry) => (entry.record === 'snapshot' ? [checksum(entry.snapshot!)] : []));
    expect(sums(without)).toEqual(sums(demo));
    expect([...readDemo(without)].some(({ record }) => record === 'message')).toBe(false);
  });

  it('needs a header first', () => {
    expect(() => writeDemo([...readDemo(demo)].slice(1))).toThrow('the header comes first');
  });
});

describe('a stream whose first record is enough is closed', () => {
  const [whole, zipped] = [demo, new Uint8Array(gzipSync(demo))];

  it.each([
    ['a demo', whole],
    ['a gzip', zipped],
  ])('of pieces: %s', async (_, bytes) => {
    let isClosed = false;
    async function* opened() {
      try {
        for (let at = 0; at < bytes.length; at += 8192) yield bytes.subarray(at, at + 8192);
      } finally {
        isClosed = true;
      }
    }
    for await (const { record } of readDemo(opened())) if (record === 'header') break;
    await expect.poll(() => isClosed).toBe(true);
  });

  it('of the web', async () => {
    let isCancelled = false;
    const stream = new ReadableStream<Uint8Array>({
      pull: (to) => to.enqueue(whole.subarray(0, 8192)),
      cancel: () => {
        isCancelled = true;
      },
    });
    for await (const { record } of readDemo(stream)) if (record === 'header') break;
    await expect.poll(() => isCancelled).toBe(true);
  });
});
