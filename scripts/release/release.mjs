// release.mjs [--dry-run]: publishes release/files as the release of the tag of this version, and the packages of
// npm.mjs to npm. With --dry-run it says what it would run, and what is missing for it. It has the rights to publish in
// .github/workflows/release.yml, so it needs no installed package, and runs no script of one.
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { isDryRun, missing, name, refuse, vectors, version } from './facts.mjs';

const folder = 'release/files';
const tag = `v${version}`;
if (!existsSync(`${folder}/SHA256SUMS`)) refuse(`there is no ${folder}/SHA256SUMS: packages.mjs writes it`);
// npm takes `release/FILE.tgz` without `./` for a repository of an account `release`.
const archives = [name, vectors.name].map((packed) => `./release/${packed}-${version}.tgz`);
for (const archive of archives) if (!existsSync(archive)) refuse(`there is no ${archive}: npm.mjs writes it`);
// A dry run needs neither git nor a history.
const tagged = spawnSync('git', ['tag', '--points-at', 'HEAD'], { encoding: 'utf8' }).stdout ?? '';
if (!tagged.split('\n').includes(tag)) missing.push(`this commit has no tag ${tag}`);
if (missing.length > 0 && !isDryRun) refuse(missing[0]);

function run(file, ...args) {
  console.log([file, ...args].join(' '));
  if (!isDryRun) execFileSync(file, args, { stdio: 'inherit' });
}

const files = readdirSync(folder).filter((file) => file !== 'notes.md');
run(
  'gh',
  'release',
  'create',
  tag,
  '--title',
  `${name} ${version}`,
  '--notes-file',
  `${folder}/notes.md`,
  ...files.map((file) => `${folder}/${file}`),
);
for (const archive of archives)
  run('npm', 'publish', archive, '--ignore-scripts', '--provenance', '--access', 'public');
if (isDryRun) {
  missing.push(
    `if npm has no package ${name} or ${vectors.name}: a first version is published by hand (docs/CONTRIBUTING.md, "Release")`,
  );
  console.log(`\nstill missing:\n${missing.map((sentence) => `- ${sentence}\n`).join('')}`.trimEnd());
}
