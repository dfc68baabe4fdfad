/** The map of a run, as far as its file names it: ghosts have a CRC-32 up to version 5, and a SHA-256 since. */
export interface RunMap {
  readonly name: string;
  readonly crc: number | undefined;
  readonly sha256: string | undefined;
}

/** Whether two runs are on one map; undefined where the names are the same and the files have no sum in common. */
export function areOnOneMap(first: RunMap, second: RunMap): boolean | undefined {
  if (first.name !== second.name) return false;
  if (first.sha256 !== undefined && second.sha256 !== undefined) return first.sha256 === second.sha256;
  return first.crc === undefined || second.crc === undefined ? undefined : first.crc === second.crc;
}
