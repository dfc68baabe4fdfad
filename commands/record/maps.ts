import { readFileSync, statSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { type AnnouncedMap, maxKeptMapBytes } from '../../src/recording/capture/map-download.ts';
import { MapSummary } from '../../src/recording/replay/map-summary.ts';

/**
 * Finds the file of a map that a server has announced, for a client that has it already and does not download it. Only
 * a file with the announced size and checksums is that map.
 * ```
 * maps/dm1.map   downloadedmaps/dm1_64543318.map   downloadedmaps/dm1_491af17a…78c3.map
 * ```
 *
 * Source: `CClient::LoadMapSearch` in `src/engine/client/client.cpp` of the games, and their `storage.cfg`.
 */
export function mapFile(
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
export function gameFolders({ XDG_DATA_HOME, APPDATA }: Readonly<Record<string, string | undefined>>): string[] {
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
