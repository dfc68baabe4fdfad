import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { load } from 'js-yaml';
import { describe, expect, it } from 'vitest';
import { DemoReader } from '../../src/recording/container/demo/demo-reader.ts';
import { GhostReader } from '../../src/recording/container/ghost/ghost.ts';
import { corpusFile, hasCorpus } from '../support/corpus.ts';

// They have no types.
const require = createRequire(import.meta.url);
const KaitaiStream = require('kaitai-struct/KaitaiStream');
const compiler = require('kaitai-struct-compiler');

interface Parsed {
  readonly version: number;
  readonly map: Uint8Array;
  readonly chunks: readonly {
    readonly isTick: boolean;
    readonly isKeyframe: boolean;
    readonly hasStep: boolean;
    readonly step: number;
    readonly tick: number;
    readonly kind: number;
    readonly type: number;
    readonly numItems: number;
    readonly data: Uint8Array;
  }[];
  readonly [field: string]: unknown;
}

/** A file as the description in docs/examples reads it. */
async function parsed(name: string, bytes: Uint8Array): Promise<Parsed> {
  const description = readFileSync(new URL(`../../docs/examples/${name}.ksy`, import.meta.url), 'utf8');
  const files = await compiler.compile('javascript', load(description), null, false);
  const [source] = Object.values(files as Record<string, string>);
  // A module of CommonJS: it fills the object that is its first argument.
  const module: Record<string, new (stream: unknown) => Parsed> = {};
  new Function('exports', 'define', 'require', source!)(module, undefined, () => KaitaiStream);
  const [Reader] = Object.values(module);
  return new Reader!(new KaitaiStream(bytes.slice().buffer));
}

const sample = (name: string) => new Uint8Array(readFileSync(new URL(`../../samples/${name}`, import.meta.url)));

describe('the descriptions for Kaitai Struct', () => {
  it.each(['vanilla-dm1.demo', 'ddnet-race-player.demo'])('read %s as our reader does', async (name) => {
    const bytes = sample(name);
    const { map, chunks } = await parsed('teeworlds_demo', bytes);
    let tick = -1;
    const found = chunks.map((chunk) => {
      if (!chunk.isTick) return [['unknown', 'snapshot', 'message', 'delta'][chunk.kind], tick, chunk.data.length];
      tick = chunk.hasStep ? tick + chunk.step : chunk.tick;
      return [chunk.isKeyframe ? 'keyframe' : 'tick', tick, 0];
    });
    const reader = new DemoReader();
    reader.add(bytes);
    reader.end();
    const expected: unknown[] = [];
    for (let frame = reader.next(); frame; frame = reader.next()) {
      const { kind, keyframe, start, end } = frame;
      if (kind === 'tick') expected.push([keyframe ? 'keyframe' : kind, frame.tick, 0]);
      else if (kind !== 'header' && kind !== 'map') expected.push([kind, frame.tick, end - start]);
    }
    expect(found.length).toBeGreaterThan(100);
    expect(found).toEqual(expected);
    expect(map.length).toBe(reader.header!.mapSize);
  });

  it.skipIf(!hasCorpus)('read a ghost as our reader does (needs ../shared)', async () => {
    const bytes = corpusFile('ghosts/06-ddnet20-coverage.gho');
    const ghost = await parsed('teeworlds_ghost', bytes);
    const reader = new GhostReader();
    reader.add(bytes);
    reader.end();
    const sizes: number[] = [];
    for (let frame = reader.next(); frame; frame = reader.next()) {
      if (frame.kind === 'ghost') sizes.push(frame.end - frame.start);
    }
    expect(ghost.chunks.map(({ data }) => data.length)).toEqual(sizes);
    expect([ghost.version, ghost.numCharacters, ghost.time]).toEqual([
      reader.header!.version,
      reader.header!.characters,
      reader.header!.time,
    ]);
    expect(ghost.chunks.filter(({ type }) => type === 2).reduce((sum, { numItems }) => sum + numItems, 0)).toBe(
      ghost.numCharacters,
    );
  });
});
