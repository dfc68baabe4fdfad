import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import process from 'node:process';
import { expect, it } from 'vitest';
import { answer } from '../../vectors/adapters/tw-snap.ts';
import { judge, questionOf } from '../../vectors/check.mjs';
import { makeVectors } from '../../vectors/make/all.ts';

const data = new URL('../../vectors/data/', import.meta.url);
const made = makeVectors();
const layers = [...made.byLayer.keys()];

if (process.env.UPDATE_VECTORS)
  for (const layer of layers) writeFileSync(new URL(`${layer}.jsonl`, data), made.lines(layer));

it('the files are what is made (UPDATE_VECTORS=1 writes them)', () => {
  expect(readdirSync(data).sort()).toEqual(layers.map((layer) => `${layer}.jsonl`).sort());
  for (const layer of layers) expect(readFileSync(new URL(`${layer}.jsonl`, data), 'utf8')).toBe(made.lines(layer));
});

/** Layers whose valid vectors are what the games write, so that nothing is to be reported. */
const asWritten = new Set(['varint', 'ints', 'huffman', 'string', 'values', 'chunk', 'chunks', 'control', 'message']);

// A test for each of 2,700 vectors takes longer than the vectors.
it.each(layers)('the vectors of %s are answered', (layer) => {
  for (const vector of made.byLayer.get(layer)!) {
    const found = answer(questionOf(vector) as never);
    if (judge(vector, found) !== 'passed') expect.fail(`${JSON.stringify(vector)}: ${JSON.stringify(found)}`);
    // Rows of `docs/formats/tolerated.md` have their codes: rows.test.ts.
    if (asWritten.has(layer) && vector.result === 'valid' && !vector.row) expect(found.codes, vector.id).toEqual([]);
  }
  expect(made.byLayer.get(layer)!.length).toBeGreaterThan(0);
});
