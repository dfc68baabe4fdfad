// Runs two builds over every command, format and option, and prints where their outputs, written files and exit
// statuses differ.
//   node scripts/net/net.mjs BEFORE [AFTER] [--quick] [--also FILE|FOLDER]… [--only COMMAND,…] [--lines N] [--seconds 120]
// BEFORE and AFTER (default: this checkout) are checkouts that are built. A run takes the option lines of lines.mjs on
// small files, all samples, and, unless `--quick`, the recordings of ../shared/corpus; `--also` adds more. Equal
// differences are one group, with one example of at most `--lines` lines. The first example of a group is run again in
// processes of its own, as a user would. Exit status: 0 no difference, 1 differences, 2 wrong usage.
import { fork, spawnSync } from 'node:child_process';
import {
  closeSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join, resolve } from 'node:path';
import process from 'node:process';
import { parseArgs } from 'node:util';
import { differenceOf } from './difference.mjs';
import { fileLines, files, inputLines, lines, values } from './lines.mjs';
import { masked, maskedName } from './mask.mjs';

const root = resolve(import.meta.dirname, '../..');
const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    quick: { type: 'boolean', default: false },
    also: { type: 'string', multiple: true, default: [] },
    only: { type: 'string', default: '' },
    lines: { type: 'string', default: '12' },
    seconds: { type: 'string', default: '120' },
  },
});

/**
 * Every setting is run on files up to the first size, every format up to the second; on larger files the lines as they
 * are.
 */
const [smallBytes, mediumBytes] = [70_000, 500_000];
/** So many lines are given to both builds at once. */
const together = 64;
/** Options that never end, or that change nothing in what is compared. */
const left = ['--help', '--follow', '--jobs'];

const checkouts = [positionals[0], positionals[1] ?? root].map((path) =>
  resolve(path?.endsWith('.cjs') ? join(dirname(path), '..') : (path ?? '')),
);
if (positionals.length === 0 || checkouts.some((checkout) => !existsSync(join(checkout, 'dist/cli/cli.cjs')))) {
  process.stderr.write('net: needs one or two checkouts in which npm run build has run\n');
  process.exit(2);
}

const scratch = mkdtempSync(join(tmpdir(), 'tw-snap-net-'));
const running = new Set();
process.on('exit', () => {
  for (const child of running) child.kill('SIGKILL');
  rmSync(scratch, { recursive: true, force: true });
});
/**
 * The first Ctrl-C ends the run after the lines that were given to the builds; what was found until then is printed.
 */
let isStopped = false;
for (const signal of ['SIGINT', 'SIGTERM']) {
  process.on(signal, () => {
    if (isStopped) process.exit(130);
    isStopped = true;
  });
}

/** The inputs, by their paths in the folder that lines run in. */
function inputsOf() {
  const found = new Map();
  const add = (path, name) => {
    if (statSync(path).isDirectory()) {
      for (const entry of readdirSync(path).sort()) add(join(path, entry), join(name, entry));
    } else if (!/\.(json|ndjson|md|mjs|ts|py)$/.test(name)) found.set(name, path);
  };
  add(join(root, 'samples'), 'samples');
  const corpus = join(root, '../shared/corpus');
  if (!options.quick && existsSync(corpus)) add(corpus, 'corpus');
  for (const path of options.also) add(resolve(path), join('also', basename(resolve(path))));
  return found;
}

/** One build: a process in a folder with the inputs, which is started again if it ends or takes too long. */
class Build {
  constructor(checkout, folder) {
    this.checkout = checkout;
    this.folder = join(scratch, folder);
  }

  /** A folder with the inputs. */
  fresh(name) {
    const folder = join(this.folder, name);
    rmSync(folder, { recursive: true, force: true });
    for (const [file, bytes] of Object.entries(files)) {
      mkdirSync(dirname(join(folder, file)), { recursive: true });
      writeFileSync(join(folder, file), bytes);
    }
    for (const [file, path] of inputs) cpSync(path, join(folder, file));
    return folder;
  }

  start() {
    const folder = this.fresh('lines');
    const opened = ['stdout', 'stderr'].map((name) => {
      const path = join(this.folder, name);
      rmSync(path, { force: true });
      return openSync(path, 'a+');
    });
    this.child = fork(join(import.meta.dirname, 'build.mjs'), [this.checkout, folder], {
      stdio: ['ignore', ...opened, 'ipc'],
      serialization: 'advanced',
    });
    for (const file of opened) closeSync(file);
    running.add(this.child);
  }

  async ask(message) {
    return (await this.askAll([message]))[0];
  }

  /** The answers to messages, which are sent at once so that a busy machine does not wait between them. */
  async askAll(messages) {
    const answers = [];
    while (answers.length < messages.length) await this.#askMore(messages, answers);
    return answers;
  }

  /** Adds answers until all are there, or the process has ended; that is an answer, too. */
  #askMore(messages, answers) {
    if (!this.child) this.start();
    const { child } = this;
    return new Promise((done) => {
      let timer;
      const end = (failed) => {
        clearTimeout(timer);
        child.removeAllListeners();
        if (failed) {
          answers.push({ failed });
          child.kill('SIGKILL');
          running.delete(child);
          this.child = undefined;
        }
        done();
      };
      const wait = () => {
        clearTimeout(timer);
        timer = setTimeout(() => end(`no end within ${options.seconds} s`), 1000 * Number(options.seconds));
      };
      child.on('message', (answer) => {
        answers.push(answer);
        if (answers.length === messages.length) end();
        else wait();
      });
      child.once('exit', (code, signal) => end(`ended the process: ${code ?? signal}`));
      for (const message of messages.slice(answers.length)) child.send(message);
      wait();
    });
  }

  /** Runs a line in a process of its own. */
  apart({ args, input }) {
    const folder = this.fresh('apart');
    const before = new Set(readdirSync(folder));
    const { status, signal, stdout, stderr } = spawnSync(
      process.execPath,
      [join(this.checkout, 'bin/tw-snap.cjs'), ...args],
      {
        cwd: folder,
        input: input && readFileSync(join(folder, input)),
        stdio: [input ? 'pipe' : 'ignore', 'pipe', 'pipe'],
        maxBuffer: 1 << 30,
        timeout: 1000 * Number(options.seconds),
      },
    );
    const written = readdirSync(folder, { recursive: true })
      .filter((name) => !before.has(name.split('/')[0]) && statSync(join(folder, name)).isFile())
      .sort()
      .map((name) => [name, readFileSync(join(folder, name))]);
    const parts = [
      ['status', Buffer.from(String(status ?? signal))],
      ['stdout', stdout],
      ['stderr', stderr],
      ...written,
    ];
    return new Map(parts.map(([name, bytes]) => [maskedName(name), masked(bytes, this.checkout)]));
  }
}

/** The settings of the options that both builds have; says which only one has. */
function settingsOf(before, after) {
  const [old, now] = [new Map(before), new Map(after)];
  const settings = new Map();
  const only = (names, others) => names.filter((name) => !others.includes(name));
  for (const command of new Set([...old.keys(), ...now.keys()])) {
    if (!old.has(command) || !now.has(command)) {
      print(`only ${old.has(command) ? 'before' : 'after'}: the command ${command}\n`);
      continue;
    }
    const flags = (list) => list.map(({ long }) => long);
    const [a, b] = [flags(old.get(command)), flags(now.get(command))];
    for (const name of only(a, b)) print(`only before: ${command} ${name}\n`);
    for (const name of only(b, a)) print(`only after: ${command} ${name}\n`);
    const shared = now.get(command).filter(({ long }) => a.includes(long) && !left.includes(long));
    settings.set(
      command,
      shared.flatMap(({ long, isFlag, argChoices }) => {
        const choices = old.get(command).find((option) => option.long === long).argChoices ?? [];
        for (const value of only(choices, argChoices ?? [])) print(`only before: ${command} ${long} ${value}\n`);
        for (const value of only(argChoices ?? [], choices)) print(`only after: ${command} ${long} ${value}\n`);
        const known = argChoices ? argChoices.filter((value) => choices.includes(value)) : (values[long] ?? []);
        if (!isFlag && known.length === 0) print(`not run, since lines.mjs has no value of it: ${command} ${long}\n`);
        return isFlag ? [[long]] : known.map((value) => [long, value]);
      }),
    );
  }
  return settings;
}

const words = (line) => line.split(' ').filter(Boolean);
const isFormat = ([long]) => long === '--to';

/** All command lines, in an order that does not change. */
function* linesOf(settings) {
  const wanted = (command) => options.only === '' || options.only.split(',').includes(command);
  for (const args of [[], ['help'], ['--version'], ['frob'], ['completion', '--words', '']]) yield { args };
  for (const line of inputLines) {
    const [args, input] = line.split('<');
    if (wanted(words(args)[0])) yield { args: words(args), input: input.trim(), isApart: true };
  }
  for (const [command, given] of settings) {
    if (!wanted(command)) continue;
    const run = (line, ...more) => ({ args: [command, ...words(line), ...more.flat()] });
    yield run('--help');
    const formats = given.filter(isFormat);
    for (const line of lines[command] ?? []) {
      yield run(line);
      for (const setting of given) {
        yield run(line, setting);
        if (options.quick || isFormat(setting)) continue;
        for (const format of formats) yield run(line, setting, format);
      }
    }
    for (const [name, path] of inputs) {
      const { size } = statSync(path);
      const some = size > mediumBytes ? [] : options.quick || size > smallBytes ? formats : given;
      for (const line of fileLines[command] ?? []) {
        const onFile = line.replaceAll('FILE', name);
        yield run(onFile);
        for (const setting of some) yield run(onFile, setting);
      }
    }
  }
}

const print = (text) => process.stdout.write(text);
const shownLine = ({ args, input }) =>
  `tw-snap ${args.map((word) => (/^[\w@./:%=+,-]+$/.test(word) ? word : `'${word}'`)).join(' ')}${input ? ` < ${input}` : ''}`;

/** What both builds did with lines that they did not do alike, as maps from the names of its parts to their bytes. */
async function* differencesIn(some) {
  const asked = some.map(({ args }) => ['hash', args]);
  const [old, now] = await Promise.all(builds.map((build) => build.askAll(asked)));
  for (const [i, line] of some.entries()) {
    if (old[i] === now[i]) continue;
    if (old[i].failed && old[i].failed === now[i].failed) {
      print(`both, ${old[i].failed}: ${shownLine(line)}\n`);
      continue;
    }
    // Again, also what had no end: the machine may have been busy.
    const outcomes = builds.map(async (build) => {
      const answer = await build.ask(['show', line.args]);
      return answer.failed ? new Map([['status', Buffer.from(answer.failed)]]) : answer;
    });
    yield { line, outcomes: await Promise.all(outcomes) };
  }
}

const inputs = inputsOf();
const builds = [new Build(checkouts[0], 'before'), new Build(checkouts[1], 'after')];
const start = performance.now();
const settings = settingsOf(...(await Promise.all(builds.map((build) => build.ask(['options'])))));
const groups = new Map();
const counts = { lines: 0, different: 0 };

function note({ line, outcomes }) {
  const differences = differenceOf(...outcomes, line.args, Number(options.lines));
  for (const { key, text } of differences) {
    if (!groups.has(key)) groups.set(key, { text, line, commands: new Map() });
    const { commands } = groups.get(key);
    const command = line.args[0] ?? '';
    commands.set(command, (commands.get(command) ?? 0) + 1);
  }
  if (differences.length > 0) counts.different++;
}

async function runTogether(some) {
  counts.lines += some.length;
  for await (const difference of differencesIn(some)) note(difference);
  if (process.stderr.isTTY) process.stderr.write(`\r${counts.lines} lines, ${groups.size} groups `);
}

let waiting = [];
for (const line of linesOf(settings)) {
  if (isStopped) break;
  if (line.isApart) {
    counts.lines++;
    note({ line, outcomes: builds.map((build) => build.apart(line)) });
  } else if (waiting.push(line) === together) {
    await runTogether(waiting);
    waiting = [];
  }
}
await runTogether(waiting);
for (const name of readdirSync(join(checkouts[0], 'dist/page'))) {
  const [before, after] = checkouts.map((checkout) => {
    const path = join(checkout, 'dist/page', name);
    return existsSync(path) ? masked(readFileSync(path), checkout).toString('latin1') : '';
  });
  if (before !== after) print(`the page's program: ${name} differs\n`);
}
const seconds = Math.round((performance.now() - start) / 1000);
const computing = await Promise.all(builds.map((build) => build.ask(['seconds'])));
let number = 0;
for (const { text, line, commands } of groups.values()) {
  const total = [...commands.values()].reduce((sum, command) => sum + command, 0);
  const counted = [...commands]
    .map(([command, count]) => (commands.size > 1 ? `${command} ${count}` : command))
    .join(', ');
  print(`\n${++number}. ${total} ${total === 1 ? 'line' : 'lines'} of ${counted}: ${shownLine(line)}\n${text}`);
  if (line.isApart) continue;
  const apart = differenceOf(...builds.map((build) => build.apart(line)), line.args, 0);
  if (apart.length === 0) print('   (equal in processes of their own: something is left of an earlier line)\n');
}
print(
  `\n${isStopped ? 'stopped after ' : ''}${counts.lines} lines in ${seconds} s (computing: ${computing.join(' and ')} s): ${counts.different === 0 ? 'no difference' : `${counts.different} differ, in ${groups.size} groups`}\n`,
);
process.exit(counts.different === 0 ? 0 : 1);
