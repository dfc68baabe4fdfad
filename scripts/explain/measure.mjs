// Plays seeded faults of a server and counts what explain says of them, as a Markdown table.
//   node scripts/explain/measure.mjs FOLDER [--count N] [--seed S] [--fault NAME,…] [--version 0.6|0.7] [--show OUTCOME,…]
//     [--decidable] [--beside TREE]
// FOLDER holds the recordings that are played; --show lists the faults with an outcome: another, another item, shown,
// first, first three, later, absent; with --decidable only those that can be decided. --beside explains the same
// recordings with another tree of this project, and counts what it says.
import { execFileSync } from 'node:child_process';
import process from 'node:process';
import { bundle, bundleText } from '../fuzz/bundle.mjs';

/** The file of a tree that exports a class, wherever it has its place there. */
const fileOf = (tree, name) =>
  execFileSync('grep', ['-rlE', `^export class ${name}\\b`, `${tree}/src`], { encoding: 'utf8' }).split('\n')[0];

const at = process.argv.indexOf('--beside');
if (at > 0) {
  const tree = process.argv[at + 1];
  const names = ['CaptureReplay', 'RecordingExplainer'];
  process.argv[at + 1] = await bundleText(
    'beside',
    names.map((name) => `export { ${name} } from '${fileOf(tree, name)}';`).join('\n'),
  );
}
await import(await bundle('../explain/measure'));
