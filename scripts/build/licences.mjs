import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * The packages whose code is in bundles, by name, with their licences.
 * @param files the bundled files
 * @throws if a package has no licence text, since its code must not be distributed then
 */
export function bundledPackages(files) {
  const folders = files.map((file) => /^(?:.*\/)?node_modules\/(?:@[^/]+\/)?[^/]+/.exec(file)?.[0]);
  return [...new Set(folders)]
    .filter((folder) => folder !== undefined)
    .sort()
    .map(packageIn);
}

function packageIn(folder) {
  const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  const file = readdirSync(folder).find((entry) => /^(?:licen[cs]e|copying)\b/i.test(entry));
  const text = file ? readFileSync(join(folder, file), 'utf8').trim() : '';
  if (text === '') throw new Error(`${name} ${version} is in a bundle, but has no licence text in ${folder}`);
  return { name, version, license, text };
}

/** All licences as a text file. */
export function licenceTexts(files) {
  return bundledPackages(files)
    .map(({ name, version, license, text }) => `${name} ${version} (${license})\n\n${text}\n`)
    .join(`\n${'-'.repeat(80)}\n\n`);
}
