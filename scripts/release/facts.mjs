// What all packages of a release say, from one place: package.json, the account that the repository belongs to, and the
// change log.
import { readFileSync } from 'node:fs';
import process from 'node:process';
import { parseArgs } from 'node:util';
import { changesOf } from '../build/change-log.mjs';

/** The account on GitHub. Nothing is released while it is empty. */
const owner = '';

const own = JSON.parse(readFileSync('package.json', 'utf8'));
const { values } = parseArgs({
  options: { owner: { type: 'string', default: owner }, 'dry-run': { type: 'boolean', default: false } },
});
if (values.owner === '') refuse('scripts/release/facts.mjs names no owner of the repository (--owner NAME to try)');

export const isDryRun = values['dry-run'];
export const { name, version, license } = own;
/** What it is, without a list of what it reads. */
export const summary = own.description.replace(/^Inspects (.*?): .*/, 'inspector of $1');
export const repository = `https://github.com/${values.owner}/${name}`;
export const maintainer = `${values.owner} <${values.owner}@users.noreply.github.com>`;
/** The fields of package.json that name the repository. */
export const links = {
  repository: { type: 'git', url: `git+${repository}.git` },
  homepage: `${repository}#readme`,
  bugs: `${repository}/issues`,
};
/** The package of the vectors, which is released with this one, under its version. */
export const vectors = { name: 'teeworlds-vectors', homepage: `${repository}/tree/main/vectors#readme` };
/** Where the files of this version are. */
export const download = `${repository}/releases/download/v${version}`;
const changes = changesOf(version) ?? refuse(`CHANGELOG.md has no section for ${version}`);
/** What has to be done before a release, as sentences: a dry run lists them, a release is refused. */
export const missing = [];
if (owner === '' && isDryRun) missing.push('scripts/release/facts.mjs names no owner of the repository');
if (!changes.date) missing.push(`the section of ${version} in CHANGELOG.md has no date`);
if (!changes.date && !isDryRun) refuse(missing.at(-1));
export const { notes, date = '1970-01-01' } = changes;

/** Ends a release script with one sentence. */
export function refuse(sentence) {
  console.error(`release: ${sentence}`);
  process.exit(1);
}
