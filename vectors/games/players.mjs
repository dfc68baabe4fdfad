// Lets the games play: compiles their own demo players and ghost loaders, of many versions, gives them every vector of the
// layers `play` and `ghost`, and keeps what they did in `demo-players.jsonl` and `ghost-players.jsonl`.
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
 * The programs by layer. `tags` are those that are built, each with the version of `src/recording/games` that has its
 * rules, DDNet first; `values` is what is kept besides outcome and sentence.
 * @type {Readonly<Record<string, { program: string, answers: string, values: readonly string[], tags: readonly (readonly [tag: string, version: string])[] }>>}
 */
export const players = {
  play: {
    program: 'demo-oracle',
    answers: 'demo-players.jsonl',
    values: ['tick', 'offset', 'skipped'],
    tags: [
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
    ],
  },
  ghost: {
    program: 'ghost-oracle',
    answers: 'ghost-players.jsonl',
    values: ['offset', 'characters'],
    tags: [
      ['16.4', '16.4'],
      ['18.6', '16.4'],
      ['18.7', '18.7'],
      ['19.8.3', '18.7'],
      ['19.9', '19.9'],
      ['28baa427', '20.0'],
    ],
  },
};

const teeworlds = '0.7.5';
/** Up to here, and in Teeworlds, a sentence is only in the console. */
const inConsole = new Set(['16.4', '16.6', '16.7.2', '17.3', teeworlds]);

/**
 * What a player did.
 * @typedef {object} Played
 * @property {string} tag the first tag that did so, up to the next one of the list
 * @property {string} outcome `plays`, `stops`, `refused`, `crashes`
 * @property {string} [said] of all but a crash
 * @property {number} [tick] of a demo that plays or stops: the last one that was played
 * @property {number} [offset] where the player had read to
 * @property {number} [skipped] of a demo: snapshots and deltas that were left out
 * @property {number} [characters] of a ghost that plays
 */

/**
 * The answers by question, each a list of {@link Played} for DDNet, and of a demo one for Teeworlds at the end.
 * @param {string} layer
 * @returns {Map<string, Played[]>}
 */
export function readPlayed(layer) {
  const { answers, values } = players[layer];
  const path = join(folder, answers);
  const [head, ...lines] = existsSync(path) ? readLines(path) : [{ said: [] }];
  const played = ([tag, outcome, said, ...found]) => {
    if (outcome === 'crashes') return { tag, outcome };
    return { tag, outcome, said: head.said[said], ...Object.fromEntries(found.map((value, i) => [values[i], value])) };
  };
  return new Map(lines.map(([question, ...answered]) => [question, answered.map(played)]));
}

function sentenceOf(tag, { outcome, error, said = '' }) {
  const isSaid = error === undefined || (inConsole.has(tag) && (error === '' || said === 'empty demo'));
  const sentence = isSaid
    ? inConsole.has(tag) && error !== undefined && outcome === 'plays'
      ? 'end of file'
      : said
    : error;
  return sentence.replace(/^'.*' (?=is not a (demo|ghost) file$)|^Failed to read ghost file 'FILE': /, '');
}

/** What is kept of a line that a program printed; a refusal has its sentence only. */
function answerOf(tag, printed, values, said) {
  if (printed.outcome === 'crashes') return [printed.outcome];
  const sentence = sentenceOf(tag, printed);
  if (!said.includes(sentence)) said.push(sentence);
  const kept = printed.outcome === 'refused' ? [] : values.map((value) => printed[value]);
  return [printed.outcome, said.indexOf(sentence), ...kept];
}

function askAll(layer, repositories, programs) {
  const { program, answers, values, tags } = players[layer];
  const vectors = readVectors([layer]);
  const at = mkdtempSync(join(tmpdir(), 'players-'));
  const paths = vectors.map(({ id }) => join(at, id));
  for (const [i, vector] of vectors.entries()) writeFileSync(paths[i], Buffer.from(questionOf(vector).in, 'hex'));
  const said = [];
  const all = tags.map(([tag]) => {
    const path = join(programs, `${program}-${tag}`);
    if (!existsSync(path)) {
      const repository = repositories[tag === teeworlds ? 1 : 0];
      execFileSync('bash', [join(folder, 'players/build.sh'), repository, tag, programs]);
    }
    const printed = execFileSync(path, paths, { encoding: 'utf8', maxBuffer: 1 << 28 })
      .trim()
      .split('\n');
    return printed.map((line) => [tag, answerOf(tag, JSON.parse(line), values, said)]);
  });
  rmSync(at, { recursive: true });
  const lines = vectors.map((vector, i) => {
    const own = all.map((ofTag) => ofTag[i]);
    const isNew = ([tag, answer], n) => n === 0 || tag === teeworlds || String(answer) !== String(own[n - 1][1]);
    return [digestOf(vector), ...own.filter(isNew).map(([tag, answer]) => [tag, ...answer])];
  });
  const text = [{ said }, ...lines].map((line) => JSON.stringify(line)).join('\n');
  writeFileSync(join(folder, answers), `${text}\n`);
  console.log(`${layer}: ${vectors.length} files, ${tags.length} programs`);
}

function main([ddnet, repository, programs]) {
  if (!programs) {
    process.stderr.write('usage: node players.mjs DDNET TEEWORLDS FOLDER\n');
    process.exit(2);
  }
  for (const layer of Object.keys(players)) askAll(layer, [ddnet, repository], programs);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) main(process.argv.slice(2));
