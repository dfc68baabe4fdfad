import { valueNamed } from '../packet/message.ts';
import { connlessVersion, isExtended } from '../packet/packet.ts';
import { readConnless } from '../packet/packet-values.ts';
import type { Ends, ServerInfo } from './server-info.ts';

/** What became of the requests for server information in a capture. */
export interface InfoCounts {
  readonly asked: number;
  readonly answered: number;
  /** Answers to who asked the server, but with a token that was not in a request: late, or for another server's request. */
  readonly otherToken: number;
  /** What servers send to their players by themselves, without the list of players. */
  readonly announced: number;
  /** Answers to who was not seen to ask. */
  readonly unasked: number;
  /** Answers of which parts, and so players, are missing. */
  readonly incomplete: number;
  readonly missingPlayers: number;
  /** Answers over 1,400 bytes, which the games drop. */
  readonly tooLarge: number;
}

interface Request {
  readonly token: number;
  isAnswered: boolean;
}

/** Pairs of ends, and requests of each, that are remembered. */
const [maxPairs, maxRequests] = [1024, 64];
const maxPacketBytes = 1400;
/** The token of what nobody asked for: `CServer::UpdateServerInfo`. */
const ofServer = -1;

/**
 * Requests for server information, and their answers, which repeat the token:
 * ```
 * 0.6      gie3 or fstd, a byte                    →   inf3, dtsf: the token as a text
 * DDNet    the upper bits in the "xe" before it    →   iext, iex+
 * 0.7      gie3, an int, behind a token that the server gave   →   inf3
 * ```
 * Source: `CServer::SendServerInfoConnless` in `src/engine/server/server.cpp` of DDNet.
 */
export class InfoExchange {
  readonly #requests = new Map<string, Request[]>();
  readonly #counts = {
    asked: 0,
    answered: 0,
    otherToken: 0,
    announced: 0,
    unasked: 0,
    incomplete: 0,
    missingPlayers: 0,
    tooLarge: 0,
  };

  get counts(): InfoCounts {
    return this.#counts;
  }

  add(bytes: Uint8Array, ends: Ends | undefined): void {
    const version = connlessVersion(bytes);
    if (!version) return;
    const values = readConnless(bytes, { version });
    const kind = String(valueNamed(values, 'name'));
    const token = Number(valueNamed(values, 'browse_token') ?? Number.NaN);
    if (kind === 'gie3' || kind === 'fstd') {
      this.#counts.asked++;
      if (ends && !Number.isNaN(token)) this.#ask(pairOf(ends), token | (version === '0.6' ? upperBits(bytes) : 0));
    } else if (/^(inf3|dtsf|iext)$/.test(kind)) {
      if (bytes.length > maxPacketBytes) this.#counts.tooLarge++;
      if (token === ofServer) this.#counts.announced++;
      else if (ends) this.#answer(pairOf(reversed(ends)), token);
    }
  }

  /** An answer with all its parts, or with those that came. */
  joined({ missing, fields }: ServerInfo): void {
    if (missing === 0 || fields.browse_token === ofServer) return;
    this.#counts.incomplete++;
    this.#counts.missingPlayers += Number.isFinite(missing) ? missing : 0;
  }

  #ask(pair: string, token: number): void {
    const known = this.#requests.get(pair) ?? [];
    if (known.length === 0 && this.#requests.size >= maxPairs) this.#requests.clear();
    this.#requests.set(pair, [...known.slice(-maxRequests + 1), { token, isAnswered: false }]);
  }

  #answer(pair: string, token: number): void {
    const known = this.#requests.get(pair);
    if (!known) {
      this.#counts.unasked++;
      return;
    }
    // Servers without DDNet's extension repeat the byte alone.
    const request = known.findLast((request) => request.token === token || (request.token & 0xff) === token);
    if (!request) this.#counts.otherToken++;
    else if (!request.isAnswered) {
      request.isAnswered = true;
      this.#counts.answered++;
    }
  }
}

const pairOf = ({ source, sourcePort, destination, destinationPort }: Ends) =>
  `${source} ${sourcePort} ${destination} ${destinationPort}`;

const reversed = ({ source, sourcePort, destination, destinationPort }: Ends): Ends => ({
  source: destination,
  sourcePort: destinationPort,
  destination: source,
  destinationPort: sourcePort,
});

/** DDNet's client has the upper bits of its token in the first two extra bytes. */
const upperBits = (bytes: Uint8Array) => (isExtended(bytes) ? (bytes[2]! << 16) | (bytes[3]! << 8) : 0);
