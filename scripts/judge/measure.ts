import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { parseArgs } from 'node:util';
import { DemoReplay } from '../../src/recording/demo/demo-replay.ts';
import { healthOf } from '../../src/recording/health/findings.ts';
import { type JudgedRange, TickJudge } from '../../src/recording/judge/tick-judge.ts';
import type { RecordingEntry } from '../../src/recording/replay/record.ts';
import { RecordingSummary } from '../../src/recording/summary/recording-summary.ts';
import type { Snapshot } from '../../src/wire/snapshot/snapshot.ts';
import { demoChunks } from '../../test/support/demo-chunks.ts';
import { seeded } from '../../test/support/seeded.ts';
import { sizes } from '../../vectors/encode.mjs';
import { answer } from '../../vectors/reference.mjs';

/*
 * Each whole demo is read by a reader that shares no line with tw-snap: `demoChunks` splits it, the reference decoder of
 * the vectors reads each payload. So the right snapshot of each tick is known. Then the demo is damaged, read and
 * judged: a snapshot is wrong if it differs from the one of its tick.
 */

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    count: { type: 'string', default: '20' },
    seed: { type: 'string', default: '1' },
    show: { type: 'boolean' },
  },
});
const random = seeded(Number(values.seed) || 1);
for (let i = 0; i < 8; i++) random();
const below = (limit: number) => random() % Math.max(1, limit);

type Items = readonly (readonly [type: number, id: number, data: readonly number[]])[];

const textOf = (items: Iterable<readonly [key: number, data: readonly number[]]>) =>
  [...items]
    .sort(([a], [b]) => a - b)
    .map(([key, data]) => `${key} ${data.join()}`)
    .join('\n');

const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex');

/** For a player of 0.7, DDNet's server records items of 0.7 in deltas that state the sizes that 0.6 does not have. */
const mixed = '0.7 in 0.6';
Object.assign(sizes, { [mixed]: sizes['0.7'].slice(0, sizes['0.6'].length) });

/** The snapshot of each tick by the own reader; undefined if it cannot read one of them in this protocol. */
function truthOf(file: Uint8Array, protocol: '0.6' | '0.7' | typeof mixed): Map<number, string> | undefined {
  const truth = new Map<number, string>();
  let base: Items = [];
  for (const { kind, tick, payload } of demoChunks(file).chunks) {
    if (kind === 'message') continue;
    const unpacked = answer({ layer: 'huffman', in: hex(payload), room: 1 << 17 }).out?.hex;
    const question = { in: unpacked, protocol, base };
    const { out } = answer({ ...question, layer: kind === 'snapshot' ? 'snapshot' : 'apply' });
    if (!out) return undefined;
    base = out.items;
    truth.set(tick, textOf(base.map(([type, id, data]) => [(type << 16) | id, data])));
  }
  return truth;
}

const textOfSnapshot = (snapshot: Snapshot) =>
  textOf(Array.from({ length: snapshot.count }, (_, i) => [snapshot.keys[i]!, [...snapshot.item(i)]] as const));

interface Place {
  readonly kind: string;
  readonly offset: number;
}

interface Layout {
  readonly first: number;
  readonly chunks: readonly Place[];
}

function layoutOf(file: Uint8Array): Layout {
  const chunks: Place[] = [];
  let first = 0;
  for (const entry of entriesOf(file, true)) {
    if (entry.record === 'header') first = entry.header.chunksStart;
    if (entry.record === 'chunk' && /tick|snapshot|delta|message/.test(entry.chunk.kind))
      chunks.push({ kind: entry.chunk.kind, offset: entry.chunk.offset });
  }
  return { first, chunks };
}

function* entriesOf(file: Uint8Array, parts = false): Iterable<RecordingEntry> {
  const replay = new DemoReplay({ parts });
  yield* replay.feed(file);
  yield* replay.finish();
}

const joined = (...parts: readonly Uint8Array[]) => new Uint8Array(Buffer.concat(parts));
const changed = (file: Uint8Array, change: (bytes: Uint8Array) => void) => {
  const bytes = file.slice();
  change(bytes);
  return bytes;
};

function without(file: Uint8Array, { chunks }: Layout, from: number, count: number): Uint8Array {
  const end = chunks[from + count]?.offset ?? file.length;
  return joined(file.subarray(0, chunks[from]!.offset), file.subarray(end));
}

const chunkAt = (file: Uint8Array, { chunks }: Layout, i: number) =>
  file.subarray(chunks[i]!.offset, chunks[i + 1]?.offset);

/** The file with other bytes instead of a chunk. */
const replaced = (file: Uint8Array, layout: Layout, i: number, ...by: readonly Uint8Array[]) =>
  joined(file.subarray(0, layout.chunks[i]!.offset), ...by, file.subarray(layout.chunks[i + 1]?.offset ?? file.length));

/** Two places of a kind that are not the same. */
function two(layout: Layout, isMeant: (chunk: Place) => boolean): readonly [number, number] | undefined {
  const [one, other] = [among(layout, isMeant), among(layout, isMeant)];
  return one === undefined || other === undefined || one === other ? undefined : [one, other];
}

/** A place among the chunks of a kind, not at the edges of the file. */
function among({ chunks }: Layout, isMeant: (chunk: Place) => boolean): number | undefined {
  const found = [...chunks.keys()].filter((i) => i > 20 && i < chunks.length - 20 && isMeant(chunks[i]!));
  return found[below(found.length)];
}

const sixteen = (file: Uint8Array, { first }: Layout) => {
  const at = first + below(file.length - first - 20);
  return [at, at + 16] as const;
};

type Kind = (file: Uint8Array, layout: Layout) => Uint8Array | undefined;

const kinds: Readonly<Record<string, Kind>> = {
  'one bit flipped': (file, { first }) =>
    changed(file, (bytes) => {
      bytes[first + below(bytes.length - first)]! ^= 1 << below(8);
    }),
  'up to 300 bytes gone': (file, { first }) => {
    const at = first + 400 + below(file.length - first - 800);
    return joined(file.subarray(0, at), file.subarray(at + 1 + below(300)));
  },
  'up to 30 chunks gone': (file, layout) => without(file, layout, 20 + below(layout.chunks.length - 60), 1 + below(30)),
  'a delta gone': (file, layout) => {
    const at = among(layout, ({ kind }) => kind === 'delta');
    return at === undefined ? undefined : without(file, layout, at, 1);
  },
  'a tick marker off by one': (file, layout) => {
    // A step in the marker itself: 1Kds ssss.
    const at = among(layout, ({ kind, offset }) => kind === 'tick' && (file[offset]! & 0xe0) === 0xa0);
    if (at === undefined) return undefined;
    const { offset } = layout.chunks[at]!;
    return changed(file, (bytes) => {
      bytes[offset] = (bytes[offset]! & 0xe0) | ((bytes[offset]! + 1) & 0x1f);
    });
  },
  '16 bytes of zeros': (file, layout) => changed(file, (bytes) => bytes.fill(0, ...sixteen(file, layout))),
  '16 random bytes': (file, layout) =>
    changed(file, (bytes) => {
      const [from, to] = sixteen(file, layout);
      for (let at = from; at < to; at++) bytes[at] = below(256);
    }),
  'two chunks exchanged': (file, layout) => {
    const at = among(layout, () => true)!;
    const [first, second] = [chunkAt(file, layout, at), chunkAt(file, layout, at + 1)];
    return replaced(replaced(file, layout, at + 1, first), layout, at, second);
  },
  'a tick marker twice': (file, layout) => {
    const at = among(layout, ({ kind }) => kind === 'tick')!;
    return replaced(file, layout, at, chunkAt(file, layout, at), chunkAt(file, layout, at));
  },
  "a delta's bytes instead of another's": (file, layout) => {
    const places = two(layout, ({ kind }) => kind === 'delta');
    return places && replaced(file, layout, places[0], chunkAt(file, layout, places[1]));
  },
  "a full snapshot's flag flipped": (file, layout) => {
    // 1Kds ssss: bit K says that a full snapshot follows.
    const at = among(layout, ({ kind }) => kind === 'tick')!;
    return changed(file, (bytes) => {
      bytes[layout.chunks[at]!.offset]! ^= 0x40;
    });
  },
  'a chunk cut, and the beginning of another': (file, layout) => {
    const places = two(layout, ({ kind }) => kind !== 'tick');
    if (!places) return undefined;
    const [cut, other] = places.map((i) => chunkAt(file, layout, i)) as [Uint8Array, Uint8Array];
    const length = below(cut.length);
    return replaced(file, layout, places[0], cut.subarray(0, length), other.subarray(0, cut.length - length));
  },
  'a message with the bytes of another': (file, layout) => {
    const places = two(layout, ({ kind }) => kind === 'message');
    return places && replaced(file, layout, places[0], chunkAt(file, layout, places[1]));
  },
  'a range of chunks moved': (file, layout) => {
    const at = 20 + below(layout.chunks.length - 80);
    const [from, to, end] = [at, at + 1 + below(20), at + 21 + below(20)].map((i) => layout.chunks[i]!.offset);
    return joined(file.subarray(0, from), file.subarray(to, end), file.subarray(from, to), file.subarray(end));
  },
  'the end twice': (file, { chunks }) => joined(file, file.subarray(chunks[20 + below(chunks.length - 40)]!.offset)),
};

interface Counts {
  demos: number;
  wrongDemos: number;
  healthy: number;
  wrong: number;
  trusted: number;
  right: number;
  doubted: number;
}

const noCounts = (): Counts => ({ demos: 0, wrongDemos: 0, healthy: 0, wrong: 0, trusted: 0, right: 0, doubted: 0 });

function measure(file: Uint8Array, truth: ReadonlyMap<number, string>, counts: Counts, about: string): void {
  const trust: JudgedRange['trust'][] = [];
  const judge = new TickJudge((judged) => {
    if (judged !== 'lost') trust.push(judged);
  });
  const replay = new DemoReplay();
  const summary = new RecordingSummary(replay);
  const isRight: boolean[] = [];
  const ticks: number[] = [];
  const add = (entry: RecordingEntry) => {
    judge.add(entry);
    summary.add(entry);
    if (entry.record !== 'snapshot') return;
    ticks.push(entry.tick);
    isRight.push(truth.get(entry.tick) === textOfSnapshot(entry.snapshot!));
  };
  for (const entry of replay.feed(file)) add(entry);
  for (const entry of replay.finish()) add(entry);
  judge.finish();

  counts.demos++;
  if (isRight.includes(false)) counts.wrongDemos++;
  if (isRight.includes(false) && healthOf(summary.findings) === 'healthy') counts.healthy++;
  for (const [i, right] of isRight.entries()) {
    const isTrusted = trust[i] === 'plain' || trust[i] === 'confirmed';
    counts[right ? 'right' : 'wrong']++;
    if (!right && isTrusted) {
      counts.trusted++;
      if (values.show) console.log(`${about}: tick ${ticks[i]} is wrong, and ${trust[i]}`);
    }
    if (right && !isTrusted) counts.doubted++;
  }
}

const all = new Map<string, Counts>();
const began = process.cpuUsage();
for (const path of positionals) {
  const file = new Uint8Array(readFileSync(path));
  const truth = truthOf(file, '0.6') ?? truthOf(file, '0.7') ?? truthOf(file, mixed);
  if (!truth) throw new Error(`${path}: the own reader cannot read it`);
  const layout = layoutOf(file);
  for (const [kind, damage] of Object.entries(kinds)) {
    const counts = all.get(kind) ?? noCounts();
    all.set(kind, counts);
    for (let i = 0; i < Number(values.count); i++) {
      const damaged = damage(file, layout);
      if (damaged) measure(damaged, truth, counts, `${basename(path)}, ${kind}, ${i}`);
    }
  }
}

const heads = [
  'damage',
  'demos',
  'with wrong snapshots',
  'of these healthy',
  'wrong',
  'of these plain or confirmed',
  'right',
  'of these doubtful',
];
const row = (cells: readonly (string | number)[]) => `| ${cells.join(' | ')} |`;
const cellsOf = ({ demos, wrongDemos, healthy, wrong, trusted, right, doubted }: Counts) =>
  [demos, wrongDemos, healthy, wrong, trusted, right, doubted].map((number) => number.toLocaleString('en'));
console.log(row(heads));
console.log(row(heads.map((_, i) => (i === 0 ? '---' : '--:'))));
const total = noCounts();
for (const [kind, counts] of all) {
  console.log(row([kind, ...cellsOf(counts)]));
  for (const key of Object.keys(total) as (keyof Counts)[]) total[key] += counts[key];
}
console.log(row(['all', ...cellsOf(total)]));
const { user, system } = process.cpuUsage(began);
console.log(`\nseed ${values.seed}, ${((user + system) / 1e6).toFixed(0)} s of computing`);
