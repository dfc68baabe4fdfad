import { readdirSync, readFileSync } from 'node:fs';
import { builtinModules } from 'node:module';
import { dirname, join, normalize } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const root = fileURLToPath(new URL('..', import.meta.url));

/** The rows of a block of Markdown: `\`\`\`wings`. */
const rowsOf = (path: string, block: string): string[][] =>
  (readFileSync(join(root, path), 'utf8').match(new RegExp(`\`\`\`${block}\\n([\\s\\S]*?)\`\`\``))?.[1] ?? '')
    .trim()
    .split('\n')
    .map((row) => row.trim().split(/\s+/));

/** The wings: higher ones import from lower ones; those in one row do not import each other. */
const wings = rowsOf('docs/ARCHITECTURE.md', 'wings');
/** The rooms of each wing, by the README that is its door. `.` is a file directly in the wing. */
const rooms = new Map(
  wings.flat().map((wing) => [wing, wing === 'bin' ? [['.']] : rowsOf(`${wing}/README.md`, 'rooms')]),
);

interface Source {
  readonly path: string;
  /** The wing and the room in it: `src/wire` and `codec`; `.` for a file directly in the wing. */
  readonly wing: string;
  readonly room: string;
  readonly text: string;
  /** Without comments and regular expressions, and with strings emptied. */
  readonly code: string;
  /** The imports of the file: paths from the root, or names of packages. */
  readonly imports: readonly string[];
  /** The imports without `import type`, which does not exist at run time. */
  readonly runs: readonly string[];
  /** Those of `runs` that are loaded with the file: without `import('…')`. */
  readonly loads: readonly string[];
}

/** `import … from '…'`, `export … from '…'`, `import '…'`, `import('…')`. */
const importing =
  /(?:^|[;\n])\s*(?:import|export)\b[^'"`;]*?\bfrom\s*['"]([^'"]+)['"]|\bimport\s*\(?\s*['"]([^'"]+)['"]/g;
/** Comments, strings, templates and regular expressions, whichever begins first. */
const noCode = new RegExp(
  [
    /\/\*[\s\S]*?\*\//,
    /\/\/[^\n]*/,
    /'(?:\\.|[^'\\\n])*'/,
    /"(?:\\.|[^"\\\n])*"/,
    /`(?:\\.|[^`\\])*`/,
    /(?<=[=(,:[!&|?{};]\s*|return )\/(?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\\n[])+\/[a-z]*/,
  ]
    .map(({ source }) => source)
    .join('|'),
  'g',
);

function sourcesIn(folder: string): Source[] {
  const names = readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' });
  return names
    .filter((name) => name.endsWith('.ts') && !name.endsWith('.d.ts'))
    .map((name) => sourceAt(join(folder, name)));
}

function sourceAt(path: string): Source {
  const text = readFileSync(join(root, path), 'utf8');
  const code = text.replace(noCode, (part) => (part.startsWith('/') ? ' ' : `${part[0]}${part[0]}`));
  const withoutComments = text.replace(noCode, (part) => (/^\/[/*]/.test(part) ? ' ' : part));
  const found = [...withoutComments.matchAll(importing)].map(([statement, from, direct]) => {
    const target = (from ?? direct)!;
    const runs = !/\b(?:import|export)\s+type\b/.test(statement);
    const loads = runs && !/\bimport\s*\(/.test(statement);
    return { target: target.startsWith('.') ? normalize(join(dirname(path), target)) : target, runs, loads };
  });
  const imports = found.map(({ target }) => target);
  const runs = found.filter((found) => found.runs).map(({ target }) => target);
  const loads = found.filter((found) => found.loads).map(({ target }) => target);
  return { path, ...placeOf(path), text, code, imports, runs, loads };
}

/** Where a file is. A folder that its wing does not list is a room without a rank. */
function placeOf(path: string): { readonly wing: string; readonly room: string } {
  const wing = wings.flat().find((wing) => path.startsWith(`${wing}/`)) ?? path;
  const inside = dirname(path.slice(wing.length + 1));
  const listed = (rooms.get(wing) ?? []).flat();
  return { wing, room: listed.find((room) => inside === room || inside.startsWith(`${room}/`)) ?? inside };
}

const rowOf = (rows: readonly (readonly string[])[], name: string) => rows.findIndex((row) => row.includes(name));
const wingRank = ({ wing }: { readonly wing: string }) => rowOf(wings, wing);
const roomRank = ({ wing, room }: { readonly wing: string; readonly room: string }) =>
  rowOf(rooms.get(wing) ?? [], room);
const sources = [...sourcesIn('src'), ...sourcesIn('commands')];
const nameOf = ({ path }: { readonly path: string }) => path.slice(path.lastIndexOf('/') + 1).replace(/\.ts$/, '');
const isPath = (target: string) => /^(?:src|commands|bin|test)\//.test(target);

/** All that breaks a rule, as `who: what`. */
const broken = (rule: (source: Source) => readonly string[], among = sources) =>
  among.flatMap((source) => rule(source).map((what) => `${source.path}: ${what}`));

/** Those that run anywhere: all but the client on Node's sockets. */
const belowCommands = sources.filter(
  ({ wing, room }) => wing !== 'commands' && !(wing === 'src/api' && room === 'node'),
);

describe('imports', () => {
  it('are found', () => {
    const imports = new Map(sources.map((source) => [source.path, source.imports]));
    expect(imports.get('src/wire/codec/int32.ts')).toEqual([
      'src/wire/bytes/buffers.ts',
      'src/wire/bytes/diagnostic.ts',
    ]);
    expect(imports.get('commands/cli.ts')).toContain('node:process');
    // Names of `import()`, and names that `export … from` exports again.
    expect(imports.get('commands/index.ts')).toContain('commands/decode/index.ts');
    expect(imports.get('src/api/unstable.ts')).toContain('src/wire/annotate/payload-spans.ts');
    expect(sources.length).toBeGreaterThan(60);
  });

  it('every wing and every room has a rank', () => {
    expect(
      broken((source) => (wingRank(source) < 0 || roomRank(source) < 0 ? [`${source.wing} ${source.room}`] : [])),
    ).toEqual([]);
  });

  it('point to lower wings or into the own one', () => {
    const upwards = (source: Source) =>
      source.imports.filter((target) => {
        if (!isPath(target) || placeOf(target).wing === source.wing) return false;
        return wingRank(placeOf(target)) >= wingRank(source);
      });
    expect(broken(upwards)).toEqual([]);
  });

  it('within a wing point to lower rooms or into the own one', () => {
    const upwards = (source: Source) =>
      source.imports.filter((target) => {
        const to = placeOf(target);
        return isPath(target) && to.wing === source.wing && to.room !== source.room && roomRank(to) >= roomRank(source);
      });
    expect(broken(upwards)).toEqual([]);
  });

  // A stranger who reads `payload.ts` in two imports of one file has to follow both to know which is which. The files of
  // a command's name are one subject, seen by each wing.
  it('of one file have different names, but for those of a command', () => {
    const commands = new Set(sources.filter(({ wing, room }) => wing === 'commands' && room === '.').map(nameOf));
    const twice = ({ path, imports }: Source) => {
      const names = [path, ...new Set(imports.filter(isPath))].map((path) => nameOf({ path }));
      return names.filter((name, i) => names.indexOf(name) < i && !commands.has(name) && name !== 'index');
    };
    expect(broken(twice)).toEqual([]);
  });

  // What one has to know of a wing from outside: the names that other wings import from it, each counted once. Types that
  // the library only passes on are in its contract: test/api/contract.api.md.
  it('from other wings are of few names', () => {
    const faces = new Map<string, Set<string>>();
    for (const { wing, path, text } of sources) {
      for (const [statement, names, target] of text.matchAll(
        /\b(?:import|export)\s+(?:type\s+)?\{([^}]*)\}\s*from\s*'(\.[^']+)'/g,
      )) {
        if (wing === 'src/api' && statement.startsWith('export type')) continue;
        const from = placeOf(normalize(join(dirname(path), target!))).wing;
        if (from === wing) continue;
        if (!faces.has(from)) faces.set(from, new Set());
        for (const name of names!.split(',')) {
          const [imported] = name
            .replace(/\btype\s/, '')
            .trim()
            .split(/\s+as\s+/);
          if (imported) faces.get(from)!.add(`${normalize(join(dirname(path), target!))} ${imported}`);
        }
      }
    }
    const sizes = [...faces].map(([wing, face]) => [wing, face.size] as const).toSorted(([, a], [, b]) => b - a);
    const sum = sizes.reduce((sum, [, size]) => sum + size, 0);
    console.log(`names used from other wings: ${sum} (${sizes.map((size) => size.join(' ')).join(', ')})`);
    expect(sum).toBeGreaterThan(100);
    expect(sum).toBeLessThanOrEqual(1000);
  });

  it('are of files that exist', () => {
    const paths = new Set(sources.map(({ path }) => path));
    expect(broken(({ imports }) => imports.filter((target) => isPath(target) && !paths.has(target)))).toEqual([]);
  });

  it('have no cycle at run time', () => {
    expect(circlesOf(({ runs }) => runs)).toEqual([]);
  });

  it('have no cycle, including imports of types', () => {
    expect(circlesOf(({ imports }) => imports)).toEqual([]);
  });
});

function circlesOf(importsOf: (source: Source) => readonly string[]): string[] {
  const imports = new Map(sources.map((source) => [source.path, importsOf(source).filter(isPath)]));
  const done = new Set<string>();
  const circles: string[] = [];
  const follow = (path: string, way: readonly string[]): void => {
    if (way.includes(path)) circles.push([...way.slice(way.indexOf(path)), path].join(' → '));
    if (done.has(path)) return;
    done.add(path);
    for (const target of imports.get(path) ?? []) follow(target, [...way, path]);
  };
  for (const path of imports.keys()) follow(path, []);
  return circles;
}

describe('what a command does not need', () => {
  it('is not loaded: decode of a payload needs no recordings', () => {
    const bySource = new Map(sources.map((source) => [source.path, source]));
    const loaded = new Set<Source>();
    const load = (path: string): void => {
      const source = bySource.get(path);
      if (!source || loaded.has(source)) return;
      loaded.add(source);
      source.loads.forEach(load);
    };
    load('commands/decode/index.ts');
    // Without comments, which cost nothing when it starts: a limit on them would only make them shorter.
    const lines = [...loaded].flatMap(({ code }) => code.split('\n')).filter((line) => line.trim() !== '').length;
    expect(loaded.size).toBeGreaterThan(50);
    expect(loaded.size).toBeLessThanOrEqual(73);
    expect(lines).toBeLessThanOrEqual(6640);
  });
});

describe('modules below the commands', () => {
  it('import neither Node nor modules that are only for the commands', () => {
    const known = new Set([...builtinModules, 'chalk', 'commander']);
    const platform = ({ imports }: Source) =>
      imports.filter((target) => !isPath(target) && (target.startsWith('node:') || known.has(target.split('/')[0]!)));
    expect(broken(platform, belowCommands)).toEqual([]);
  });

  it('use nothing that only Node or a terminal has', () => {
    const globals =
      /(?<![.\w#$])(?:process|Buffer|console|require|__dirname|__filename|globalThis|setImmediate)\b(?!\s*:)/g;
    expect(broken(({ code }) => code.match(globals) ?? [], belowCommands)).toEqual([]);
  });
});
