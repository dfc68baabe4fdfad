// Plays seeded faults of a server and counts what explain says of them, as a Markdown table.
//   node scripts/explain/measure.mjs FOLDER [--count N] [--seed S] [--fault NAME,…] [--version 0.6|0.7] [--show OUTCOME,…]
//     [--decidable]
// FOLDER holds the recordings that are played; --show lists the faults with an outcome: another, another item, shown,
// first, first three, later, absent; with --decidable only those that can be decided.
import { bundle } from '../fuzz/bundle.mjs';

await import(await bundle('../explain/measure'));
