import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { hasTool, isHere, isNode, spawnSync, tool } from './support/host.ts';
import { failedCount, needsOf, skippedText } from './support/skipped.ts';

const root = resolve(import.meta.dirname, '..');
const helper = 'test/support/host.ts';
const self = 'test/host.test.ts';

/** All sources of tests, without this file and the helper. */
const sources = ['test', 'scripts']
  .flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map((name) => join(folder, name)),
  )
  .map((path) => path.replaceAll('\\', '/'))
  .filter((path) => (path.startsWith('test/') ? path.endsWith('.ts') : path.endsWith('.test.ts')))
  .filter((path) => path !== helper && path !== self && !path.includes('node_modules'))
  .map((path) => ({ path, text: readFileSync(join(root, path), 'utf8') }));

/** The text between a bracket at `at` and the one that closes it, without looking at strings. */
function inBrackets(text: string, at: number): string {
  let depth = 0;
  for (let i = at; i < text.length; i++) {
    if ('([{'.includes(text[i]!)) depth++;
    if (')]}'.includes(text[i]!) && --depth === 0) return text.slice(at, i + 1);
  }
  return text.slice(at);
}

/** Other ways to a program of the host than the helper. */
const otherWays = [
  // Types alone start nothing.
  /^(?!import type ).*child_process.*$/gm,
  /['"`]\/(?:usr|bin|sbin|opt|Applications)\/[^'"`]*/g,
  /\bprocess\.(?:binding|dlopen)\b/g,
];

const findsOf = (text: string): string[] => otherWays.flatMap((way) => text.match(way) ?? []);

/** The calls of `skipIf` whose tests have no title with `(needs …)`, and those of `runIf`. */
function untitled(text: string): string[] {
  const found: string[] = text.match(/\.runIf\(.*/g) ?? [];
  for (const { index } of text.matchAll(/\.skipIf\(/g)) {
    let at = index + '.skipIf'.length;
    at += inBrackets(text, at).length;
    const [each = ''] = /^\.each(?:<\w+>)?(?=\()/.exec(text.slice(at)) ?? [];
    if (each) at += each.length + inBrackets(text, at + each.length).length;
    const [title = ''] = /^\(\s*(?:'(?:\\.|[^'])*'|"[^"]*"|`[^`]*`|title\b)/.exec(text.slice(at)) ?? [];
    if (!/\(needs [^)]+\)|^\(\s*title$/.test(title)) found.push(text.slice(index, at + 80));
  }
  return found;
}

/** Lists of cases that are empty where something is absent: their tests are neither run nor counted as skipped. */
const emptied = (text: string): string[] => {
  const lists = [...text.matchAll(/\.each\(/g)].map(({ index }) => inBrackets(text, index + '.each'.length));
  return lists.filter((list) => /\b(?:existsSync|hasTool|hasCorpus|hasBrowser|hasGame|tool)\b/.test(list));
};

const broken = (rule: (text: string) => readonly string[]) =>
  sources.flatMap(({ path, text }) => rule(text).map((what) => `${path}: ${what}`));

describe('what tests need of the host', () => {
  it('is asked for in test/support/host.ts only', () => {
    expect(sources.length).toBeGreaterThan(200);
    expect(broken(findsOf)).toEqual([]);
  });

  it('is in the title of each test that is skipped without it', () => {
    expect(broken(untitled)).toEqual([]);
  });

  it('calls what lies beside the repository ../shared, so that the closing lines count it once', () => {
    const otherNames = (text: string) => text.match(/\(needs [^)]*(?:\.\.\/shared\/|corpus|recordings)[^)]*\)/g) ?? [];
    expect(broken(otherNames)).toEqual([]);
    expect(otherNames("it.skip('counts (needs ../shared/corpus)')")).toHaveLength(1);
  });

  it('never leaves an empty list of cases', () => {
    expect(broken(emptied)).toEqual([]);
  });

  it('is found by these rules', () => {
    const program = `import { spawnSync } from 'node:${'child'}_process';`;
    expect(findsOf(program)).toEqual([program]);
    expect(findsOf(`const { spawn } = await import('${'child'}_process');`)).toHaveLength(1);
    expect(findsOf(`existsSync('${'/usr'}/bin/tshark')`)).toEqual([`'${'/usr'}/bin/tshark`]);
    expect(untitled(`it.${'skip'}If(!hasTool('jq'))('counts', () => {})`)).toHaveLength(1);
    expect(untitled(`it.${'skip'}If(!hasTool('jq')).each([1, 2])('counts %s (needs jq)', () => {})`)).toEqual([]);
    expect(emptied(`it.each(servers.filter(([path]) => existsSync(path)))('a server')`)).toHaveLength(1);
    // A list that is empty for another reason (support/no-empty-lists.ts).
    const none: string[] = [];
    expect(() => it.each(none)('%s', () => {})).toThrow('an empty list of cases');
    expect(() => it.skip.each(none)('%s', () => {})).toThrow('an empty list of cases');
    expect(() => describe.each(none)('%s', () => {})).toThrow('an empty list of cases');
  });
});

describe('the helper', () => {
  it('starts this Node and what was asked for, but no other program by its name', () => {
    expect(spawnSync(process.execPath, ['-p', '1 + 1'], { encoding: 'utf8' }).stdout).toBe('2\n');
    expect(() => spawnSync('tshark', ['--version'])).toThrow("tool('tshark')");
    expect(tool('no-such-program')).toEqual({ name: 'no-such-program', path: undefined });
    expect(hasTool('node')).toBe(true);
  });

  it('knows versions of Node', () => {
    const [major] = process.versions.node.split('.').map(Number);
    expect([isNode('18.2'), isNode(String(major)), isNode(`${major! + 1}`), isNode(`${major}.99`)]).toEqual([
      true,
      true,
      false,
      false,
    ]);
  });
});

describe('the closing lines', () => {
  it('count skipped tests by what they need', () => {
    expect(needsOf('a page (needs no-such-program and no-such-viewer) > shows rows')).toEqual([
      'no-such-program',
      'no-such-viewer',
    ]);
    expect(needsOf('shows rows')).toEqual([]);
    // What is here is not what was missing.
    expect(isHere('node')).toBe(true);
    expect(needsOf('shows rows (needs node, no-such-program)')).toEqual(['no-such-program']);
    const titles = ['a (needs x-1)', 'b (needs x-1)', 'c (needs x-2)', 'd (needs x-1 and x-2)', 'e'];
    expect(skippedText(titles)).toBe('5 skipped: 2 need x-1, 1 needs x-1 and x-2, 1 needs x-2, 1 without a reason');
    expect(skippedText([])).toBe('0 skipped');
  });
});

it('a file that cannot be loaded, and a hook that fails, are failures of the closing line, too', () => {
  const suite = (...errors: object[]) => ({ errors: () => errors });
  const module = (errors: object[], failed: number, ...suites: object[]) => ({
    ...suite(...errors),
    children: { allTests: (state: string) => Array(state === 'failed' ? failed : 9), allSuites: () => suites },
  });
  const modules = [module([{}], 0), module([], 2, suite({}), suite()), module([], 0, suite())];
  expect(failedCount(modules as never)).toBe(4);
});
