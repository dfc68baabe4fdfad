// Damages demos in fifteen ways and compares the judge of ticks with a reader of its own, as a Markdown table.
//   node scripts/judge/measure.mjs DEMO… [--count N] [--seed S] [--show]
// --count damages of each kind and demo (20); --show lists each wrong snapshot that is called plain or confirmed.
import { bundle } from '../fuzz/bundle.mjs';

await import(await bundle('../judge/measure'));
