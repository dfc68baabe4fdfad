import { readFileSync, statSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { addressOf, readAddress } from '../../src/api/node/address.ts';
import { escapeText } from '../../src/output/text/escape.ts';
import { type AnnouncedMap, maxKeptMapBytes } from '../../src/recording/capture/map-download.ts';
import { MapSummary } from '../../src/recording/replay/map-summary.ts';
import { readSchemaFile } from '../lib/input/input-of.ts';
import { exit, inputError, reason, usageError } from '../lib/options/errors.ts';
import { common, type Given, output, printing, text } from '../lib/options/options.ts';
import { printingOf } from '../lib/output/printing.ts';
import { Interrupt } from '../lib/platform/growing.ts';
import type { Io } from '../lib/platform/io.ts';
import { printNote } from '../lib/platform/note.ts';
import { Recorder } from './recorder.ts';
import { Relay } from './relay.ts';

const { color, width, ascii } = printing(['text']);

export const definition = {
  arguments: { '<server>': 'HOST:PORT of the server; port 8303 without :PORT' },
  options: {
    listen: text('--listen <address>', 'where the game connects to (default: 127.0.0.1:8304)'),
    map: text('--map <path>', "the server's map, or a folder of maps (default: also the games' folders)"),
    schema: common.schema,
    output: {
      ...output('the file to write, .demo or .pcapng; further demos are match-2.demo and so on'),
      isOutputFile: false,
    },
    color,
    width,
    ascii,
  },
  help: `
Enter 'connect 127.0.0.1:8304' in the console of the game; Ctrl-C ends the recording.

Examples:
  tw-snap record 192.0.2.7:8303 -o match.demo
  tw-snap record localhost -o match.pcapng --listen 127.0.0.1:8310`,
};

type Options = Given<typeof definition.options>;

const defaultListen = '127.0.0.1:8304';

/** Records the matches of the clients that connect to a server through this program. */
export async function run([target]: readonly string[], given: Options, io: Io): Promise<number> {
  const { output, listen = defaultListen, map } = given;
  if (!output || !/[^/\\]\.(demo|pcapng)$/.test(output)) {
    throw usageError(`name the file to write with -o: match.demo, or match.pcapng${output ? `; not ${output}` : ''}`);
  }
  if (map !== undefined && !io.exists(map)) throw inputError(`${map}: no such file`);
  const schema = await readSchemaFile(given.schema, io);
  const [server, own] = await Promise.all([resolved(target!, 'the server'), resolved(listen, '--listen')]);
  const printingStyle = await printingOf({ ...given, to: 'text', output: undefined, verbose: undefined }, io);
  const interrupt = new Interrupt();
  const recorder = new Recorder({
    output,
    schema,
    io,
    printing: printingStyle,
    server: { address: server.address, port: server.port },
    findMap: (announced) => mapFile(announced, [...(map ? [map] : []), ...gameFolders(io.env)]),
  });
  let failure: { readonly error: unknown } | undefined;
  const failed = (error: unknown) => {
    failure ??= { error };
    interrupt.end();
  };
  const relay = await opened({ listen: own, server, board: (client) => recorder.board(client), failed }, listen);
  await printNote(`in the console of the game: connect ${relay.address}`, io);
  while (!interrupt.isOver) {
    await interrupt.pause(1000);
    await recorder.everySecond();
  }
  interrupt.cancel();
  relay.close();
  if (failure) throw failure.error;
  return (await recorder.finish(relay.refused)) ? exit.fine : exit.finding;
}

async function resolved(text: string, what: string) {
  const named = readAddress(text);
  if (!named) throw usageError(`${what}: expected HOST:PORT, as 192.0.2.7:8303; not ${escapeText(text)}`);
  try {
    return await addressOf(named);
  } catch (error) {
    const isUnknown = (error as NodeJS.ErrnoException).code === 'ENOTFOUND';
    throw inputError(`${named.host}: ${isUnknown ? 'there is no such host' : reason(error)}`);
  }
}

async function opened(options: Parameters<typeof Relay.open>[0], listen: string): Promise<Relay> {
  try {
    return await Relay.open(options);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EADDRINUSE') throw usageError(`${listen} is in use: name another address with --listen`);
    if (code === 'EADDRNOTAVAIL') throw usageError(`--listen: ${listen} is not an address of this machine`);
    throw usageError(`--listen: ${listen}: ${reason(error)}`);
  }
}

/**
 * Finds the file of a map that a server has announced, for a client that has it already and does not download it. Only
 * a file with the announced size and checksums is that map.
 * ```
 * maps/dm1.map   downloadedmaps/dm1_64543318.map   downloadedmaps/dm1_491af17a…78c3.map
 * ```
 *
 * Source: `CClient::LoadMapSearch` in `src/engine/client/client.cpp` of the games, and their `storage.cfg`.
 */
function mapFile(
  { name, crc, size, sha256 }: AnnouncedMap,
  places: readonly string[],
): { readonly bytes: Uint8Array; readonly sha256: string } | undefined {
  // The name is the server's.
  if (size > maxKeptMapBytes || /^\.|[/\\\0]/.test(name)) return undefined;
  const hex = crc.toString(16).padStart(8, '0');
  const names = [`maps/${name}.map`, `downloadedmaps/${name}_${hex}.map`, `downloadedmaps/${name}_${sha256}.map`];
  for (const place of places) {
    const paths = isFile(place)
      ? [place]
      : [...names, `maps7/${name}.map`, `${name}.map`].map((file) => join(place, file));
    for (const path of paths) {
      if (!isFile(path) || statSync(path).size !== size) continue;
      const bytes = new Uint8Array(readFileSync(path));
      const sums = new MapSummary();
      sums.add(bytes);
      if (sums.crc === crc && (sha256 === undefined || sums.sha256 === sha256)) return { bytes, sha256: sums.sha256 };
    }
  }
  return undefined;
}

/** The folders in which the games of this system have their maps: the player's own, then the installed ones. */
function gameFolders({ XDG_DATA_HOME, APPDATA }: Readonly<Record<string, string | undefined>>): string[] {
  const home = homedir();
  const own = [
    XDG_DATA_HOME ?? join(home, '.local/share'),
    join(home, 'Library/Application Support'),
    ...(APPDATA ? [APPDATA] : []),
  ];
  const installed = ['/usr/share/games', '/usr/share', '/usr/local/share', '/opt'];
  return [
    ...own.flatMap((folder) => ['ddnet', 'teeworlds', 'DDNet', 'Teeworlds'].map((game) => join(folder, game))),
    join(home, '.teeworlds'),
    ...installed.flatMap((folder) => ['ddnet', 'teeworlds'].map((game) => join(folder, game, 'data'))),
    ...['DDNet', 'Teeworlds'].map((game) => `/Applications/${game}.app/Contents/Resources/data`),
    ...['DDraceNetwork/ddnet/data', 'Teeworlds/tw/data'].flatMap((game) =>
      [join(home, '.steam/steam'), join(home, '.local/share/Steam'), 'C:/Program Files (x86)/Steam'].map((steam) =>
        join(steam, 'steamapps/common', game),
      ),
    ),
  ];
}

const isFile = (path: string) => statSync(path, { throwIfNoEntry: false })?.isFile() === true;
