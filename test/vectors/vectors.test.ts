import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import process from 'node:process';
import { describe, expect, it } from 'vitest';
import { answer } from '../../vectors/adapters/tw-snap.ts';
import { judge, questionOf } from '../../vectors/check.mjs';
import { makeVectors } from '../../vectors/make/all.ts';
import type { Vector } from '../../vectors/make/vector.ts';

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

const title = ({ id, note, row }: Vector) => [id, note ?? row].filter(Boolean).join(' ');

describe.each(layers)('%s', (layer) => {
  it.each(made.byLayer.get(layer)!.map((vector) => [title(vector), vector] as const))('%s', (_, vector) => {
    const found = answer(questionOf(vector) as never);
    expect({ vector, found, verdict: judge(vector, found) }).toMatchObject({ verdict: 'passed' });
    // Rows of `src/recording/games` have their codes: rows.test.ts.
    if (asWritten.has(layer) && vector.result === 'valid' && !vector.row) expect(found.codes).toEqual([]);
  });
});
