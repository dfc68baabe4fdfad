// Finishes the types of the library: what a class lets others read, they can't write. The sources can, since readers
// fill their results.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { withFieldDocs } from './field-docs.mjs';

const folder = 'dist/library';
const property = /^( {4}(?:static )?)(?!readonly |static |get |set |private |protected |abstract )(\w+\??: )/gm;

for (const name of readdirSync(folder, { recursive: true })) {
  if (!name.endsWith('.d.ts')) continue;
  const path = join(folder, name);
  const text = readFileSync(path, 'utf8');
  const whole = text.replace(/^export declare (?:abstract )?class [\s\S]*?^\}/gm, (type) =>
    type.replace(property, '$1readonly $2'),
  );
  if (whole !== text) writeFileSync(path, whole);
}

// The fields of items and messages say what they mean.
const { tables } = await import('../../dist/library/api/data.js');
const all = Object.fromEntries(['0.5', '0.6', '0.7'].map((version) => [version, tables(version)]));
for (const name of ['items', 'messages']) {
  const path = join(folder, `wire/protocol/${name}.d.ts`);
  writeFileSync(path, withFieldDocs(readFileSync(path, 'utf8'), all));
}
