import type { Outcome } from '../../recording/health/checksums.ts';
import { type HealthState, healthStates, unreadableState } from '../../recording/health/health.ts';
import { type JudgedRange, trusts } from '../../recording/judge/tick-judge.ts';
import type { NotRebuilt } from '../../recording/replay/record.ts';
import type { Direction } from '../../recording/replay/stream.ts';
import type { Diagnostic } from '../../wire/bytes/diagnostic.ts';
import type { VersionCertainty } from '../../wire/packet/message.ts';
import { diagnosticMessage } from '../phrases/diagnostic-messages.ts';
import { fieldsOf, pick } from './fields.ts';

/** The values that a key may have in several results. */
export const choices = {
  severity: ['warning', 'error'],
  health: Object.keys(healthStates) as HealthState[],
  direction: ['to_server', 'to_client'] satisfies readonly Direction[],
  version: ['0.5', '0.6', '0.7'],
  trust: Object.keys(trusts) as JudgedRange['trust'][],
  verdict: ['missing_base', 'missing_part', 'damaged'] satisfies readonly NotRebuilt[],
} as const;

const ofDiagnostic = fieldsOf<Diagnostic>();

export const diagnosticFields = {
  severity: ofDiagnostic.among(
    choices.severity,
    'warning of what the games tolerate, error of what they refuse',
    ({ severity }) => severity,
  ),
  code: ofDiagnostic.text('a name that never changes', ({ code }) => code),
  offset: ofDiagnostic.int('offset of the byte in the input', ({ offset }) => offset),
  bit: ofDiagnostic.orAbsent.int('of compressed bytes: the bit of that byte, 0 is the lowest', ({ bit }) => bit),
  unpacked: ofDiagnostic.orAbsent.int(
    'of compressed bytes: the offset in what they unpack to',
    (diagnostic) => diagnostic.unpacked,
  ),
  frame: ofDiagnostic.orAbsent.int('of a capture: number of the packet, from 1 as in Wireshark', ({ frame }) => frame),
  message: ofDiagnostic.text('what is wrong, as a sentence', diagnosticMessage),
};

const ofOutcomes = fieldsOf<Readonly<Record<Outcome, number>>>();

/** How many snapshots match, and why others do not. */
export const outcomeFields = {
  matched: ofOutcomes.int('snapshots with the announced checksum', ({ matched }) => matched),
  mismatched: ofOutcomes.int('snapshots with another checksum than the announced one', (counts) => counts.mismatched),
  missing_base: ofOutcomes.int('snapshots that cannot be rebuilt without their base', (counts) => counts.missing_base),
  missing_part: ofOutcomes.int(
    'snapshots that cannot be rebuilt without one of their parts',
    (counts) => counts.missing_part,
  ),
  damaged: ofOutcomes.int('snapshots that cannot be read', ({ damaged }) => damaged),
};

const ofRange = fieldsOf<JudgedRange>();

/** What is known of the ticks of a demo. */
export const rangeFields = {
  state: ofRange.among(choices.trust, choices.trust.join(', '), ({ trust }) => trust),
  from: ofRange.tick('first tick, in the order of the file', ({ from }) => from),
  to: ofRange.orNull.tick('last tick; null if nothing follows what is lost', ({ to }) =>
    Number.isFinite(to) ? to : undefined,
  ),
  snapshots: ofRange.int('how many are read; of lost ones, how many are known', ({ snapshots }) => snapshots),
  code: ofRange.orAbsent.text('why it is doubtful or lost; absent otherwise', ({ cause }) => cause?.code),
  message: ofRange.orAbsent.text('the same as a sentence', ({ cause }) => cause && diagnosticMessage(cause)),
};

type CertaintyCounts = Readonly<Record<VersionCertainty, number>>;

const ofCertainties = fieldsOf<CertaintyCounts>();

/** Messages of the other version than the recording's. */
export const otherVersionFields = {
  certain: ofCertainties.int(
    "messages that the recording's version cannot read to their end",
    (messages) => messages.certain,
  ),
  likely: ofCertainties.int('messages that it reads with values that no server sends', ({ likely }) => likely),
  ambiguous: ofCertainties.int('messages that make sense in both versions', ({ ambiguous }) => ambiguous),
  neither: ofCertainties.int('messages that make sense in neither', ({ neither }) => neither),
};

/** A file that could not be read at all. `stats` and `explain` say nothing of its health. */
interface UnreadableFile {
  readonly file: string;
  readonly reason: string;
}

const ofUnreadable = fieldsOf<UnreadableFile>();

export const unreadableFields = {
  file: ofUnreadable.name('path of the file, as it was given', ({ file }) => file),
  health: ofUnreadable.among([unreadableState], 'always unread', () => unreadableState),
  error: ofUnreadable.text('why it cannot be read', ({ reason }) => reason),
};

export const unreadableInputFields = pick(unreadableFields, 'file', 'error');

/** The modes in which a server sends snapshots. */
export const rateModes = {
  among: ['init', 'full', 'recovery'],
  meaning: 'init until a snapshot is acknowledged, then full; recovery while none is for long',
} as const;
