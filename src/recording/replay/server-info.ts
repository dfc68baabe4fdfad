import { valueNamed } from '../../wire/packet/message.ts';
import { connlessVersion } from '../../wire/packet/packet.ts';
import { type InfoFields, infoOf, readConnless } from '../../wire/packet/packet-values.ts';

export interface ServerInfo extends InfoFields {
  readonly missing: number;
}

/** Answers of which parts are missing; the oldest is given up for another. */
const maxWaiting = 64;
/** Eight times as many players as a server has. */
const maxPlayers = 1024;
const maxParts = 1024;

/** The ends of a datagram. */
export interface Ends {
  readonly source: string;
  readonly sourcePort: number;
  readonly destination: string;
  readonly destinationPort: number;
}

interface Answer extends InfoFields {
  /** The players of each part by its number: one that was captured twice counts once. */
  readonly parts: ReadonlyMap<string | number, string>;
}

const noAnswer: Answer = { fields: {}, players: [], parts: new Map() };

/** Joins the parts of server information, which belong together if they have the same kind, token and ends. */
export class ServerInfos {
  readonly #waiting = new Map<string, Answer>();
  /** Without addresses, several servers that answered the same token: it is unknown whose the other parts are. */
  readonly #mixed = new Set<string>();

  /** @param ends undefined in a log without addresses */
  add(bytes: Uint8Array, ends?: Ends): readonly ServerInfo[] {
    const version = connlessVersion(bytes);
    const values = version ? readConnless(bytes, { version }) : [];
    const kind = valueNamed(values, 'name');
    const token = valueNamed(values, 'browse_token');
    if (typeof kind !== 'string' || !/^(inf3|dtsf|iext|iex\+)$/.test(kind) || token === undefined) return [];
    const { fields, players } = infoOf(values);
    const isFirst = kind !== 'iex+';
    if (kind === 'inf3') return [withMissing({ fields, players })];
    // Each part for 64 players names its server.
    const name = kind === 'dtsf' ? fields.server_name : '';
    const key = JSON.stringify([kind.slice(0, 3), token, name, ends && endsOf(ends)]);
    if (this.#mixed.has(key)) return [withMissing({ fields: isFirst ? fields : {}, players })];
    const part = fields.offset ?? fields.part ?? 0;
    const content = JSON.stringify([isFirst && fields, players]);
    const found = this.#waiting.get(key);
    const same = found?.parts.get(part);
    if (same === content) return [];
    const ended: ServerInfo[] = [];
    if (same !== undefined) {
      ended.push(this.#giveUp(key));
      if (!ends) {
        if (this.#mixed.size >= maxWaiting) this.#mixed.clear();
        this.#mixed.add(key);
        return [...ended, withMissing({ fields: isFirst ? fields : {}, players })];
      }
    }
    const known = same === undefined && found ? found : noAnswer;
    const parts = known.parts.size < maxParts ? new Map(known.parts).set(part, content) : known.parts;
    const joined: Answer = {
      fields: isFirst ? fields : known.fields,
      players: [...known.players, ...players].slice(0, maxPlayers),
      parts,
    };
    this.#waiting.delete(key);
    const info = withMissing(joined);
    if (info.missing === 0) return [...ended, info];
    this.#waiting.set(key, joined);
    if (this.#waiting.size > maxWaiting) for (const [oldest] of this.#waiting) return [...ended, this.#giveUp(oldest)];
    return ended;
  }

  *rest(): Generator<ServerInfo, void> {
    for (const key of [...this.#waiting.keys()]) yield this.#giveUp(key);
  }

  #giveUp(key: string): ServerInfo {
    const info = this.#waiting.get(key)!;
    this.#waiting.delete(key);
    return withMissing(info);
  }
}

const endsOf = ({ source, sourcePort, destination, destinationPort }: Ends) => [
  source,
  sourcePort,
  destination,
  destinationPort,
];

const withMissing = ({ fields, players }: InfoFields): ServerInfo => ({
  fields,
  players,
  missing: missingOf({ fields, players }),
});

const missingOf = ({ fields, players }: InfoFields) =>
  typeof fields.num_clients === 'number' ? Math.max(0, fields.num_clients - players.length) : Infinity;
