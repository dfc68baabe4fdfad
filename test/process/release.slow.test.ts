import { createHash } from 'node:crypto';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { gunzipSync } from 'node:zlib';
import { afterAll, describe, expect, it } from 'vitest';
import { hasTool, spawnSync, tool } from '../support/host.ts';

const root = join(import.meta.dirname, '../..');
const folder = mkdtempSync(join(tmpdir(), 'tw-snap-release-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

for (const path of ['scripts/build/change-log.mjs', 'scripts/release', 'package.json', 'LICENSE', 'vectors']) {
  cpSync(join(root, path), join(folder, path), { recursive: true });
}
const own = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
writeFileSync(join(folder, 'package.json'), JSON.stringify({ ...own, version: '3.2.1' }));
const ofVectors = JSON.parse(readFileSync(join(root, 'vectors/package.json'), 'utf8'));
writeFileSync(join(folder, 'vectors/package.json'), JSON.stringify({ ...ofVectors, version: '3.2.1' }));
writeFileSync(
  join(folder, 'CHANGELOG.md'),
  '# Changelog\n\n## [3.2.1] - 2027-01-02\n\n- One thing.\n\n## [3.2.0] - 2026-12-01\n\n- Another.\n',
);

const script = (name: string, ...args: string[]) => {
  const { status, stdout, stderr } = spawnSync(process.execPath, [`scripts/release/${name}.mjs`, ...args], {
    cwd: folder,
    encoding: 'utf8',
  });
  return { status, stdout, stderr };
};
const made = (file: string) => readFileSync(join(folder, 'release/files', file), 'utf8');
const refusal = (sentence: string) => ({ status: 1, stdout: '', stderr: `release: ${sentence}\n` });

describe('a release', () => {
  it('is refused with one sentence while nobody owns the repository, or something is missing', () => {
    const owner = 'scripts/release/facts.mjs names no owner of the repository (--owner NAME to try)';
    expect(script('packages')).toEqual(refusal(owner));
    expect(script('packages', '--owner', 'someone')).toEqual(
      refusal('there is no release/files: npm run binaries makes it'),
    );
    expect(script('release', '--owner', 'someone')).toEqual(
      refusal('there is no release/files/SHA256SUMS: packages.mjs writes it'),
    );
  });

  it('has sums, the section of the change log, a formula and a PKGBUILD of the archives that are there', () => {
    mkdirSync(join(folder, 'release/files'), { recursive: true });
    const sums = ['tw-snap-linux-x64.tar.xz', 'tw-snap-macos-arm64.tar.xz'].map((file) => {
      writeFileSync(join(folder, 'release/files', file), file);
      return createHash('sha256').update(file).digest('hex');
    });
    expect(script('packages', '--owner', 'someone')).toEqual({ status: 0, stdout: '', stderr: '' });
    expect(made('SHA256SUMS')).toBe(`${sums[0]}  tw-snap-linux-x64.tar.xz\n${sums[1]}  tw-snap-macos-arm64.tar.xz\n`);
    expect(made('notes.md')).toBe('- One thing.\n');
    const url = 'https://github.com/someone/tw-snap/releases/download/v3.2.1/tw-snap-';
    expect(made('tw-snap.rb')).toContain(`on_arm do\n      url "${url}macos-arm64.tar.xz"\n      sha256 "${sums[1]}"`);
    expect(made('tw-snap.rb')).not.toContain('linux-arm64');
    expect(made('PKGBUILD')).toContain(`source_x86_64=('${url}linux-x64.tar.xz')\nsha256sums_x86_64=('${sums[0]}')`);
  });

  it.skipIf(!hasTool('bash'))('has a PKGBUILD that bash can read (needs bash)', () => {
    expect(spawnSync(tool('bash'), ['-n', join(folder, 'release/files/PKGBUILD')]).status).toBe(0);
  });

  it('says in a dry run what it would publish, and leaves package.json as it was', () => {
    const before = readFileSync(join(folder, 'package.json'), 'utf8');
    expect(script('release', '--owner', 'someone')).toEqual(
      refusal('there is no ./release/tw-snap-3.2.1.tgz: npm.mjs writes it'),
    );
    expect(script('npm', '--owner', 'someone').status).toBe(0);
    expect(readFileSync(join(folder, 'package.json'), 'utf8')).toBe(before);
    const packed = gunzipSync(readFileSync(join(folder, 'release/tw-snap-3.2.1.tgz'))).toString('latin1');
    expect(packed).toContain('"url": "git+https://github.com/someone/tw-snap.git"');
    expect(readdirSync(join(folder, 'release'))).toContain('teeworlds-vectors-3.2.1.tgz');
    const { status, stdout } = script('release', '--owner', 'someone', '--dry-run');
    expect(stdout).toMatch(/^gh release create v3\.2\.1 .*SHA256SUMS .*tw-snap-macos-arm64\.tar\.xz/);
    const publishing = ['tw-snap', 'teeworlds-vectors']
      .map((name) => `\nnpm publish ./release/${name}-3.2.1.tgz --ignore-scripts --provenance --access public`)
      .join('');
    expect(stdout.split(publishing)[1]).toBe(
      `

still missing:
- scripts/release/facts.mjs names no owner of the repository
- this commit has no tag v3.2.1
- if npm has no package tw-snap or teeworlds-vectors: a first version is published by hand (docs/CONTRIBUTING.md, "Release")
`,
    );
    expect(status).toBe(0);
    // npm takes the paths for files, and for no repositories of an account `release`. Nothing is sent.
    for (const [, archive] of stdout.matchAll(/^npm publish (\S+)/gm)) {
      const nowhere = ['--registry', 'http://127.0.0.1:9', '--fetch-retries', '0'];
      const args = ['publish', archive!, '--dry-run', '--ignore-scripts', ...nowhere];
      expect(spawnSync('npm', args, { cwd: folder, encoding: 'utf8' })).toMatchObject({ status: 0 });
    }
    expect(readFileSync(join(folder, 'package.json'), 'utf8')).toBe(before);
    expect(script('release', '--owner', 'someone')).toEqual(refusal('this commit has no tag v3.2.1'));
  });
});

it('what may write or publish in a workflow installs nothing and runs no script of a package', () => {
  for (const name of readdirSync(join(root, '.github/workflows'))) {
    const text = readFileSync(join(root, '.github/workflows', name), 'utf8');
    const jobs = text.slice(text.indexOf('\njobs:')).split(/\n(?= {2}[\w-]+:\n)/);
    const [writing, others] = [true, false].map((may) => jobs.filter((job) => /: write\b/.test(job) === may));
    expect(others!.length).toBeGreaterThan(0);
    for (const job of writing!) expect(job).not.toMatch(/\bnpm (?:ci|install|i|run|exec|pack)\b|\bnpx\b|\.ci\/run/);
  }
});
