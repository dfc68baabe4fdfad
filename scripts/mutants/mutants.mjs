// Changes one operator, number, condition or call of the sources at a time, in a copy of the tree, and lists the changes that no test notices.
//   node scripts/mutants/mutants.mjs [--count 200] [--seed 1] [--in src,commands] [--not src/page] [--only NUMBER,…] [--tests FOLDER,…] [--jobs 2]
// A first run of the quick tests records which test files execute which change; then each change runs those files alone. Changes that run when
// a module is loaded run the tests of their folder, the goldens and the transcripts first, then all quick tests. `--tests` runs these tests
// for every change instead: the page's are in the browser (`--in src/page --tests test/page`).
import { spawn } from 'node:child_process';
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import process from 'node:process';
import { parseArgs } from 'node:util';
import { parseSync } from 'vite';

const root = resolve(import.meta.dirname, '../..');
const { values: options } = parseArgs({
  options: {
    count: { type: 'string', default: '200' },
    seed: { type: 'string', default: '1' },
    in: { type: 'string', default: 'src,commands' },
    not: { type: 'string', default: 'src/page' },
    only: { type: 'string', default: '' },
    tests: { type: 'string', default: '' },
    jobs: { type: 'string', default: '2' },
    list: { type: 'boolean', default: false },
  },
});

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

/** All changes of a file by their kind: `{start, end, text}` replaces that part of the source. */
function changesOf(source, path) {
  const kinds = new Map();
  const add = (kind, { start, end }, text, inFunction) => {
    if (!kinds.has(kind)) kinds.set(kind, []);
    kinds.get(kind).push({ start, end, text, inFunction });
  };
  const isText = ({ type, value }) => type === 'TemplateLiteral' || typeof value === 'string';
  const visit = (node, inFunction) => {
    if (!node || typeof node.type !== 'string' || /^(TS(?!NonNull|As|Satisfies)|Import|ExportAll)/.test(node.type))
      return;
    const textOf = ({ start, end }) => source.slice(start, end);
    if (node.type === 'BinaryExpression' || node.type === 'LogicalExpression') {
      const { left, right, operator } = node;
      const isSum = operator === '+' && (isText(left) || isText(right));
      if (swaps[operator] && !isSum) {
        add('operator', node, `${textOf(left)} ${swaps[operator]} ${textOf(right)}`, inFunction);
      }
    }
    if (node.type === 'ConditionalExpression' || node.type === 'IfStatement') {
      add('condition', node.test, `!(${textOf(node.test)})`, inFunction);
    }
    if (node.type === 'Literal' && typeof node.value === 'number')
      add('number', node, String(node.value + 1), inFunction);
    if (node.type === 'Literal' && typeof node.value === 'boolean')
      add('boolean', node, String(!node.value), inFunction);
    if (node.type === 'UnaryExpression' && node.operator === '!')
      add('condition', node, textOf(node.argument), inFunction);
    if (
      node.type === 'ExpressionStatement' &&
      /^(Call|Await|Assignment|Update)Expression$/.test(node.expression.type)
    ) {
      add('statement', node.expression, 'void 0', inFunction);
    }
    const inside = inFunction || /Function/.test(node.type);
    for (const [key, value] of Object.entries(node)) {
      if (key === 'typeAnnotation' || key === 'returnType' || key === 'typeArguments') continue;
      if (key === 'key' && !node.computed) continue;
      for (const child of Array.isArray(value) ? value : [value]) if (typeof child === 'object') visit(child, inside);
    }
  };
  visit(parseSync(path, source).program, false);
  return kinds;
}

/** Numbers in [0, 1) by a linear congruence (Numerical Recipes), so that a seed gives the same changes on every machine. */
function randomOf(seed) {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}

/** `count` changes: a file by its number of lines, a kind of change in it, and one of that kind. */
function choose(count, seed) {
  const listed = (words) => words.split(',').filter((word) => word !== '');
  const files = listed(options.in)
    .flatMap((folder) => readdirSync(join(root, folder), { recursive: true }).map((name) => join(folder, name)))
    .filter(
      (path) => /(?<!\.d)\.ts$/.test(path) && !listed(options.not).some((folder) => path.startsWith(`${folder}/`)),
    )
    .sort()
    .map((path) => ({ path, source: readFileSync(join(root, path), 'utf8') }));
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
    const kinds = changesOf(file.source, file.path);
    if (kinds.size === 0) continue;
    const [kind, changes] = pick([...kinds]);
    const change = pick(changes);
    chosen.set(`${file.path}:${change.start}:${change.end}:${kind}`, { ...file, kind, ...change });
  }
  return [...chosen.values()].map((change, i) => ({ number: i + 1, ...change }));
}

const lineOf = ({ source, start }) => source.slice(0, start).split('\n').length;
const shown = (mutant) =>
  `${mutant.number}. ${mutant.path}:${lineOf(mutant)}: \`${mutant.source.slice(mutant.start, mutant.end)}\` → \`${mutant.text}\``;

function copyTree() {
  const copy = mkdtempSync(join(tmpdir(), 'tw-snap-mutants-'));
  const left = ['.git', 'node_modules', 'coverage'];
  for (const name of readdirSync(root).filter((one) => !left.includes(one))) {
    cpSync(join(root, name), join(copy, 'main', name), { recursive: true });
  }
  for (const name of ['node_modules', '../shared']) symlinkSync(join(root, name), resolve(copy, 'main', name));
  return join(copy, 'main');
}

/** Runs tests and returns whether one failed. `--bail` ends the run with the first. */
function fails(folder, tests, extra = []) {
  const args = ['vitest', 'run', ...tests, '--bail', '1', '--reporter', 'dot', ...extra];
  const child = spawn('npx', args, { cwd: folder, stdio: 'ignore', detached: true });
  return new Promise((done) => {
    // A change can make a loop endless.
    const timer = setTimeout(() => process.kill(-child.pid, 'SIGKILL'), 300_000);
    child.on('exit', (code) => {
      clearTimeout(timer);
      done(code !== 0);
    });
  });
}

const quick = ['--exclude', '**/*.slow.test.ts'];

/** The test files that execute each change, found by a run of the quick tests over sources that report them. */
async function executedBy(mutants, folder) {
  const byFile = new Map();
  for (const mutant of mutants) {
    if (mutant.inFunction) byFile.set(mutant.path, [...(byFile.get(mutant.path) ?? []), mutant]);
  }
  for (const [path, changes] of byFile) {
    let text = changes[0].source;
    // From the end, so that positions stay; what is inside another change comes first with its end.
    const marks = changes.flatMap(({ number, start, end }) => [
      { at: start, order: -end, text: `(globalThis.executed?.(${number}), ` },
      { at: end, order: start, text: ')' },
    ]);
    marks.sort((a, b) => b.at - a.at || b.order - a.order);
    for (const { at, text: mark } of marks) text = text.slice(0, at) + mark + text.slice(at);
    writeFileSync(join(folder, path), text);
  }
  const log = join(folder, 'executed.ndjson');
  writeFileSync(
    join(folder, 'executed.setup.ts'),
    `import { appendFileSync } from 'node:fs';
import { afterAll, expect } from 'vitest';
const numbers = new Set();
globalThis.executed = (number) => numbers.add(number);
afterAll(() => appendFileSync(${JSON.stringify(log)}, JSON.stringify([expect.getState().testPath, ...numbers]) + '\\n'));
`,
  );
  writeFileSync(log, '');
  const config = readFileSync(join(folder, 'vitest.config.ts'), 'utf8');
  writeFileSync(
    join(folder, 'vitest.config.ts'),
    config.replace('test: {', "test: {\n setupFiles: ['./executed.setup.ts'],"),
  );
  const failed = await fails(folder, [], quick);
  writeFileSync(join(folder, 'vitest.config.ts'), config);
  for (const [path, [{ source }]] of byFile) writeFileSync(join(folder, path), source);
  if (failed) process.stderr.write('mutants: a test fails without any change\n');
  const tests = new Map(mutants.map(({ number }) => [number, []]));
  for (const line of readFileSync(log, 'utf8').trim().split('\n')) {
    const [path, ...numbers] = JSON.parse(line);
    for (const number of numbers) tests.get(number).push(path.slice(folder.length + 1));
  }
  return tests;
}

/** Whether the tests notice a change. */
async function isNoticed(mutant, folder, tests) {
  const { path, source, start, end, text, inFunction } = mutant;
  writeFileSync(join(folder, path), source.slice(0, start) + text + source.slice(end));
  try {
    if (options.tests !== '') return await fails(folder, options.tests.split(','));
    if (inFunction) return tests.length > 0 && (await fails(folder, tests, quick));
    const own = dirname(path)
      .replace(/^src\//, '')
      .split('/')[0];
    if (await fails(folder, [`test/${own}`, 'test/goldens', 'test/transcripts'], quick)) return true;
    return await fails(folder, [], quick);
  } finally {
    writeFileSync(join(folder, path), source);
  }
}

const only = options.only.split(',').filter(Boolean).map(Number);
const all = choose(Number(options.count), Number(options.seed));
const mutants = only.length > 0 ? all.filter(({ number }) => only.includes(number)) : all;
if (options.list) {
  for (const mutant of mutants) process.stdout.write(`${shown(mutant)}\n`);
} else {
  const folders = Array.from({ length: Number(options.jobs) }, copyTree);
  try {
    const tests = options.tests === '' ? await executedBy(mutants, folders[0]) : new Map();
    const queue = [...mutants];
    let noticed = 0;
    const work = async (folder) => {
      for (let mutant = queue.shift(); mutant; mutant = queue.shift()) {
        if (await isNoticed(mutant, folder, tests.get(mutant.number) ?? [])) noticed++;
        else
          process.stdout.write(
            `${shown(mutant)}${tests.get(mutant.number)?.length === 0 && mutant.inFunction ? ' (no test executes it)' : ''}\n`,
          );
      }
    };
    await Promise.all(folders.map(work));
    process.stdout.write(`${noticed} of ${mutants.length} noticed\n`);
  } finally {
    for (const folder of folders) rmSync(dirname(folder), { recursive: true, force: true });
  }
}
