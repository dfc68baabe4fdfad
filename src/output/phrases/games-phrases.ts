import { type Conduct, detailOf, type GameCheck } from '../../recording/games/check.ts';
import { connections } from '../../recording/games/connections.ts';
import { messages } from '../../recording/games/messages.ts';
import { packets } from '../../recording/games/packets.ts';
import { snapshots } from '../../recording/games/snapshots.ts';
import type { Code } from '../../wire/bytes/diagnostic.ts';

// The page says what causes are, and not this: it does not carry the tables.

/** `dropped`, `accepted from 19.0 (before: dropped)` */
export function deedText(conduct: Conduct): string {
  const { does, how = does, since, before = 'accepted' } = detailOf(conduct);
  return since === undefined ? how : `${how} from ${since}${before === 'accepted' ? '' : ` (before: ${before})`}`;
}

const checks = [messages, packets, connections, snapshots]
  .flatMap(({ checks }) => checks)
  .filter((check): check is GameCheck => check.ddnet !== undefined);

/** `DDNet and Teeworlds: ignored`: what the games do with something that a connection has; undefined if no table says. */
export function gamesText(code: Code): string | undefined {
  const found = checks.find((check) => check.code === code);
  if (!found) return undefined;
  const { ddnet, teeworlds } = found;
  if (!teeworlds) return `DDNet and Teeworlds: ${deedText(ddnet)}`;
  return `DDNet: ${deedText(ddnet)}; Teeworlds: ${deedText(teeworlds)}`;
}
