import type { Args, Code, Diagnostic, Place } from '../../wire/bytes/diagnostic.ts';
import type { TickRange } from '../../wire/protocol/ticks.ts';
import { TickJudge } from '../judge/tick-judge.ts';
import type { DiagnosticEntry, RecordingEntry } from '../replay/record.ts';
import type { Direction } from '../replay/stream.ts';
import type { HealthState } from './health.ts';
import { maxOddityLines, Oddities } from './oddities.ts';

/**
 * What is wrong or unusual in an input, as plain data: it crosses threads, and the page shows it. The exit status,
 * `--strict`, JUnit, the annotations of CI and the health come from findings and nothing else. Their sentences are in
 * the view.
 */
export interface Finding {
  readonly code: FindingCode;
  readonly severity: FindingSeverity;
  readonly place: FindingPlace;
  /** How many there are of it. */
  readonly count: number;
  /** The numbers and names that its sentence has. */
  readonly args: Args;
  /** Why it is so, if another finding tells it. */
  readonly cause?: Finding | undefined;
}

/** The codes of diagnostics, and those of what commands conclude. */
export type FindingCode =
  | Code
  /** Errors of the file, of which the first ones have diagnostics. */
  | 'errors'
  /** Packets of a connection that cannot be read to their end. */
  | 'undecodable_packets'
  /** Snapshots of connections that cannot be read. */
  | 'damaged_snapshots'
  /** Snapshots with another checksum than the announced one. */
  | 'mismatched_snapshots'
  /** Snapshots that cannot be rebuilt without packets that are not in the recording. */
  | 'missing_snapshots'
  /** Packets of a connection that the games drop. */
  | 'packets_rejected'
  /** Connections beyond the limit. */
  | 'connections_not_listed'
  /** So few checksums match that they mean nothing. */
  | 'few_checksums_match'
  /** Ticks of a demo whose snapshots are in doubt, or of which only the announced checksum is there. */
  | 'doubtful_ticks'
  /** Signs of damage in a demo that no checksum answers. */
  | 'signs_of_damage'
  /** A snapshot with another checksum than the announced one, or that cannot be read. */
  | 'wrong_snapshot'
  /** A snapshot with another checksum than the one that the user expects. */
  | 'unexpected_checksum'
  /** What makes the bytes of a snapshot only probable. */
  | 'uncertain_reading'
  /** A map that the user names, and that is not the one of the recording. */
  | 'given_map_differs'
  /** A map in a recording that cannot be read. */
  | 'map_not_drawn'
  /** A file that cannot be read, or not to its end. */
  | 'unreadable_file'
  /** A file that the options of the command do not fit. */
  | 'refused_file'
  /** Something takes more bytes than its budget. */
  | 'over_budget'
  /** What `explain` concluded, as a text. */
  | 'explained';

/** What a finding does to the exit status; the worst one decides. */
const statuses = {
  /** Something that is worth a line beside what is wrong. */
  note: { usual: 0, strict: 0 },
  /** What the games tolerate, or what is missing. */
  warning: { usual: 0, strict: 1 },
  /** Something is not as it should be. */
  wrong: { usual: 1, strict: 1 },
  refused: { usual: 2, strict: 2 },
  /** A part of the input cannot be read. */
  unread: { usual: 3, strict: 3 },
} as const;

/** How bad a finding is; {@link statuses} has the exit status of each. */
export type FindingSeverity = keyof typeof statuses;

/** Where a finding is: a byte or bit of the file, a tick, a frame. */
export interface FindingPlace extends Partial<Place> {
  readonly tick?: number;
  readonly base?: number;
  /** The address of a connection's client. */
  readonly client?: string;
  /** Of a packet of a connection: to which end it was sent. */
  readonly direction?: Direction;
}

type About = Partial<Pick<Finding, 'place' | 'count' | 'args' | 'cause'>>;

export const finding = (
  code: FindingCode,
  severity: FindingSeverity,
  { place = {}, count = 1, args = {}, cause }: About = {},
): Finding => ({ code, severity, place, count, args, ...(cause && { cause }) });

/** A finding, if there is anything to count. */
export const countFinding = (
  code: FindingCode,
  severity: FindingSeverity,
  count: number,
  about: Omit<About, 'count'> = {},
): Finding[] => (count > 0 ? [finding(code, severity, { ...about, count })] : []);

export function diagnosticFinding(diagnostic: Diagnostic): Finding {
  const { severity, code, args, isSuspect, ...place } = diagnostic;
  const isWrong = isSuspect || code === 'not_played' || code === 'wrong_checksum';
  const warning = isWrong ? 'wrong' : 'warning';
  return finding(code, severity === 'error' ? 'unread' : warning, { place, args });
}

/**
 * What is wrong with a part of the file, or with a packet of a connection: one that the games drop is only worth a
 * note.
 */
function recordFinding({ diagnostic, direction, frame, stream, weight }: DiagnosticEntry): Finding {
  const found = diagnosticFinding(diagnostic);
  if (direction === undefined) return weight ? { ...found, severity: weight } : found;
  const client = stream && 'client' in stream ? { client: stream.client } : {};
  const place = { ...found.place, ...(frame !== undefined && { frame }), ...client, direction };
  return { ...found, severity: weight ?? (found.severity === 'unread' ? 'unread' : 'note'), place };
}

/** What no game sends, or its receiver drops: each kind once, with its number. @param client empty in a demo */
export function oddityFindings({ all }: Oddities, client = ''): Finding[] {
  return [...all].map(({ diagnostic, tick, weight, count }) => {
    const { code, offset, frame, args } = diagnostic;
    const place = {
      ...(frame === undefined ? { offset } : { frame }),
      ...(tick !== undefined && { tick }),
      ...(client !== '' && { client }),
    };
    return finding(code, weight, { place, args, count });
  });
}

/** The ranges of which each has a finding of its own. */
const maxDoubtful = 50;

/** Ticks of a demo whose snapshots are in doubt, or of which only the announced checksum is there. */
export function doubtfulFindings(
  { ranges }: Pick<TickJudge, 'ranges'>,
  isMeant: (ticks: TickRange) => boolean,
): Finding[] {
  const doubtful = ranges.filter(({ trust, cause }) => trust === 'doubtful' || cause?.code === 'snapshot_missing');
  return doubtful
    .filter(isMeant)
    .slice(0, maxDoubtful)
    .map(({ trust, from, to, snapshots, cause }) => {
      const about = { ...diagnosticFinding(cause!), severity: 'warning' } as const;
      const args = { trust, to };
      return finding('doubtful_ticks', 'wrong', { place: { tick: from }, count: snapshots, args, cause: about });
    });
}

/** What is not known to be right in a demo, besides checksums that are not the announced ones. */
export const judgeFindings = (judge: TickJudge): Finding[] => [
  ...doubtfulFindings(judge, () => true),
  ...countFinding('signs_of_damage', 'wrong', judge.signs),
];

/** What is wrong with one record. */
export function entryFinding(entry: RecordingEntry): Finding | undefined {
  if (entry.record === 'diagnostic') return recordFinding(entry);
  if (entry.record !== 'snapshot') return undefined;
  const { verdict, tick, base, unapplied } = entry;
  if (verdict === 'ok' || verdict === 'unchecked' || unapplied) return undefined;
  const place = { tick, base };
  if (verdict === 'mismatch') return finding('mismatched_snapshots', 'wrong', { place });
  if (verdict === 'damaged') return finding('damaged_snapshots', 'unread', { place });
  return finding('missing_snapshots', 'warning', { place });
}

export type ExitStatus = (typeof statuses)[FindingSeverity]['usual'];

export function statusOf(findings: Iterable<Pick<Finding, 'severity'>>, isStrict = false): ExitStatus {
  let status: ExitStatus = 0;
  for (const { severity } of findings) {
    const own = statuses[severity][isStrict ? 'strict' : 'usual'];
    if (own > status) status = own;
  }
  return status;
}

const mismatches: ReadonlySet<FindingCode> = new Set(['mismatched_snapshots', 'wrong_snapshot', 'wrong_checksum']);

/** Nothing is damaged: the file is of a version that is not read, which games have stopped to read, too. */
const otherVersions: ReadonlySet<FindingCode> = new Set(['ghost_version', 'demo_version']);

/** More than is kept or followed at once, or shown. */
const limits: ReadonlySet<FindingCode> = new Set(['too_many_connections', 'connections_not_listed', 'limit_reached']);

/** Whether a finding says that a limit was reached: what is beyond it is not read, and not damaged. */
export const isLimit = (code: FindingCode): boolean => limits.has(code);

/** The state of a recording: the worst that a finding shows. */
export function healthOf(findings: Iterable<Pick<Finding, 'severity' | 'code'>>): HealthState {
  let state: HealthState = 'healthy';
  for (const { code, severity } of findings) {
    if (severity === 'unread' && otherVersions.has(code)) return 'unread';
    // Nothing is wrong with what is beyond a limit.
    if (isLimit(code)) {
      if (state === 'healthy') state = 'incomplete';
      continue;
    }
    if (severity === 'unread') state = 'damaged';
    if (state === 'damaged') continue;
    if (code === 'not_played') state = 'unplayable';
    else if (mismatches.has(code) && state !== 'unplayable') state = 'mismatched';
    else if (severity === 'wrong' && state !== 'unplayable' && state !== 'mismatched') state = 'suspect';
    else if (code === 'missing_snapshots' && state === 'healthy') state = 'incomplete';
  }
  return state;
}

/**
 * The findings of a run: not all of them, but of each code and severity at least one, so that they decide as all would.
 */
export class Findings {
  readonly all: Finding[] = [];
  omitted = 0;
  readonly #max: number;
  readonly #kinds = new Set<string>();

  constructor(max: number) {
    this.#max = max;
  }

  add(found: Finding): void {
    const kind = `${found.severity} ${found.code}`;
    if (this.all.length >= this.#max && this.#kinds.has(kind)) {
      this.#count(found);
      return;
    }
    this.#kinds.add(kind);
    this.all.push(found);
  }

  /** One that is not kept counts with the last one of its kind, if these are told as one. */
  #count(found: Finding): void {
    const kind = kindOfBytes(found);
    const at = kind === undefined ? -1 : this.all.findLastIndex((other) => kindOfBytes(other) === kind);
    if (at < 0) this.omitted++;
    else this.all[at] = { ...this.all[at]!, count: this.all[at]!.count + found.count };
  }
}

/**
 * Findings about bytes of the file, a chunk of a demo or a part of its header, that are told as one with their number:
 * damage may cause a warning in every later snapshot. Errors have their places. Undefined for other findings.
 */
export function kindOfBytes({ severity, code, args, place: { offset, direction, tick } }: Finding): string | undefined {
  if (offset === undefined || direction || tick !== undefined) return undefined;
  return `${severity} ${code} ${severity === 'unread' ? offset : (args.message ?? args.who ?? '')}`;
}

/** The findings of a recording, record by record: those of snapshots are counted. */
export class RecordFindings {
  readonly #found: Findings;
  readonly #judge = new TickJudge();
  readonly #snapshots = new Map<FindingCode, Finding>();
  readonly #oddities = new Oddities();

  /** Whether there is one snapshot or packet alone, after which nothing could be in doubt. */
  readonly #isAlone: boolean;

  /** @param max the number of findings that are kept, besides the counts */
  constructor(max: number, isAlone = false) {
    this.#found = new Findings(max);
    this.#isAlone = isAlone;
  }

  /**
   * Adds the next record; what is wrong with it, unless that is only counted: of a fault in every message, the first
   * ones are told.
   */
  add(entry: RecordingEntry): Finding | undefined {
    if (!this.#isAlone) this.#judge.add(entry);
    const found = entryFinding(entry);
    if (!found) return undefined;
    if (entry.record === 'snapshot') {
      const { code, severity } = found;
      this.#snapshots.set(code, finding(code, severity, { count: 1 + (this.#snapshots.get(code)?.count ?? 0) }));
      return undefined;
    }
    if (entry.record === 'diagnostic' && entry.weight) return this.#oddities.add(entry) ? found : undefined;
    this.#found.add(found);
    return found;
  }

  /** Those of snapshots last. */
  get all(): readonly Finding[] {
    this.#judge.finish();
    // The messages of a demo announce checksums, too.
    const mismatched = countFinding('mismatched_snapshots', 'wrong', this.mismatched);
    const counted = [...this.#snapshots.values()].filter(({ code }) => code !== 'mismatched_snapshots');
    const judged = judgeFindings(this.#judge);
    return [...judged, ...this.#found.all, ...oddityFindings(this.#oddities), ...counted, ...mismatched];
  }

  /** What is known at the end only: the ticks in doubt, and the number of those of which the first ones were told. */
  get late(): readonly Finding[] {
    this.#judge.finish();
    const repeated = oddityFindings(this.#oddities).filter(({ count }) => count > maxOddityLines);
    return [...judgeFindings(this.#judge), ...repeated];
  }

  get omitted(): number {
    return this.#found.omitted;
  }

  /** The number of snapshots with another checksum than the announced one. */
  get mismatched(): number {
    return (this.#snapshots.get('mismatched_snapshots')?.count ?? 0) + this.#judge.sums.mismatched;
  }
}
