#!/usr/bin/env node
// Asks a decoder every vector and says what it answered wrongly. Needs Node 20, nothing else. See GUIDE.md.
import { spawn } from 'node:child_process';
import { readdirSync, readFileSync, realpathSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

const usage = `usage: teeworlds-vectors [OPTION]... -- PROGRAM [ARGUMENT]...      or node check.mjs in its place

PROGRAM reads a vector a line and writes an answer a line:
  {"id":"varint-003","out":{"value":-1,"size":1}}   what it read
  {"id":"varint-031","error":"truncated"}           it refuses; any text counts
  {"id":"packet-001","skip":true}                   it has no such layer

  --layer NAME     only this layer; may be repeated
  --like GAME      where the games differ, ask for what this one does: ddnet, teeworlds
  --strict         ask for the order of items, which only the bytes of a demo depend on
  --tsv            send tab-separated lines, for programs without a JSON reader
  --seconds N      a program that is silent for so long hangs (10)
  --show N         failures of a layer that are printed (3)
  --junit FILE     write a JUnit report
  --answers FILE   write the answers as JSON lines

exit status: 0 all that is answered is right, 1 something is wrong or nothing was answered, 2 wrong usage
`;

const folder = fileURLToPath(new URL('data/', import.meta.url));
const games = ['ddnet', 'teeworlds'];

/** The lines of a file of vectors or answers. */
export const readLines = (path) =>
  readFileSync(path, 'utf8')
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line));

/** All vectors, or those of some layers. */
export function readVectors(layers = []) {
  const files = readdirSync(folder).filter((file) => file.endsWith('.jsonl'));
  const known = files.map((file) => file.slice(0, -'.jsonl'.length)).sort();
  const unknown = layers.find((layer) => !known.includes(layer));
  if (unknown !== undefined) fail(`no layer ${unknown}; there are ${known.join(', ')}`);
  return (layers.length > 0 ? layers : known).flatMap((layer) => readLines(join(folder, `${layer}.jsonl`)));
}

/**
 * What a decoder is told of a vector: never the answer, nor what hints at it.
 * @param {Record<string, any>} vector
 */
export function questionOf(vector) {
  const { result, out, games, note, row, source, file, splices, ...question } = vector;
  return file ? { ...question, in: spliced(file, splices).toString('hex') } : question;
}

const files = new Map();

/** A file of the folder `files`, with other bytes in the place of some: where, how many, and which as hex. */
function spliced(name, splices) {
  const path = new URL(`files/${name}`, import.meta.url);
  if (!files.has(name)) files.set(name, readFileSync(path));
  const whole = files.get(name);
  const parts = [];
  let from = 0;
  for (const [at, removed, hex] of splices) {
    parts.push(whole.subarray(from, at), Buffer.from(hex, 'hex'));
    from = at + removed;
  }
  return Buffer.concat([...parts, whole.subarray(from)]);
}

const flatItems = (items) => items.map(([type, id, data]) => [type, id, data.length, ...data].join(' ')).join(' ');

/**
 * The further input that a layer has besides bytes, as text. Items are `type id size ints…`, packets of a connection
 * `token last sent seconds at:hex at:hex…`.
 */
function furtherInput({ value, name, room, count, kinds, ints, base, items, packets, unpacked, chunk, ...more }) {
  if (base || items) return flatItems(base ?? items);
  if (chunk) return `${chunk} ${more.int} ${more.times}`;
  if (packets) {
    const { token = '-', last, sent, seconds } = more;
    return [token, last, sent, seconds, ...packets.map(([at, hex]) => `${at}:${hex}`)].join(' ');
  }
  return String(kinds?.join('') ?? ints?.join(' ') ?? value ?? name ?? room ?? count ?? (unpacked ? 'unpacked' : ''));
}

/** A question without JSON: id, layer, protocol or version, bytes as hex, further input. */
export const tsvOf = (vector) =>
  [
    vector.id,
    vector.layer,
    vector.protocol ?? vector.version ?? '',
    questionOf(vector).in ?? '',
    furtherInput(vector),
  ].join('\t');

/** Names are compared without case, underscores, and the prefixes of the games' structs. */
const plainName = (name) =>
  String(name)
    .replace(/^(CNet)?(Obj|Event|Msg)_/i, '')
    .replace(/_/g, '')
    .toLowerCase();

const inOrder = (items) => [...items].sort((a, b) => a[0] - b[0] || a[1] - b[1]);

function isSame(key, expected, found, strict) {
  if (key === 'name') return plainName(expected) === plainName(found);
  if (key === 'items' && !strict && Array.isArray(found))
    return JSON.stringify(inOrder(expected)) === JSON.stringify(inOrder(found));
  return JSON.stringify(expected) === JSON.stringify(found);
}

/** Every value that the vector states has to be in the answer; what else is in it does not matter. */
const matches = (expected, found, { strict, partial }) =>
  found !== null &&
  typeof found === 'object' &&
  Object.entries(expected).every(
    ([key, value]) => (partial && found[key] === undefined) || isSame(key, value, found[key], strict),
  );

const refusing = new Set(['refused', 'dropped']);
/** What a game does that leaves no answer to compare: memory beside the input decides. */
const undefinedDeeds = new Set(['misread', 'crashes']);
const isEmpty = (out) => Object.keys(out).length === 0;

/**
 * The answers that are right: some values, or an error, or anything that is no crash.
 * @returns `{ outs, error, any }`
 */
function rightAnswers({ result, out, games }, like) {
  if (result === 'valid') return { outs: [out], error: false, any: false };
  if (result === 'invalid') return { outs: [], error: true, any: false };
  const deeds = like && games[like] ? [games[like]] : Object.values(games);
  const read = deeds.filter(({ does }) => like === undefined || !refusing.has(does));
  const outs = [...(like === undefined && out ? [out] : []), ...read.flatMap((deed) => deed.out ?? out ?? [])];
  return {
    outs,
    // What a game ignores, a decoder may read or refuse.
    error: like === undefined || deeds.some(({ does }) => refusing.has(does) || does === 'ignored'),
    any: outs.some(isEmpty) || deeds.some(({ does, out: own }) => undefinedDeeds.has(does) && own === undefined),
  };
}

/**
 * `passed`, `failed` or `skipped`. A crash, a hang and a missing answer are never a pass, also where an error is right.
 * @param {Record<string, any>} vector
 * @param {Record<string, any> | undefined} answer
 * @param {{ like?: string, strict?: boolean, partial?: boolean }} options `like` a game; without one, an `acceptable`
 *   vector allows what any game does. `partial`: what the answer lacks is not asked
 */
export function judge(vector, answer, { like, strict = false, partial = false } = {}) {
  if (answer?.skip) return 'skipped';
  if (answer === undefined || answer.died || (answer.out === undefined && answer.error === undefined)) return 'failed';
  const { outs, error, any } = rightAnswers(vector, like);
  if (any) return 'passed';
  if (answer.error !== undefined) return error ? 'passed' : 'failed';
  return outs.some((out) => matches(out, answer.out, { strict, partial })) ? 'passed' : 'failed';
}

/**
 * One run of the program over some vectors, until it ends, or is silent for too long.
 * @returns the answers by id, and what it died of, if it did
 */
function run([program, ...args], lines, seconds) {
  return new Promise((done) => {
    const answers = new Map();
    const child = spawn(program, args, { stdio: ['pipe', 'pipe', 'inherit'] });
    let death;
    const hang = () => {
      death = `no answer for ${seconds} s`;
      child.kill('SIGKILL');
    };
    let timer = setTimeout(hang, 1000 * seconds);
    const output = createInterface({ input: child.stdout });
    output.on('line', (line) => {
      clearTimeout(timer);
      if (death === undefined) timer = setTimeout(hang, 1000 * seconds);
      const answer = parsed(line);
      if (answer?.id !== undefined) answers.set(answer.id, answer);
    });
    child.on('error', ({ message }) => fail(message));
    // A program that dies does not read to the end: what the pipe says of that is known already.
    child.stdin.on('error', () => {});
    child.on('close', (status, signal) => {
      clearTimeout(timer);
      death ??= signal ?? `exit status ${status}`;
      done({ answers, death });
    });
    child.stdin.end(lines.map((line) => `${line}\n`).join(''));
  });
}

/** Lines that are no JSON, as of a logger, are no answers. */
function parsed(line) {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}

const mostDeaths = 60;
/** A program that dies so often and has answered nothing does not run at all. */
const mostSilentDeaths = 3;

/**
 * Asks all vectors. A program that dies, or ends before its input does, is started again behind the vector that it died
 * of. One that answers what comes later has left an answer out.
 */
export async function ask(command, vectors, { tsv = false, seconds = 10 } = {}) {
  const all = new Map();
  let rest = vectors;
  for (let deaths = 0; rest.length > 0 && deaths <= mostDeaths; deaths++) {
    const lines = rest.map((vector) => (tsv ? tsvOf(vector) : JSON.stringify(questionOf(vector))));
    const { answers, death } = await run(command, lines, seconds);
    for (const [id, answer] of answers) all.set(id, answer);
    const at = rest.findIndex(({ id }) => !all.has(id));
    const isAtEnd = death === 'exit status 0' && (answers.size === 0 || answers.has(rest.at(-1).id));
    if (isAtEnd || at < 0) break;
    all.set(rest[at].id, { id: rest[at].id, died: death });
    if (all.size === mostSilentDeaths && deaths + 1 === mostSilentDeaths) break;
    rest = rest.slice(at + 1);
  }
  return all;
}

/** The number of vectors that passed, failed and were skipped, by layer. */
export function sums(verdicts) {
  const byLayer = new Map();
  for (const { vector, verdict } of verdicts) {
    const sum = byLayer.get(vector.layer) ?? { passed: 0, failed: 0, skipped: 0 };
    sum[verdict]++;
    byLayer.set(vector.layer, sum);
  }
  return byLayer;
}

function printSums(byLayer) {
  const width = Math.max(...[...byLayer.keys()].map((layer) => layer.length));
  for (const [layer, { passed, failed, skipped }] of byLayer) {
    const asked = passed + failed;
    const text = asked === 0 ? 'not answered' : `${String(passed).padStart(4)} of ${asked}`;
    const left = asked > 0 && skipped > 0 ? `, ${skipped} not answered` : '';
    console.log(`${layer.padEnd(width)}  ${text}${left}${failed > 0 ? `  ${failed} wrong` : ''}`);
  }
}

const cut = (text, length = 240) => (text.length > length ? `${text.slice(0, length)}…` : text);
const answerText = (answer) =>
  answer === undefined
    ? 'nothing'
    : answer.died
      ? `nothing: it died (${answer.died})`
      : answer.out === undefined
        ? `error: ${answer.error}`
        : JSON.stringify(answer.out);

function expectedText(vector, like) {
  const { outs, error } = rightAnswers(vector, like);
  const texts = new Set(outs.map((out) => cut(JSON.stringify(out))));
  return [...(error ? ['an error'] : []), ...texts].join(' or ');
}

function printFailure({ vector, answer }, like) {
  const { id, note, row, source } = vector;
  console.log(`\n${id}  ${[note, row].filter(Boolean).join('; ')}`);
  console.log(`  in        ${cut(JSON.stringify(questionOf(vector)))}`);
  console.log(`  expected  ${expectedText(vector, like)}`);
  console.log(`  answered  ${cut(answerText(answer))}`);
  if (source) console.log(`  source    ${source}`);
}

const entities = { '<': '&lt;', '>': '&gt;', '&': '&amp;', '"': '&quot;' };
// Control characters are not allowed in XML at all.
const escaped = (text) =>
  String(text)
    .replace(/[<>&"]/g, (character) => entities[character])
    // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is replaced
    .replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f]/g, '?');

export function junit(verdicts) {
  const suites = [...sums(verdicts)].map(([layer, { passed, failed, skipped }]) => {
    const cases = verdicts
      .filter(({ vector }) => vector.layer === layer)
      .map(({ vector, answer, verdict }) => {
        const name = escaped([vector.id, vector.note ?? vector.row].filter(Boolean).join(' '));
        const inside = {
          passed: '',
          skipped: '<skipped/>',
          failed: `<failure message="${escaped(cut(answerText(answer)))}"/>`,
        };
        return `    <testcase classname="${layer}" name="${name}">${inside[verdict]}</testcase>\n`;
      });
    const tests = passed + failed + skipped;
    const head = `<testsuite name="${layer}" tests="${tests}" failures="${failed}" skipped="${skipped}">`;
    return `  ${head}\n${cases.join('')}  </testsuite>\n`;
  });
  return `<?xml version="1.0" encoding="UTF-8"?>\n<testsuites>\n${suites.join('')}</testsuites>\n`;
}

/** Without `--like` an answer is right that only one of the games gives. */
function unlikeText(verdicts) {
  const isUnlike = (like) => (one) => one.verdict === 'passed' && judge(one.vector, one.answer, { like }) === 'failed';
  const [ddnet, teeworlds] = games.map((like) => verdicts.filter(isUnlike(like)).length);
  return `of these unlike DDNet ${ddnet}, unlike Teeworlds ${teeworlds}: --like ddnet, --like teeworlds`;
}

function fail(message) {
  process.stderr.write(`check.mjs: ${message}\n`);
  process.exit(2);
}

function optionsOf(words) {
  const options = { layers: [], show: 3, seconds: 10, strict: false, tsv: false };
  const at = words.indexOf('--');
  const own = at < 0 ? words : words.slice(0, at);
  for (let i = 0; i < own.length; i++) {
    const name = own[i];
    const value = () => own[++i] ?? fail(`${name} needs a value`);
    const number = () => {
      const text = value();
      return /^\d+$/.test(text) ? Number(text) : fail(`${name} needs a number, not ${text}`);
    };
    if (name === '--help') options.help = true;
    else if (name === '--strict' || name === '--tsv') options[name.slice(2)] = true;
    else if (name === '--layer') options.layers.push(value());
    else if (name === '--like') options.like = value();
    else if (name === '--show' || name === '--seconds') options[name.slice(2)] = number();
    else if (name === '--junit' || name === '--answers') options[name.slice(2)] = value();
    else fail(`unknown option ${name}; --help lists them`);
  }
  if (options.like !== undefined && !games.includes(options.like)) fail(`--like needs ${games.join(' or ')}`);
  return { ...options, command: at < 0 ? [] : words.slice(at + 1) };
}

async function main() {
  const options = optionsOf(process.argv.slice(2));
  if (options.help) return process.stdout.write(usage);
  if (options.command.length === 0) fail('no program; write it after --');
  const vectors = readVectors(options.layers);
  const answers = await ask(options.command, vectors, options);
  const verdicts = vectors.map((vector) => {
    const answer = answers.get(vector.id);
    return { vector, answer, verdict: judge(vector, answer, options) };
  });
  const failures = verdicts.filter(({ verdict }) => verdict === 'failed');
  const passed = verdicts.filter(({ verdict }) => verdict === 'passed').length;
  printSums(sums(verdicts));
  for (const [layer, { failed }] of sums(failures)) {
    const own = failures.filter(({ vector }) => vector.layer === layer);
    for (const failure of own.slice(0, options.show)) printFailure(failure, options.like);
    if (failed > options.show) console.log(`\n${layer}: ${failed - options.show} more; --show ${failed} prints them`);
  }
  const deaths = failures.filter(({ answer }) => answer?.died).length;
  const skipped = vectors.length - passed - failures.length;
  const ends = [
    `${passed} of ${passed + failures.length} right`,
    ...(skipped > 0 ? [`${skipped} not answered`] : []),
    ...(deaths > 0 ? [`died ${deaths} times`] : []),
  ];
  console.log(`\n${ends.join(', ')}`);
  if (options.like === undefined && passed > 0) console.log(unlikeText(verdicts));
  if (options.junit) writeFileSync(options.junit, junit(verdicts));
  if (options.answers)
    writeFileSync(options.answers, vectors.map(({ id }) => `${JSON.stringify(answers.get(id) ?? { id })}\n`).join(''));
  process.exitCode = failures.length > 0 || passed === 0 ? 1 : 0;
}

// npm starts it by a link.
if (process.argv[1] && realpathSync(process.argv[1]) === fileURLToPath(import.meta.url)) await main();
