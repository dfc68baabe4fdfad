import child from 'node:child_process';
import { existsSync, statSync } from 'node:fs';
import { delimiter, isAbsolute, join } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';

/*
 * What tests need beyond Node, npm and sh is asked for here, and only here (test/host.test.ts). Where it is absent, a
 * test is skipped, and its title says what it needs:
 * `it.skipIf(!hasTool('tshark'))('counts as Wireshark does (needs tshark)', …)`. The closing lines of a run count these
 * (skipped.ts).
 */

/** A program of the host, by the name it is called with. */
export interface Tool {
  readonly name: string;
  /** Undefined where it is absent. */
  readonly path: string | undefined;
}

/**
 * Where a program is that may be outside of PATH: Debian's games are not in root's, the browser of macOS is in none.
 */
const otherPlaces: Readonly<Record<string, readonly string[]>> = {
  'teeworlds-server': ['/usr/games'],
  teeworlds: ['/usr/games'],
  'DDNet-Server': ['/usr/games'],
  DDNet: ['/usr/games'],
  'Google Chrome': ['/Applications/Google Chrome.app/Contents/MacOS'],
};
const endings = process.platform === 'win32' ? ['.exe', '.cmd', '.bat'] : [''];
const isFile = (path: string) => statSync(path, { throwIfNoEntry: false })?.isFile() === true;

export function tool(name: string): Tool {
  const folders = [...(process.env.PATH ?? '').split(delimiter).filter(Boolean), ...(otherPlaces[name] ?? [])];
  const path = folders.flatMap((folder) => endings.map((ending) => join(folder, name + ending))).find(isFile);
  return { name, path };
}

export const hasTool = (name: string): boolean => tool(name).path !== undefined;

/** Chromium, or the browser that the variable CHROMIUM names. */
export const browserPath: string | undefined =
  process.env.CHROMIUM ||
  ['chromium', 'chromium-browser', 'google-chrome', 'Google Chrome'].map((name) => tool(name).path).find(Boolean);

/** The data of Teeworlds 0.7 as Debian's package teeworlds-data installs it; undefined where it is absent. */
export const gameData: string | undefined = ['/usr/share/games/teeworlds/data'].find((folder) => existsSync(folder));

/** Folders beside the repository. */
const shared = (path: string) => existsSync(fileURLToPath(new URL(`../../../${path}`, import.meta.url)));

/** Whether Node is of this version or later. */
export function isNode(version: string): boolean {
  const [own, other] = [process.versions.node, version].map((version) => version.split('.').map(Number));
  return own![0]! !== other![0]! ? own![0]! > other![0]! : own![1]! >= (other![1] ?? 0);
}

/** Whether that of a title's `(needs …)` is here; undefined if only the test knows. */
export function isHere(need: string): boolean | undefined {
  if (need === '../shared') return shared(need);
  if (need === 'Chromium') return browserPath !== undefined;
  if (need === 'teeworlds-data') return gameData !== undefined;
  const [, version] = /^Node (\d[\d.]*)$/.exec(need) ?? [];
  if (version) return isNode(version);
  return / /.test(need) ? undefined : hasTool(need);
}

/** What every machine with Node has. */
const always = ['npm', 'sh'];

/** Programs are started by their path, or as a tool that was asked for. */
function pathOf(program: Tool | string): string {
  if (typeof program !== 'string') return program.path ?? program.name;
  if (isAbsolute(program) || always.includes(program)) return program;
  throw new Error(`${program} is a tool of the host: tool('${program}'), and hasTool skips the test`);
}

type Args = readonly string[];

export const spawn = (program: Tool | string, args: Args = [], options: child.SpawnOptions = {}): child.ChildProcess =>
  child.spawn(pathOf(program), args, options);

type AsText = { readonly encoding: BufferEncoding };

export function spawnSync(
  program: Tool | string,
  args: Args,
  options: child.SpawnSyncOptions & AsText,
): child.SpawnSyncReturns<string>;
export function spawnSync(
  program: Tool | string,
  args?: Args,
  options?: child.SpawnSyncOptions,
): child.SpawnSyncReturns<Buffer>;
export function spawnSync(program: Tool | string, args: Args = [], options: object = {}): unknown {
  return child.spawnSync(pathOf(program), args, options);
}

export function execFileSync(program: Tool | string, args: Args, options: child.ExecFileSyncOptions & AsText): string;
export function execFileSync(program: Tool | string, args?: Args, options?: child.ExecFileSyncOptions): Buffer;
export function execFileSync(program: Tool | string, args: Args = [], options: object = {}): unknown {
  return child.execFileSync(pathOf(program), args, options);
}
