// release.mjs [--dry-run]: publishes release/files as the release of the tag of this version, and the package to npm. With --dry-run it says what it
// would run, and what is missing for it. The workflow .github/workflows/release.yml calls it once all binaries are there.
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { isDryRun, links, missing, name, refuse, version } from './facts.mjs';

const folder = 'release/files';
const tag = `v${version}`;
if (!existsSync(`${folder}/SHA256SUMS`)) refuse(`there is no ${folder}/SHA256SUMS: packages.mjs writes it`);
// A dry run needs neither git nor a history.
const tagged = spawnSync('git', ['tag', '--points-at', 'HEAD'], { encoding: 'utf8' }).stdout ?? '';
if (!tagged.split('\n').includes(tag)) missing.push(`this commit has no tag ${tag}`);
if (missing.length > 0 && !isDryRun) refuse(missing[0]);

function run(file, ...args) {
  console.log([file, ...args].join(' '));
  if (!isDryRun) execFileSync(file, args, { stdio: 'inherit' });
}

// The fields that name the repository are in the published package only, so that they have one place.
const own = readFileSync('package.json', 'utf8');
try {
  writeFileSync('package.json', `${JSON.stringify({ ...JSON.parse(own), ...links }, null, 2)}\n`);
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
  run('npm', 'publish', '--provenance', '--access', 'public');
} finally {
  writeFileSync('package.json', own);
}
if (isDryRun) {
  missing.push(
    `if npm has no package ${name}: its first version is published by hand (docs/CONTRIBUTING.md, "Release")`,
  );
  console.log(`\nstill missing:\n${missing.map((sentence) => `- ${sentence}\n`).join('')}`.trimEnd());
}
