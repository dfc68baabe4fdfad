import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { demoGames } from '../../src/recording/games/demo-rules.ts';
import { DemoPlayers, type GamePlayed } from '../../src/recording/playback/demo-players.ts';
import { damagedDemo } from './damaged-demos.ts';
import { execFileSync } from './host.ts';
import { read } from './samples.ts';

/*
 * `played-demos.jsonl` has what the games' own demo players did with damaged demos: `demo.cpp` and what it needs,
 * compiled from the tags below. Its first line are the sentences. Each other line is a sample, the seed of its damage,
 * and for each tag from which on it is so: the outcome, the number of the sentence, the tick and the position in the
 * file where it ended, and how many snapshots were left out. Teeworlds refuses version 6, and is left out there.
 */

/** The tags, and the version of the list that has their rules. */
const tags = {
  '16.4': '16.4',
  '16.6': '16.4',
  '16.7.2': '16.7.2',
  '17.3': '16.7.2',
  '17.4.2': '17.4',
  '18.4': '17.4',
  '18.5': '18.5',
  '18.6': '18.6',
  '18.8.2': '18.6',
  '18.9.1': '18.9',
  '19.1': '18.9',
  '19.2': '19.2',
  '19.3': '19.2',
  '19.4': '19.4',
  '19.7': '19.7',
  '19.8': '19.8',
  '19.9': '19.8.2',
  '20.0-rc6': '20.0',
  HEAD: '20.1',
  '0.7.5': '0.7.5',
} as const;

type Tag = keyof typeof tags;
type Answer = readonly [tag: Tag, outcome: string, said?: number, tick?: number, offset?: number, skipped?: number];

export interface Line {
  readonly sample: string;
  readonly seed: number;
  readonly played: readonly Answer[];
}

const path = join(import.meta.dirname, 'played-demos.jsonl');
export const samples = ['ddnet-race-player.demo', 'vanilla-dm1.demo'];
export const seeds = 450;
const tagNames = Object.keys(tags) as Tag[];
export const tagCount: number = tagNames.length;

/** What one program printed about one demo. */
interface Printed {
  readonly outcome: string;
  readonly error?: string;
  readonly said?: string;
  readonly tick?: number;
  readonly offset?: number;
  readonly skipped?: number;
}

/** Up to 17.3, and in Teeworlds, the sentence is only in the console. */
function sentenceOf(tag: Tag, { outcome, error = '', said = '' }: Printed): string {
  const isOld = tagNames.indexOf(tag) < tagNames.indexOf('17.4.2') || tag === '0.7.5';
  const ofConsole = isOld && (error === '' || said === 'empty demo');
  const sentence = ofConsole ? (outcome === 'plays' ? 'end of file' : said) : error;
  return sentence.replace(/^'.*' (?=is not a demo file$)/, '');
}

/** Asks the programs demo-oracle-TAG of a folder, which print a line of JSON for each file, and keeps the answers. */
export function ask(folder: string): void {
  const at = mkdtempSync(join(tmpdir(), 'tw-snap-played-'));
  const all = samples.flatMap((sample) => Array.from({ length: seeds }, (_, seed) => ({ sample, seed })));
  const paths = all.map(({ sample, seed }) => join(at, `${sample}-${seed}`));
  for (const [i, { sample, seed }] of all.entries()) writeFileSync(paths[i]!, damagedDemo(read(sample), seed));
  const said: string[] = [];
  const answerOf = (tag: Tag, printed: Printed): Answer => {
    const { outcome, tick, offset, skipped } = printed;
    if (outcome === 'crashes') return [tag, outcome];
    const sentence = sentenceOf(tag, printed);
    if (!said.includes(sentence)) said.push(sentence);
    const number = said.indexOf(sentence);
    return outcome === 'refused' ? [tag, outcome, number] : [tag, outcome, number, tick!, offset!, skipped!];
  };
  const answers = tagNames.map((tag) =>
    execFileSync(join(folder, `demo-oracle-${tag}`), paths, { encoding: 'utf8', maxBuffer: 1 << 28 })
      .trim()
      .split('\n')
      .map((line) => answerOf(tag, JSON.parse(line))),
  );
  rmSync(at, { recursive: true });
  const lines = all.map((line, i) => {
    const ofAll = answers.map((ofTag) => ofTag[i]!).filter(([tag]) => tag !== '0.7.5' || read(line.sample)[7] === 4);
    const isNew = (answer: Answer, n: number) =>
      n === 0 || answer[0] === '0.7.5' || String(answer.slice(1)) !== String(ofAll[n - 1]!.slice(1));
    return { ...line, played: ofAll.filter(isNew) };
  });
  writeFileSync(path, `${[said, ...lines].map((line) => JSON.stringify(line)).join('\n')}\n`);
}

const [said, ...lines] = readFileSync(path, 'utf8')
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line)) as [string[], ...Line[]];

/** The answers about the demos of a sample, one of so many. */
export const linesOf = (sample: string, step: number): Line[] =>
  lines.filter((line) => line.sample === sample && line.seed % step === 0);

function play(file: Uint8Array): GamePlayed[] {
  const players = new DemoPlayers(demoGames);
  players.leave(undefined);
  for (let at = 0; at < file.length; at += 10_000) players.add(file.subarray(at, at + 10_000));
  players.finish(undefined);
  return players.results;
}

/** What differs from the answers, and how many were not told. */
export function compare({ sample, seed, played }: Line): { wrong: string[]; untold: number } {
  const results = play(damagedDemo(read(sample), seed));
  const wrong: string[] = [];
  let untold = 0;
  for (const tag of tagNames) {
    const own = results.find(({ game }) => game.version === tags[tag])!.played;
    const isFrom = ([from]: Answer) =>
      tag === '0.7.5' ? from === tag : tagNames.indexOf(from) <= tagNames.indexOf(tag);
    const answer = played.filter(isFrom).at(-1);
    if (!answer) continue;
    const [, does, number, ...rest] = answer;
    const expected = number === undefined ? [does] : [does, said[number], ...rest];
    const { outcome, sentence, tick, offset, skipped } = own;
    if (outcome === 'undefined') {
      untold++;
      continue;
    }
    // What is left out of snapshots that another demo begins is not told.
    const all = [outcome, sentence, tick, offset, own.isOnOther ? expected[4] : skipped];
    const found = all.slice(0, expected.length);
    if (String(found) !== String(expected)) wrong.push(`${tag}: ${found}, the game: ${expected}`);
  }
  return { wrong, untold };
}
