// release.mjs [--dry-run]: publishes release/files as the release of the tag of this version, and the package of npm.mjs to npm. With --dry-run it
// says what it would run. It has the rights to publish in .github/workflows/release.yml, so it needs no installed package, and runs no script of one.
import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { isDryRun, name, refuse, version } from './facts.mjs';

const folder = 'release/files';
const tag = `v${version}`;
if (!existsSync(`${folder}/SHA256SUMS`)) refuse(`there is no ${folder}/SHA256SUMS: packages.mjs writes it`);
const archive = `release/${name}-${version}.tgz`;
if (!existsSync(archive)) refuse(`there is no ${archive}: npm.mjs writes it`);
const tagged = execFileSync('git', ['tag', '--points-at', 'HEAD'], { encoding: 'utf8' }).split('\n');
if (!tagged.includes(tag) && !isDryRun) refuse(`this commit has no tag ${tag}`);

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
run('npm', 'publish', archive, '--ignore-scripts', '--provenance', '--access', 'public');
