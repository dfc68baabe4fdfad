import { DecodeError, type Warn } from '../../../wire/bytes/diagnostic.ts';
import { hexText } from '../../../wire/bytes/to-hex.ts';
import { ticksPerSecond } from '../../../wire/protocol/ticks.ts';
import { mayBeDemo } from '../detect.ts';

/** The values before a demo's chunks and the position of its map. */
export interface DemoHeader {
  /** 3 to 6; 7 is a draft; a higher one, which no game writes, is read as 6, as DDNet does. */
  readonly version: number;
  /** `0.6 626fce9a778df4d4`. The items are those of 0.7 if it begins with 0.7, otherwise those of 0.6. */
  readonly netVersion: string;
  readonly mapName: string;
  /** The size of the embedded map in bytes; 0 is legal, a negative one is damage. */
  readonly mapSize: number;
  readonly mapCrc: number;
  /** `client` or `server`. */
  readonly type: string;
  /** In seconds; 0 if the recording was not ended properly. */
  readonly length: number;
  readonly timestamp: string;
  /** The ticks of the markers that the recording player set. */
  readonly markers: readonly number[];
  /** The SHA-256 of the map as 64 hex digits; since version 6. */
  readonly sha256?: string;
  /** The offset of the map, and of the chunks after it: that of the map and its size, unless the size is wrong. */
  readonly mapStart: number;
  readonly chunksStart: number;
  /** A copy of the header itself, up to the map. */
  readonly bytes: Uint8Array;
}

export const maxHeaderBytes = 484;

/**
 * Whether the stated length is that of the ticks. The games round it down, and some tools up; they count from a tick
 * near the first one.
 */
export const isRightLength = (stated: number, seconds: number): boolean => Math.abs(seconds - stated) <= 2;

export const sha256Uuid = '6be6da4acebd380c9b5b1289c842d780';
export const maxMarkers = 64;
/** The last version that the games write, and one that is drafted (ddnet/ddnet#12681). */
export const lastVersion = 6;
export const draftVersion = 7;

/**
 * Reads the header of a demo from its first 484 bytes, or from all bytes of a shorter file.
 * ```
 * magic "TWDEMO\0"  version u8
 * net_version[64]  map_name[64]  map_size i32be  map_crc u32be  type[8]  length i32be  timestamp[20]
 * version ≥ 4:  num_markers i32be  markers i32be[64]
 * version ≥ 6:  a UUID and sha256[32]; another UUID means no sha256: the 16 bytes belong to the map or chunks
 * ```
 *
 * Source: `src/engine/shared/demo.cpp` and `demo.h` of the games.
 *
 * @throws DecodeError `not_a_demo`, `demo_version`, `truncated_header`
 */
export function readDemoHeader(bytes: Uint8Array, warn: Warn): DemoHeader {
  if (!mayBeDemo(bytes)) throw new DecodeError('not_a_demo', 0);
  const version = bytes[7] ?? 0;
  if (bytes.length > 7 && version < 3) throw new DecodeError('demo_version', 7, { found: version });
  if (version === draftVersion) warn('draft_version', 7, { found: version });
  if (version > draftVersion) warn('demo_version', 7, { found: version });
  let at = 176;
  const base = version >= 4 ? at + 4 + 4 * maxMarkers : at;
  if (bytes.length < base) throw truncated(bytes.length, base);
  for (const { field, offset } of wrongTexts(bytes)) warn('header_text', offset, { field });
  const netVersion = netVersionOf(bytes);
  if (!isKnownNetVersion(netVersion)) warn('net_version', 8, { found: netVersion });
  else if (!isOfTeeworlds(netVersion, version)) warn('other_net_version', 8, { found: netVersion });
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  const mapSize = view.getInt32(136);
  const type = readText(bytes.subarray(144, 152));
  if (type !== 'client' && type !== 'server') warn('demo_type', 144, { found: type });
  const length = view.getInt32(152);
  if (length < 0) warn('negative_length', 152, { found: length });

  const markers: number[] = [];
  if (version >= 4) {
    const stated = view.getInt32(at);
    if (stated < 0 || stated > maxMarkers) warn('marker_count', at, { found: stated, limit: maxMarkers });
    for (let i = 0; i < Math.min(stated, maxMarkers); i++) markers.push(view.getInt32(at + 4 + 4 * i));
    at = base;
  }
  let sha256: string | undefined;
  if (version >= 6) {
    const uuid = hexText(bytes, at, Math.min(at + 16, bytes.length));
    if (sha256Uuid.startsWith(uuid)) {
      if (bytes.length < maxHeaderBytes) throw truncated(bytes.length, maxHeaderBytes);
      sha256 = hexText(bytes, at + 16, at + 48);
      at += 48;
    } else warn('no_sha256', at);
  }
  return {
    version,
    netVersion,
    mapName: readText(bytes.subarray(72, 136)),
    mapSize,
    mapCrc: view.getUint32(140),
    type,
    length,
    timestamp: readText(bytes.subarray(156, 176)),
    markers,
    ...(sha256 === undefined ? {} : { sha256 }),
    mapStart: at,
    chunksStart: at + Math.max(0, mapSize),
    bytes: bytes.slice(0, at),
  };
}

/** The fields that DDNet requires to be text, with a NUL inside: `CDemoHeader::Valid` in its demo.cpp. */
const textFields = [
  ['net version', 8, 72],
  ['map name', 72, 136],
  ['type', 144, 152],
  ['timestamp', 156, 176],
] as const;

/** The text fields of a header that are no text. */
export const wrongTexts = (bytes: Uint8Array) =>
  textFields.flatMap(([field, offset, end]) => (isText(bytes.subarray(offset, end)) ? [] : [{ field, offset }]));

const strictUtf8 = new TextDecoder('utf-8', { fatal: true });

/** Whether a text field has a NUL, and is UTF-8 before it. */
export function isText(field: Uint8Array): boolean {
  const end = field.indexOf(0);
  if (end < 0) return false;
  try {
    strictUtf8.decode(field.subarray(0, end));
    return true;
  } catch {
    return false;
  }
}

/** The net versions that the games write. */
export const netVersions = { '0.6': '0.6 626fce9a778df4d4', '0.7': '0.7 802f1be60a05665f' } as const;

/** The version of the demos that Teeworlds 0.7.5 writes; it plays no other. */
export const teeworldsVersion = 4;

/** DDNet plays what begins with 0.7 as 0.7, and everything else as 0.6: `CDemoPlayer::Load` in its demo.cpp. */
export const isKnownNetVersion = (netVersion: string) => /^0\.[67]/.test(netVersion);

/** Teeworlds requires its own net version, in demos of its format: `CDemoPlayer::Load` in its demo.cpp. */
export const isOfTeeworlds = (netVersion: string, version: number) =>
  version !== teeworldsVersion || !netVersion.startsWith('0.7') || netVersion === netVersions['0.7'];

export const netVersionOf = (bytes: Uint8Array) => readText(bytes.subarray(8, 72));

function truncated(found: number, expected: number): DecodeError {
  return new DecodeError('truncated_header', found, { found, expected });
}

const utf8 = new TextDecoder();

/**
 * The bytes of a map by the map's own header, `"DATA" version i32le size i32le`: the size counts what follows the first
 * 16 bytes. Undefined for bytes that do not begin like a map. Some maps have more bytes than they say.
 *
 * Source: `CDataFileReader::Open` in datafile.cpp of the games.
 */
export function mapBytesOf(bytes: Uint8Array): number | undefined {
  const magic = String.fromCharCode(...bytes.subarray(0, 4));
  if (bytes.length < mapHeadBytes || (magic !== 'DATA' && magic !== 'ATAD')) return undefined;
  const size = new DataView(bytes.buffer, bytes.byteOffset).getInt32(8, true);
  return size < 0 ? undefined : 16 + size;
}

export const mapHeadBytes = 12;

export function readText(field: Uint8Array): string {
  const end = field.indexOf(0);
  return utf8.decode(end < 0 ? field : field.subarray(0, end));
}

/**
 * The markers of a recording: those that the player set. They are written with the length, in seconds, when it is
 * stopped; without it, the bytes after the first second are no markers.
 */
export const markersFrom = ({ length, markers }: Pick<DemoHeader, 'length' | 'markers'>, firstTick: number) =>
  length === 0 ? markers.filter((tick) => tick - firstTick < ticksPerSecond) : markers;
