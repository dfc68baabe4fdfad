import { entryFinding, type Finding, finding, statusOf } from '../../src/recording/findings.ts';
import type { RecordingEntry } from '../../src/recording/record.ts';
import { printable } from '../../src/text/escape.ts';

/** Exit statuses, as the README lists them. */
export const exit = { fine: 0, finding: 1, usage: 2, unreadable: 3 } as const;

export const entryStatus = (entry: RecordingEntry, isStrict = false): number => {
  const found = entryFinding(entry);
  return found ? statusOf([found], isStrict) : exit.fine;
};

/** The finding about a file that cannot be read, or that options do not fit. */
export const failureFinding = (status: number, reason: string): Finding =>
  status === exit.usage
    ? finding('refused_file', 'refused', { args: { reason } })
    : finding('unreadable_file', 'unread', { args: { reason } });

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
  };
  return known[code ?? ''] ?? message;
}
