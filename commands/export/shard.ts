import { InvalidArgumentError } from 'commander';
import { crc32 } from '../../src/codec/crc32.ts';

/** One of `count` shares of the files. The hash of a file's path decides which share it belongs to. */
export interface Shard {
  readonly index: number;
  readonly count: number;
}

export const wholeInput: Shard = { index: 0, count: 1 };

/** `0/4` to `3/4`. */
export function parseShard(text: string): Shard {
  const match = /^(\d{1,6})\/(\d{1,6})$/.exec(text);
  const [index, count] = [Number(match?.[1]), Number(match?.[2])];
  if (!match || index >= count) throw new InvalidArgumentError('Expected K/N with K from 0 to N - 1.');
  return { index, count };
}

const hash = (text: string): number => crc32(new TextEncoder().encode(text)) >>> 0;

/** The files of a shard, chosen by their paths, so that every machine gets the same result. */
export const filesOfShard = (files: readonly string[], { index, count }: Shard): readonly string[] =>
  count === 1 ? files : files.filter((file) => hash(file) % count === index);

/** Names the parts of a run after the shard and its inputs, so that a repeated run replaces its parts. */
export const runName = (files: readonly string[], { index, count }: Shard): string =>
  `part-${index}of${count}-${hash(files.join('\n')).toString(16).padStart(8, '0')}`;

/** Divides files into groups of similar total size; the same files always result in the same groups. */
export function groupsOf(files: readonly string[], count: number, sizeOf: (file: string) => number): string[][] {
  const groups = Array.from({ length: count }, () => ({ files: [] as string[], bytes: 0 }));
  const sized = files.map((file, i) => ({ file, i, bytes: sizeOf(file) }));
  for (const { file, bytes } of sized.sort((a, b) => b.bytes - a.bytes || a.i - b.i)) {
    const smallest = groups.reduce((least, group) => (group.bytes < least.bytes ? group : least));
    smallest.files.push(file);
    smallest.bytes += bytes;
  }
  const order = new Map(files.map((file, i) => [file, i]));
  return groups
    .map((group) => group.files.sort((a, b) => order.get(a)! - order.get(b)!))
    .filter((group) => group.length > 0);
}
