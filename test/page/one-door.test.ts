import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { main } from '../../commands/index.ts';
import { decode, readCapture, readDemo } from '../../src/api/index.ts';
import { anyPlatform } from '../../src/input/decompress/decompress.ts';
import { inPieces } from '../../src/input/decompress/pieces.ts';
import { open } from '../../src/input/source/open.ts';
import { diagnosticsOf } from '../../src/input/source/read-payload.ts';
import { SourceError, type SourceReading } from '../../src/input/stated.ts';
import { diagnosticMessage } from '../../src/output/phrases/diagnostic-messages.ts';
import { openFile } from '../../src/page/open/open-inputs.ts';
import { recogniseBytes } from '../../src/page/open/read-file.ts';
import { formatOf } from '../../src/recording/all-formats.ts';
import { DecodeError } from '../../src/wire/bytes/diagnostic.ts';
import { noSchema } from '../../src/wire/protocol/registry.ts';
import { fakeIo } from '../support/fake-io.ts';

const root = join(import.meta.dirname, '../..');
const filesIn = (folder: string) =>
  readdirSync(join(root, folder)).map((name): [string, Uint8Array] => [
    name,
    new Uint8Array(readFileSync(join(root, folder, name))),
  ]);

/** The payloads among the samples, whole and with damage, and the forms of pasted text. */
const isPayload = ([name]: [string, Uint8Array]) => /\.(?:huff|packed|ints|packet|hex)$/.test(name);
const samples = filesIn('samples').filter(isPayload);
const damaged = samples.flatMap(([name, bytes]): [string, Uint8Array][] => [
  [`${name}, cut`, bytes.subarray(0, Math.ceil((2 * bytes.length) / 3))],
  [`${name}, a bit flipped`, bytes.with(bytes.length >> 1, bytes[bytes.length >> 1]! ^ 4)],
  [`${name}, gzip`, new Uint8Array(gzipSync(bytes))],
]);
const pasted = filesIn('test/input/pasted/pasted').filter(([name]) => !/README/.test(name));

function said(reading: SourceReading): string {
  const { error, warnings } = diagnosticsOf(reading);
  const codes = [error?.code ?? '', ...warnings.map(({ code }) => code)].filter(Boolean).sort();
  const what =
    reading.kind === 'contents'
      ? [reading.contents.kind, reading.contents.kind, reading.contents.protocol.version]
      : [reading.payload.kind, reading.payload.layers.encoding, reading.payload.types.protocol.version];
  return [...what, ...codes].join(' ');
}

const refusal = (error: unknown): string => {
  if (error instanceof DecodeError) return diagnosticMessage(error);
  if (error instanceof SourceError) return error.message;
  throw error;
};

async function byCommandLine(bytes: Uint8Array): Promise<readonly string[] | string> {
  const io = fakeIo({ files: { file: bytes } });
  await main(['decode', 'file', '-t', 'json'], io);
  if (io.stdout.text === '') return io.stderr.text;
  const json = JSON.parse(io.stdout.text);
  return [json].flat().map(({ kind, encoding, protocol, diagnostics }) => {
    const codes = diagnostics.map(({ code }: { code: string }) => code).sort();
    return [kind, encoding, protocol, ...codes].join(' ');
  });
}

async function byLibrary(bytes: Uint8Array): Promise<readonly string[] | string> {
  try {
    const source = await open({ pieces: inPieces(bytes) }, {}, anyPlatform);
    const payloads = await source.payload({});
    const read = [];
    for (let i = 0; i < payloads.parts.length; i++) read.push(said(await payloads.read(i)));
    return read;
  } catch (error) {
    return refusal(error);
  }
}

async function byPage(bytes: Uint8Array): Promise<readonly string[] | string> {
  try {
    const { inputs } = await openFile('file', bytes, false);
    return inputs.map((input) => said(recogniseBytes(input, { schema: noSchema, base: undefined })));
  } catch (error) {
    return refusal(error);
  }
}

describe.each([
  ['a sample', samples],
  ['a damaged sample', damaged],
  ['pasted text', pasted],
] as const)('%s is read alike by command line, library and page', (_, all) => {
  it.each(all)('%s', async (_, bytes) => {
    const [shown, read, onPage] = [await byCommandLine(bytes), await byLibrary(bytes), await byPage(bytes)];
    expect(onPage).toEqual(read);
    if (typeof read === 'string') expect(shown).toContain(read);
    else expect(shown).toEqual(read);
  });
});

it.each(damaged.filter(([name]) => !name.endsWith('gzip') && !name.includes('.hex')))(
  'decode() reads %s as the command line does',
  async (_, bytes) => {
    const { kind, protocol } = decode(bytes, { partial: true });
    expect((await byCommandLine(bytes))[0]).toMatch(new RegExp(`^${kind} \\w+ ${protocol.version}`));
  },
);

describe('a compressed recording with a wrong checksum', () => {
  it.each(['vanilla-dm1.demo', 'ddnet-ipv6.pcap'])('%s is read whole, and the damage is reported', async (name) => {
    const whole = new Uint8Array(readFileSync(join(root, 'samples', name)));
    const zipped = new Uint8Array(gzipSync(whole));
    zipped[zipped.length - 8]! ^= 1;
    const reader = name.endsWith('.demo') ? readDemo : readCapture;
    const snapshots = [...reader(whole)].filter(({ record }) => record === 'snapshot').length;
    let found = 0;
    let last: unknown;
    for await (const entry of reader(new Blob([zipped]))) {
      if (entry.record === 'snapshot') found++;
      last = entry;
    }
    const what = 'the gzip data is damaged: its checksum is wrong';
    expect(found).toBe(snapshots);
    expect(last).toMatchObject({ record: 'diagnostic', diagnostic: { code: 'input_failed', args: { what } } });
    const { inputs } = await openFile(name, zipped, false);
    expect(inputs[0]!.bytes).toEqual(whole);
    expect(formatOf(inputs[0]!.bytes)).toBeDefined();
    expect(inputs[0]!.failure).toBe(`can't be read: ${what}`);
    const io = fakeIo({ files: { file: zipped } });
    expect(await main(['checksum', 'file'], io)).toBe(3);
    expect(io.stderr.text).toContain(what);
  });
});
