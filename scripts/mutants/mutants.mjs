// Changes one operator, number, condition or call of the sources at a time, in a copy of the tree, and lists the
// changes that no test notices.
//   node scripts/mutants/mutants.mjs [--count 200] [--seed 1] [--in src,commands] [--not src/page] [--only NUMBER,…] [--jobs 2]
//                                    [--executed FILE] [--seconds 120] [--among FOLDER,…] [--tests FOLDER,…] [--list]
//   node scripts/mutants/mutants.mjs --known [--only NUMBER,…] [--jobs 2] [--list]
// A first run of the quick tests records which test files execute which function, and how long they take; `--executed`
// keeps that in a file for later runs. Each change then runs the files that execute its function until a test fails:
// those of its folder first, then the fastest that together took `--seconds` when they were recorded, and the goldens
// and transcripts. Changes outside of functions run those that execute any function of the file, and the tests of its
// folder. What types refuse is not counted. `--tests` runs these tests for every change instead: the page's are in the
// browser (`--in src/page --not '' --tests test/page`). `--known` makes the bugs of known-bugs.mjs instead, each with
// its own tests: one that no test notices, or whose line is not there any more, fails the run.
import { spawn } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative, resolve } from 'node:path';
import process from 'node:process';
import { parseArgs } from 'node:util';
import { parseSync } from 'vite';
import { knownBugs } from './known-bugs.mjs';

const root = resolve(import.meta.dirname, '../..');
const { values: options } = parseArgs({
  options: {
    count: { type: 'string', default: '200' },
    seed: { type: 'string', default: '1' },
    in: { type: 'string', default: 'src,commands' },
    not: { type: 'string', default: 'src/page' },
    only: { type: 'string', default: '' },
    tests: { type: 'string', default: '' },
    executed: { type: 'string', default: '' },
    seconds: { type: 'string', default: '120' },
    among: { type: 'string', default: '' },
    jobs: { type: 'string', default: '2' },
    list: { type: 'boolean', default: false },
    known: { type: 'boolean', default: false },
  },
});
const listed = (words) => words.split(',').filter((word) => word !== '');

const swaps = {
  '<': '<=',
  '<=': '<',
  '>': '>=',
  '>=': '>',
  '===': '!==',
  '!==': '===',
  '+': '-',
  '-': '+',
  '*': '/',
  '/': '*',
  '%': '*',
  '&': '|',
  '|': '&',
  '<<': '>>',
  '>>': '<<',
  '>>>': '<<',
  '&&': '||',
  '||': '&&',
  '??': '&&',
}; // prettier-ignore

/** Calls `enter(node, enclosing function)` for each node of a source that is neither a type nor a key. */
function walk(source, path, enter) {
  const { program, errors } = parseSync(path, source);
  if (errors.length > 0) throw new Error(`${path}: ${errors[0].message}`);
  const visit = (node, inside) => {
    const isType = !node?.type || /^(TS(?!NonNull|As|Satisfies)|Import|ExportAll)/.test(node.type);
    if (isType) return;
    enter(node, inside);
    const within = /Function/.test(node.type) ? node : inside;
    for (const [key, value] of Object.entries(node)) {
      if (['typeAnnotation', 'returnType', 'typeArguments'].includes(key) || (key === 'key' && !node.computed))
        continue;
      for (const child of Array.isArray(value) ? value : [value]) if (typeof child === 'object') visit(child, within);
    }
  };
  visit(program, undefined);
}

const isParsed = (source, path) => parseSync(path, source).errors.length === 0;

/**
 * All changes of a file by their kind: `{start, end, text}` replaces that part of the source; `inside` is the start of
 * its function.
 */
function changesOf(source, path) {
  const kinds = new Map();
  const isText = ({ type, value }) => type === 'TemplateLiteral' || typeof value === 'string';
  const textOf = ({ start, end }) => source.slice(start, end);
  walk(source, path, (node, inside) => {
    const add = (kind, { start, end }, text) => {
      if (!kinds.has(kind)) kinds.set(kind, []);
      kinds.get(kind).push({ start, end, text, inside: inside?.start });
    };
    const { type, operator, left, right, value } = node;
    const isSum = operator === '+' && (isText(left) || isText(right));
    if (/^(Binary|Logical)Expression$/.test(type) && swaps[operator] && !isSum) {
      add('operator', node, `((${textOf(left)}) ${swaps[operator]} (${textOf(right)}))`);
    }
    if (/^(ConditionalExpression|IfStatement)$/.test(type)) add('condition', node.test, `!(${textOf(node.test)})`);
    if (type === 'UnaryExpression' && operator === '!') add('condition', node, `(${textOf(node.argument)})`);
    if (type === 'Literal' && typeof value === 'number') add('number', node, String(value + 1));
    if (type === 'Literal' && typeof value === 'boolean') add('boolean', node, String(!value));
    if (type === 'ExpressionStatement' && /^(Call|Await|Assignment|Update)/.test(node.expression.type)) {
      add('statement', node.expression, 'void 0');
    }
  });
  return kinds;
}

/**
 * Numbers in [0, 1) by a linear congruence (Numerical Recipes), so that a seed gives the same changes on every machine.
 */
function randomOf(seed) {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}

function sourcesIn(folders, not = '') {
  return listed(folders)
    .flatMap((folder) => readdirSync(join(root, folder), { recursive: true }).map((name) => join(folder, name)))
    .filter((path) => /(?<!\.d)\.ts$/.test(path) && !listed(not).some((folder) => path.startsWith(`${folder}/`)))
    .sort()
    .map((path) => ({ path, source: readFileSync(join(root, path), 'utf8') }));
}

const changed = ({ source, start, end, text, rest = (all) => all }) =>
  rest(source.slice(0, start) + text + source.slice(end));

/** `count` changes: a file by its number of lines, a kind of change in it, and one of that kind. */
function choose(count, seed) {
  const files = sourcesIn(options.in, options.not);
  let total = 0;
  const ends = files.map(({ source }) => {
    total += source.split('\n').length;
    return total;
  });
  const random = randomOf(seed);
  const pick = (list) => list[Math.floor(random() * list.length)];
  const chosen = new Map();
  while (chosen.size < count) {
    const at = random() * total;
    const file = files[ends.findIndex((end) => end > at)];
    file.kinds ??= changesOf(file.source, file.path);
    if (file.kinds.size === 0) continue;
    const [kind, changes] = pick([...file.kinds]);
    const change = { path: file.path, source: file.source, ...pick(changes) };
    if (isParsed(changed(change), file.path)) chosen.set(`${file.path}:${change.start}:${change.end}:${kind}`, change);
  }
  return [...chosen.values()].map((change, i) => ({ number: i + 1, ...change }));
}

/** Replaces a text that is there once. */
function replaced(path, source, from, to) {
  const parts = source.split(from);
  if (parts.length !== 2) throw new Error(`${path}: not there once any more: ${from}`);
  return parts.join(to);
}

/** The known bugs as changes, each with the tests that have to notice it. */
const knownChanges = () =>
  knownBugs.map(([what, path, from, text, tests, second], i) => {
    const source = readFileSync(join(root, path), 'utf8');
    const start = source.indexOf(from);
    const rest = (all) => (second ? replaced(path, all, ...second) : all);
    const change = { number: i + 1, path, source, start, end: start + from.length, text, what, rest };
    replaced(path, source, from, text);
    if (!isParsed(changed(change), path)) throw new Error(`${path}: cannot be parsed with: ${what}`);
    // Vitest fails without a test, too.
    const missing = tests.split(' ').find((test) => !existsSync(join(root, test)));
    if (missing) throw new Error(`${missing}: no such test`);
    return { ...change, tests: tests.split(' ') };
  });

const lineOf = ({ source, start }) => source.slice(0, start).split('\n').length;
const oneLine = (text) => text.replaceAll(/\s+/g, ' ');
const shown = ({ number, what, ...change }) =>
  `${number}. ${what === undefined ? '' : `${what}: `}${change.path}:${lineOf(change)}: \`${oneLine(change.source.slice(change.start, change.end))}\` → \`${oneLine(change.text)}\``;

const patternsOf = (tests) => listed(tests).map((test) => (test.endsWith('.ts') ? test : `${test}/**/*.test.ts`));

function copyTree() {
  const copy = mkdtempSync(join(tmpdir(), 'tw-snap-mutants-'));
  const left = ['.git', 'node_modules', 'coverage'];
  for (const name of readdirSync(root).filter((text) => !left.includes(text))) {
    cpSync(join(root, name), join(copy, 'main', name), { recursive: true });
  }
  for (const name of ['node_modules', '../shared']) {
    if (existsSync(join(root, name))) symlinkSync(join(root, name), resolve(copy, 'main', name));
  }
  // The files of MUTANT_TESTS in that order, one after another, or all quick tests.
  writeFileSync(
    join(copy, 'main/mutants.config.ts'),
    `import { BaseSequencer } from 'vitest/node';
import config from './vitest.config.ts';
const tests = JSON.parse(process.env.MUTANT_TESTS ?? '[]');
class Ordered extends BaseSequencer {
  override async sort(files) {
    const place = ({ moduleId }) => tests.findIndex((test) => moduleId.endsWith('/' + test));
    return tests.length === 0 ? files : files.toSorted((a, b) => place(a) - place(b));
  }
}
export default {
  ...config,
  test: {
    ...config.test,
    ...(tests.length === 0
      ? { include: ${JSON.stringify(patternsOf(options.among || 'test'))}, exclude: ['**/*.slow.test.ts'], setupFiles: ['./mutants.setup.ts'] }
      : { include: tests, maxWorkers: 1, bail: 1 }),
    cache: false,
    sequence: { sequencer: Ordered },
  },
};
`,
  );
  return join(copy, 'main');
}

/** The running programs, each of which leads a group. */
const running = new Set();

/**
 * Runs a program in a copy, and whatever it starts, for some seconds at most. Returns whether it succeeded; undefined
 * if it had no end.
 */
function run(folder, args, seconds, env = {}) {
  const child = spawn(process.execPath, args, {
    cwd: folder,
    stdio: 'ignore',
    detached: true,
    env: { ...process.env, ...env },
  });
  running.add(child);
  return new Promise((done) => {
    const timer = setTimeout(() => process.kill(-child.pid, 'SIGKILL'), 1000 * seconds);
    child.on('exit', (code) => {
      clearTimeout(timer);
      running.delete(child);
      done(code === null ? undefined : code === 0);
    });
  });
}

const vitest = ['node_modules/vitest/vitest.mjs', 'run', '--config', 'mutants.config.ts', '--reporter'];

/**
 * The test files that execute each function (`PATH:START`), and the milliseconds of each file; a run of all quick
 * tests.
 */
async function recordExecuted(folder) {
  const functions = [];
  for (const { path, source } of sourcesIn('src,commands')) {
    const marks = [];
    walk(source, path, ({ type, start, body }) => {
      if (!/Function|Arrow/.test(type) || !body) return;
      const call = `globalThis.executed?.(${functions.push(`${path}:${start}`) - 1})`;
      if (body.type === 'BlockStatement' || body.type === 'FunctionBody') marks.push([body.start + 1, `${call};`]);
      else marks.push([body.start, `(${call}, `], [body.end, ')']);
    });
    let text = source;
    const isEnd = ([, mark]) => mark === ')';
    for (const [at, mark] of marks.sort((a, b) => b[0] - a[0] || isEnd(a) - isEnd(b))) {
      text = text.slice(0, at) + mark + text.slice(at);
    }
    if (!isParsed(text, path)) throw new Error(`${path}: cannot be marked`);
    writeFileSync(join(folder, path), text);
  }
  const [log, report] = [join(folder, 'executed.ndjson'), join(folder, 'executed.json')];
  writeFileSync(log, '');
  writeFileSync(
    join(folder, 'mutants.setup.ts'),
    `import { appendFileSync } from 'node:fs';
import { afterAll, expect } from 'vitest';
const executed = new Uint8Array(${functions.length});
globalThis.executed = (number) => { executed[number] = 1; };
afterAll(() => {
  const numbers = [...executed.keys()].filter((number) => executed[number] === 1);
  appendFileSync(${JSON.stringify(log)}, JSON.stringify([expect.getState().testPath, ...numbers]) + '\\n');
});
`,
  );
  await run(folder, [...vitest, 'json', '--outputFile', report], 3600);
  for (const { path, source } of sourcesIn('src,commands')) writeFileSync(join(folder, path), source);
  const durations = {};
  for (const { name, status, startTime, endTime } of JSON.parse(readFileSync(report, 'utf8')).testResults) {
    const path = relative(folder, name);
    if (status === 'passed') durations[path] = Math.round(endTime - startTime);
    else
      process.stderr.write(
        `mutants: left out, since it fails without a change (or with the calls that record functions): ${path}\n`,
      );
  }
  const byFunction = {};
  for (const line of readFileSync(log, 'utf8').trim().split('\n')) {
    const [path, ...numbers] = JSON.parse(line);
    const test = relative(folder, path);
    if (!(test in durations)) continue;
    for (const name of numbers.map((number) => functions[number])) {
      byFunction[name] ??= [];
      byFunction[name].push(test);
    }
  }
  return { durations, byFunction };
}

/** The tests that can notice a change, the fastest first but for those of its folder. */
function testsOf({ path, inside }, { durations, byFunction }) {
  const files = new Set(byFunction[`${path}:${inside}`]);
  // What runs once, when a module is loaded, is executed by the first test file only.
  if (inside === undefined || files.size < 3) {
    for (const [name, tests] of Object.entries(byFunction)) {
      if (name.startsWith(`${path}:`)) for (const test of tests) files.add(test);
    }
  }
  const folder = `test/${dirname(path).replace(/^src\b\/?/, '')}/`;
  const isNear = (test) => test.startsWith(folder);
  const isPinning = (test) => /^test\/(goldens|transcripts)\//.test(test);
  if (inside === undefined) {
    for (const test of Object.keys(durations)) if (isNear(test) || isPinning(test)) files.add(test);
  }
  let milliseconds = 0;
  const isInTime = (test) => {
    milliseconds += durations[test];
    return milliseconds <= 1000 * Number(options.seconds);
  };
  return [...files]
    .sort((a, b) => Number(isNear(b)) - Number(isNear(a)) || durations[a] - durations[b])
    .filter((test) => isInTime(test) || isPinning(test));
}

/**
 * Whether tests or types notice a change: `noticed`, `refused` by types, or `left`; `endless` if the tests had no end,
 * maybe because the machine is busy.
 */
async function outcomeOf(mutant, folder, tests, seconds) {
  writeFileSync(join(folder, mutant.path), changed(mutant));
  const env = { MUTANT_TESTS: JSON.stringify(tests) };
  try {
    const passed = tests.length === 0 || (await run(folder, [...vitest, 'dot'], seconds, env));
    if (!passed) return passed === undefined ? 'endless' : 'noticed';
    const project = mutant.path.startsWith('src/page/') ? 'src/page' : '.';
    return (await run(folder, ['node_modules/typescript/bin/tsc', '-p', project], 300)) ? 'left' : 'refused';
  } finally {
    writeFileSync(join(folder, mutant.path), mutant.source);
  }
}

const all = options.known ? knownChanges() : choose(Number(options.count), Number(options.seed));
const mutants = options.only === '' ? all : all.filter(({ number }) => listed(options.only).includes(String(number)));

async function work(folders) {
  const given = patternsOf(options.tests);
  const recorded = options.executed !== '' && existsSync(options.executed);
  const executed =
    given.length > 0 || options.known
      ? undefined
      : recorded
        ? JSON.parse(readFileSync(options.executed, 'utf8'))
        : await recordExecuted(folders[0]);
  if (executed && options.executed !== '') writeFileSync(options.executed, JSON.stringify(executed));
  const outcomes = { noticed: 0, endless: 0, refused: 0, left: 0 };
  const queue = [...mutants];
  const next = async (folder) => {
    for (let mutant = queue.shift(); mutant; mutant = queue.shift()) {
      const tests = mutant.tests ?? (executed ? testsOf(mutant, executed) : given);
      // A change can make a loop endless.
      const seconds = executed ? 60 + tests.reduce((sum, test) => sum + executed.durations[test] / 200, 0) : 900;
      const outcome = await outcomeOf(mutant, folder, tests, seconds);
      outcomes[outcome]++;
      if (outcome === 'left') {
        process.stdout.write(`${shown(mutant)}${tests.length === 0 ? ' (no test executes it)' : ''}\n`);
      }
      process.stderr.write(`${mutants.length - queue.length} of ${mutants.length}: ${outcome} ${mutant.number}\n`);
    }
  };
  await Promise.all(folders.map(next));
  const { noticed, endless, refused, left } = outcomes;
  process.stdout.write(
    `${noticed} of ${noticed + left} noticed; types refuse ${refused} more; of ${endless} the tests had no end in time\n`,
  );
  if (options.known && noticed < mutants.length) process.exitCode = 1;
}

if (options.list) {
  for (const mutant of mutants) process.stdout.write(`${shown(mutant)}\n`);
} else if (existsSync(join(root, 'dist'))) {
  const folders = Array.from({ length: Number(options.jobs) }, copyTree);
  process.on('exit', () => {
    for (const { pid } of running) process.kill(-pid, 'SIGKILL');
    for (const folder of folders) rmSync(dirname(folder), { recursive: true, force: true });
  });
  for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => process.exit(130));
  await work(folders);
} else {
  process.stderr.write('mutants: run npm run build first\n');
  process.exitCode = 2;
}
