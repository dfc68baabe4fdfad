/** A wrong checksum as logged by a client. */
export interface CrcError {
  readonly kind: 'crc';
  readonly line: number;
  /**
   * The client's error counter: each correct snapshot decrements it; after eleven errors it is reset and a full
   * snapshot requested.
   */
  readonly number: number;
  readonly tick: number;
  /** -1 for the empty snapshot. */
  readonly base: number;
  readonly announced: number;
  readonly computed: number;
  /** The size of the packed delta. */
  readonly bytes: number;
}

/** A line of a client's log about an unusable snapshot. */
export type LoggedError =
  | CrcError
  /** `code` is the error code in DDNet's logs, see {@link unpackCauses}. */
  | { readonly kind: 'unpack'; readonly line: number; readonly code: number | undefined }
  | { readonly kind: 'invalid'; readonly line: number }
  | { readonly kind: 'no_base'; readonly line: number };

const crcLine =
  /snapshot crc error #(\d+) - tick=(-?\d+) wantedcrc=(-?\d+) gotcrc=(-?\d+) compressed_size=(\d+) delta_tick=(-?\d+)/;
const unpackLine = /delta unpack failed(?:\D*(-\d+))?/;
const invalidLine = /client\]?: (snapshot invalid|snapshot error)/;
const noBaseLine = /couldn't find the delta snapshot/;

/** A chat message: `[chat]: 3:-2:name: text`, `I chat/client: name: text`. */
const chatLine = /^[^:]*(?::\d\d)*[^:]*\bchat(?:\/\w+)?\]?: /;

/** Reads a line of a client's log, of DDNet or vanilla, with any prefix; undefined for other lines. */
export function readLogLine(text: string, line: number): LoggedError | undefined {
  if (chatLine.test(text)) return undefined;
  const crc = crcLine.exec(text);
  if (crc) {
    const [number = 0, tick = 0, announced = 0, computed = 0, bytes = 0, base = 0] = crc.slice(1).map(Number);
    return { kind: 'crc', line, number, tick, base, announced, computed, bytes };
  }
  const unpack = unpackLine.exec(text);
  if (unpack) return { kind: 'unpack', line, code: unpack[1] === undefined ? undefined : Number(unpack[1]) };
  if (noBaseLine.test(text)) return { kind: 'no_base', line };
  return invalidLine.test(text) ? { kind: 'invalid', line } : undefined;
}
