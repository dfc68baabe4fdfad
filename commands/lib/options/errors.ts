import { dirname } from 'node:path';
import { printable } from '../../../src/output/text/escape.ts';

/** Exit statuses, as the README lists them. */
export const exit = { fine: 0, finding: 1, usage: 2, unreadable: 3 } as const;

/** Ends a command with a message for the user: wrong usage, or an unreadable input. */
export class CommandError extends Error {
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

/** Output that cannot be written ends all work, whatever other inputs there are. */
export class OutputError extends Error {
  readonly status = exit.usage;

  constructor(path: string, error: unknown) {
    super(printable(`${path}: can't be written: ${reason(error)}`));
  }
}

/** Messages contain file names and words of the command line, which are escaped. */
export const usageError = (message: string) => new CommandError(exit.usage, printable(message));
export const inputError = (message: string) => new CommandError(exit.unreadable, printable(message));

/** Whether an error is meant for the user. Any other error is a bug. */
export function isCommandError(error: unknown): error is CommandError | OutputError {
  return error instanceof CommandError || error instanceof OutputError;
}

/** A message about a file without the file's name, which is stated elsewhere. */
export const withoutName = (file: string, message: string): string =>
  message.startsWith(`${file}: `) ? message.slice(file.length + 2) : message;

/** The reason why the system refused a file, as text. */
export function reason(error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException;
  const known: Readonly<Record<string, string>> = {
    ENOENT: 'no such file',
    EEXIST: 'there is a file of this name',
    EISDIR: 'is a directory',
    EACCES: 'permission denied',
    EPERM: 'not permitted',
    ENOSPC: 'no space left',
    ENOTDIR: 'not a directory',
    EROFS: 'the file system is read-only',
    ELOOP: 'a link that leads to itself',
    ENAMETOOLONG: 'the name is too long',
    EMFILE: 'too many open files',
    EFBIG: 'the file would be larger than the system allows',
    EPIPE: 'its reader has closed it',
    EDQUOT: 'the quota is used up',
    EIO: 'the device has an error',
  };
  return known[code ?? ''] ?? message;
}

/**
 * What is missing where nothing has this name: a folder, if the path names one or goes through one that is not there,
 * or a file.
 */
export function missing(path: string, exists: (path: string) => boolean): string {
  if (/[/\\]$/.test(path)) return 'no such folder';
  const folder = dirname(path);
  return exists(folder) ? 'no such file' : `no such folder: ${folder}`;
}
