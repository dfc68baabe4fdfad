import { damaged } from './make/bytes.ts';
import { damagedText } from './make/text.ts';
import { Random } from './random.ts';

/** A damaged copy of a sample, the same each time for the same number. */
export function damagedSample(name: string, sample: Uint8Array, seed: number, number: number): Uint8Array {
  const random = new Random(seed, number);
  if (!/\.(hex|json)$/.test(name) || random.oneIn(4)) return damaged(random, sample);
  return new TextEncoder().encode(damagedText(random, new TextDecoder().decode(sample)));
}

/** The command line with which the program reads it. */
export function commandFor(name: string, seed: number, number: number): readonly string[] {
  const random = new Random(seed, -number - 1);
  const decode = [
    ['decode'],
    ['decode', '-t', 'table'],
    ['decode', '-t', 'json'],
    ['decode', '--base', 'empty'],
    ['checksum', '--base', 'empty'],
  ];
  const recorded = [
    ['info'],
    ['info', '-t', 'json'],
    ['dump'],
    ['dump', '-t', 'ndjson'],
    ['dump', '-t', 'csv'],
    ['checksum'],
    ['decode'],
  ];
  if (name.endsWith('.json')) return ['decode', '--schema', '-'];
  return random.pick(/\.(demo|pcap)$/.test(name) ? recorded : decode);
}
