import type { ChecksumCounts } from '../../recording/health/checksums.ts';
import type { HealthState } from '../../recording/health/health.ts';
import type { JudgedRange } from '../../recording/judge/tick-judge.ts';
import { isNotRebuilt, type NotRebuilt, type SnapshotEntry } from '../../recording/replay/record.ts';
import type { BaseFound } from '../../wire/payload/payload.ts';
import { fieldsOf, valuesOf } from './fields.ts';
import { choices, outcomeFields, rangeFields } from './shared.ts';

/** The checksum of a snapshot that was read alone. */
interface SingleChecksum {
  readonly kind: SnapshotEntry['kind'];
  readonly items: number;
  readonly crc: number;
  /** How the base of a single delta was found. */
  readonly base?: BaseFound | undefined;
}

interface DemoChecksum extends SingleChecksum {
  readonly tick: number;
}

/** The checksum of a snapshot that a connection was sent, and what was announced of it. */
interface SentChecksum extends Pick<SnapshotEntry, 'kind' | 'tick' | 'base'> {
  readonly frame: number | undefined;
  readonly client: string;
  /** Undefined for one that cannot be rebuilt. */
  readonly items: number | undefined;
  readonly crc: number | undefined;
  readonly expected: number | undefined;
  readonly ok: boolean | undefined;
  /** Why it could not be rebuilt. */
  readonly reason: NotRebuilt | undefined;
}

export type Checksum = SingleChecksum | DemoChecksum | SentChecksum;

export function checksumOf(entry: SnapshotEntry): DemoChecksum | SentChecksum {
  const { frame, tick, base, kind, snapshot, announced: expected, verdict, stream } = entry;
  const { client } = stream;
  // A demo has no snapshot that cannot be rebuilt.
  if (client === '') return { tick, kind, items: snapshot!.count, crc: snapshot!.checksum() };
  const reason = isNotRebuilt(verdict) ? verdict : undefined;
  const items = snapshot?.count;
  const crc = snapshot?.checksum();
  return { frame, client, tick, base, kind, items, crc, expected, ok: snapshot && verdict === 'ok', reason };
}

const ofSum = fieldsOf<SingleChecksum>();
const kindOf = ({ kind }: Pick<Checksum, 'kind'>) => (kind === 'delta' ? kind : 'snapshot');

const sumFields = {
  kind: ofSum.among(['snapshot', 'delta'], 'snapshot or delta', kindOf),
  items: ofSum.int('number of items', ({ items }) => items),
  crc: ofSum.crc('checksum of the snapshot', ({ crc }) => crc),
};
const singleFields = {
  ...sumFields,
  base: ofSum.orAbsent.among(
    ['assumed_empty'],
    'assumed_empty for a delta whose updates look like whole items; absent otherwise',
    ({ base }) => (base === 'empty' ? 'assumed_empty' : undefined),
  ),
};

/** The snapshots of a demo, or of a file with a single one. */
export interface SnapshotCounts {
  readonly snapshots: number;
  readonly full: number;
  readonly deltas: number;
  /** The messages of a demo; null if they were not read. */
  readonly messages?: number | null;
  /** The results for checksums that its messages announce. */
  readonly matched?: number;
  readonly mismatched?: number;
  readonly announced?: number;
  /** What is known of the ticks of a demo. */
  readonly ranges?: readonly JudgedRange[];
}

/** What was counted of a file; a single snapshot has no health. */
interface Of<Counts> {
  readonly file: string;
  readonly health?: HealthState | undefined;
  readonly counts: Counts;
}

export type FileChecksums = Of<ChecksumCounts | SnapshotCounts | SingleChecksum>;

const ofFile = fieldsOf<Of<unknown>>();
const ofCapture = fieldsOf<Of<ChecksumCounts>>();
const ofCounts = fieldsOf<ChecksumCounts>();
const ofDemo = fieldsOf<Of<SnapshotCounts>>();
const ofSnapshots = fieldsOf<SnapshotCounts>();
const ofSingle = fieldsOf<Of<SingleChecksum>>();

const file = ofFile.name('path of the file, as it was given', (sums) => sums.file);
const health = ofFile.among(choices.health, choices.health.join(', '), (sums) => sums.health!);

/** A capture or network log: the servers announce the checksum of each snapshot. */
export const captureChecksumFields = {
  file,
  health,
  ...ofCapture.from(({ counts }) => counts, {
    snapshots: ofCounts.int(
      'snapshots with an announced checksum, or that cannot be rebuilt',
      ({ snapshots }) => snapshots,
    ),
    ...outcomeFields,
    empty: ofCounts.int('snapshots without a change from their base, which have no checksum', ({ empty }) => empty),
  }),
};

const snapshotCounts = {
  snapshots: ofSnapshots.int('full ones and deltas', ({ snapshots }) => snapshots),
  full: ofSnapshots.int('full snapshots', ({ full }) => full),
  deltas: ofSnapshots.int('snapshots that are differences to an earlier one', ({ deltas }) => deltas),
};

export const demoChecksumFields = {
  file,
  health,
  ...ofDemo.from(({ counts }) => counts, {
    ...snapshotCounts,
    messages: ofSnapshots.orNull.int(
      'number of messages; null unless they were read',
      (counts) => counts.messages ?? undefined,
    ),
    announced: ofSnapshots.orAbsent.int(
      'checksums that its messages announce; absent if none does',
      ({ announced }) => announced,
    ),
    matched: ofSnapshots.orAbsent.int(
      'snapshots with the checksum that a message announces; absent likewise',
      ({ matched }) => matched,
    ),
    mismatched: ofSnapshots.orAbsent.int(
      'snapshots with another checksum; absent likewise',
      (counts) => counts.mismatched,
    ),
    ticks: ofSnapshots.table('what is known of which ticks', ({ ranges = [] }) => ranges, rangeFields),
  }),
};

/** With `--summary` a file with a single snapshot. */
export const singleCountsFields = { file, ...ofDemo.from(({ counts }) => counts, snapshotCounts) };

export const singleChecksumFields = { file, ...ofSingle.from(({ counts }) => counts, singleFields) };

/** What `checksum -t json` prints of a file. */
export function checksumValues(sums: FileChecksums): object {
  const { counts } = sums;
  if ('missing_base' in counts) return valuesOf(captureChecksumFields, { ...sums, counts });
  if ('crc' in counts) return valuesOf(singleChecksumFields, { ...sums, counts });
  return valuesOf(sums.health === undefined ? singleCountsFields : demoChecksumFields, { ...sums, counts });
}

// The lines of `checksum -t ndjson`. A line names the file where there are several.

interface Line<Sum> {
  readonly file: string | undefined;
  readonly sum: Sum;
}

const ofLine = fieldsOf<Line<unknown>>();
const fileOfLine = ofLine.orAbsent.name('of several files: path of the file, as it was given', (line) => line.file);
const sumOf = <Sum>({ sum }: Line<Sum>) => sum;

const ofDemoSum = fieldsOf<DemoChecksum>();
const ofSent = fieldsOf<SentChecksum>();

export const singleLineFields = { file: fileOfLine, ...fieldsOf<Line<SingleChecksum>>().from(sumOf, singleFields) };

export const demoLineFields = {
  file: fileOfLine,
  ...fieldsOf<Line<DemoChecksum>>().from(sumOf, {
    tick: ofDemoSum.tick('tick of the snapshot', ({ tick }) => tick),
    ...sumFields,
  }),
};

export const captureLineFields = {
  file: fileOfLine,
  ...fieldsOf<Line<SentChecksum>>().from(sumOf, {
    frame: ofSent.orAbsent.int('number of the packet that completes it, from 1 as in Wireshark', ({ frame }) => frame),
    client: ofSent.text('address of the client', ({ client }) => client),
    tick: ofSent.tick('tick of the snapshot', ({ tick }) => tick),
    base: ofSent.tick('tick of the base; -1 for a full snapshot', ({ base }) => base),
    kind: ofSent.among(['snapshot', 'delta', 'empty'], 'snapshot, delta or empty', ({ kind }) => kind),
    items: ofSent.orNull.int('number of items; null if it cannot be rebuilt', ({ items }) => items),
    crc: ofSent.orNull.crc('checksum of the rebuilt snapshot; null if it cannot be rebuilt', ({ crc }) => crc),
    expected: ofSent.orNull.crc('checksum that the server announced', ({ expected }) => expected),
    ok: ofSent.orNull.boolean('whether the two are equal; null if it cannot be rebuilt', ({ ok }) => ok),
    reason: ofSent.orAbsent.among(choices.verdict, 'why it cannot be rebuilt', ({ reason }) => reason),
  }),
};

export function lineValues(file: string | undefined, sum: Checksum): object {
  if ('client' in sum) return valuesOf(captureLineFields, { file, sum });
  return 'tick' in sum ? valuesOf(demoLineFields, { file, sum }) : valuesOf(singleLineFields, { file, sum });
}
