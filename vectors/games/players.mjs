// Lets the games play: compiles their own demo players, of many versions, lets them play every vector of the layer
// `play`, and keeps what they did in `demo-players.jsonl`.
//
//   node vectors/games/players.mjs DDNET TEEWORLDS FOLDER     repositories of both, and where the programs are or go
//
// Needs git, a C++ compiler and Python 3; a version takes half a minute. No line of the games stays here. A new release
// is a new tag below: build, run, and look at the vectors that differ.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { questionOf, readLines, readVectors } from '../check.mjs';
import { digestOf } from './answer.mjs';

const folder = fileURLToPath(new URL('.', import.meta.url));

/**
 * The tags that are built, and the version of `src/recording/games/demo-rules.ts` that has their rules.
 * @type {readonly (readonly [tag: string, version: string])[]}
 */
export const tags = [
  ['16.4', '16.4'],
  ['16.6', '16.4'],
  ['16.7.2', '16.7.2'],
  ['17.3', '16.7.2'],
  ['17.4.2', '17.4'],
  ['18.4', '17.4'],
  ['18.5', '18.5'],
  ['18.6', '18.6'],
  ['18.8.2', '18.6'],
  ['18.9.1', '18.9'],
  ['19.1', '18.9'],
  ['19.2', '19.2'],
  ['19.3', '19.2'],
  ['19.4', '19.4'],
  ['19.7', '19.7'],
  ['19.8', '19.8'],
  ['19.9', '19.8.2'],
  ['20.0-rc6', '20.0'],
  ['28baa427', '20.1'],
  ['0.7.5', '0.7.5'],
];

const teeworlds = '0.7.5';
/** Up to here, and in Teeworlds, a sentence is only in the console. */
const inConsole = new Set(['16.4', '16.6', '16.7.2', '17.3', teeworlds]);

/**
 * What the players did with a demo.
 * @typedef {object} Played
 * @property {string} tag the first tag that did so, up to the next one of the list
 * @property {string} outcome `plays`, `stops`, `refused`, `crashes`
 * @property {string} [said] of all but a crash
 * @property {number} [tick] the last one that was played; of `plays` and `stops`
 * @property {number} [offset] where the player had read to
 * @property {number} [skipped] snapshots and deltas that were left out
 */

/** The answers by question, each a list of {@link Played} for DDNet, and then one for Teeworlds. */
export function readPlayed() {
  const path = join(folder, 'demo-players.jsonl');
  const [head, ...lines] = existsSync(path) ? readLines(path) : [{ said: [] }];
  const played = ([tag, outcome, said, tick, offset, skipped]) => {
    if (outcome === 'crashes') return { tag, outcome };
    return { tag, outcome, said: head.said[said], ...(outcome !== 'refused' && { tick, offset, skipped }) };
  };
  return new Map(lines.map(([question, ...answers]) => [question, answers.map(played)]));
}

function sentenceOf(tag, { outcome, error = '', said = '' }) {
  const isSaid = inConsole.has(tag) && (error === '' || said === 'empty demo');
  const sentence = isSaid ? (outcome === 'plays' ? 'end of file' : said) : error;
  return sentence.replace(/^'.*' (?=is not a demo file$)/, '');
}

function main([ddnet, repository, programs]) {
  if (!programs) {
    process.stderr.write('usage: node players.mjs DDNET TEEWORLDS FOLDER\n');
    process.exit(2);
  }
  const vectors = readVectors(['play']);
  const at = mkdtempSync(join(tmpdir(), 'players-'));
  const paths = vectors.map(({ id }) => join(at, id));
  for (const [i, vector] of vectors.entries()) writeFileSync(paths[i], Buffer.from(questionOf(vector).in, 'hex'));
  const said = [];
  const answerOf = (tag, printed) => {
    const { outcome, tick, offset, skipped } = printed;
    if (outcome === 'crashes') return [outcome];
    const sentence = sentenceOf(tag, printed);
    if (!said.includes(sentence)) said.push(sentence);
    const number = said.indexOf(sentence);
    return outcome === 'refused' ? [outcome, number] : [outcome, number, tick, offset, skipped];
  };
  const answers = tags.map(([tag]) => {
    const program = join(programs, `demo-oracle-${tag}`);
    const of = tag === teeworlds ? repository : ddnet;
    if (!existsSync(program)) execFileSync('bash', [join(folder, 'players/build.sh'), of, tag, programs]);
    const printed = execFileSync(program, paths, { encoding: 'utf8', maxBuffer: 1 << 28 })
      .trim()
      .split('\n');
    return printed.map((line) => [tag, answerOf(tag, JSON.parse(line))]);
  });
  rmSync(at, { recursive: true });
  const lines = vectors.map((vector, i) => {
    const all = answers.map((ofTag) => ofTag[i]);
    const isNew = ([tag, answer], n) => n === 0 || tag === teeworlds || String(answer) !== String(all[n - 1][1]);
    return [digestOf(vector), ...all.filter(isNew).map(([tag, answer]) => [tag, ...answer])];
  });
  const text = [{ said }, ...lines].map((line) => JSON.stringify(line)).join('\n');
  writeFileSync(join(folder, 'demo-players.jsonl'), `${text}\n`);
  console.log(`${vectors.length} demos, ${tags.length} players`);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) main(process.argv.slice(2));
