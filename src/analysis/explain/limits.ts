import { ticksPerSecond } from '../../wire/protocol/ticks.ts';

/*
 * The tuned numbers of this room: what each trades, and what measures it.
 *
 *   rule     decides what is said. `node scripts/explain/measure.mjs CORPUS` makes faults of all kinds and counts right
 *            and wrong causes; the name in quotes is the kind that shows a change. The reasons are in
 *            scripts/explain/results.md, "The rules".
 *   bound    bounds work or memory on input that is made to be expensive. `node scripts/fuzz/memory.mjs` shows the peak
 *            of memory.
 *   guess    nothing measures it alone.
 *
 * What the games fix (the items of a snapshot, the bytes of a part) is not here, but beside its source.
 */

// --- when something is shown ---

/**
 * Rule. Below this difference of sums, ints with exactly this sum often exist by chance. Higher: fewer wrong causes,
 * and more items with small sums that only fit. "removed though unchanged", "sent in full".
 */
export const smallDifference = 16;
/**
 * Rule. Of this many failures of a run, one may be another. Lower: two faults in one run are rarely shown. Every kind.
 */
export const failuresPerMiss = 10;
/** Rule. The number of failures from which one that shows damage is evidence for all. "flipped bit". */
export const enoughBits = 3;
/**
 * Rule. The number of items from which the next right snapshot tells two bases apart: one may be wrong itself. "wrong
 * base".
 */
export const leastTold = 2;
/** Guess. Ints below it are alike by chance. "sent in full". */
export const leastResemblance = 16;
/**
 * Guess. The number of ints that have to be alike: single ones of an item are often near each other. "shifted fields",
 * "sign".
 */
export const leastAlike = 2;
/** Guess. The change of an int from the base that is no contradiction to shifted fields. */
export const maxChange = 64;
/** Rule. From this number of bytes on, equal parts are no coincidence. "exchanged parts", "stale part". */
export const leastBytes = 4;
/**
 * Rule. How many items of an old part the next snapshot has otherwise, in full snapshots: one less where the count of
 * updates is wrong as well. "stale part".
 */
export const leastChanged = 3;
export const leastOfCount = 2;
/** Guess. How many items before the last readable one damage is still near: further away, no item is named. */
export const maxUncertain = 2;

// --- faults without a wrong checksum ---

/**
 * Rule. Snapshots without one of their parts from which no loss in the network explains that none is complete. "a lost
 * part".
 */
export const leastLost = 3;
/**
 * Rule. How often the ticks go back and forth between two sequences until these are of two servers: a map change does
 * not come back. "two servers at one address".
 */
export const leastReturns = 3;
/**
 * Rule. The compressed packets from which these are noise, if at most one in so many has messages alone. "another
 * Huffman table".
 */
export const enoughPackets = 8;
export const noisePerSound = 4;
/** Guess. The compressed packets with messages alone after which no noise is expected: the rest need not be read. */
export const enoughSound = 256;
/**
 * Servers use bases of the last three seconds (`PurgeUntil` in `CServer::DoSnapshot`), and clients keep no older ones.
 */
export const maxBaseAge = 3 * ticksPerSecond;
/** Bound. Packets that make no sense whose numbers are kept. */
export const maxFrames = 100;
/** Bound. Ticks of a connection that are remembered, to tell which bases were sent: ten seconds of 50. */
export const maxTicks = 500;

// --- values that nothing sends ---

/** Guess. A position beyond this is none: in units of the world, of which a tile has 32. */
export const maxPosition = 2 ** 22;
/** Guess. The ticks by which a field may be ahead of its snapshot: a day. */
export const maxAhead = 50 * 60 * 60 * 24;

// --- what is searched ---

/**
 * Rule. Tested failures per run: the first, and more on other bases, as of the full snapshot that a client requests. Of
 * the rest only numbers are kept. Higher: a fault that shows only later is found, for more time. "duplicate key".
 */
export const maxTested = 12;
export const maxOnNewBases = 24;
/** Bound. The tested failures of a recording. Each takes one or two milliseconds. */
export const maxTests = 1000;
/** Bound. Ints and bytes that are read again in all searches of a recording: about a second. */
export const maxWork = 60_000_000;
/** Bound. Older snapshots that are tried as the base. */
export const maxBases = 100;
/** Rule. The failures in which the same change is found with another base, where the next right snapshot tells no base. */
export const leastOfPairs = 3;
/**
 * Bound. The items of a base and a delta of which two changes are tried together: so many sums are looked up in a map,
 * and in as many as {@link maxBases} other bases, for each tested failure. With 600 and 100 that is 60,000 look-ups,
 * some 3 ms.
 */
export const maxChanges = 600;
/** Bound. Sums of the last snapshots before a failure, of which an old one may have been announced. */
export const maxEarlier = 8;
/** Bound. Bytes that are read again while one flipped bit is searched, per failure. */
export const maxBitWork = 3_000_000;
/**
 * Bound. The sizes that an item may have instead of its own, in ints, and what an unreadable try costs of the budget.
 */
export const maxSize = 64;
export const workOfError = 3000;
/**
 * Bound. Sets of items with the right sum: of one kind, items whose pairs are tried, and items of a type whose subsets
 * are tried.
 */
export const maxSets = 8;
export const maxOfPairs = 64;
export const maxOfSubsets = 10;

// --- what is kept and named ---

/** Guess. Several subjects that are as good are named up to this number; more are vague, and not shown. */
export const maxAlternatives = 4;
/** Guess. Items that one flipped bit can be in and that are named. */
export const maxNamedItems = 4;
/** Guess. More suspects of one cause are not significant, so only some are shown, as possible ones. */
export const maxOfACause = 4;
/** Bound. The failures of a run whose numbers are kept; more are only counted. */
export const maxNotes = 1000;
/**
 * Bound. Runs of failures that are kept of all connections together, and of one: each has copies of the snapshots of
 * one failure.
 */
export const maxRuns = 1000;
export const maxRunsOfStream = 200;
/** Bound. Failures that `checksum` keeps. */
export const maxFailures = 1000;

// --- logs of clients ---

/** Guess. Ticks between failures of a log that are still one run. */
export const maxGap = 500;
/** Guess. A delta over few ticks is large from this size: a full snapshot of 64 players has about 3,000 bytes. */
export const fewTicks = 10;
export const largeBytes = 5000;
