import type { Explanation, Verdict } from '../../../src/analysis/explain/explanation.ts';
import type { Cause } from '../../../src/analysis/explain/hypothesis.ts';
import { RecordingExplainer } from '../../../src/analysis/explain/recording-explainer.ts';
import type { StreamFinding } from '../../../src/analysis/explain/server-faults.ts';
import { CaptureReplay } from '../../../src/recording/capture/capture-replay.ts';
import { seeded } from '../seeded.ts';
import * as faults from './faults.ts';
import { type Played, play } from './faulty-server.ts';
import * as fresh from './fresh-faults.ts';
import * as last from './last-faults.ts';
import * as later from './later-faults.ts';
import * as mixed from './mixed-faults.ts';
import * as proxied from './proxy-faults.ts';
import * as relay from './relay-faults.ts';
import { excerpt, type Scenario } from './scenario.ts';
import * as structural from './structural-faults.ts';
import * as unknown from './unknown-faults.ts';

/** A kind of fault, and how it is played. */
interface FaultCase {
  readonly make: faults.MakeFault;
  /** The causes that explain it. */
  readonly causes: readonly Cause[];
  /** `start`: among the first snapshots, which come in several parts; `always`: from the first on. */
  readonly when?: 'start' | 'always';
  /** Whether the checksums remain correct, so that the fault has to be found in healthy snapshots. */
  readonly isHealthy?: boolean;
  /** Whether the right item is enough among what fits, whatever the cause: no cause is known of some kinds. */
  readonly byItem?: boolean;
}

/** Where bytes of a delta are others: those of a key make an update of another item. */
const ofDamage = ['damaged', 'unreadable', 'updated_twice', 'removed_and_updated'] as const;
/** Where an update comes under another key, which the delta may have, too. */
const ofOtherKeys = ['removed_and_updated', 'updated_twice', 'not_sent', 'duplicate_key'] as const;

export const faultCases: Readonly<Record<string, FaultCase>> = {
  'duplicate key': { make: faults.duplicateKey, causes: ['duplicate_key'] },
  'removed though unchanged': { make: faults.removedUnchanged, causes: ['removed_unchanged', 'not_sent'] },
  'not removed': { make: faults.notRemoved, causes: ['not_removed'] },
  'sent in full': { make: faults.sentInFull, causes: ['sent_in_full'] },
  'full hash buckets': {
    make: faults.fullBuckets,
    causes: ['sent_in_full', 'removed_unchanged', 'removed_and_updated'],
  },
  'other size': { make: faults.otherSize, causes: ['other_size', 'unreadable'], when: 'always' },
  'exchanged parts': { make: faults.exchangedParts, causes: ['mixed_parts'], when: 'start' },
  'stale part': { make: faults.stalePart, causes: ['mixed_parts'], when: 'start' },
  'short part': { make: faults.shortPart, causes: ['mixed_parts'], when: 'start' },
  'wrong base': { make: faults.wrongBase, causes: ['wrong_base'] },
  'no registration': { make: faults.unregistered, causes: ['unregistered'], isHealthy: true },
  'too many items': { make: faults.tooManyItems, causes: ['too_large'] },
  'full snapshot': { make: faults.fullSnapshot, causes: ['too_large'], isHealthy: true },
  'flipped bit': { make: faults.flippedBit, causes: ofDamage },
  'missing bytes': { make: faults.cutPayload, causes: ['damaged', 'unreadable'] },
  'an old state sent': { make: faults.staleSent, causes: ['not_sent'] },
  'an old state counted': { make: faults.staleCounted, causes: ['old_state'] },
  'a late change': { make: faults.lateChange, causes: ['old_state'] },
  'checksum of the tick before': { make: faults.previousChecksum, causes: ['other_checksum', 'old_state'] },
  'checksum without extended items': { make: faults.withoutExtended, causes: ['not_counted'] },
  'shifted fields': { make: faults.shiftedFields, causes: ['shifted_fields'] },
  'sign error': { make: faults.signError, causes: ['sign'] },
  // An item that equals the other one of the base is not sent at all.
  "another item's base": { make: faults.otherItem, causes: ['other_item', 'not_sent'] },
  'filter after the checksum': { make: faults.filtered, causes: ['not_sent', 'removed_unchanged'] },
  // With a snapshot at each tick, the announced one exists: then it is another than the delta was made from.
  'a base never sent': { make: faults.unknownBase, causes: ['no_base', 'wrong_base'], isHealthy: true },
  'another Huffman table': {
    make: faults.otherHuffman,
    // Of a few packets it is not known whether all are of another table.
    causes: ['other_huffman', 'senseless'],
    isHealthy: true,
    when: 'always',
  },
};

/** Faults that the bytes show. */
export const structuralFaults: Readonly<Record<string, FaultCase>> = {
  'a base of the map before': { make: structural.otherMapBase, causes: ['no_base'], isHealthy: true },
  // The same bytes are an update of another item.
  'an id used again': { make: structural.idUsedAgain, causes: ['sent_in_full', 'removed_and_updated'] },
  'sizes of the other version': { make: structural.otherVersionSizes, causes: ['other_size'], when: 'always' },
  'two servers at one address': { make: structural.twoServers, causes: ['two_servers'], isHealthy: true },
  'a lost part': { make: structural.lostPart, causes: ['mixed_parts'], when: 'always', isHealthy: true },
  'a base off by one': { make: structural.baseOffByOne, causes: ['no_base', 'wrong_base'], isHealthy: true },
};

/**
 * Kinds that were written after the code, to see what it says of them. What is lacking is said where items that are
 * counted are not sent, or where a snapshot is that of another tick.
 */
export const laterFaults: Readonly<Record<string, FaultCase>> = {
  'an update twice': { make: later.updateTwice, causes: [] },
  'a checksum of 16 bits': { make: later.narrowChecksum, causes: ['other_formula'] },
  'a snapshot one step late': { make: later.lateSnapshot, causes: [] },
  'items that do not fit': { make: later.cutItems, causes: ['not_sent', 'removed_unchanged'] },
  'exchanged fields': { make: later.exchangedFields, causes: [] },
  // Where the other type has an item with this id, its key is sent twice, and both are counted. Where items carry their
  // size, the statement is how many ints came under this type: it is right if these were sent, whatever the reason.
  'a type that is another one': { make: later.otherType, causes: ['duplicate_key', 'other_size'] },
  'differences to an older base': { make: later.otherBase, causes: ['wrong_base'] },
  "another client's base": { make: last.othersBase, causes: [] },
  'the bytes before again': { make: last.sentAgain, causes: ['mixed_parts'] },
  'updates of nothing': { make: last.emptyUpdates, causes: [] },
  'updates with exchanged ids': { make: last.swappedUpdates, causes: [] },
  // The sums are the same.
  'another number of an extended type': { make: last.otherLocalType, causes: ['unregistered'], isHealthy: true },
  'ticks from another start': { make: last.otherStart, causes: [] },
  'a filter before the checksum': { make: last.filteredBefore, causes: [] },
  'a base announced as none': { make: last.announcedFull, causes: ['wrong_base'] },
  'the id of another item': { make: last.idOfAnother, causes: [] },
  'a part twice': { make: fresh.partTwice, causes: ['mixed_parts', 'unreadable'], when: 'start' },
  'parts from the last to the first': {
    make: fresh.reversedParts,
    causes: ['mixed_parts', 'unreadable'],
    when: 'start',
  },
  'removed ids off by one': { make: fresh.removedOffByOne, causes: ['not_removed', 'removed_unchanged'] },
  'a full list of removed keys': { make: fresh.cutRemoved, causes: ['not_removed'] },
  'removed one step late': { make: fresh.lateRemoved, causes: ['not_removed'] },
  'the checksum of the base': { make: fresh.baseChecksum, causes: ['other_checksum'] },
  'a bit of the checksum': { make: fresh.checksumBit, causes: [] },
  'sizes counted': { make: fresh.sizesCounted, causes: [] },
  'the last sent as the base': { make: fresh.lastSentBase, causes: ['wrong_base'] },
  'a bit of a stored base': { make: fresh.flippedBase, causes: [] },
  'half of an item before': { make: fresh.tornItem, causes: [] },
  'differences without a sign': { make: fresh.unsignedDifferences, causes: ['sign'] },
  'a part of two snapshots before': { make: fresh.olderPart, causes: ['mixed_parts', 'unreadable'], when: 'start' },
  'ints packed otherwise': { make: fresh.otherVarint, causes: ['unreadable'] },
  'no third int': { make: fresh.shortHead, causes: ['unreadable'] },
  'the id before the type': { make: fresh.idFirst, causes: ['unreadable'] },
  'another count of removed keys': { make: fresh.otherRemovedCount, causes: ['unreadable'] },
  'extended items without sizes': { make: fresh.noSizes, causes: ['unreadable'], when: 'start' },
  'removed keys with the id first': { make: fresh.exchangedRemoved, causes: ['not_removed', 'removed_unchanged'] },
  'indexes in place of removed keys': { make: fresh.removedIndexes, causes: ['not_removed'] },
  'no last part': { make: fresh.lastPartDropped, causes: ['mixed_parts', 'unreadable'], when: 'start' },
  'types one higher': { make: fresh.typesOneHigher, causes: ['unreadable'] },
  'items of two snapshots': { make: fresh.mixedSnapshots, causes: [] },
  'ids of a few bits': {
    make: fresh.narrowIds,
    causes: ['duplicate_key', 'sent_in_full', 'removed_and_updated', 'updated_twice'],
  },
  'full snapshots packed otherwise': { make: fresh.otherVarint, causes: ['unreadable'], when: 'start' },
  'full snapshots without a third int': { make: fresh.shortHead, causes: ['unreadable'], when: 'start' },
  'full snapshots with the id first': { make: fresh.idFirst, causes: ['unreadable'], when: 'start' },
  'full snapshots with types one higher': { make: fresh.typesOneHigher, causes: ['unreadable'], when: 'start' },
  'full snapshots of items of two': { make: fresh.mixedSnapshots, causes: [], when: 'start' },
  'removed keys after the updates': { make: fresh.removedLast, causes: ['unreadable'] },
  // The client has what the checksum lacks.
  'items added after the checksum': { make: relay.addedAfter, causes: ['not_counted', 'not_removed'] },
  'a filter for every second snapshot': { make: relay.blinking, causes: ['not_sent', 'removed_unchanged'] },
  'events counted again': { make: relay.countedEvents, causes: [] },
  'events filtered after the checksum': { make: relay.withoutEvents, causes: ['not_sent'] },
  'the checksum of the next snapshot': { make: relay.nextChecksum, causes: [] },
  'bytes packed twice': { make: relay.packedTwice, causes: ['unreadable'] },
  'full snapshots packed twice': { make: relay.packedTwice, causes: ['unreadable'], when: 'start' },
  'zeros at the end not sent': { make: relay.withoutZeros, causes: ['unreadable'] },
  'items at half the rate': { make: relay.halfRate, causes: ['not_sent'] },
  'a mirrored world': { make: relay.mirrored, causes: [], when: 'always' },
  'smaller parts': {
    make: relay.smallParts,
    causes: ['mixed_parts', 'unreadable'],
    when: 'start',
  },
  'two sizes of a type': { make: relay.twoSizes, causes: ['other_size', 'unreadable'], when: 'always' },
  "another client's checksum": { make: relay.othersChecksum, causes: [] },
  'the second part in place of the first': {
    make: relay.secondPartFirst,
    causes: ['mixed_parts', 'unreadable'],
    when: 'start',
  },
  'a type always sent in full': { make: relay.forgottenType, causes: ['sent_in_full'] },
};

/** Faults for which there is no hypothesis: none may be shown. */
export const unknownFaults: Readonly<Record<string, FaultCase>> = {
  'rounded values': { make: faults.rounded, causes: [] },
  'another checksum': { make: faults.otherChecksum, causes: ['other_formula'] },
  'another count of updates': { make: faults.otherCount, causes: ['unreadable'] },
  'ints of 16 bits': { make: unknown.narrowInts, causes: [] },
  'ticks in milliseconds': { make: unknown.milliseconds, causes: [] },
  'swapped bytes': { make: unknown.swappedBytes, causes: [] },
  'mean values': { make: unknown.interpolated, causes: [] },
  'a field changed late': { make: unknown.lateField, causes: [] },
  // The sums are the same, so the client keeps other bases than the server: without items that are not sent again, and
  // with others.
  'ids off by one': { make: unknown.lateIds, causes: ['wrong_base', 'sent_in_full', 'not_removed', 'not_sent'] },
  'values of the item before': { make: unknown.itemBefore, causes: [] },
  // Without new items and removed ones it is the checksum of the snapshot before.
  'a running checksum': { make: unknown.runningSum, causes: ['other_checksum', 'old_state', 'not_counted'] },
  'garbage counted': { make: unknown.garbageCounted, causes: [] },
  'doubled differences': { make: unknown.doubledDifferences, causes: [] },
  // What has not changed since the last snapshot is not sent at all. Where nothing else has changed, the last snapshot
  // is the base.
  'an overwritten base': { make: unknown.overwrittenBase, causes: ['not_sent', 'wrong_base'] },
  'dropped updates': { make: unknown.cutUpdates, causes: ['not_sent'] },
  'another UUID': { make: unknown.otherUuid, causes: [] },
  'clamped ints': { make: unknown.clampedInts, causes: [] },
  'masked ints': { make: unknown.maskedInts, causes: [] },
  'positions in tiles': { make: unknown.tiles, causes: [] },
  'differences of 16 bits': { make: unknown.narrowDifferences, causes: [] },
  // The item under its own id is not updated. Where the one that has the other id is updated as well, the delta has its
  // key twice, and one is counted. Where both are new, both are counted, as a key that is sent twice is.
  'ids changed by a proxy': {
    make: unknown.proxiedIds,
    causes: ['not_sent', 'sent_in_full', 'duplicate_key', 'removed_and_updated', 'updated_twice'],
  },
  'twins counted once': { make: unknown.twinsCountedOnce, causes: [] },
  'keys counted': { make: unknown.keysCounted, causes: ['other_formula'] },
  'a field hidden': { make: unknown.hiddenField, causes: [] },
  'a checksum in floats': { make: unknown.floatSum, causes: [] },
  // The sums are the same here, too: the client's base has the items under each other's id.
  'exchanged ids': {
    make: unknown.exchangedIds,
    causes: ['wrong_base', 'other_item', 'sent_in_full', 'not_removed', 'not_sent'],
  },
  // Where the last items are the new ones, these are not counted.
  'a count that lags': { make: unknown.lateCount, causes: ['not_counted'] },
  'merged deltas': { make: unknown.mergedDeltas, causes: ['updated_twice'] },
  'a key removed twice': { make: unknown.removedTwice, causes: ['not_removed'] },
  'removed keys of 16 bits': { make: unknown.narrowRemovedKeys, causes: ['not_removed'] },
  // The bytes and the sum are those of an item that is there twice, once as in the base: the cause names both.
  'counted twice': { make: unknown.countedTwice, causes: ['duplicate_key'] },
  // The same of an item that is listed as removed, though it is still there.
  'removed items counted': { make: unknown.removedCounted, causes: ['removed_unchanged', 'old_state'] },
};

/** What makes the bytes of other kinds, and two faults at once. */
export const mixedFaults: Readonly<Record<string, FaultCase>> = {
  'updates under the next id': { make: mixed.idsPlusOne, causes: ofOtherKeys },
  'updates under the id before': { make: mixed.idsMinusOne, causes: ofOtherKeys },
  'an update under a removed key': { make: mixed.underRemoved, causes: ofOtherKeys },
  'a neighbour removed': { make: mixed.neighbourRemoved, causes: ['two_faults'] },
  'another base and a key twice': { make: mixed.otherBaseAndTwice, causes: ['two_faults', 'wrong_base'] },
  'an int too many on the wire': { make: mixed.longerOnWire, causes: ['other_size', 'unreadable'], when: 'always' },
  'removed keys with swapped bytes': { make: mixed.removedSwapped, causes: ['not_removed'] },
  'returns before line feeds': { make: mixed.textMode, causes: ['text_mode'] },
  'no returns': { make: mixed.withoutReturns, causes: ['unreadable', 'damaged'] },
  'compressed twice': { make: mixed.compressedTwice, causes: ['packed_twice', 'senseless'], isHealthy: true },
  'another table for some time': { make: faults.otherHuffman, causes: ['other_huffman', 'senseless'], isHealthy: true },
  'an update dropped': { make: mixed.updateDropped, causes: ['not_sent'] },
  'a removed key dropped': { make: mixed.removedDropped, causes: ['not_removed'] },
  'removed and kept': { make: mixed.removedAndKept, causes: ['two_faults'] },
  'in full and kept': { make: mixed.inFullAndKept, causes: ['two_faults', 'sent_in_full', 'not_removed'] },
  'ids below sixteen': { make: mixed.sixteenPlayers, causes: ofOtherKeys },
  'removed and in full': { make: mixed.removedAndInFull, causes: ['sent_in_full', 'removed_and_updated'] },
  'new as a difference': { make: mixed.newAsDifference, causes: ['other_item'] },
  'the number of another type': { make: mixed.otherNumber, causes: ofOtherKeys },
  'twice and kept': { make: mixed.twiceAndKept, causes: ['two_faults', 'duplicate_key', 'not_removed'] },
  'hidden and with another sign': {
    make: mixed.hiddenAndSigned,
    causes: ['two_faults', 'not_sent', 'removed_unchanged', 'sign'],
  },
};

/**
 * What was thought out before the rules were read. The causes are those that may be shown: the bytes of an item with
 * other values are no cause that is known.
 */
export const proxyFaults: Readonly<Record<string, FaultCase>> = {
  'zeros in place of an item': { make: proxied.zeroed, causes: [], byItem: true },
  'a copy of another item': { make: proxied.copied, causes: [], byItem: true },
  'new items dropped': { make: proxied.newDropped, causes: ['not_sent'], byItem: true },
  'an update in two halves': { make: proxied.halves, causes: ['updated_twice'], byItem: true },
  'an update and then zeros': { make: proxied.zerosAfter, causes: ['updated_twice'], byItem: true },
  'mirrored ids': { make: proxied.mirroredIds, causes: ofOtherKeys, byItem: true },
  'ids with swapped bytes': { make: proxied.swappedIds, causes: ofOtherKeys, byItem: true },
  'an int of two updates exchanged': { make: proxied.exchangedInts, causes: [], byItem: true },
  'the first item not counted': { make: proxied.firstNotCounted, causes: ['not_counted'], byItem: true },
  // The key that is listed in its place may be there.
  'removed types of another version': {
    make: proxied.removedTypes,
    causes: ['not_removed', 'removed_unchanged', 'two_faults'],
    byItem: true,
  },
  'empty in place of a delta': { make: proxied.emptied, causes: ['not_sent'], byItem: true },
  'ints as floats': { make: proxied.floats, causes: [], byItem: true },
  'negative differences off by one': { make: proxied.negativesOffByOne, causes: [], byItem: true },
  'an item moved ahead': { make: proxied.ahead, causes: [], byItem: true },
  'a byte twice': { make: proxied.byteTwice, causes: ofDamage },
  'bytes exchanged': { make: proxied.bytesExchanged, causes: ofDamage },
  'zeros at the end': { make: proxied.zerosAtEnd, causes: ofDamage },
  'bytes of the payload before': { make: proxied.bytesBefore, causes: ofDamage },
  'the differences of the delta before': { make: proxied.sameDifferences, causes: [], byItem: true },
  'one item of an older base': { make: proxied.olderItem, causes: [], byItem: true },
  // Where all differences are small, the item is not updated.
  'small differences left out': { make: proxied.smallLeftOut, causes: ['not_sent'], byItem: true },
  'another base and an update dropped': {
    make: proxied.otherBaseAndDropped,
    causes: ['wrong_base', 'two_faults', 'not_sent'],
    byItem: true,
  },
  'a key twice and another in full': {
    make: proxied.twiceAndInFull,
    causes: ['two_faults', 'duplicate_key', 'sent_in_full'],
    byItem: true,
  },
  'exchanged parts and an update dropped': {
    make: proxied.exchangedAndDropped,
    causes: ['mixed_parts', 'unreadable', 'two_faults', 'not_sent'],
    when: 'start',
  },
  'removed and the first item not counted': {
    make: proxied.removedAndNotCounted,
    causes: ['two_faults', 'removed_unchanged', 'not_sent', 'not_counted'],
    byItem: true,
  },
  'a flipped bit and a key kept': {
    make: proxied.flippedAndKept,
    causes: ['damaged', 'unreadable', 'updated_twice', 'removed_and_updated', 'not_removed', 'two_faults'],
    byItem: true,
  },
};

/** The number of played snapshots, of those before a fault, and the possible durations of a fault. */
const [scenarioLength, warmUp, durations] = [60, 20, [1, 2, 3, 5, 8, 15, 25]];

export interface PlayedFault {
  readonly scenario: Scenario;
  readonly fault: faults.Fault;
  readonly played: Played;
}

/** Plays a fault on random items of a random scenario; undefined if it has no effect there. */
export function playFault(
  { make, when, isHealthy }: FaultCase,
  scenarios: readonly Scenario[],
  seed: number,
): PlayedFault | undefined {
  const random = seeded(seed * 7919);
  for (let i = 0; i < 5; i++) random();
  const below = (bound: number) => random() % bound;
  const whole = scenarios[below(scenarios.length)]!;
  const scenario = excerpt(whole, below(whole.steps.length - scenarioLength), scenarioLength);
  const from = when === 'always' ? 0 : when === 'start' ? 1 + below(10) : warmUp;
  const to = when === 'always' ? scenarioLength : from + durations[below(durations.length)]!;
  const lag = when === 'start' ? 12 : 1 + below(4);
  const fault = make(scenario, below, from, to);
  if (!fault) return undefined;
  const played = play(scenario, fault.switches, { from, to, lag });
  const hasFailed = played.sent.some(({ outcome }) => outcome !== 'ok' && outcome !== 'empty');
  const hasEffect = isHealthy ? (fault.times?.count ?? 1) > 0 : hasFailed;
  return hasEffect ? { scenario, fault, played } : undefined;
}

/** The explanations and findings of a capture. */
interface Explained {
  readonly explanations: readonly Explanation[];
  readonly findings: readonly StreamFinding[];
}

/** The two classes that explain a capture: of this tree, or of another one. */
const tree = { CaptureReplay, RecordingExplainer };

export function explainPlayed({ capture }: Played, { CaptureReplay, RecordingExplainer } = tree): Explained {
  const replay = new CaptureReplay({ messages: false, parts: true });
  const explainer = new RecordingExplainer();
  for (const entries of [replay.feed(capture), replay.finish()]) for (const entry of entries) explainer.add(entry);
  return { explanations: explainer.explain(), findings: explainer.findings };
}

/**
 * What is said of a fault: another cause or another item is shown, or the right one; or the right one is the first of
 * what fits, among the first three, later, or absent.
 */
export const outcomes = ['another', 'another item', 'shown', 'first', 'first three', 'later', 'absent'] as const;
export type Outcome = (typeof outcomes)[number];

export function judge(
  { explanations, findings }: Explained,
  { causes, isHealthy, byItem }: FaultCase,
  fault: faults.Fault,
): Outcome {
  const said = explanations.flatMap(({ shown, fits }): Outcome[] => {
    const shownOutcomes = shown.map((verdict): Outcome => {
      if (!causes.includes(verdict.cause)) return 'another';
      return isRightItem(verdict, causes, fault) ? 'shown' : 'another item';
    });
    const at = fits.findIndex(
      (verdict) => isRightItem(verdict, causes, fault) || (byItem && namesRightItem(verdict, fault)),
    );
    return at < 0 ? shownOutcomes : [...shownOutcomes, at === 0 ? 'first' : at < 3 ? 'first three' : 'later'];
  });
  for (const { cause, subject } of findings) {
    // A flipped bit in a type, or in a registration, changes no sum: the type is indeed unregistered then.
    const isOfFlip = causes.includes('damaged') && cause === 'unregistered';
    if (isOfFlip) continue;
    if (!causes.includes(cause)) said.push('another');
    else if (cause === 'unregistered' && subject !== fault.facts?.type) said.push('another item');
    else if (isHealthy) said.push('shown');
  }
  return outcomes.find((outcome) => said.includes(outcome)) ?? 'absent';
}

function isRightItem(
  { cause, about, keys, numbers, areAlternatives }: Verdict,
  causes: readonly Cause[],
  fault: faults.Fault,
) {
  const { keys: hit, facts } = fault;
  if (!causes.includes(cause)) return false;
  if (cause === 'other_size')
    return numbers.type === facts?.type && numbers.size === facts?.size && numbers.found === facts?.found;
  if (cause === 'not_counted' && numbers.type !== undefined) return numbers.type === facts?.type;
  if (cause === 'wrong_base' && facts && numbers.base !== undefined)
    return facts.bases instanceof Set && facts.bases.has(numbers.base);
  // Damage affects the items around it; if no item is named, none is wrong. The flipped bit may be in the key itself.
  if (cause === 'damaged' || cause === 'unreadable') {
    return (
      keys.length === 0 || about === 'unreadable' || keys.some((key) => [...hit].some((value) => isOneBit(value ^ key)))
    );
  }
  if (hit.size === 0) return true;
  return areAlternatives ? keys.some((key) => hit.has(key)) : keys.every((key) => hit.has(key));
}

const namesRightItem = ({ keys, areAlternatives }: Verdict, { keys: hit }: faults.Fault) =>
  keys.length > 0 && (areAlternatives ? keys.some((key) => hit.has(key)) : keys.every((key) => hit.has(key)));

/** Whether at most one bit is set. */
const isOneBit = (bits: number) => (bits & (bits - 1)) === 0;
