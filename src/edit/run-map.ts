/** The map of a run, as far as its file names it: ghosts have a CRC-32 up to version 5, and a SHA-256 since. */
export interface RunMap {
  readonly name: string;
  readonly crc: number | undefined;
  readonly sha256: string | undefined;
}

/** Whether two runs are on one map; undefined where the names are the same and the files have no sum in common. */
export function areOnOneMap(one: RunMap, other: RunMap): boolean | undefined {
  if (one.name !== other.name) return false;
  if (one.sha256 !== undefined && other.sha256 !== undefined) return one.sha256 === other.sha256;
  return one.crc === undefined || other.crc === undefined ? undefined : one.crc === other.crc;
}
