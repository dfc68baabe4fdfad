/** Text that a thread wrote, and where it is to go. */
export interface Chunk {
  readonly to: 'stdout' | 'stderr';
  readonly text: string;
}

/** What is to be done with a file: plain data, that can be handed to a thread. */
export interface FileTask {
  readonly command: string;
  readonly file: string;
  readonly options: object;
  /** Whether several files are told of, so that each line has to name its own. */
  readonly isOfSeveral: boolean;
  /** Characters that may wait to be taken; then the thread does. */
  readonly ahead: number;
}

/** A file that is being worked on. */
export interface Running {
  /** What it writes, in its order; ends when all is done, or failed. */
  readonly pieces: AsyncIterable<Chunk>;
  /** Plain data. Rejects where the work failed, of which only a bug is a reason. */
  readonly result: Promise<unknown>;
}

/** Threads that work on files, one at a time each. */
export interface Threads {
  begin(task: FileTask): Running;
  end(): Promise<void>;
}
