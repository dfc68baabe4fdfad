// npm.mjs: writes the package for npm, release/NAME-VERSION.tgz, from what was built.
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { links } from './facts.mjs';

mkdirSync('release', { recursive: true });
// The fields that name the repository are in the published package only, so that they have one place.
const own = readFileSync('package.json', 'utf8');
try {
  writeFileSync('package.json', `${JSON.stringify({ ...JSON.parse(own), ...links }, null, 2)}\n`);
  execFileSync('npm', ['pack', '--ignore-scripts', '--pack-destination', 'release'], { stdio: 'inherit' });
} finally {
  writeFileSync('package.json', own);
}
