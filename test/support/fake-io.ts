import type { Io, Sink } from '../../commands/lib/platform/io.ts';
import { bundlePage } from '../../scripts/build/page.mjs';

type Data = Uint8Array | string;

/** The environment of a command. */
export interface World {
  readonly files?: Readonly<Record<string, Data>> | ReadonlyMap<string, Data>;
  readonly stdin?: Data;
  readonly env?: Io['env'];
  /** Whether standard input (unless it is given), output and error are a terminal, which has 256 colours. */
  readonly terminal?: boolean;
  readonly columns?: number;
  /** What stands between folders: `\\` as on Windows, where `/` does as well. */
  readonly separator?: string;
  /** Pages have no program: it takes longer to write than all else of a page. */
  readonly hasNoProgram?: boolean;
}

/** The written bytes. */
interface FakeSink extends Sink {
  readonly bytes: Uint8Array;
  readonly text: string;
}

export interface FakeIo extends Io {
  readonly stdout: FakeSink;
  readonly stderr: FakeSink;
  /** The given and the written files. */
  readonly files: ReadonlyMap<string, Uint8Array>;
}

/** Files come in pieces of this size. */
const pieceBytes = 100_000;

/** An environment in memory for `main(argv, io)`. A missing file is rejected with `ENOENT`, as by Node. */
export function fakeIo({
  files = {},
  stdin,
  env = {},
  terminal = false,
  columns = 80,
  separator = '/',
  hasNoProgram = false,
}: World = {}): FakeIo {
  const inputs = files instanceof Map ? [...files] : Object.entries(files);
  const there = new Map(inputs.map(([path, data]) => [path, bytesOf(data)]));
  /** What the names of a folder's files begin with. */
  const startOf = (folder: string) => folder.replace(/\/*$/, '/').replace(/^\.\//, '');
  const isFolder = (path: string) => [...there.keys()].some((file) => file.startsWith(startOf(path)));
  return {
    env,
    stdout: fakeSink(terminal, columns),
    stderr: fakeSink(terminal, columns),
    stdinIsTerminal: terminal && stdin === undefined,
    stdinIsPiped: stdin !== undefined,
    separator,
    files: there,
    filesIn: async (folder) => {
      const start = startOf(folder);
      const inside = [...there.keys()].filter((path) => path.startsWith(start));
      return [...new Set(inside.map((path) => path.slice(start.length).split('/')[0]!))];
    },
    remove: async (path) => {
      there.delete(path);
    },
    pageProgram: hasNoProgram ? async () => ({ script: '', licences: '' }) : pageProgram,
    exists: (path) => there.has(path) || isFolder(path),
    isFolder,
    isLink: () => false,
    isStdout: () => false,
    size: (path) => there.get(path)?.length ?? 0,
    append: async (path, text) => {
      there.set(path, new Uint8Array(Buffer.concat([there.get(path) ?? new Uint8Array(), Buffer.from(text)])));
    },
    makeFolder: async () => {},
    cores: async () => 1,
    open: async function* (path, start = 0) {
      const bytes = path === '-' ? bytesOf(stdin ?? '') : there.get(path);
      if (!bytes)
        throw Object.assign(new Error(`ENOENT: no such file or directory, open '${path}'`), { code: 'ENOENT' });
      for (let at = start; at < bytes.length; at += pieceBytes) yield bytes.slice(at, at + pieceBytes);
    },
    create: async (path) => {
      const written: Uint8Array[] = [];
      return {
        write: async (data) => {
          written.push(copyOf(data));
        },
        overwrite: async (data, at) => {
          const whole = new Uint8Array(Buffer.concat(written.splice(0)));
          whole.set(data, at);
          written.push(whole);
          return true;
        },
        finish: async () => {
          there.set(path, new Uint8Array(Buffer.concat(written)));
        },
      };
    },
  };
}

let programs: ReturnType<typeof bundlePage> | undefined;

/** Bundled once, from the sources. */
const pageProgram: Io['pageProgram'] = async (program) => {
  programs ??= bundlePage({ VERSION: '"0.0.0-test"' });
  return (await programs).get(program)!;
};

function fakeSink(isTerminal: boolean, columns: number): FakeSink {
  const chunks: Uint8Array[] = [];
  return {
    isTerminal,
    columns: isTerminal ? columns : undefined,
    colors: isTerminal ? 2 : 0,
    write: async (data) => {
      chunks.push(copyOf(data));
    },
    get bytes() {
      return new Uint8Array(Buffer.concat(chunks));
    },
    get text() {
      return new TextDecoder().decode(this.bytes);
    },
  };
}

const bytesOf = (data: Data): Uint8Array => (typeof data === 'string' ? new TextEncoder().encode(data) : data);

/** Commands write into the same bytes again. */
const copyOf = (data: Data): Uint8Array => new Uint8Array(bytesOf(data));
