import { inputError, usageError } from '../errors.ts';
import type { Io } from '../io.ts';
import { recordingNames } from '../options.ts';

/** The names of the files that are read in folders. */
export interface FolderOptions {
  readonly include?: readonly string[] | undefined;
}

const recordings = /\.(?:demo|pcap|pcapng|cap)(?:\.gz|\.zst|\.zip)?$/i;

/** The files that the arguments of a command name, with folders replaced by their files. */
export interface NamedFiles {
  readonly files: readonly string[];
  /** Whether each line of the output contains the file name, since a folder may have any number of files. */
  readonly multipleFiles: boolean;
}

/**
 * The files that arguments name, or standard input without arguments. Folders are read with all their subfolders; files
 * are ordered by name.
 * @throws CommandError for a single folder without such files
 */
export async function filesOf(args: readonly string[], { include }: FolderOptions, io: Io): Promise<NamedFiles> {
  const isFolder = args.map((arg) => arg !== '-' && io.isFolder(arg));
  if (include && !isFolder.includes(true))
    throw usageError('--include chooses files of folders, and no folder is named');
  const globs = include?.map(globPattern);
  const isIncluded = (path: string) =>
    globs ? globs.some((glob) => glob.test(path) || glob.test(path.split('/').at(-1)!)) : recordings.test(path);
  const files: string[] = [];
  for (const [i, arg] of args.entries()) {
    if (!isFolder[i]) {
      files.push(arg);
      continue;
    }
    const found = (await filesBelow(arg.replace(/\/+$/, '') || '/', io)).filter(isIncluded);
    // One of several names does not stop the others: it is reported when it is read.
    if (found.length === 0 && args.length > 1) files.push(arg);
    else if (found.length === 0) {
      throw inputError(
        `${arg}: no files ${include ? include.join(', ') : recordingNames} in this folder (--include GLOB)`,
      );
    }
    for (const path of found) files.push(path);
  }
  if (files.length === 0) files.push('-');
  return { files, multipleFiles: files.length > 1 || isFolder.includes(true) };
}

/** All files in a folder and its subfolders. */
async function filesBelow(folder: string, io: Io): Promise<string[]> {
  const files: string[] = [];
  for (const name of [...(await io.filesIn(folder))].sort()) {
    const path = `${folder}/${name}`;
    if (io.isFolder(path)) {
      if (!io.isLink(path)) for (const file of await filesBelow(path, io)) files.push(file);
    } else files.push(path);
  }
  return files;
}

/** `*` and `?` match within a name, `**` also across folders, `{a,b}` either. */
function globPattern(glob: string): RegExp {
  const parts: Readonly<Record<string, string>> = {
    '**/': '(?:.*/)?',
    '**': '.*',
    '*': '[^/]*',
    '?': '[^/]',
    '{': '(?:',
    '}': ')',
    ',': '|',
  };
  const source = glob.replace(/\*\*\/|\*\*|[*?{},]|[\\^$.|+()[\]]/g, (part) => parts[part] ?? `\\${part}`);
  return new RegExp(`^(?:.*/)?${source}$`);
}
