let current = new AbortController();

/** The signal that is aborted when another file is opened. It removes handlers of the document and the window. */
export const sessionSignal = (): AbortSignal => current.signal;

/** Ends the work and the handlers of the previous file. */
export function beginSession(): void {
  current.abort();
  current = new AbortController();
}
