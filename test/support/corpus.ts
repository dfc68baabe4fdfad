import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** The folder of recordings beside the repository, which may be absent. */
export const corpusFolder = fileURLToPath(new URL('../../../shared/corpus/', import.meta.url));

export const hasCorpus = existsSync(corpusFolder);
export const corpusFile = (name: string): Uint8Array => new Uint8Array(readFileSync(corpusFolder + name));

/** The name of a recording where the corpus is absent. */
const absentRecordings = 'recordings';

/** The captures for quick tests, one of each version. The slow tests read all. */
export const smallCaptures: RegExp = /^(?:07-vanilla-mapchange|06-ddnet-ipv6-anyiface-sll2)\.pcap$/;

/** The names of recordings. Without the corpus there is a single placeholder, so that the skipped tests are listed. */
export const corpusFiles = (pattern: RegExp, folder = ''): readonly string[] =>
  hasCorpus ? readdirSync(corpusFolder + folder).filter((name) => pattern.test(name)) : [absentRecordings];

/** The numbers that other programs counted in a capture. */
export interface Golden {
  readonly packets: number;
  readonly snaps: number;
  readonly empty: number;
  readonly ok: number;
  readonly undecodable: number;
  readonly mapChanges: number;
}

/** The captures with these names, or the placeholder. */
export function goldenCaptures(pattern = /./): [name: string, golden: Golden][] {
  if (!hasCorpus) return [[absentRecordings, { packets: 0, snaps: 0, empty: 0, ok: 0, undecodable: 0, mapChanges: 0 }]];
  const all = JSON.parse(new TextDecoder().decode(corpusFile('golden/captures.json'))) as Record<string, Golden>;
  return Object.entries(all).filter(([name]) => pattern.test(name));
}

/** The capture in the repository. */
export const samplePcap = (): Uint8Array =>
  new Uint8Array(readFileSync(fileURLToPath(new URL('../../samples/ddnet-ipv6.pcap', import.meta.url))));
