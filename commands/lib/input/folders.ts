import { inputError, usageError } from '../options/errors.ts';
import { recordingNames, unfinishedName } from '../options/options.ts';
import type { Io } from '../platform/io.ts';
import { splitPosition } from './inputs.ts';

const recordings = /\.(?:demo|gho|pcap|pcapng|cap)(?:\.gz|\.zst|\.zip)?$/i;

/** The files that the arguments of a command name, with folders replaced by their files. */
export interface NamedFiles {
  readonly files: readonly string[];
  /** Whether each line of the output contains the file name, since a folder may have any number of files. */
  readonly multipleFiles: boolean;
}

/**
 * The files that arguments name, or standard input without arguments. Patterns that the shell has left as they are, as
 * those of Windows do, name the files that they match. Folders are read with all their subfolders; files are ordered by
 * name. Those of a rolling capture are one.
 * @throws CommandError for a single folder without such files
 */
export async function filesOf(
  named: readonly string[],
  { include }: { readonly include?: readonly string[] | undefined },
  io: Io,
): Promise<NamedFiles> {
  // `folder@A..B` and `*.demo@A..B` are that range of each file.
  const args: { readonly arg: string; readonly range: string }[] = [];
  for (const typed of named) {
    const { path = typed, position } = splitPosition(typed, io);
    const arg = path === '-' ? typed : path + typed.slice(path.length);
    const isMany = position !== undefined && path !== '-' && (/[*?{]/.test(path) || io.isFolder(path));
    const name = isMany ? path : arg;
    const paths = await filesOfName(name, io);
    args.push(...paths.map((path) => ({ arg: path, range: isMany ? `@${position.text}` : '' })));
  }

  const isFolder = args.map(({ arg }) => arg !== '-' && io.isFolder(arg));
  if (include && !isFolder.includes(true))
    throw usageError('--include chooses files of folders, and no folder is named');
  const globs = include?.map((glob) => globPattern(glob));
  const isIncluded = (path: string) =>
    globs ? globs.some((glob) => glob.test(path) || glob.test(path.split('/').at(-1)!)) : recordings.test(path);

  const files: string[] = [];
  for (const [i, { arg, range }] of args.entries()) {
    if (!isFolder[i]) {
      files.push(arg + range);
      continue;
    }
    const found = (await filesBelow(arg, io)).filter(isIncluded);
    // One of several names does not stop the others: it is reported when it is read.
    if (found.length === 0 && args.length > 1) files.push(arg);
    else if (found.length === 0) {
      throw inputError(
        `${arg}: no files ${include ? include.join(', ') : recordingNames} in this folder (--include GLOB)`,
      );
    }
    for (const path of found) files.push(path + range);
  }

  if (files.length === 0) files.push('-');
  const all = files.length > 1 && files.some((file) => ofSet.test(file)) ? await sets(files) : files;
  return { files: all, multipleFiles: all.length > 1 || isFolder.includes(true) };
}

/** The name of a file as programs write them that begin another one now and then. */
const ofSet = /(?:p|png|mp)\d+(?:\.\w+)?(?:@.*)?$|_\d{5}_\d{14}\.\w/i;
const sets = async (files: readonly string[]) => (await import('./sets.ts')).withSets(files);

/** The files that a name stands for: those of a pattern that the shell has left as it is, as the shells of Windows do. */
export const filesOfName = async (name: string, io: Io): Promise<readonly string[]> =>
  /[*?{]/.test(name) && !io.exists(name) ? filesLike(name, io) : [name];

/**
 * The files that a pattern matches, or the pattern itself, which is then reported as a missing file. Hidden files are
 * left out.
 */
export async function filesLike(pattern: string, io: Io): Promise<string[]> {
  const path = pattern.replaceAll('\\', '/');
  const folder = path.slice(0, path.slice(0, path.search(/[*?{]/)).lastIndexOf('/') + 1);
  const rest = path.slice(folder.length);
  const depth = rest.includes('**') ? Infinity : rest.split('/').length;
  const like = globPattern(rest, '');

  const found = await filesBelow(folder || './', io, depth);
  const names = found.map((file) => file.slice((folder || './').length)).filter((name) => !/(?:^|\/)\./.test(name));
  const matching = names.filter((name) => like.test(name));
  return matching.length > 0 ? matching.map((name) => folder + name) : [pattern];
}

/**
 * All files in a folder, whose name may end with `/`, and its subfolders, except those that a command is writing, or
 * did until it was killed.
 */
async function filesBelow(folder: string, io: Io, depth = Infinity): Promise<string[]> {
  const files: string[] = [];
  for (const name of [...(await io.filesIn(folder))].sort()) {
    if (name.startsWith(unfinishedName)) continue;
    const path = `${folder.replace(/\/+$/, '')}/${name}`;
    if (io.isFolder(path)) {
      if (depth > 1 && !io.isLink(path)) for (const file of await filesBelow(path, io, depth - 1)) files.push(file);
    } else files.push(path);
  }
  return files;
}

/** `*` and `?` match within a name, `**` also across folders, `{a,b}` either; `\` is a separator as `/` is. */
const globPattern = (glob: string, before = '(?:.*/)?') =>
  new RegExp(`^${before}${globSource(glob.replaceAll('\\', '/'))}$`);

const globParts: Readonly<Record<string, string>> = { '**/': '(?:.*/)?', '**': '.*', '*': '[^/]*', '?': '[^/]' };

const globSource = (glob: string): string =>
  glob.replace(/\*\*\/|\*\*|[*?]|\{([^{}]*)\}|[\^$.|+()[\]{}]/g, (part, choices?: string) =>
    choices === undefined ? (globParts[part] ?? `\\${part}`) : `(?:${choices.split(',').map(globSource).join('|')})`,
  );
