import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** Writes those files of a world in memory whose paths begin with a prefix. */
export function writeFiles(folder: string, files: ReadonlyMap<string, Uint8Array>, prefix: string): void {
  for (const [path, bytes] of files) {
    if (!path.startsWith(prefix)) continue;
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), bytes);
  }
}
