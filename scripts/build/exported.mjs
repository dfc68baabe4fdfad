import { readFileSync } from 'node:fs';

/** The source files of the exports in package.json. */
export function exported() {
  const { exports } = JSON.parse(readFileSync('package.json', 'utf8'));
  const modules = Object.values(exports).filter((to) => typeof to !== 'string');
  return modules.map((to) => to.default.replace('./dist/library/', 'src/').replace(/\.js$/, '.ts'));
}
