/** Exit statuses, as the README lists them. */
export const exit = { fine: 0, finding: 1, usage: 2, unreadable: 3 } as const;

/** Ends a command with a message for people: wrong usage, or an input that can't be read at all. */
export class CommandError extends Error {
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

export const usageError = (message: string) => new CommandError(exit.usage, message);
export const inputError = (message: string) => new CommandError(exit.unreadable, message);

/** Whether an error is a {@link CommandError}, also one out of another bundle, which has a class of its own. */
export function isCommandError(error: unknown): error is CommandError {
  return error instanceof Error && 'status' in error && typeof error.status === 'number';
}
