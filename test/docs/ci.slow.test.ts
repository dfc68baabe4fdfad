import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { afterAll, describe, expect, it } from 'vitest';
import { exampleFiles, runExample } from '../support/examples.ts';
import { hasTool, spawnSync } from '../support/host.ts';
import { withProgram } from '../support/program.ts';

withProgram();
const root = join(import.meta.dirname, '../..');
const page = readFileSync(join(root, 'docs/ci.md'), 'utf8');
const action = readFileSync(join(root, 'action.yml'), 'utf8');
const recipes = [...page.matchAll(/^```yaml\n([\s\S]*?)^```/gm)].map(([, text]) => text!);
const folder = mkdtempSync(join(tmpdir(), 'tw-snap-action-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/**
 * A pcap file, little-endian, without its first frames: a header of 24 bytes, then records with their length at byte 8.
 */
function withoutFrames(pcap: Buffer, count: number): Buffer {
  let at = 24;
  for (let i = 0; i < count; i++) at += 16 + pcap.readUInt32LE(at + 8);
  return Buffer.concat([pcap.subarray(0, 24), pcap.subarray(at)]);
}

/** The keys one level below a line such as `inputs:`. */
function keysBelow(yaml: string, name: string): string[] {
  const [, indent, block] = new RegExp(`^( *)${name}:\\n((?:\\1 +.*\\n)+)`, 'm').exec(yaml)!;
  const depth = /^ */.exec(block!)![0].length;
  expect(depth).toBeGreaterThan(indent!.length);
  return [...block!.matchAll(new RegExp(`^ {${depth}}([\\w-]+):`, 'gm'))].map(([, key]) => key!);
}

describe('the recipe for GitHub', () => {
  it('uses inputs that action.yml has', () => {
    expect(keysBelow(action, 'inputs')).toEqual(['files', 'strict', 'version']);
    expect(keysBelow(action, 'inputs')).toEqual(expect.arrayContaining(keysBelow(recipes[0]!, 'with')));
  });
});

describe('the recipe for GitLab', () => {
  it('writes the report that it publishes', async () => {
    const [, line] = /- npx --yes tw-snap@2 (.*)/.exec(recipes[1]!)!;
    const [, report] = /junit: (\S+)/.exec(recipes[1]!)!;
    const files = exampleFiles();
    expect((await runExample(`tw-snap ${line}`, files)).status).toBe(0);
    expect(Buffer.from(files.get(report!)!).toString()).toMatch(
      /^<\?xml .*\n<testsuites name="tw-snap checksum" tests="2"/,
    );
  });
});

describe('the recipe with a budget', () => {
  const [, line] = /- npx --yes tw-snap@2 (.*)/.exec(recipes[2]!)!;
  const [, report] = /junit: (\S+)/.exec(recipes[2]!)!;

  it('passes for the recording that the budget is of', async () => {
    const files = exampleFiles();
    expect((await runExample(`tw-snap ${line}`, files)).status).toBe(0);
    expect(Buffer.from(files.get(report!)!).toString()).toContain(
      '<testsuites name="tw-snap stats" tests="1" failures="0"',
    );
  });

  it('fails, and writes its report, for one that takes more', async () => {
    const files = exampleFiles();
    const budget = JSON.parse(Buffer.from(files.get('budget.json')!).toString());
    files.set('budget.json', Buffer.from(JSON.stringify({ ...budget, items: {} })));
    expect((await runExample(`tw-snap ${line}`, files)).status).toBe(1);
    expect(Buffer.from(files.get(report!)!).toString()).toMatch(
      /<failure type="finding" message="obj_de_client_info\.skin_part_names: /,
    );
  });
});

describe('the recipe for network.py', () => {
  it('exits 1 if anything differs', async () => {
    const [, line] = /- npx tw-snap (schema .*)/.exec(recipes[3]!)!;
    const files = exampleFiles();
    files.set('before.json', files.get('network.json')!);
    expect((await runExample(`tw-snap ${line}`, files)).status).toBe(0);
    files.set('before.json', files.get('samples/mod-network-next.json')!);
    expect((await runExample(`tw-snap ${line}`, files)).status).toBe(1);
  });
});

describe.skipIf(!hasTool('bash'))('the action (needs bash)', () => {
  const run = (env: Record<string, string>) =>
    spawnSync(join(root, 'scripts/action/check.sh'), [], {
      cwd: root,
      encoding: 'utf8',
      env: { PATH: process.env.PATH, GITHUB_ACTIONS: 'true', VERSION: 'checkout', ...env },
    });

  it('exits 0 for recordings that are right', () => {
    const { status, stdout } = run({ FILES: 'samples/ddnet-ipv6.pcap\nsamples/*race*.demo\n' });
    expect(stdout).toContain('446 snapshots: 446 match');
    expect(stdout.split('\n')).toHaveLength(3);
    expect(status).toBe(0);
  });

  it('accepts files and patterns with spaces, one per line', () => {
    const spaced = join(folder, 'two words');
    mkdirSync(spaced);
    for (const name of ['a capture.pcap', 'a copy.pcap', 'b.pcap']) {
      copyFileSync(join(root, 'samples/ddnet-ipv6.pcap'), join(spaced, name));
    }
    const { status, stdout } = run({ FILES: `  ${spaced}/b.pcap \r\n\n${spaced}/a c*.pcap` });
    expect(stdout.split('\n').map((line) => line.replace(/ {2,}.*/, ''))).toEqual([
      `${spaced}/b.pcap`,
      `${spaced}/a capture.pcap`,
      `${spaced}/a copy.pcap`,
      '',
    ]);
    expect(status).toBe(0);
  });

  it('annotates a mismatch, adds to the summary of the job, and exits 1', () => {
    const summary = join(folder, 'summary.md');
    writeFileSync(summary, 'an earlier step\n');
    const { status, stderr } = run({ FILES: 'samples/duplicate-key.pcap', GITHUB_STEP_SUMMARY: summary });
    expect(stderr).toMatch(/^::error file=samples\/duplicate-key.pcap,title=tw-snap checksum::/m);
    expect(readFileSync(summary, 'utf8')).toMatch(/^an earlier step\n### tw-snap checksum: 1 of 1 file failed\n/);
    expect(status).toBe(1);
  });

  it('exits 3 for a pattern that matches nothing, 2 without files', () => {
    expect(run({ FILES: 'nothing/*.demo' }).status).toBe(3);
    expect(run({ FILES: ' \n ' }).status).toBe(2);
  });

  it('runs the published version of its tag, or the one that is named', () => {
    const tools = join(folder, 'tools');
    mkdirSync(tools);
    writeFileSync(join(tools, 'npx'), '#!/bin/sh\necho "$@"\n', { mode: 0o755 });
    const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
    const runs = (VERSION: string) =>
      run({ FILES: 'a b.demo', VERSION, PATH: `${tools}:${process.env.PATH}` }).stdout.trim();
    expect(runs('')).toBe(`--yes tw-snap@${version} checksum --summary --messages -- a b.demo`);
    expect(runs('1.0.0')).toBe('--yes tw-snap@1.0.0 checksum --summary --messages -- a b.demo');
  });

  it('fails for snapshots without a base only with strict', () => {
    const capture = join(folder, 'late.pcap');
    writeFileSync(capture, withoutFrames(readFileSync(join(root, 'samples/ddnet-ipv6.pcap')), 100));
    expect(run({ FILES: capture }).status).toBe(0);
    expect(run({ FILES: capture, STRICT: 'true' }).status).toBe(1);
  });
});
