import type { Args } from '../bytes/diagnostic.ts';
import type { Finding, FindingCode } from '../recording/findings.ts';
import { diagnosticLine, isDiagnosticCode } from '../text/diagnostic-messages.ts';
import { escapeText } from '../text/escape.ts';
import { count, numberText, thousands } from '../text/number.ts';
import { failureTitle } from '../text/recording-phrases.ts';
import { plainTheme } from '../text/theme.ts';

type Sentence = (finding: Finding, file: string) => string;

/** The sentences of what commands conclude. The others only count what the line about the file says. */
const sentences: Partial<Record<FindingCode, Sentence>> = {
  undecodable_packets: ({ count: packets, place: { client } }) =>
    `${count(packets, 'packet')} of ${client} can't be read to the end`,
  packets_set_aside: ({ count: packets, place: { client } }) =>
    `${count(packets, 'packet')} of ${client} set aside: the games drop them`,
  connections_not_listed: ({ count: connections, args }) =>
    `${count(connections, 'connection')} with ${count(Number(args.packets), 'packet')} are not listed: too many`,
  few_checksums_match: ({ count: matched, args }) =>
    `only ${thousands(matched)} of ${count(Number(args.snapshots), 'snapshot')} could be rebuilt and match`,
  checksums_differ: ({ count: checksums }) => `${thousands(checksums)} checksums are not the announced ones`,
  wrong_snapshot: wrongSnapshot,
  unexpected_checksum: ({ place: { tick }, args }, file) =>
    `${tick === undefined ? '' : `${escapeText(file)}@${tick}: `}the checksum is ${args.crc}; expected ${args.expected}`,
  unreadable_file: ({ args }) => String(args.reason),
  refused_file: ({ args }) => String(args.reason),
  over_budget: ({ args }) => growthText(args),
  explained: ({ args }) => String(args.text),
};

/** `obj_character.ammo: 1.10 bytes per snapshot, 0.00 in the budget, new` */
function growthText({ name, unit, budget, now }: Args): string {
  const [before, after] = [Number(budget), Number(now)];
  const growth = before === 0 ? 'new' : `+${((100 * (after - before)) / before).toFixed(1)}%`;
  const text = (value: number) => numberText(value, Number.isInteger(before) && Number.isInteger(after) ? 0 : 2);
  return `${escapeText(String(name))}: ${text(after)} ${unit}, ${text(before)} in the budget, ${growth}`;
}

function wrongSnapshot({ place, args, cause }: Finding): string {
  const { tick = -1, base = -1, frame = 0, client } = place;
  const { crc, expected } = args;
  if (client === undefined) return `tick ${tick}: the checksum is ${crc}; announced ${expected}`;
  const failure = { tick, base, frame, client, expected: Number(expected) };
  return failureTitle({ ...failure, crc: crc === undefined ? undefined : Number(crc), cause }, plainTheme);
}

/** A finding as a sentence, without the name of its file; undefined for one that only counts. */
export function findingText(finding: Finding, file: string): string | undefined {
  const { code, place, args } = finding;
  if (isDiagnosticCode(code)) return diagnosticLine({ offset: 0, ...place, code, args });
  return isCounted(finding) ? undefined : sentences[code]?.(finding, file);
}

/** Whether a finding is about all connections. */
const isCounted = ({ code, place }: Finding) => code === 'undecodable_packets' && place.client === undefined;
