import type { Passage } from '../../wire/packet/sequence.ts';
import { maxAddresses } from '../replay/limits.ts';
import type { Endpoint } from '../replay/stream.ts';

/*
 * A flood of requests to connect, as DDNet's server counts them, whoever sends them:
 *
 *   │◀──── one second ────▶│   │◀──── one second ────▶│
 *   connect  connect  …  11th: a flood                 at most 10: it was over
 *
 * Source: CNetServer::OnPreConnMsg, "vanilla connection flooding detected". DDNet counts the requests of 0.6 without a
 * token, each of which costs it an answer; here those of all versions count. Requests for a token of 0.7 do not: server
 * browsers send them, too, and no game limits them.
 */

/** The default of `sv_van_conn_per_second`. */
export const connectsPerSecond = 10;

/** What a server gets in a second, or in successive seconds of a flood. */
interface Flood {
  readonly first: Passage;
  last: Passage;
  requests: number;
  /** The addresses without ports, up to a limit: forged ones may be any number. */
  readonly addresses: Set<string>;
}

/** Counts the requests to connect to one server. */
export class Connects {
  #second: Flood | undefined;
  #flood: Flood | undefined;

  /** Whether this request is one too many in its second. */
  add(client: Endpoint, passage: Passage): boolean {
    this.#endSecond(passage.time);
    this.#second ??= { first: passage, last: passage, requests: 0, addresses: new Set() };
    const second = this.#second;
    second.requests++;
    second.last = passage;
    if (second.addresses.size < maxAddresses) second.addresses.add(client.replace(/:\d+$/, ''));
    return second.requests > connectsPerSecond;
  }

  /** Returns the flood that is over at a time, once: after it, a second has passed without another one. */
  endedAt(time: number): Flood | undefined {
    this.#endSecond(time);
    const flood = this.#flood;
    if (!flood || time <= flood.last.time + 2) return undefined;
    this.#flood = undefined;
    return flood;
  }

  #endSecond(time: number): void {
    const second = this.#second;
    if (!second || time <= second.first.time + 1) return;
    this.#second = undefined;
    if (second.requests > connectsPerSecond) this.#flood = this.#flood ? joined(this.#flood, second) : second;
  }
}

function joined(flood: Flood, { last, requests, addresses }: Flood): Flood {
  flood.last = last;
  flood.requests += requests;
  for (const address of addresses) if (flood.addresses.size < maxAddresses) flood.addresses.add(address);
  return flood;
}
