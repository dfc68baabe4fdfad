import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { unwrap } from '../../src/wire/payload/encoding-layers.ts';
import { readPayload } from '../../src/wire/payload/payload.ts';
import { protocolOf } from '../../src/wire/protocol/registry.ts';
import { Snapshot } from '../../src/wire/snapshot/snapshot.ts';
import { run } from '../support/run.ts';
import { read } from '../support/samples.ts';

const page = readFileSync(join(import.meta.dirname, '../../docs/ARCHITECTURE.md'), 'utf8');
const tour = page.slice(page.indexOf('## 25 bytes'), page.indexOf('Seven files show'));

const blocksOf = (language: string) =>
  [...tour.matchAll(/^```(\w+)\n([\s\S]*?)^```/gm)].flatMap(([, name, text]) => (name === language ? [text!] : []));
const numbersOf = (text: string, radix: number) =>
  text
    .trim()
    .split(/\s+/)
    .map((word) => Number.parseInt(word, radix));

it('the tour of ARCHITECTURE has the bytes, ints, checksum and rows of the sample', async () => {
  const [file, bytes] = blocksOf('hex').map((text) => Uint8Array.from(numbersOf(text, 16)));
  expect(file).toEqual(Uint8Array.from(read('first.huff')));
  expect(file).toHaveLength(25);
  const layers = unwrap(file!, 'huffman');
  expect([...layers.bytes]).toEqual([...bytes!]);
  expect(bytes).toHaveLength(43);
  const ints = numbersOf(blocksOf('ints')[0]!, 10);
  expect([...layers.ints.ints.subarray(0, layers.ints.length)]).toEqual(ints);
  expect(ints).toHaveLength(37);
  const { result } = readPayload(layers, 'delta', protocolOf('0.7'), new Snapshot());
  expect(result!.checksum()).toBe(Number(blocksOf('sum')[0]));
  // By hand: what is not 0 in the three items.
  expect(result!.checksum()).toBe(1 + (1243 + 784 + 305 + 128 - 1 + 784 + 304 + 10 + 10 + 1) + 8);
  const { stdout } = await run('decode first.huff -t table', { 'first.huff': read('first.huff') });
  expect(stdout).toContain(blocksOf('rows')[0]);
});
