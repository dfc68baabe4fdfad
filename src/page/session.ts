let current = new AbortController();

/** Aborted when another file is opened: handlers of the document and the window end with it. */
export const sessionSignal = (): AbortSignal => current.signal;

/** Ends what the file that was open has begun. */
export function beginSession(): void {
  current.abort();
  current = new AbortController();
}
