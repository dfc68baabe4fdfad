import { join } from '../bytes/copy.ts';
import type { GameMap } from '../container/map/game-map.ts';
import type { PacketContents } from '../packet/packet-contents.ts';
import type { Schema, Version } from '../protocol/registry.ts';
import type { Track } from '../recording/track.ts';

/** A line about the recording: `map`, `dm1, 6,793 bytes`. */
export interface Fact {
  readonly label: string;
  readonly text: string;
}

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
  readonly rebuilt: number;
  readonly counts: Readonly<Record<string, string>>;
}

/** How far a run is behind another one at places on its way, with the tick at each. */
export interface TimeLost {
  readonly title: string;
  readonly ticks: readonly number[];
  /** In milliseconds, below 0 where the run is ahead; null where the other run did not come near. */
  readonly behind: readonly (number | null)[];
}

export interface ReportData {
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
  /** Of a run that is compared with another one. */
  readonly lost?: TimeLost | undefined;
  readonly schema: Schema;
  readonly map?: GameMap | undefined;
  readonly tracks: readonly Track[];
  /** What the page shows first: the name of the track, and the client who is followed. */
  readonly opening?:
    | { readonly client: string | undefined; readonly tick: number; readonly followed: number }
    | undefined;
  readonly connections?: readonly Connection[] | undefined;
  /** What `explain` says of a client's log; `tracks` is then empty. */
  readonly text?: string | undefined;
  /** The packet or message of an input that is one; `tracks` is then empty. */
  readonly contents?:
    | { readonly kind: PacketContents['kind']; readonly version: Version; readonly bytes: Uint8Array }
    | undefined;
}

/** The bytes before the JSON: its length. */
const lengthBytes = 4;

/** The columns of the rows that the JSON has as columns, which compress better. */
const columnsOf = {
  snapshots: ['tick', 'kind', 'encoding', 'base', 'payload', 'offset', 'announced', 'uncertain', 'shown'],
  messages: ['tick', 'after', 'bytes'],
  layers: ['name', 'types', 'numbers', 'angles'],
} as const;
/** Of these, the difference of each number to the one before it is written. */
const rising: readonly string[] = ['tick', 'after', 'offset', 'base'];
/** Of these, the JSON has the lengths, and the bytes follow after it. */
const binary: readonly string[] = ['payload', 'bytes', 'types', 'numbers', 'angles'];

type Columns = Readonly<Record<string, readonly unknown[]>>;

/** Writes the data as bytes: `length u32le, JSON, then the bytes of all snapshots and messages`. */
export function writeReportData(reportData: ReportData): Uint8Array {
  const pieces: Uint8Array[] = [];
  const lengthOf = (piece: unknown) => {
    if (!(piece instanceof Uint8Array || piece instanceof Int16Array)) return undefined;
    return pieces.push(new Uint8Array(piece.buffer, piece.byteOffset, piece.byteLength)) && piece.byteLength;
  };
  const written = (kind: keyof typeof columnsOf, rows: readonly object[]): Columns => {
    const columns = columnsOf[kind].map((name) => {
      const values = rows.map((row) => (row as Record<string, unknown>)[name]);
      if (rising.includes(name)) return [name, steps(values as number[])];
      return [name, binary.includes(name) ? values.map(lengthOf) : values];
    });
    return Object.fromEntries(columns);
  };
  const { tracks, map, contents } = reportData;
  const json = JSON.stringify({
    ...reportData,
    tracks: tracks.map((track) => ({
      ...track,
      snapshots: written('snapshots', track.snapshots),
      messages: written('messages', track.messages),
    })),
    contents: contents && { ...contents, bytes: lengthOf(contents.bytes) },
    map: map && { ...map, layers: written('layers', map.layers) },
  });
  const bytes = new TextEncoder().encode(json);
  const length = new Uint8Array(lengthBytes);
  new DataView(length.buffer).setUint32(0, bytes.length, true);
  return join([length, bytes, ...pieces]);
}

/** Reads what {@link writeReportData} has written. Payloads are views of the bytes. */
export function readReportData(bytes: Uint8Array): ReportData {
  let at = lengthBytes + new DataView(bytes.buffer, bytes.byteOffset).getUint32(0, true);
  const json = JSON.parse(new TextDecoder().decode(bytes.subarray(lengthBytes, at)));
  const take = (length: number) => {
    at += length;
    return bytes.subarray(at - length, at);
  };
  const read = (name: string, value: unknown) => {
    if (value === null || !binary.includes(name)) return value ?? undefined;
    const piece = take(value as number);
    return name === 'angles' ? new Int16Array(piece.slice().buffer) : piece;
  };
  const rows = (kind: keyof typeof columnsOf, columns: Columns) => {
    const names: readonly string[] = columnsOf[kind];
    const values = names.map((name) =>
      rising.includes(name) ? sums(columns[name] as number[]) : columns[name]!.map((value) => read(name, value)),
    );
    return values[0]!.map((_, i) => Object.fromEntries(names.map((name, column) => [name, values[column]![i]])));
  };
  const tracks = json.tracks.map((track: { snapshots: Columns; messages: Columns }) => ({
    ...track,
    snapshots: rows('snapshots', track.snapshots),
    messages: rows('messages', track.messages),
  }));
  const contents = json.contents && { ...json.contents, bytes: take(json.contents.bytes) };
  return { ...json, tracks, contents, map: json.map && { ...json.map, layers: rows('layers', json.map.layers) } };
}

const steps = (values: readonly number[]) => values.map((value, i) => value - (values[i - 1] ?? 0));

function sums(differences: readonly number[]): number[] {
  let sum = 0;
  return differences.map((step) => {
    sum += step;
    return sum;
  });
}
