import { ticksPerSecond } from '../../wire/protocol/ticks.ts';

/*
 * The tuned numbers of this room: what each trades, and what shows a change of it. None was varied alone with these
 * scripts, unless it says so.
 *
 *   loss     `node scripts/loss/check.mjs FOLDER` compares sessions through a lossy relay with what the servers logged
 *   memory   `node scripts/fuzz/memory.mjs` measures the peak over files of one repeated record
 *   growth   `node scripts/bench/growth.mjs` measures time and memory by items, length and connections
 *   speed    `npm run bench` measures a complete reading
 *   guess    nothing measures it alone
 *
 * Those that a user can meet are also in docs/speed.md. What the games fix is beside its source.
 */

// --- guards.ts, connection.ts: which packets the games drop ---

/**
 * Guess. Packets in a row with the same other token, or with acks in line with each other, after which they are
 * believed. Lower: a few forged packets take over a connection. Higher: more packets of a new session count as forged.
 */
export const convincing = 16;
/** Guess. Packets that are more than a few forged ones: those dropped, or with an ack out of range at the end. */
export const moreThanForged = 8;
/** Loss. Acks that are remembered: packets are captured slightly out of order. */
export const maxRecentAcks = 8;
/** Guess. How far an ack may go ahead at once where the other side was not captured: a burst of messages. */
export const maxAckAhead = 256;
/**
 * Guess. The largest step between acks that are in line: those show that packets of the other side were not captured.
 */
export const maxAckStep = 64;
/** Guess, in bits. The difference of evidence from which a guessed version is certain. */
export const sureDifference = 30;
/** Guess, in bits. Datagrams with less evidence are not game traffic. */
export const leastEvidence = 4;

// --- flow.ts, capture-replay.ts: which packets are a connection, and how many are followed ---

/** Guess. Packets of both ends after which a connection without a captured handshake is none of forged packets. */
export const provenPackets = 16;
/** Memory. Packets that are kept of one handshake; a client repeats its request twice a second. */
export const maxHandshakePackets = 32;
/**
 * The seconds without a packet after which the games give up a connection, at most: DDNet's `conn_timeout` can be 100.
 */
export const longestTimeout = 100;
/**
 * Guess. The seconds after which an end or a flow is silent: both ends of a connection send something each second, and
 * packets that are lost leave gaps of a second.
 */
export const silentSeconds = 2;
/**
 * Growth. How often silent flows are looked for, in seconds of the capture: more often costs more than following them.
 */
export const searchSeconds = 0.25;
/** Memory, growth. The proven flows that are followed at once, and the ended connections that are kept. */
export const maxFlows = 2048;
/** Memory. The other flows: requests without an answer, and packets with forged addresses. They are small. */
export const maxOthers = 8192;
/** Memory. The forgotten ends that are kept. Of others, only the packets are counted. */
export const maxForgotten = 1 << 18;

// --- ahead.ts, packet-fates.ts: what became of a packet ---

/**
 * Loss. The seconds for which a packet waits for later ones: senders repeat what is not acknowledged after one, and again.
 */
export const aheadSeconds = 2.5;
/** Memory. The datagrams that wait, and their bytes. */
export const maxAhead = 8192;
export const maxAheadBytes = 8 << 20;
/**
 * Guess. The seconds before which no sender repeats what is not asked for: the games do after one, of which a chunk may
 * wait half in its packet.
 */
export const repeatSeconds = 0.25;
/**
 * Loss, by `node scripts/loss/fates.mjs`. How many times as long as the longest acknowledgement so far the next one may
 * take. Of 82,406 copies 145 are wrong with 1, 15 with 1.5, 2 with 2; 36,473, 39,157 and 40,850 stay open.
 */
export const lagFactor = 2;
/**
 * Guess. Who speaks at least so often shows by an acknowledgement how long one takes: who loads a map does not. After so
 * many of them, others do not count.
 */
export const oftenSeconds = 0.1;
export const enoughLags = 4;

// --- snapshot-receiver.ts: when a snapshot is believed, and how long it waits ---

/**
 * Guess. The ticks by which the next snapshot may be ahead: a constant part, and a part for each second. Servers are
 * never much faster than 50 ticks a second. Higher: a forged tick passes. Lower: a snapshot after a gap waits for the
 * next one.
 */
export const slackTicks = ticksPerSecond;
export const ticksInSecond = 1.5 * ticksPerSecond;
/** Memory. Messages with an unexpected tick that are held: a part has at most 900 bytes. */
export const maxHeld = 64;
/**
 * Loss. Ticks for which snapshots are kept as bases: servers use bases of the last three seconds, and packets may be
 * late.
 */
export const keptTicks = 6 * ticksPerSecond;
/** Memory. Ticks that are remembered as settled, so that later copies are ignored. */
export const maxDone = 4 * keptTicks;
/** Memory. Snapshots with missing parts. */
export const maxPartial = 32;
/** Loss. Messages for which a snapshot waits for its base, since packets may be captured slightly out of order. */
export const baseWait = 4;

// --- snapshot-history.ts: the bases that are kept ---

/** Memory. The bytes of all bases of a recording. */
export const maxBaseBytes = 96 << 20;
/** Memory. The bases of one client: up to 50 a second, of the last three seconds. The second number is always kept. */
export const maxBases = 400;
export const minBases = 8;
/** Guess. The ticks before the last base that stay: a server uses an older base only if packets were reordered. */
export const ticksBeforeBase = 100;
/** Guess. Snapshots of one client that are kept to be filled again, so that memory does not grow. */
export const maxSpare = 4;
/**
 * Growth. A client is silent if its bases were not used for this many packets, and this many more for each end of a
 * flow.
 */
export const silentPackets = 1 << 16;
export const silentRounds = 64;

// --- connection-story.ts: what is told of a connection ---

/** Guess. A sender that repeats a chunk so often has no acknowledgement, whether its receiver was captured or not. */
export const hopelessTimes = 8;
/** Guess. The seconds for which packets may follow after a close, beside the time to an acknowledgement. */
export const underWay = 1;
/** Memory. The silences of an end that are told one by one. */
export const maxSilences = 1024;
/** Guess. A snapshot that is up to this many ticks late does not restart the ticks (snapshot-rates.ts). */
export const lateTicks = 300;

// --- replay.ts: datagrams of no connection ---

/** Memory. The clients without a connection that are known one by one. */
export const maxAsking = 1024;

// --- handshakes.ts: what is told of handshakes ---

/** Memory. The servers whose handshakes are followed: the others have one line together, and their clients a number. */
export const maxServers = 1024;
/** Memory. The unanswered clients of a server of which each is known: more are only counted. */
export const maxUnanswered = 1024;
/** Memory. The answered clients. Who is not among them counts as unanswered by the other addresses of a server. */
export const maxAnswered = 1 << 14;
/** Memory. The addresses of a flood that are told apart. */
export const maxAddresses = 1024;

// --- answers.ts, snapshot-story.ts, info-exchange.ts: what is remembered until it is answered, or to the end ---

/** Memory. The questions of a connection that wait for an answer: a client asks for the pieces of a map one by one. */
export const maxQuestions = 16;
/** Memory. Spans of rows that join, which are kept to the end: a UUID may be any. */
export const maxJoined = 512;
/** Memory. The requests for server information without an answer. */
export const maxRequests = 1 << 15;

// --- demos ---

/**
 * Speed, measured alone: 2.5 % of few players, 5 to 6 % of the smallest demos. The items of a few players and their
 * ints: with room for them the arrays of a small demo are made only once.
 */
export const usualItems = 64;
export const usualInts = 512;
/** Memory. The bytes kept while the content of a demo is looked at, besides its map, and of a map before it. */
export const maxSearchBytes = 16 << 20;
export const maxSearchedMap = 32 << 20;
/** Guess. The bytes looked at together, so that only a little more than needed of a long piece is read. */
export const searchStep = 1 << 16;
/** Guess. The snapshots after which no message announces a checksum: a player's demo has such a message beside each. */
export const enoughSnapshots = 10;

// --- ghost-replay.ts, netlog-replay.ts, events.ts ---

/** Memory. The numbers of ticks between two characters of a ghost that are counted. */
export const maxSteps = 100;
/**
 * Memory. Characters without ticks are kept to the end of the file: those of 44 minutes, at most. A file of 200 kB can
 * have as many.
 */
export const maxWithoutTick = 1 << 17;
/** Memory. A network log contains one connection, or those of a server's clients. The packets of more are not read. */
export const maxConnections = 256;
/**
 * Memory. Only damaged or forged recordings have more events in a tick. The tick is then returned in parts, of which
 * each is read alone: copies of a message in two parts are two events.
 */
export const maxEvents = 500;

// --- what is searched and shown ---

/**
 * Guess. Recent snapshots of a track that are cached, and the distance of those that stay: memory against steps to any
 * moment.
 */
export const maxCached = 64;
export const storedEvery = 32;
