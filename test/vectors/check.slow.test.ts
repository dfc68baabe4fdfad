import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { afterAll, describe, expect, it } from 'vitest';
import { ask, judge, questionOf, readVectors, tsvOf } from '../../vectors/check.mjs';
import { spawnSync } from '../support/host.ts';

const vectors = readVectors(['varint']);
const [zero] = vectors;
const truncated = vectors.find(({ in: bytes }: { in: string }) => bytes === '80');

/** A program that does something with each question `q`. */
const program = (deed: string) => [
  process.execPath,
  '-e',
  `require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
    const q = JSON.parse(line);
    const say = (answer) => require('node:fs').writeSync(1, JSON.stringify({ id: q.id, ...answer }) + '\\n');
    ${deed}
  });`,
];

describe('an answer', () => {
  it.each([
    ['the right value', { out: { value: 0, size: 1 } }, 'passed'],
    ['more than is asked', { out: { value: 0, size: 1, name: 'zero' } }, 'passed'],
    ['another value', { out: { value: 1, size: 1 } }, 'failed'],
    ['less than is asked', { out: { value: 0 } }, 'failed'],
    ['no object', { out: 0 }, 'failed'],
    ['an error', { error: 'no' }, 'failed'],
    ['a skip', { skip: true }, 'skipped'],
    ['nothing', {}, 'failed'],
    ['none', undefined, 'failed'],
  ])('with %s of a valid vector', (_, answer, verdict) => {
    expect(judge(zero, answer)).toBe(verdict);
  });

  it('of an invalid vector is an error, but no crash', () => {
    const vector = { layer: 'varint', result: 'invalid' };
    expect(judge(vector, { error: 'anything' })).toBe('passed');
    expect(judge(vector, { out: { value: 0 } })).toBe('failed');
    expect(judge(vector, { died: 'SIGSEGV' })).toBe('failed');
  });

  it('of an acceptable one is what any game does, or with `like` what one does', () => {
    const vector = {
      layer: 'varint',
      result: 'acceptable',
      out: { value: 5 },
      games: { ddnet: { does: 'refused' }, teeworlds: { does: 'misread', out: { value: 7 } } },
    };
    const [five, seven, error] = [{ out: { value: 5 } }, { out: { value: 7 } }, { error: 'no' }];
    const verdicts = (how: object) => [five, seven, error].map((answer) => judge(vector, answer, how));
    expect(verdicts({})).toEqual(['passed', 'passed', 'passed']);
    expect(verdicts({ like: 'ddnet' })).toEqual(['failed', 'failed', 'passed']);
    expect(verdicts({ like: 'teeworlds' })).toEqual(['failed', 'passed', 'failed']);
    expect(judge(vector, { died: 'hang' })).toBe('failed');
  });

  it('has items in any order, if it is not strict', () => {
    const items = [
      [5, 1, [1]],
      [4, 2, []],
    ];
    const vector = { layer: 'apply', result: 'valid', out: { items } };
    expect(judge(vector, { out: { items: items.toReversed() } })).toBe('passed');
    expect(judge(vector, { out: { items: items.toReversed() } }, { strict: true })).toBe('failed');
    expect(judge(vector, { out: { items: items.slice(1) } })).toBe('failed');
  });

  it('has names without case, underscores and prefixes', () => {
    const vector = { layer: 'item', result: 'valid', out: { name: 'obj_player_info' } };
    expect(judge(vector, { out: { name: 'CNetObj_PlayerInfo' } })).toBe('passed');
    expect(judge(vector, { out: { name: 'obj_player_input' } })).toBe('failed');
  });
});

describe('a question', () => {
  it('does not tell the answer', () => {
    for (const vector of vectors) expect(Object.keys(questionOf(vector)).sort()).toEqual(['id', 'in', 'layer']);
  });

  it('can be a line with tabs', () => {
    expect(tsvOf(zero)).toBe('varint-001\tvarint\t\t00\t');
    const items = [[5, 1, [2, 3]]];
    expect(tsvOf({ id: 'a', layer: 'apply', protocol: '0.6', in: '00', base: items })).toBe(
      'a\tapply\t0.6\t00\t5 1 2 2 3',
    );
  });
});

describe('a program', () => {
  const some = vectors.slice(0, 5);

  it('that dies is asked the rest again', async () => {
    const answers = await ask(
      program(`if (q.id === '${some[2].id}') process.kill(process.pid, 'SIGKILL'); say({ skip: true });`),
      some,
    );
    expect([...answers.values()].map(({ skip, died }) => skip ?? died)).toEqual([true, true, 'SIGKILL', true, true]);
  });

  it('that ends early is asked the rest again, and one that says nothing is not', async () => {
    const answers = await ask(program(`if (q.id === '${some[2].id}') process.exit(0); say({ skip: true });`), some);
    expect(answers.get(some[2].id)).toMatchObject({ died: 'exit status 0' });
    expect(answers.get(some[4].id)).toMatchObject({ skip: true });
    expect(await ask(['true'], some)).toEqual(new Map());
    const left = await ask(program(`if (q.id !== '${some[2].id}') say({ skip: true });`), some);
    expect(judge(some[2], left.get(some[2].id))).toBe('failed');
    expect(left.get(some[2].id)).toBeUndefined();
  });

  it('that hangs does not hang the runner', async () => {
    const deed = `if (q.id === '${some[1].id}') for (;;); say({ skip: true });`;
    const answers = await ask(program(deed), some, { seconds: 1 });
    expect(answers.get(some[1].id)).toMatchObject({ died: 'no answer for 1 s' });
    expect(answers.get(some[4].id)).toMatchObject({ skip: true });
  });

  it('that says nothing has failed', async () => {
    const answers = await ask(program(''), some);
    expect(judge(some[0], answers.get(some[0].id))).toBe('failed');
  });

  it('may print what is no answer', async () => {
    const answers = await ask(program(`console.log('log'); say({ error: 'no' });`), [truncated]);
    expect(judge(truncated, answers.get(truncated.id))).toBe('passed');
  });
});

describe('the command', () => {
  const folder = mkdtempSync(join(tmpdir(), 'tw-snap-check-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  const check = (...words: string[]) => {
    const path = join(import.meta.dirname, '../../vectors/check.mjs');
    const { status, stdout, stderr } = spawnSync(process.execPath, [path, ...words], { encoding: 'utf8' });
    return { status, stdout, stderr };
  };
  const reference = join(import.meta.dirname, '../../vectors/reference.mjs');

  it('sums by layer, and shows what is wrong', () => {
    const report = join(folder, 'junit.xml');
    const of = ['--layer', 'varint', '--layer', 'string', '--junit', report, '--show', '1'];
    const { status, stdout } = check(...of, '--', process.execPath, reference, 'string-no-nul-ok');
    expect(status).toBe(1);
    expect(stdout).toMatch(/^varint {2}\s*44 of 44\nstring {2}\s*15 of 16 {2}1 wrong\n\nstring-012/);
    expect(stdout).toMatch(
      /expected {2}an error\n {2}answered {2}\{"text":"ab","size":3\}\n {2}source {4}CUnpacker::GetString/,
    );
    // Four vectors are not UTF-8, and five have an int with more than 32 bits: the games differ.
    expect(stdout).toMatch(/\n59 of 60 right\nof these unlike DDNet 1, unlike Teeworlds 9: --like ddnet, /);
    expect(readFileSync(report, 'utf8')).toMatch(/<testsuite name="string" tests="16" failures="1" skipped="0">/);
  });

  it('has its own statuses', () => {
    expect(check('--layer', 'varint', '--', process.execPath, reference).status).toBe(0);
    expect(check('--layer', 'message', '--', process.execPath, reference).status).toBe(1);
    expect(check('--', process.execPath, reference, 'varint-mins').stdout).toMatch(/, died 3 times\n$/);
    expect(check('--layer', 'varnt', '--', 'true')).toMatchObject({
      status: 2,
      stderr: expect.stringMatching(/^check.mjs: no layer varnt; there are apply, /),
    });
    expect(check('--like', 'quake', '--', 'true').stderr).toBe('check.mjs: --like needs ddnet or teeworlds\n');
    expect(check().status).toBe(2);
    expect(check('--', join(folder, 'nothing')).status).toBe(2);
  });
});

it('the README shows questions and answers as they are', () => {
  const text = readFileSync(join(import.meta.dirname, '../../vectors/README.md'), 'utf8');
  const lines = [...text.matchAll(/^(\{"id".*\})$/gm)].map(([line]) => JSON.parse(line));
  const all = new Map(readVectors().map((vector) => [vector.id, vector]));
  expect(lines).toHaveLength(4);
  const [question, ...answers] = lines;
  expect(question).toEqual(questionOf(all.get(question.id)!));
  expect(answers.map((answer) => judge(all.get(answer.id)!, answer))).toEqual(['passed', 'passed', 'skipped']);
  const layers = [...text.split('## The layers')[1]!.matchAll(/^\| `(\w+)` \|/gm)].map(([, layer]) => layer);
  expect(layers.sort()).toEqual([...new Set(readVectors().map(({ layer }) => layer))].sort());
});
