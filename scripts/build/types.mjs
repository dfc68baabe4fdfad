import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import process from 'node:process';
import { exported } from './exported.mjs';

/** A property of a class that others could write. The sources can, since readers fill their results. */
const property = /^( {4}(?:static )?)(?!readonly |static |get |set |private |protected |abstract )(\w+\??: )/gm;

/** Another file: the compiler leaves the ending that the sources have. */
const reference = /(\b(?:from |import\()['"])(\.[^'"]+)\.ts(['"])/g;

/**
 * Writes the types of the library into a folder: those that its entries need. What a class lets others read, they can't
 * write.
 */
export function writeTypes(folder) {
  const compiler = join('node_modules', 'typescript', 'bin', 'tsc');
  const { status } = spawnSync(process.execPath, [compiler, '--project', 'tsconfig.types.json', '--outDir', folder], {
    stdio: 'inherit',
  });
  if (status !== 0) throw new Error('the types of the library were not written');
  const needed = new Set();
  const keep = (path) => {
    if (needed.has(path)) return;
    needed.add(path);
    const text = readFileSync(path, 'utf8');
    const whole = text
      .replace(/^export declare (?:abstract )?class [\s\S]*?^\}/gm, (type) => type.replace(property, '$1readonly $2'))
      .replace(reference, '$1$2.js$3');
    writeFileSync(path, whole);
    for (const [, , from] of text.matchAll(reference)) keep(join(dirname(path), `${from}.d.ts`));
  };
  for (const entry of exported()) keep(join(folder, entry.replace(/^src\//, '').replace(/\.ts$/, '.d.ts')));
  for (const name of readdirSync(folder, { recursive: true })) {
    if (name.endsWith('.d.ts') && !needed.has(join(folder, name))) rmSync(join(folder, name));
  }
}
