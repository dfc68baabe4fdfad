import { valueNamed } from '../packet/message.ts';
import { connlessVersion } from '../packet/packet.ts';
import { type InfoFields, infoOf, readConnless } from '../packet/packet-values.ts';

export interface ServerInfo extends InfoFields {
  readonly missing: number;
}

/** Answers of which parts are missing; the oldest is given up for another. */
const maxWaiting = 64;
/** Eight times as many players as a server has: a part may be captured again and again. */
const maxPlayers = 1024;

export class ServerInfos {
  /** By kind and token: the fields of the first part, and the players of all. */
  readonly #waiting = new Map<string, InfoFields>();

  add(bytes: Uint8Array): ServerInfo | undefined {
    const version = connlessVersion(bytes);
    const values = version ? readConnless(bytes, { version }) : [];
    const kind = valueNamed(values, 'name');
    const token = valueNamed(values, 'browse_token');
    if (typeof kind !== 'string' || !/^(inf3|dtsf|iext|iex\+)$/.test(kind) || token === undefined) return undefined;
    const key = `${kind.slice(0, 3)} ${token}`;
    const known = this.#waiting.get(key);
    const { fields, players } = infoOf(values);
    const joined = {
      fields: kind === 'iex+' ? (known?.fields ?? {}) : fields,
      players: [...(known?.players ?? []), ...players].slice(0, maxPlayers),
    };
    this.#waiting.delete(key);
    const missing = missingOf(joined);
    if (kind === 'inf3' || missing === 0) return { ...joined, missing };
    this.#waiting.set(key, joined);
    if (this.#waiting.size > maxWaiting) for (const [oldest] of this.#waiting) return this.#giveUp(oldest);
    return undefined;
  }

  *rest(): Generator<ServerInfo, void> {
    for (const key of [...this.#waiting.keys()]) yield this.#giveUp(key);
  }

  #giveUp(key: string): ServerInfo {
    const info = this.#waiting.get(key)!;
    this.#waiting.delete(key);
    return { ...info, missing: missingOf(info) };
  }
}

const missingOf = ({ fields, players }: InfoFields) =>
  typeof fields.num_clients === 'number' ? Math.max(0, fields.num_clients - players.length) : Infinity;
