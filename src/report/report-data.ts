import { join } from '../bytes/copy.ts';
import type { GameLayer, GameMap } from '../container/map/game-map.ts';
import type { PacketContents } from '../packet/packet-contents.ts';
import type { Schema, Version } from '../protocol/registry.ts';
import type { Track, TrackMessage, TrackSnapshot } from '../recording/track.ts';

/** A line about the recording: `map`, `dm1, 6,793 bytes`. */
export interface Fact {
  readonly label: string;
  readonly text: string;
}

/** Something that is wrong, and where. */
export interface Finding {
  readonly text: string;
  /** The name of the track; undefined for the whole file. */
  readonly track?: string | undefined;
  /** The tick of the snapshot, or of the last one before it. */
  readonly tick?: number | undefined;
  /** The item that is most likely the cause, as a link has it: `obj_pickup/17`. */
  readonly item?: string | undefined;
  /** What may be the cause, a line each. */
  readonly details: readonly string[];
}

/** The size of one kind of data in a recording. */
export interface SizeEntry {
  readonly name: string;
  readonly kind: 'item' | 'message' | 'other';
  readonly times: number;
  readonly bits: number;
  /** The fields of an item, largest first; empty for anything else. */
  readonly fields: readonly { readonly name: string; readonly changed: number; readonly bits: number }[];
}

export type Tone = 'good' | 'warning' | 'bad';

/** Bytes of seconds that have any; second 0 begins at `firstTick`. */
export interface SecondBytes {
  readonly firstTick: number;
  readonly second: readonly number[];
  readonly bytes: readonly number[];
}

/** A connection of a capture, with the counts that its table shows. */
export interface Connection {
  readonly client: string;
  readonly player: string | undefined;
  readonly version: string;
  /** The snapshots that could be rebuilt. */
  readonly rebuilt: number;
  readonly counts: Readonly<Record<string, string>>;
}

/** The data of a report's page. */
export interface ReportData {
  /** The name of the file. */
  readonly name: string;
  /** The kind of the file: `client demo, version 6, 204 KB`. */
  readonly kind: string;
  readonly health: string;
  readonly tone: Tone;
  readonly facts: readonly Fact[];
  readonly findings: readonly Finding[];
  /** The causes of the findings, as `explain` names them from the whole recording. */
  readonly causes?: readonly Finding[] | undefined;
  readonly sizes: readonly SizeEntry[];
  /** All bytes of the recording by second, as `stats --by second` counts them; of a recording with one track. */
  readonly seconds?: SecondBytes | undefined;
  /** The items and messages of a mod. */
  readonly schema: Schema;
  /** The map that was played. */
  readonly map?: GameMap | undefined;
  readonly tracks: readonly Track[];
  readonly connections?: readonly Connection[] | undefined;
  /** What `explain` says of a client's log; `tracks` is then empty. */
  readonly text?: string | undefined;
  /** The packet or message of an input that is one; `tracks` is then empty. */
  readonly contents?:
    | { readonly kind: PacketContents['kind']; readonly version: Version; readonly bytes: Uint8Array }
    | undefined;
}

/** The data as JSON: rows become columns, and byte arrays are replaced by their lengths. */
interface Written extends Omit<ReportData, 'tracks' | 'contents' | 'map'> {
  readonly map?: MapColumns | undefined;
  readonly contents?:
    | { readonly kind: PacketContents['kind']; readonly version: Version; readonly bytes: number }
    | undefined;
  readonly tracks: readonly WrittenTrack[];
}

interface WrittenTrack extends Omit<Track, 'snapshots' | 'messages'> {
  readonly snapshots: Columns<TrackSnapshot>;
  readonly messages: Columns<TrackMessage>;
}

type Columns<Row extends { readonly payload: Uint8Array } | { readonly bytes: Uint8Array }> = {
  readonly [Key in keyof Row]: readonly (Row[Key] extends Uint8Array ? number : Row[Key])[];
};

const lengthBytes = 4;

/** Writes the data as bytes: `length u32le, JSON, then the bytes of all snapshots and messages`. */
export function writeReportData(reportData: ReportData): Uint8Array {
  const pieces: Uint8Array[] = [];
  const bytesOf = (piece: Uint8Array) => pieces.push(piece) && piece.length;
  const tracks = reportData.tracks.map(
    ({ snapshots, messages, ...track }): WrittenTrack => ({
      ...track,
      snapshots: {
        tick: toSteps(snapshots.map(({ tick }) => tick)),
        kind: snapshots.map(({ kind }) => kind),
        encoding: snapshots.map(({ encoding }) => encoding),
        // The distance back to the base is nearly always the same.
        base: snapshots.map(({ base }, i) => (base < 0 ? base : i - base)),
        payload: snapshots.map(({ payload }) => bytesOf(payload)),
        offset: toSteps(snapshots.map(({ offset }) => offset)),
        announced: snapshots.map(({ announced }) => announced),
        uncertain: snapshots.map(({ uncertain }) => uncertain),
        shown: snapshots.map(({ shown }) => shown),
      },
      messages: {
        tick: toSteps(messages.map(({ tick }) => tick)),
        after: toSteps(messages.map(({ after }) => after)),
        bytes: messages.map(({ bytes }) => bytesOf(bytes)),
      },
    }),
  );
  const contents = reportData.contents && { ...reportData.contents, bytes: bytesOf(reportData.contents.bytes) };
  const map = reportData.map && writeMapColumns(reportData.map, bytesOf);
  const json = new TextEncoder().encode(JSON.stringify({ ...reportData, tracks, contents, map } satisfies Written));
  const length = new Uint8Array(lengthBytes);
  new DataView(length.buffer).setUint32(0, json.length, true);
  return join([length, json, ...pieces]);
}

/** Reads what {@link writeReportData} has written. Payloads are views of the bytes. */
export function readReportData(bytes: Uint8Array): ReportData {
  const start = lengthBytes + new DataView(bytes.buffer, bytes.byteOffset).getUint32(0, true);
  const written = JSON.parse(new TextDecoder().decode(bytes.subarray(lengthBytes, start))) as Written;
  let at = start;
  const readBytes = (length: number) => {
    at += length;
    return bytes.subarray(at - length, at);
  };
  const tracks = written.tracks.map(({ snapshots, messages, ...track }): Track => {
    const [ticks, offsets] = [fromSteps(snapshots.tick), fromSteps(snapshots.offset)];
    const [messageTicks, after] = [fromSteps(messages.tick), fromSteps(messages.after)];
    return {
      ...track,
      snapshots: ticks.map((tick, i) => ({
        tick,
        kind: snapshots.kind[i]!,
        encoding: snapshots.encoding[i]!,
        base: snapshots.base[i]! < 0 ? snapshots.base[i]! : i - snapshots.base[i]!,
        payload: readBytes(snapshots.payload[i]!),
        offset: offsets[i]!,
        announced: snapshots.announced?.[i] ?? undefined,
        uncertain: snapshots.uncertain[i]!,
        shown: snapshots.shown[i]!,
      })),
      messages: messageTicks.map((tick, i) => ({ tick, after: after[i]!, bytes: readBytes(messages.bytes[i]!) })),
    };
  });
  const { contents, map } = written;
  return {
    ...written,
    tracks,
    contents: contents && { ...contents, bytes: readBytes(contents.bytes) },
    map: map && readMapColumns(map, readBytes),
  };
}

/** The difference of each number to the one before it. */
const toSteps = (values: readonly number[]) => values.map((value, i) => value - (values[i - 1] ?? 0));

function fromSteps(toSteps: readonly number[]): number[] {
  let sum = 0;
  return toSteps.map((step) => {
    sum += step;
    return sum;
  });
}

/** A map with the lengths of its columns instead of their bytes. */
interface MapColumns extends Omit<GameMap, 'layers'> {
  readonly layers: readonly (Pick<GameLayer, 'name'> & {
    readonly types: number;
    readonly numbers: number | undefined;
    readonly angles: number | undefined;
  })[];
}

/** @param add keeps the bytes of a column and returns their number */
const writeMapColumns = ({ layers, ...size }: GameMap, add: (bytes: Uint8Array) => number): MapColumns => ({
  ...size,
  layers: layers.map(({ name, types, numbers, angles }) => ({
    name,
    types: add(types),
    numbers: numbers && add(numbers),
    angles: angles && add(Uint8Array.from({ length: angles.length * 2 }, (_, i) => angles[i >> 1]! >> (8 * (i & 1)))),
  })),
});

/** @param take returns the bytes that were added next */
const readMapColumns = ({ layers, ...size }: MapColumns, take: (length: number) => Uint8Array): GameMap => ({
  ...size,
  layers: layers.map(({ name, types, numbers, angles }) => ({
    name,
    types: take(types),
    numbers: numbers === undefined ? undefined : take(numbers),
    angles: angles === undefined ? undefined : anglesOf(take(angles)),
  })),
});

const anglesOf = (bytes: Uint8Array) =>
  Int16Array.from({ length: bytes.length >> 1 }, (_, i) => bytes[2 * i]! | (bytes[2 * i + 1]! << 8));
