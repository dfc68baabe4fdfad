import type { Direction } from '../../recording/replay/stream.ts';
import { getOr } from '../../wire/bytes/get-or.ts';
import { maxClients } from './limits.ts';

/** What one client of a capture sent, and was sent. */
export interface ClientTally {
  /** Its address; undefined for datagrams of no connection, and for clients beyond the limit. */
  readonly client: string | undefined;
  player: string | undefined;
  readonly packets: Record<Direction, number>;
  readonly bytes: Record<Direction, number>;
  /** The most packets that it sent in a second, and that second. */
  most: number;
  mostAt: number;
}

interface Counted extends ClientTally {
  /** The packets that it sent in the current second. */
  now: number;
  second: number;
}

/** Counts the packets of each client of a capture: who sends far more than the others floods the server. */
export class ClientTallies {
  readonly #byClient = new Map<string | undefined, Counted>();

  get all(): ClientTally[] {
    return [...this.#byClient.values()];
  }

  /** @param seconds from the beginning; NaN without times */
  add(client: string | undefined, direction: Direction, bytes: number, seconds: number): void {
    const tally = this.#of(client);
    tally.packets[direction]++;
    tally.bytes[direction] += bytes;
    if (direction === 'to_client' || Number.isNaN(seconds)) return;
    const second = Math.max(0, Math.floor(seconds));
    tally.now = second === tally.second ? tally.now + 1 : 1;
    tally.second = second;
    if (tally.now <= tally.most) return;
    tally.most = tally.now;
    tally.mostAt = second;
  }

  /** @param player the name that the client announces, or that a server gives it */
  name(client: string, player: string): void {
    const tally = this.#of(client);
    if (tally.client === client) tally.player ??= player;
  }

  #of(client: string | undefined): Counted {
    const own = this.#byClient.has(client) || this.#byClient.size < maxClients ? client : undefined;
    return getOr(this.#byClient, own, () => ({
      client: own,
      player: undefined,
      packets: { to_server: 0, to_client: 0 },
      bytes: { to_server: 0, to_client: 0 },
      most: 0,
      mostAt: 0,
      now: 0,
      second: -1,
    }));
  }
}
