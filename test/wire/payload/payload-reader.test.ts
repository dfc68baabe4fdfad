import { describe, expect, it } from 'vitest';
import { type Code, DecodeError } from '../../../src/wire/bytes/diagnostic.ts';
import { type BinaryEncoding, unwrap } from '../../../src/wire/payload/encoding-layers.ts';
import { type Kind, type Payload, readPayload } from '../../../src/wire/payload/payload.ts';
import { PayloadReader } from '../../../src/wire/payload/payload-reader.ts';
import { type Protocol, protocolOf, type Version } from '../../../src/wire/protocol/registry.ts';
import { apply } from '../../../src/wire/snapshot/apply.ts';
import { Delta } from '../../../src/wire/snapshot/delta.ts';
import { Snapshot } from '../../../src/wire/snapshot/snapshot.ts';
import { corpusFile, corpusFiles, hasCorpus } from '../../support/corpus.ts';
import { demoChunks } from '../../support/demo-chunks.ts';
import { itemsOf } from '../../support/readers.ts';
import { golden, read, samples } from '../../support/samples.ts';
import { seeded } from '../../support/seeded.ts';

/** The result of a reader for a payload, without positions. */
interface Reading {
  /** Those of a delta. */
  readonly ints: readonly number[];
  readonly items: number[][];
  readonly crc: number | undefined;
  readonly warnings: readonly Code[];
  readonly error: Code | undefined;
}

/**
 * Warnings about several items together, and about what their values mean, which only the annotated reading looks for.
 */
const checks: ReadonlySet<Code> = new Set<Code>([
  'missing_registration',
  'late_registration',
  'duplicate_key',
  'removed_twice',
  'removed_and_updated',
  'updated_twice',
  'out_of_bounds',
  'never_sent',
]);

class FastReading {
  readonly #warnings: Code[] = [];
  readonly #reader: PayloadReader;
  snapshot = new Snapshot();

  constructor(protocol: Protocol) {
    this.#reader = new PayloadReader(protocol.sizeOf, { warn: (code) => this.#warnings.push(code) });
  }

  read(payload: Uint8Array, encoding: BinaryEncoding, kind: Kind, base: Snapshot | undefined): Reading {
    const { delta } = this.#reader;
    this.#warnings.length = 0;
    this.snapshot = new Snapshot();
    let error: Code | undefined;
    try {
      if (kind === 'snapshot') this.#reader.readSnapshot(payload, encoding, this.snapshot);
      else this.#reader.readDelta(payload, encoding);
      if (kind === 'delta' && base) this.#reader.applyTo(base, this.snapshot);
    } catch (thrown) {
      if (!(thrown instanceof DecodeError)) throw thrown;
      error = thrown.code;
    }
    const isRebuilt = error === undefined && (kind === 'snapshot' || base !== undefined);
    return {
      ints: kind === 'delta' ? [...delta.ints.subarray(0, delta.length)] : [],
      items: itemsOf(kind === 'snapshot' ? this.snapshot : delta),
      crc: isRebuilt ? this.snapshot.checksum() : undefined,
      warnings: this.#warnings.filter((code) => !checks.has(code)),
      error,
    };
  }
}

function annotated({ body, result, layers, diagnostics }: Payload): Reading {
  const { ints, length } = layers.ints;
  const rebuilt = body instanceof Snapshot && !diagnostics.error ? body : result;
  return {
    ints: body instanceof Delta ? [...ints.subarray(0, length)] : [],
    items: itemsOf(body),
    crc: rebuilt?.checksum(),
    warnings: diagnostics.warnings.map(({ code }) => code).filter((code) => !checks.has(code)),
    error: diagnostics.error?.code,
  };
}

/** The annotated reading of a damaged payload shows the readable part; the other one stops at the error. */
function expectEqual(fast: Reading, slow: Reading, name: string): void {
  expect(fast.error, name).toBe(slow.error);
  if (slow.error === undefined) expect(fast, name).toEqual(slow);
}

const payloads = samples.flatMap((name) => {
  const encoding = ({ huff: 'huffman', packed: 'packed', ints: 'ints' } as const)[name.split('.').at(-1)!];
  if (!encoding) return [];
  const { kind, protocol } = golden(name) as { kind: Kind; protocol: Version };
  return [{ name, encoding, kind, protocol: protocolOf(protocol), bytes: read(name) }];
});

describe('the fast reading of a payload equals the annotated one', () => {
  it.each(payloads)('for $name', ({ name, encoding, kind, protocol, bytes }) => {
    const fast = new FastReading(protocol).read(bytes, encoding, kind, undefined);
    expect(fast.error).toBeUndefined();
    expectEqual(fast, annotated(readPayload(unwrap(bytes, encoding), kind, protocol)), name);
  });

  it.each(payloads)('for $name with a damaged byte or without its end', ({ encoding, kind, protocol, bytes }) => {
    const next = seeded(7);
    const fast = new FastReading(protocol);
    const errors = new Set<Code | undefined>();
    for (let i = 0; i < 60; i++) {
      const damaged = bytes.slice(0, next() % 2 ? bytes.length : next() % bytes.length);
      if (damaged.length === bytes.length) damaged[next() % bytes.length]! ^= 1 << (next() % 8);
      const slow = annotated(readPayload(unwrap(damaged, encoding), kind, protocol));
      expectEqual(fast.read(damaged, encoding, kind, undefined), slow, `change ${i}`);
      errors.add(slow.error);
    }
    expect(errors.size).toBeGreaterThan(1);
  });

  const samples = ['ddnet-race-player.demo', 'vanilla-dm1.demo'];

  /** The maximum number of payloads per demo, from the first one. */
  const mostPayloads = 150;

  function expectEqualInAll(file: Uint8Array): void {
    const { protocol: version, chunks } = demoChunks(file);
    const protocol = protocolOf(version);
    const fast = new FastReading(protocol);
    let base: Snapshot | undefined;
    const data = chunks.filter(({ kind }) => kind !== 'message').slice(0, mostPayloads);
    for (const { kind, tick, payload } of data as { kind: Kind; tick: number; payload: Uint8Array }[]) {
      const slow = annotated(readPayload(unwrap(payload, 'huffman'), kind, protocol, base));
      const reading = fast.read(payload, 'huffman', kind, base);
      expect(reading.error, `${kind} of tick ${tick}`).toBeUndefined();
      expectEqual(reading, slow, `${kind} of tick ${tick}`);
      base = fast.snapshot;
    }
    expect(data.length).toBeGreaterThan(10);
  }

  it.each(samples)('for each snapshot and delta of %s, applied to the one before', (name) =>
    expectEqualInAll(read(name)),
  );

  it.skipIf(!hasCorpus).each(corpusFiles(/^(?!.*(?:BENCH|unfinished|sixup)).*\.demo$/))(
    'for each snapshot and delta of %s, applied to the one before (needs ../shared)',
    (name) => expectEqualInAll(corpusFile(name)),
  );
});

it('has the byte where each int begins, where positions are asked for', () => {
  const bytes = read('vanilla-dm1-tick9326.delta.huff');
  const reader = new PayloadReader(protocolOf('0.7').sizeOf, { positions: true });
  reader.readDelta(bytes, 'huffman');
  const { ints, bytes: packed } = unwrap(bytes, 'huffman');
  expect(reader.ints.offsets!.slice(0, ints.length + 1)).toEqual(ints.offsets!.slice(0, ints.length + 1));
  expect(reader.bytes.bytes.slice(0, reader.bytes.length)).toEqual(packed.slice());
});

describe('a delta stays as it was read', () => {
  const bytes = read('vanilla-dm1-tick9326.delta.huff');
  const other = read('ddnet-dm1-tick2788.delta.huff');
  const { ints } = unwrap(bytes, 'huffman');
  const expected = [...ints.ints.subarray(0, ints.length)];
  const base = Snapshot.withRoom(0, 0);

  it.each<[string, (reader: PayloadReader) => void]>([
    ['another reader reads a delta', () => new PayloadReader(protocolOf('0.6').sizeOf).readDelta(other, 'huffman')],
    ['another reader unpacks', () => new PayloadReader(protocolOf('0.6').sizeOf).unpack(other, 'huffman')],
    ['another delta is applied', () => apply(base, ownDelta(other))],
  ])('while %s', (_, use) => {
    const reader = new PayloadReader(protocolOf('0.7').sizeOf);
    reader.readDelta(bytes, 'huffman');
    use(reader);
    const { delta } = reader;
    expect([...delta.ints.subarray(0, delta.length)]).toEqual(expected);
    const result = new Snapshot();
    reader.applyTo(base, result);
    expect(itemsOf(result)).toEqual(itemsOf(delta));
  });
});

function ownDelta(bytes: Uint8Array): Delta {
  const { ints, length } = unwrap(bytes, 'huffman').ints;
  const delta = new Delta();
  delta.read(ints, length, protocolOf('0.6').sizeOf);
  return delta;
}
