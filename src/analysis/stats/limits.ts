/*
 * The tuned numbers of this room. All bound memory on damaged or made files, which may contain any number of kinds,
 * players and seconds; what is beyond shares a count or the last second, or is not counted by itself.
 * `node scripts/fuzz/memory.mjs --commands stats` measures the peak. The values are guesses: far above what recordings
 * have.
 */

/** Memory. Kinds of items that are counted by themselves. */
export const maxKinds = 2000;
/** Memory. Kinds of messages that are counted by themselves: messages can have any UUID. */
export const maxMessages = 1000;
/** Memory. Players that are counted by themselves. */
export const maxPlayers = 1 << 17;
/** Memory. Of more players than this the items are not counted by their kinds. */
export const maxPlayersWithItems = 1 << 12;
/** Memory. Clients of a capture that are counted by themselves. */
export const maxClients = 1 << 17;
/** Memory. The seconds that are counted one by one, 100 hours: a demo of a few bytes can span years. */
export const maxSeconds = 360_000;
/**
 * Memory. Snapshots of a connection whose parts are known. The receiver gives up before there are more (`maxPartial` of
 * recording/limits.ts).
 */
export const maxSent = 200;
