import { join } from '../bytes/join.ts';
import type { PacketContents } from '../packet/packet-contents.ts';
import type { ItemType } from '../protocol/item.ts';
import type { Version } from '../protocol/registry.ts';
import type { Track, TrackMessage, TrackSnapshot } from '../recording/track.ts';
import type { SizeEntry } from './size-breakdown.ts';

/** A line about the recording: `map`, `dm1, 6,793 bytes`. */
export interface Fact {
  readonly label: string;
  readonly text: string;
}

export type Tone = 'good' | 'odd' | 'bad';

/** What a report shows. */
export interface ReportData {
  /** Of the file. */
  readonly name: string;
  /** `client demo, version 6, 204 KB` */
  readonly kind: string;
  readonly health: string;
  readonly tone: Tone;
  readonly facts: readonly Fact[];
  /** What is odd or wrong, in sentences. */
  readonly diagnostics: readonly string[];
  readonly weights: readonly SizeEntry[];
  /** A mod's items. */
  readonly added: readonly ItemType[];
  readonly tracks: readonly Track[];
  /** A packet or message, where it is one, and no track. */
  readonly wire?:
    | { readonly kind: PacketContents['kind']; readonly version: Version; readonly bytes: Uint8Array }
    | undefined;
}

/** As JSON: rows become columns, and bytes the lengths of their stretches. */
interface Written extends Omit<ReportData, 'tracks' | 'wire'> {
  readonly wire?:
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

/** A reportData as bytes: `length u32le, JSON, then the bytes of all snapshots and messages`. */
export function writeReportData(reportData: ReportData): Uint8Array {
  const pieces: Uint8Array[] = [];
  const bytesOf = (piece: Uint8Array) => pieces.push(piece) && piece.length;
  const tracks = reportData.tracks.map(
    ({ snapshots, messages, ...track }): WrittenTrack => ({
      ...track,
      snapshots: {
        tick: steps(snapshots.map(({ tick }) => tick)),
        kind: snapshots.map(({ kind }) => kind),
        encoding: snapshots.map(({ encoding }) => encoding),
        // How far back: nearly always the same.
        base: snapshots.map(({ base }, i) => (base < 0 ? base : i - base)),
        payload: snapshots.map(({ payload }) => bytesOf(payload)),
        offset: steps(snapshots.map(({ offset }) => offset)),
        announced: snapshots.map(({ announced }) => announced),
        uncertain: snapshots.map(({ uncertain }) => uncertain),
        shown: snapshots.map(({ shown }) => shown),
      },
      messages: {
        tick: steps(messages.map(({ tick }) => tick)),
        after: steps(messages.map(({ after }) => after)),
        bytes: messages.map(({ bytes }) => bytesOf(bytes)),
      },
    }),
  );
  const wire = reportData.wire && { ...reportData.wire, bytes: bytesOf(reportData.wire.bytes) };
  const json = new TextEncoder().encode(JSON.stringify({ ...reportData, tracks, wire } satisfies Written));
  const length = new Uint8Array(lengthBytes);
  new DataView(length.buffer).setUint32(0, json.length, true);
  return join([length, json, ...pieces]);
}

/** The same back. Payloads are views of the bytes. */
export function readReportData(bytes: Uint8Array): ReportData {
  const start = lengthBytes + new DataView(bytes.buffer, bytes.byteOffset).getUint32(0, true);
  const written = JSON.parse(new TextDecoder().decode(bytes.subarray(lengthBytes, start))) as Written;
  let at = start;
  const take = (length: number) => {
    at += length;
    return bytes.subarray(at - length, at);
  };
  const tracks = written.tracks.map(({ snapshots, messages, ...track }): Track => {
    const [ticks, offsets] = [sums(snapshots.tick), sums(snapshots.offset)];
    const [heardTicks, after] = [sums(messages.tick), sums(messages.after)];
    return {
      ...track,
      snapshots: ticks.map((tick, i) => ({
        tick,
        kind: snapshots.kind[i]!,
        encoding: snapshots.encoding[i]!,
        base: snapshots.base[i]! < 0 ? snapshots.base[i]! : i - snapshots.base[i]!,
        payload: take(snapshots.payload[i]!),
        offset: offsets[i]!,
        announced: snapshots.announced?.[i] ?? undefined,
        uncertain: snapshots.uncertain[i]!,
        shown: snapshots.shown[i]!,
      })),
      messages: heardTicks.map((tick, i) => ({ tick, after: after[i]!, bytes: take(messages.bytes[i]!) })),
    };
  });
  const { wire } = written;
  return { ...written, tracks, wire: wire && { ...wire, bytes: take(wire.bytes) } };
}

/** What each adds to the one before. */
const steps = (values: readonly number[]) => values.map((value, i) => value - (values[i - 1] ?? 0));

function sums(steps: readonly number[]): number[] {
  let sum = 0;
  return steps.map((step) => {
    sum += step;
    return sum;
  });
}
