/** A wrong checksum, as a client logs it. */
export interface CrcError {
  readonly kind: 'crc';
  readonly line: number;
  /** How many the client counts: a right snapshot takes one off, after eleven it starts again and asks for a full snapshot. */
  readonly number: number;
  readonly tick: number;
  /** -1 for the empty snapshot. */
  readonly base: number;
  readonly announced: number;
  readonly computed: number;
  /** Of the packed delta. */
  readonly bytes: number;
}

/** A line of a client's log about a snapshot that it could not use. */
export type LoggedError =
  | CrcError
  /** `code` says why in DDNet's logs: see {@link unpackCauses}. */
  | { readonly kind: 'unpack'; readonly line: number; readonly code: number | undefined }
  | { readonly kind: 'invalid'; readonly line: number }
  | { readonly kind: 'no_base'; readonly line: number };

const crcLine =
  /snapshot crc error #(\d+) - tick=(-?\d+) wantedcrc=(-?\d+) gotcrc=(-?\d+) compressed_size=(\d+) delta_tick=(-?\d+)/;
const unpackLine = /delta unpack failed(?:\D*(-\d+))?/;
const invalidLine = /client\]?: (snapshot invalid|snapshot error)/;
const noBaseLine = /couldn't find the delta snapshot/;

/** What players write: `[chat]: 3:-2:name: text`, `I chat/client: name: text`. */
const chatLine = /^[^:]*(?::\d\d)*[^:]*\bchat(?:\/\w+)?\]?: /;

/** Reads a line of a client's log, of DDNet or vanilla, whatever is before the message. Undefined for all other lines. */
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
