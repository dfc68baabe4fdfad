import { type Finding, type FindingCode, kindOfBytes } from '../../recording/health/findings.ts';
import type { Args, Code } from '../../wire/bytes/diagnostic.ts';
import { escapeText, pathText } from '../text/escape.ts';
import { count, decimals, thousands } from '../text/number.ts';
import { plainTheme } from '../text/theme.ts';
import { diagnosticLine, diagnosticMessage, isDiagnosticCode } from './diagnostic-messages.ts';
import { ticksText } from './judge-phrases.ts';
import { failureTitle, oddityText, packetFinding } from './recording-phrases.ts';

type Sentence = (finding: Finding, file: string) => string;

/** The sentences of what commands conclude. The others only count what the line about the file says. */
const sentences: Partial<Record<FindingCode, Sentence>> = {
  undecodable_packets: ({ count: packets, place: { client } }) =>
    `${count(packets, 'packet')} of ${client} can't be read to the end`,
  packets_rejected: ({ count: packets, place: { client } }) =>
    `${count(packets, 'packet')} of ${client} rejected: the games drop them`,
  connections_not_listed: ({ count: connections, args }) =>
    `${count(connections, 'connection')} with ${count(Number(args.packets), 'packet')} are not listed: too many`,
  few_checksums_match: ({ count: matched, args }) =>
    `only ${thousands(matched)} of ${count(Number(args.snapshots), 'snapshot')} could be rebuilt and match`,
  doubtful_ticks: doubtfulTicks,
  signs_of_damage: ({ count: signs }) => `${count(signs, 'sign')} of damage`,
  wrong_snapshot: wrongSnapshot,
  unexpected_checksum: ({ place: { tick }, args }, file) =>
    `${tick === undefined ? '' : `${pathText(file)}@${tick}: `}the checksum is ${args.crc}; expected ${args.expected}`,
  given_map_differs: () => 'the given map is not the one that was played: its checksum differs from the header’s',
  map_not_drawn: ({ cause }) => `the map is not drawn: ${cause ? messageOf(cause) : 'it cannot be read'}`,
  unreadable_file: ({ args }) => String(args.reason),
  refused_file: ({ args }) => String(args.reason),
  over_budget: ({ args }) => growthText(args),
  explained: ({ args }) => String(args.text),
};

const messageOf = ({ code, args }: Finding) => (isDiagnosticCode(code) ? diagnosticMessage({ code, args }) : code);

/** `obj_character.ammo: 1.10 bytes per snapshot, 0.00 in the budget, new` */
function growthText({ name, unit, budget, now }: Args): string {
  const before = Number(budget);
  const after = Number(now);
  const growth = before === 0 ? 'new' : `+${((100 * (after - before)) / before).toFixed(1)}%`;
  const text = (value: number) => decimals(value, Number.isInteger(before) && Number.isInteger(after) ? 0 : 2);
  return `${escapeText(String(name))}: ${text(after)} ${unit}, ${text(before)} in the budget, ${growth}`;
}

/** `ticks 2179 to 2331 are in doubt, 77 snapshots: other_tick: the snapshot of …` */
function doubtfulTicks(found: Finding): string {
  const { place, args, count: snapshots, cause } = found;
  const from = place.tick!;
  const to = Number(args.to);
  const why = cause ? `: ${findingText(cause, '')}` : '';
  if (args.trust === 'lost') return `${ticksOf(from, to)} lost${why}`;
  return `${ticksOf(from, to)} in doubt, ${count(snapshots, 'snapshot')}${why}`;
}

const ticksOf = (from: number, to: number) => (from === to ? `tick ${from} is` : `ticks ${ticksText(from, to)} are`);

function wrongSnapshot({ place, args, cause }: Finding): string {
  const { tick = -1, base = -1, frame = 0, client } = place;
  const { crc, expected } = args;
  if (client === undefined) return `tick ${tick}: the checksum is ${crc}; announced ${expected}`;
  const failure = { tick, base, frame, client, expected: Number(expected) };
  return failureTitle({ ...failure, crc: crc === undefined ? undefined : Number(crc), cause }, plainTheme);
}

/** A finding as a sentence, without the name of its file; undefined for one that only counts. */
export function findingText(finding: Finding, file: string): string | undefined {
  const { code, severity, place, args } = finding;
  if (isOfValues(finding)) return oddText(finding);
  if (isDiagnosticCode(code)) {
    // One of many of its kind, or what a client does by habit: it is read all the same.
    const isHabit = habits.has(code) || args.message !== undefined;
    const weight = severity === 'wrong' || severity === 'warning' || isHabit ? 'warning' : undefined;
    const diagnostic = { severity: severity === 'unread' ? 'error' : 'warning', code, offset: 0, args } as const;
    if (kindOfBytes(finding) !== undefined) return diagnosticLine({ ...diagnostic, ...place }, finding.count);
    if (finding.count > 1 || !place.direction) return oddityText({ ...place, code, args }, finding.count);
    return packetFinding({ frame: place.frame ?? 0, diagnostic, ...(weight && { weight }) });
  }
  return isCounted(finding) ? undefined : sentences[code]?.(finding, file);
}

/** Whether values of a recording have it: those of one snapshot have a place in its bytes, and no tick. */
const isOfValues = ({ code, args, place: { tick } }: Finding) =>
  (code === 'out_of_bounds' || code === 'never_sent') && args.message === undefined && tick !== undefined;

/** Findings of one kind are each told up to this number, which may be two or three causes. */
const maxEach = 3;

/**
 * Findings with one line for many warnings of a kind about bytes, the first, with their number: damage may cause the
 * same one in every later snapshot. Errors have their places.
 */
export class FindingKinds {
  readonly #byKind = new Map<string, { readonly first: Finding[]; count: number }>();

  constructor(findings: Iterable<Finding> = []) {
    for (const found of findings) this.add(found);
  }

  get all(): Finding[] {
    const kinds = [...this.#byKind.values()];
    return kinds.flatMap(({ first, count }) => (count > maxEach ? [{ ...first[0]!, count }] : first));
  }

  add(found: Finding): void {
    const { count } = found;
    const name = kindOfBytes(found) ?? `${this.#byKind.size}`;
    const kind = this.#byKind.get(name);
    if (!kind) {
      this.#byKind.set(name, { first: [found], count });
      return;
    }
    if (kind.first.length < maxEach) kind.first.push(found);
    kind.count += count;
  }
}

const habits: ReadonlySet<FindingCode> = new Set(['other_version_message', 'accept_token', 'wrong_flag']);

const counts: Partial<Record<FindingCode, (finding: Finding) => string>> = {
  undecodable_packets: ({ count: packets }) => `${count(packets, 'packet')} can't be read`,
  damaged_snapshots: ({ count: snapshots }) => `${count(snapshots, 'snapshot')} can't be read`,
  mismatched_snapshots: ({ count: checksums }) => `${count(checksums, 'checksum')} mismatched`,
  connections_not_listed: ({ count: connections }) =>
    `${count(connections, 'connection')} too many to be followed or shown`,
  missing_snapshots: ({ count: snapshots, args }) =>
    `${thousands(snapshots)} of ${count(Number(args.snapshots), 'snapshot')} can't be rebuilt`,
};

/** What the findings with this code count; undefined without any. */
export function countText(findings: readonly Finding[], code: FindingCode): string | undefined {
  const found = findings.find((finding) => finding.code === code && isOfAll(finding));
  return found && counts[code]?.(found);
}

/**
 * `2 warnings`: what makes a recording no less healthy, but must not go unsaid beside that word; undefined without any.
 */
export function warningsText(findings: readonly Pick<Finding, 'code' | 'severity'>[]): string | undefined {
  const own = findings.filter(({ code, severity }) => severity === 'warning' && !ofState.has(code));
  return own.length > 0 ? count(own.length, 'warning') : undefined;
}

/** What the state itself says. */
const ofState: ReadonlySet<FindingCode> = new Set([
  'missing_snapshots',
  'too_many_connections',
  'connections_not_listed',
]);

const isOfAll = ({ place: { client } }: Finding) => client === undefined;

/** Values that clients do not take, of a whole recording: their place is the first tick. */
function oddText({ code, count: times, place: { client, tick }, args }: Finding): string {
  const where = client === undefined ? '' : ` (${client})`;
  const often = times > 1 ? `, ${thousands(times)} ×` : '';
  return `${code} from tick ${tick} on${where}${often}: ${diagnosticMessage({ code: code as Code, args })}`;
}

/** Whether a finding is about all connections. */
const isCounted = (finding: Finding) => finding.code === 'undecodable_packets' && isOfAll(finding);
