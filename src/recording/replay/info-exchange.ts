import { u32 } from '../../wire/bytes/fixed-int.ts';
import { Newest } from '../../wire/bytes/newest.ts';
import { valueNamed } from '../../wire/packet/message.ts';
import { connlessVersion, isExtended, maxPacketBytes } from '../../wire/packet/packet.ts';
import { readConnless } from '../../wire/packet/packet-values.ts';
import type { Passage } from '../../wire/packet/sequence.ts';
import { endpointText } from '../container/net/ip.ts';
import { maxRequests } from './limits.ts';
import type { Ends, ServerInfo } from './server-info.ts';
import type { Endpoint } from './stream.ts';

/** What became of the requests for server information in a capture. */
export interface InfoCounts {
  readonly asked: number;
  readonly answered: number;
  /**
   * Answers to who asked the server, but with a token that was not in a request: late, or for another server's request.
   */
  readonly otherToken: number;
  /** Answers with the token of a request of the same client to another server. */
  readonly otherServer: number;
  /** What servers send to their players by themselves, without the list of players. */
  readonly announced: number;
  /** Answers to who was not seen to ask. */
  readonly unasked: number;
  /** Answers of which parts, and so players, are missing. */
  readonly incomplete: number;
  readonly missingPlayers: number;
  /** Requests with a token that another server gave. */
  readonly foreignToken: number;
  /** Answers over 1,400 bytes, which answer no request: their receiver gets 1,400 of them at most. */
  readonly tooLarge: number;
}

/**
 * What a packet is in the exchange of server information:
 *
 * - `asked`: a request
 * - `answered`: the answer to a request
 * - `other_token`: an answer with a token that this server was not asked with
 * - `other_server`: an answer with the token of a request to another server
 * - `unasked`: an answer to who was not seen to ask
 * - `announced`: what a server sends to its players by itself
 * - `too_large`: an answer over 1,400 bytes, of which no more arrives
 * - `unanswered`: a request that was not answered, at the end of the capture
 */
export type InfoStepKind =
  | 'asked'
  | 'answered'
  | 'other_token'
  | 'other_server'
  | 'unasked'
  | 'announced'
  | 'too_large'
  | 'unanswered';

export interface InfoStep {
  readonly step: InfoStepKind;
  /** Empty in a log without addresses. */
  readonly client: Endpoint;
  readonly server: Endpoint;
  /** `gie3`, `iext`, … */
  readonly kind: string;
  readonly token: number;
  /** Of an unanswered request: the other server that gave the token in its head, which is why this one drops it. */
  readonly tokenOf?: Endpoint | undefined;
}

interface Request extends InfoStep, Passage {
  /** The token in the head, which the server gave: 0.7. */
  readonly given: number | undefined;
  isAnswered: boolean;
}

/** The token of what nobody asked for: `CServer::UpdateServerInfo`. */
const ofServer = -1;

/**
 * Requests for server information, and their answers, which repeat the token:
 * ```
 * 0.6      gie3 or fstd, a byte                    →   inf3, dtsf: the token as a text
 * DDNet    the upper bits in the "xe" before it    →   iext, iex+
 * 0.7      gie3, an int, behind a token that the server gave   →   inf3
 * ```
 * An answer over 1,400 bytes answers nothing. Linux cuts it to the buffer of `net_udp_recv`, Windows drops it; the client
 * drops what ends within a player, so that it may take a cut one only if the cut is by chance in a player's name.
 *
 * Source: `CServer::SendServerInfoConnless` in `src/engine/server/server.cpp` of DDNet, `CClient::ProcessServerInfo` in
 * `src/engine/client/client.cpp`.
 */
export class InfoExchange {
  /**
   * By the pair of ends, by them and the token or its last byte, by the client and the token: the last request, which
   * has four keys.
   */
  readonly #last = new Newest<string, Request>(4 * maxRequests);
  /** Those without an answer, in their order. */
  readonly #open = new Set<Request>();
  /** Kept as in `Newest`. */
  readonly #oldest = this.#open.values();
  /** Whether there were more of these than are remembered. */
  isFull = false;
  /** By token: the server that gave it first; by server and token: that it gave it. */
  readonly #givers = new Newest<string, Endpoint>(4 * maxRequests);
  readonly #counts = {
    asked: 0,
    answered: 0,
    otherToken: 0,
    otherServer: 0,
    announced: 0,
    unasked: 0,
    incomplete: 0,
    missingPlayers: 0,
    tooLarge: 0,
  };

  get counts(): InfoCounts {
    const foreignToken = this.unanswered.filter(({ tokenOf }) => tokenOf !== undefined).length;
    return { ...this.#counts, foreignToken };
  }

  add(bytes: Uint8Array, ends: Ends | undefined, { time, frame }: Passage): InfoStep | undefined {
    const version = connlessVersion(bytes);
    if (!version) return undefined;
    const values = readConnless(bytes, { version });
    const kind = String(valueNamed(values, 'name'));
    const token = Number(valueNamed(values, 'browse_token') ?? Number.NaN);
    if (kind === 'gie3' || kind === 'fstd') {
      this.#counts.asked++;
      if (Number.isNaN(token)) return undefined;
      const whole = token | (version === '0.6' ? upperBits(bytes) : 0);
      const asked = { step: 'asked', kind, token: whole, ...endsOf(ends) } as const;
      const given = version === '0.7' ? u32(bytes, 1, false) : undefined;
      if (ends) this.#ask({ ...asked, time, frame, given, isAnswered: false });
      return asked;
    }
    if (!/^(inf3|dtsf|iext)$/.test(kind)) return undefined;
    const { client, server } = endsOf(ends && reversed(ends));
    const answer = { client, server, kind, token };
    if (bytes.length > maxPacketBytes) return { ...answer, step: this.#count('tooLarge', 'too_large') };
    return { ...answer, step: token === ofServer ? this.#count('announced') : this.#answer(answer) };
  }

  /** An answer with all its parts, or with those that came. */
  joined({ missing, fields }: ServerInfo): void {
    if (missing === 0 || fields.browse_token === ofServer) return;
    this.#counts.incomplete++;
    this.#counts.missingPlayers += Number.isFinite(missing) ? missing : 0;
  }

  /** The requests that were not answered, in the order of time, as far as they are remembered. */
  get unanswered(): readonly (InfoStep & Passage)[] {
    return [...this.#open].map((request) => ({ ...request, step: 'unanswered', tokenOf: this.#otherGiver(request) }));
  }

  /** A server of 0.7 gives a token, which only it takes. */
  gave(server: Endpoint, token: number): void {
    if (!this.#givers.has(`${token}`)) this.#givers.set(`${token}`, server);
    this.#givers.set(`${server} ${token}`, server);
  }

  #otherGiver({ given, server }: Request): Endpoint | undefined {
    return this.#givers.has(`${server} ${given}`) ? undefined : this.#givers.get(`${given}`);
  }

  #ask(request: Request): void {
    const { client, token } = request;
    const pair = pairOf(request);
    // Servers without DDNet's extension repeat the byte alone.
    const keys = [pair, `${pair} ${token}`, `${pair} ${token & 0xff}`, `${client} ${token}`];
    for (const key of keys) this.#last.set(key, request);
    this.#open.add(request);
    if (this.#open.size <= maxRequests) return;
    this.isFull = true;
    this.#open.delete(this.#oldest.next().value!);
  }

  #answer({ client, server, token }: Omit<InfoStep, 'step'>): InfoStep['step'] {
    const pair = pairOf({ client, server });
    const request = this.#last.get(`${pair} ${token}`);
    if (request) {
      if (!request.isAnswered) this.#counts.answered++;
      request.isAnswered = true;
      this.#open.delete(request);
      return 'answered';
    }
    const other = this.#last.get(`${client} ${token}`);
    if (other && other.server !== server) return this.#count('otherServer', 'other_server');
    return this.#last.has(pair) ? this.#count('otherToken', 'other_token') : this.#count('unasked');
  }

  #count<Step extends InfoStep['step']>(count: Exclude<keyof InfoCounts, 'foreignToken'>, step = count as Step): Step {
    this.#counts[count]++;
    return step;
  }
}

const pairOf = ({ client, server }: Pick<InfoStep, 'client' | 'server'>) => `${client} ${server}`;

const endsOf = (ends: Ends | undefined): Pick<InfoStep, 'client' | 'server'> => ({
  client: ends ? endpointText(ends.source, ends.sourcePort) : '',
  server: ends ? endpointText(ends.destination, ends.destinationPort) : '',
});

const reversed = ({ source, sourcePort, destination, destinationPort }: Ends): Ends => ({
  source: destination,
  sourcePort: destinationPort,
  destination: source,
  destinationPort: sourcePort,
});

/** DDNet's client has the upper bits of its token in the first two extra bytes. */
const upperBits = (bytes: Uint8Array) => (isExtended(bytes) ? (bytes[2]! << 16) | (bytes[3]! << 8) : 0);
