/**
 * The bytes that a worker thread wrote. `ends` are the ends of their parts: the first is for standard output, the
 * second for standard error, and so on in turn.
 */
export interface Chunk {
  readonly bytes: Uint8Array;
  readonly ends: readonly number[];
}

export function* partsOf({
  bytes,
  ends,
}: Chunk): Iterable<{ readonly to: 'stdout' | 'stderr'; readonly bytes: Uint8Array }> {
  let start = 0;
  for (const [i, end] of ends.entries()) {
    if (end > start) yield { to: i % 2 === 0 ? 'stdout' : 'stderr', bytes: bytes.subarray(start, end) };
    start = end;
  }
}

/** A piece of work, as plain data: a file, or several that are named by the first. */
export interface Task {
  readonly file: string;
}

export interface FileTask extends Task {
  readonly command: string;
  readonly options: object;
  /** Whether there are several files, so that each line contains the file name. */
  readonly multipleFiles: boolean;
  /** The number of bytes that may be buffered; beyond that the worker thread pauses. */
  readonly ahead: number;
}

/** The properties of the terminal, which a worker thread cannot determine. */
export interface Terminal {
  readonly isTerminal: boolean;
  readonly columns: number | undefined;
  readonly colors: number;
}

/**
 * A message to a worker thread: the next file; or that the oldest chunk was written, whose memory can be used again.
 * `written` is its number of bytes, 0 if its task is done.
 */
export type ToWorker = { readonly task: FileTask } | { readonly written: number };

/**
 * A message from a worker thread: chunks, and at the end one result or failure for each task, of which `status` is the
 * exit status if the error is for the user. `unfinished` is the path of a temporary file that is renamed when it is
 * whole.
 */
export type FromWorker =
  | { readonly chunk: Chunk }
  | { readonly result: unknown }
  | { readonly failure: unknown; readonly status?: number | undefined }
  | { readonly unfinished: string };
