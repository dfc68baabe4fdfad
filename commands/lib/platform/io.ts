import {
  type BigIntStats,
  closeSync,
  existsSync,
  fstatSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs';
import { dirname, join, sep } from 'node:path';
import process from 'node:process';
import type { WriteStream } from 'node:tty';
import { missing } from '../options/errors.ts';
import type { AtomicFile } from './atomic-file.ts';
import { PieceMemory } from './piece-memory.ts';
import type { Threads } from './pool.ts';
import type { FileTask } from './protocol.ts';

export interface Sink {
  readonly isTerminal: boolean;
  /** The width of the terminal in columns; undefined without a terminal. */
  readonly columns: number | undefined;
  readonly rows?: number | undefined;
  /** Whether it is a pipe, whose reader may print to the same terminal. */
  readonly isPipe?: boolean;
  /** The number of colours as reported by the terminal: 0 for none, 1 for 16, 2 for 256, 3 for all. */
  readonly colors: number;
  /** Resolves when the data was written, so that its memory can be used again. */
  write(data: string | Uint8Array): Promise<void>;
}

/**
 * The programs of pages: `main` shows a recording, `main-contents` one snapshot, packet or message, or a log, and `app`
 * opens files.
 */
type PageProgram = 'main' | 'main-contents' | 'app';

interface ProgramText {
  readonly script: string;
  /** The licences of the packages in it. */
  readonly licences: string;
}

/** The platform of the commands. Only this file and a few others import Node; tests use another platform. */
export interface Io {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly stdout: Sink;
  readonly stderr: Sink;
  readonly stdinIsTerminal: boolean;
  /**
   * Whether standard input is a pipe, a socket or a file; a program that starts others may leave them a device.
   */
  readonly stdinIsPiped: boolean;
  /** What stands between folders: `\\` on Windows. */
  readonly separator: string;
  /**
   * The bytes of a file from `start` on, or of standard input for `-`, in pieces. With `isGrowing` also those that are
   * added later, until Ctrl-C, with {@link newFile} where it was truncated or replaced. Rejects with Node's error and
   * its `code`. Pieces remain valid if `isReusing` returns false when they are read, otherwise until the second one
   * after them.
   */
  open(path: string, start?: number, isGrowing?: boolean, isReusing?: () => boolean): AsyncIterable<Uint8Array>;
  /** The files, folders and links in a folder; none if there is no such folder. Pipes and devices are left out. */
  filesIn(folder: string): Promise<readonly string[]>;
  remove(path: string): Promise<void>;
  pageProgram(program: PageProgram): Promise<ProgramText>;
  exists(path: string): boolean;
  isFolder(path: string): boolean;
  isLink(path: string): boolean;
  /**
   * Whether a path leads to what standard output is: `/dev/stdout`, a file descriptor, a link to them, or the file or
   * pipe itself.
   */
  isStdout(path: string): boolean;
  /** Whether notes and progress are left out. */
  readonly isQuiet?: boolean;
  /** Whether it is that of a worker thread. What is about all files was said by the main thread. */
  readonly isThread?: boolean;
  /** The size of a file in bytes, 0 if unknown. */
  size(path: string): number;
  /**
   * Creates a file that is written completely or not at all, by renaming a temporary file. Inputs are never
   * overwritten, unless the file was read to bring it up to date.
   */
  create(path: string, isUpdate?: boolean): Promise<AtomicFile>;
  append(path: string, text: string): Promise<void>;
  /** Creates a folder and its parents unless they exist. */
  makeFolder(path: string): Promise<void>;
  cores(): Promise<number>;
  /**
   * Starts this many worker threads, or fewer if the system's limits are too low; undefined if they do not allow two.
   */
  readonly threads?: (count: number) => Promise<Threads | undefined>;
}

const firstPieceBytes = 1 << 16;
const pieceBytes = 1 << 18;
const endPieceBytes = 1 << 12;

export function processIo(outputFailed: (error: NodeJS.ErrnoException) => void = () => {}): Io {
  const inputs = new Inputs();
  const stdout = outputOf('stdout', outputFailed);
  return {
    env: process.env,
    separator: sep,
    stdout,
    // Messages may be lost, but the work continues.
    stderr: outputOf('stderr', () => {}),
    get stdinIsTerminal() {
      return process.stdin.isTTY === true;
    },
    get stdinIsPiped() {
      const about = statOfOpen(0);
      // A parent process gives a socket where a shell gives a pipe.
      return about !== undefined && (about.isFIFO() || about.isSocket() || about.isFile());
    },
    open: (path, start = 0, isGrowing = false, isReusing = () => false) =>
      isGrowing
        ? inputs.follow(path)
        : path === '-'
          ? inputs.stdin()
          : inputs.read(path, start, new PieceMemory(isReusing)),
    filesIn: async (folder) => {
      if (!isFolder(folder)) return [];
      const entries = readdirSync(folder, { withFileTypes: true });
      // Opening a pipe would wait for its writer. A link to nothing is reported when it is read.
      const readable = entries.filter((entry) => {
        const about = entry.isSymbolicLink() ? statOf(join(folder, entry.name)) : entry;
        return !about || about.isFile() || about.isDirectory();
      });
      return readable.map(({ name }) => name);
    },
    remove: async (path) => rmSync(path, { force: true }),
    pageProgram,
    exists: (path) => existsSync(path),
    isLink: (path) => lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() ?? false,
    isFolder,
    isStdout,
    size,
    create: async (path, isUpdate = false) => {
      // Loaded here only, to keep start-up fast.
      const { createAtomicFile } = await import('./atomic-file.ts');
      inputs.hasUnfinishedFile = true;
      return createAtomicFile(path, (target) => {
        if (!isUpdate) inputs.refuse(target);
      });
    },
    append: async (path, text) => (await import('node:fs/promises')).appendFile(path, text),
    makeFolder: async (path) => makeFolder(path),
    cores: async () => (await import('node:os')).availableParallelism(),
    threads: async (count) => {
      const { processLimits, ThreadPool, threadsWithin } = await import('./pool.ts');
      const room = threadsWithin(processLimits());
      if (room < 2) return undefined;
      const { isTerminal, columns, colors } = stdout;
      const pool = new ThreadPool(Math.min(count, room), { isTerminal, columns, colors });
      return {
        begin(task) {
          inputs.rememberTask(task);
          return pool.begin(task);
        },
        end: () => pool.end(),
      };
    },
  };
}

/**
 * Standard output or error. Files and pipes are written by the system's call: Node's streams would do the same, and
 * take 3 of the 20 ms that a start takes after Node's own.
 */
function outputOf(name: 'stdout' | 'stderr', failed: (error: NodeJS.ErrnoException) => void): Sink {
  const file = name === 'stdout' ? 1 : 2;
  const about = process.platform === 'win32' ? undefined : statOfOpen(file);
  // All but terminals and other devices.
  const isPlain = about && (!about.isCharacterDevice() || Number(about.rdev) === statOf('/dev/null')?.rdev);
  if (!isPlain) return streamOutput(process[name], failed);
  let stream: Sink | undefined;
  const write = async (data: string | Uint8Array) => {
    if (stream) return stream.write(data);
    const bytes = typeof data === 'string' ? Buffer.from(data) : data;
    for (let at = 0; at < bytes.length; ) {
      try {
        at += writeSync(file, bytes, at);
      } catch (error) {
        const problem = error as NodeJS.ErrnoException;
        if (problem.code !== 'EAGAIN') return failed(problem);
        // A full pipe that does not block, because another of its users wants that. The stream waits.
        stream = streamOutput(process[name], failed);
        return stream.write(bytes.subarray(at));
      }
    }
  };
  return { isTerminal: false, isPipe: about.isFIFO() || about.isSocket(), columns: undefined, colors: 0, write };
}

function streamOutput(stream: WriteStream, failed: (error: NodeJS.ErrnoException) => void): Sink {
  stream.on('error', failed);
  return {
    isTerminal: stream.isTTY === true,
    get columns() {
      return stream.isTTY ? stream.columns : undefined;
    },
    get rows() {
      return stream.isTTY ? stream.rows : undefined;
    },
    colors: stream.isTTY ? [1, 4, 8, 24].indexOf(stream.getColorDepth()) : 0,
    write: (data) => new Promise((resolve) => void stream.write(data, () => resolve())),
  };
}

function isStdout(path: string): boolean {
  const named = unlessError(() => statSync(path, { bigint: true }));
  const open = statOfOpen(1);
  return named !== undefined && open !== undefined && named.ino > 0 && identity(named) === identity(open);
}

const isFolder = (path: string) => statOf(path)?.isDirectory() ?? false;

const size = (path: string) => statOf(path)?.size ?? 0;

/** One folder after the other: below /proc Node would try for ever to create all of a path. */
function makeFolder(path: string): void {
  if (isFolder(path)) return;
  if (dirname(path) !== path) makeFolder(dirname(path));
  try {
    mkdirSync(path);
  } catch (error) {
    // Another run may have been faster.
    if (!isFolder(path)) throw error;
  }
}

/**
 * Undefined on an error, which is reported when the file is read, or where an input is closed or not described by the
 * system.
 */
function unlessError<About>(stat: () => About): About | undefined {
  try {
    return stat();
  } catch {
    return undefined;
  }
}

/** What the system has under a name. Its error for a missing one does not tell a file from a folder. */
function named<Found>(path: string, find: () => Found): Found {
  try {
    return find();
  } catch (error) {
    throw (error as NodeJS.ErrnoException).code === 'ENOENT' ? new Error(missing(path, existsSync)) : error;
  }
}

const statOf = (path: string) => unlessError(() => statSync(path));
const statOfOpen = (file: number) => unlessError(() => fstatSync(file, { bigint: true }));

/** The input files of a command by their identity, since a file can have several names. */
class Inputs {
  readonly #read = new Set<string>();
  /** Whether a file is unfinished. Signals are then handled between turns of the event loop. */
  hasUnfinishedFile = false;

  async *stdin(): AsyncIterable<Uint8Array> {
    const about = statOfOpen(0);
    if (about?.isDirectory()) throw Object.assign(new Error('a directory'), { code: 'EISDIR' });
    if (about) this.#remember(about);
    yield* process.stdin;
  }

  async *read(path: string, start: number, memory: PieceMemory): AsyncIterable<Uint8Array> {
    const file = named(path, () => openSync(path, 'r'));
    try {
      const about = fstatSync(file, { bigint: true });
      this.#remember(about);
      const size = about.isFile() ? Number(about.size) : Infinity;
      for (let at = start, first = true; ; first = false) {
        // The first piece is small: most inputs are. At the end of a file there is little left to read, unless it
        // grows.
        const room = Math.max(endPieceBytes, Math.min(first ? firstPieceBytes : pieceBytes, size - at));
        const piece = memory.take(room);
        // A pipe has no positions.
        const read = readSync(file, piece, 0, piece.length, start > 0 ? at : null);
        if (read === 0) return;
        at += read;
        // `node:timers/promises` loads slowly.
        if (this.hasUnfinishedFile) await new Promise((done) => setImmediate(done));
        yield read < piece.length ? piece.subarray(0, read) : piece;
      }
    } finally {
      closeSync(file);
    }
  }

  /** Reads the file and the bytes that are added later. */
  async *follow(path: string): AsyncIterable<Uint8Array> {
    const { growingFile, untilInterrupted } = await import('./growing.ts');
    if (path !== '-') this.#remember(named(path, () => statSync(path, { bigint: true })));
    yield* path === '-' ? untilInterrupted(process.stdin) : growingFile(path);
  }

  rememberTask({ file, options }: FileTask): void {
    const { base } = options as { base?: string };
    for (const name of [file, base]) {
      for (const path of name === undefined ? [] : [name, name.replace(/[@#][^@#]*$/, '')]) {
        const about = statSync(path, { bigint: true, throwIfNoEntry: false });
        if (about) this.#remember(about);
      }
    }
  }

  /** @throws if the file is one of the inputs, under any name */
  refuse(path: string): void {
    const about = statSync(path, { bigint: true, throwIfNoEntry: false });
    if (about && this.#read.has(identity(about))) throw new Error('it is an input of this command');
  }

  #remember(about: BigIntStats): void {
    if (about.isFile()) this.#read.add(identity(about));
  }
}

const identity = ({ dev, ino }: BigIntStats) => `${dev} ${ino}`;

/** Reads the page's files, which are built beside the commands. */
async function pageProgram(program: PageProgram): Promise<ProgramText> {
  const { readFile } = await import('node:fs/promises');
  const part = async (name: string) =>
    typeof packageFile === 'undefined' ? readFile(join(__dirname, '../page', name), 'utf8') : packageFile(name);
  return { script: await part(`${program}.js`), licences: await part(`${program}.licences.txt`) };
}
