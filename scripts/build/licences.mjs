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

/** The letters of a licence before its copyright notice. */
const maxTitle = 100;

/** All licences as a text file. Packages whose licences have the same words follow each other, and the words them. */
export function licenceTexts(files) {
  const groups = new Map();
  for (const { name, version, license, text } of bundledPackages(files)) {
    // What is before the notice is the name of the licence.
    const found = text.match(/^copyright .*$/gim)?.join('\n') ?? '';
    const at = text.indexOf(found);
    const notice = at >= 0 && at < maxTitle ? found : '';
    const words = text.slice(notice === '' ? 0 : at + notice.length).trim();
    const key = words.replace(/[“”]/g, '"').replace(/\s+/g, ' ');
    const group = groups.get(key) ?? { heads: [], words };
    group.heads.push(`${name} ${version} (${license})\n${notice}`.trim());
    groups.set(key, group);
  }
  return [...groups.values()]
    .map(({ heads, words }) => `${heads.join('\n\n')}\n\n${words}\n`)
    .join(`\n${'-'.repeat(80)}\n\n`);
}
