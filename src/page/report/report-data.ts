import type { DemoHeader } from '../../recording/container/demo/header.ts';
import type { GameMap } from '../../recording/container/map/game-map.ts';
import { join } from '../../wire/bytes/copy.ts';
import type { PacketContents } from '../../wire/packet/packet-contents.ts';
import type { Schema, Version } from '../../wire/protocol/registry.ts';
import type { Pictures } from './pictures.ts';
import type { ReadTrack } from './read-track.ts';
import type { Track } from './track.ts';

/** A line about the recording: `map`, `dm1, 6,793 bytes`. */
export interface Fact {
  readonly label: string;
  readonly text: string;
}

/** A finding as the page says it. The one of `src/recording` has codes instead of texts. */
export interface PageFinding {
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
  /** What became of it, in the words of `info -v`. */
  readonly story: readonly { readonly label: string; readonly text: string; readonly isWrong: boolean }[];
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
  readonly findings: readonly PageFinding[];
  /** The causes of the findings, as `explain` names them from the whole recording. */
  readonly causes?: readonly PageFinding[] | undefined;
  readonly sizes: readonly SizeEntry[];
  /** All bytes of the recording by second, as `stats --by second` counts them; of a recording with one track. */
  readonly seconds?: SecondBytes | undefined;
  /** Of a run that is compared with another one. */
  readonly lost?: TimeLost | undefined;
  readonly schema: Schema;
  readonly map?: GameMap | undefined;
  /** The file of the map, from which the page draws its layers. */
  readonly mapFile?: Uint8Array | undefined;
  /** Pictures of an installed game. */
  readonly pictures?: Pictures | undefined;
  readonly header?: DemoHeader | undefined;
  readonly tracks: readonly Track[];
  /** What was read of each track; undefined for a single payload. */
  readonly reads?: readonly ReadTrack[] | undefined;
  /** What the page shows first: the name of the track, and the client who is followed. */
  readonly opening?:
    | { readonly client: string | undefined; readonly tick: number; readonly followed: number }
    | undefined;
  /** What is searched for at first. */
  readonly query?: string | undefined;
  readonly connections?: readonly Connection[] | undefined;
  /** What `explain` says of a client's log; `tracks` is then empty. */
  readonly text?: string | undefined;
  /** The packet or message of an input that is one; `tracks` is then empty. */
  readonly contents?:
    | { readonly kind: PacketContents['kind']; readonly version: Version; readonly bytes: Uint8Array }
    | undefined;
}

/** Whether a page shows snapshots over time, which have ticks; of a payload, a packet, a message or a log it does not. */
export const hasTimeline = ({ contents, text, tracks }: ReportData): boolean =>
  !contents && text === undefined && tracks[0]?.snapshots.at(-1)?.tick !== -1;

/** The bytes before the JSON: its length. */
const lengthBytes = 4;

type Json = Readonly<Record<string, unknown>>;

const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !ArrayBuffer.isView(value);

/**
 * Writes the data as bytes: `length u32le, JSON, then all bytes that are in it`. In the JSON, lists of objects are
 * columns, and ints are steps from the one before, because that compresses better: most are ticks, offsets and numbers
 * of bases.
 */
export function writeReportData(reportData: ReportData): Uint8Array {
  const pieces: Uint8Array[] = [];
  const written = (value: unknown): unknown => {
    if (value instanceof Uint8Array || value instanceof Int16Array) {
      pieces.push(new Uint8Array(value.buffer, value.byteOffset, value.byteLength));
      return { [value instanceof Uint8Array ? '$bytes' : '$int16']: value.byteLength };
    }
    if (Array.isArray(value)) {
      if (value.every(Number.isInteger)) return { $steps: value.map((number, i) => number - (value[i - 1] ?? 0)) };
      if (!value.every(isObject)) return value.map(written);
      const names = [...new Set(value.flatMap(Object.keys))];
      return { $columns: Object.fromEntries(names.map((name) => [name, written(value.map((row) => row[name]))])) };
    }
    return isObject(value) ? mapped(value, written) : value;
  };
  const bytes = new TextEncoder().encode(JSON.stringify(written(reportData)));
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
  const read = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(read);
    if (!isObject(value)) return value;
    if ('$bytes' in value) return take(value.$bytes as number);
    if ('$int16' in value) return new Int16Array(take(value.$int16 as number).slice().buffer);
    if ('$steps' in value) return sums(value.$steps as number[]);
    const all = mapped((value.$columns ?? value) as Json, read);
    if (!('$columns' in value)) return all;
    const columns = Object.entries(all) as [string, unknown[]][];
    return columns[0]![1].map((_, i) => Object.fromEntries(columns.map(([name, of]) => [name, of[i] ?? undefined])));
  };
  return read(json) as ReportData;
}

const mapped = (object: Json, map: (value: unknown) => unknown): Json =>
  Object.fromEntries(Object.entries(object).map(([name, value]) => [name, map(value)]));

function sums(differences: readonly number[]): number[] {
  let sum = 0;
  return differences.map((step) => {
    sum += step;
    return sum;
  });
}
