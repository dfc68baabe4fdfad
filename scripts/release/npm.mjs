// npm.mjs: writes the packages for npm, release/NAME-VERSION.tgz, from what was built: this one, and that of the vectors.
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { links, vectors } from './facts.mjs';

mkdirSync('release', { recursive: true });
pack('.', links);
pack('vectors', { ...links, repository: { ...links.repository, directory: 'vectors' }, homepage: vectors.homepage });

/** The fields that name the repository are in the published package only, so that they have one place. */
function pack(folder, fields) {
  const path = `${folder}/package.json`;
  const own = readFileSync(path, 'utf8');
  try {
    writeFileSync(path, `${JSON.stringify({ ...JSON.parse(own), ...fields }, null, 2)}\n`);
    execFileSync('npm', ['pack', `./${folder}`, '--ignore-scripts', '--pack-destination', 'release'], {
      stdio: 'inherit',
    });
  } finally {
    writeFileSync(path, own);
  }
}
