import type { Message } from '../packet/message.ts';
import type { Protocol } from '../protocol/registry.ts';
import type { Snapshot } from '../snapshot/snapshot.ts';
import { PlayerNames } from './player-names.ts';
import type { ConnectionStream, Direction, SnapshotEntry, Verdict } from './record.ts';
import { SnapshotRates } from './snapshot-rates.ts';

/** What became of snapshots that were announced with a sum. */
export type Outcome = Exclude<Verdict, 'unchecked'>;

/** What a connection brought, gathered. */
export class ConnectionSummary {
  readonly connection: ConnectionStream;
  readonly kinds: Record<SnapshotEntry['kind'], number> = { snapshot: 0, delta: 0, empty: 0 };
  /** Of those with a sum; of `empty` ones only those that lack their base. */
  readonly outcomes: Record<Outcome, number> = { ok: 0, mismatch: 0, missing_base: 0, missing_part: 0, damaged: 0 };
  readonly rates = new SnapshotRates();
  readonly messages: Readonly<Record<Direction, Map<string, number>>> = { to_client: new Map(), to_server: new Map() };
  mostItems = 0;
  /** Of a payload, as it was sent. */
  mostBytes = 0;
  firstTick = -1;
  lastTick = -1;
  close: { readonly direction: Direction; readonly reason: string } | undefined;
  /** As the client calls itself. */
  #said: string | undefined;
  /** As the server names who is at this end. */
  #told: string | undefined;
  readonly #names = new PlayerNames();

  constructor(connection: ConnectionStream) {
    this.connection = connection;
  }

  get player(): string | undefined {
    return this.#said ?? this.#told;
  }

  /** Snapshots that came with a sum. */
  get snapshots(): number {
    return this.kinds.snapshot + this.kinds.delta;
  }

  onSnapshot({ tick, base, kind, snapshot, verdict, bytes }: SnapshotEntry): void {
    this.kinds[kind]++;
    if (verdict !== 'unchecked') this.outcomes[verdict]++;
    this.rates.add(tick, base === -1, this.connection.mapChanges);
    if (this.firstTick < 0) this.firstTick = tick;
    this.lastTick = tick;
    this.mostBytes = Math.max(this.mostBytes, bytes);
    if (!snapshot) return;
    this.mostItems = Math.max(this.mostItems, snapshot.count);
    if (this.player !== undefined) return;
    const { protocol } = this.connection;
    this.#names.onSnapshot(snapshot, protocol);
    const local = localIn(snapshot, protocol);
    if (local !== undefined) this.#told = this.#names.of(local) || undefined;
  }

  onMessage(message: Message, direction: Direction): void {
    // Some say goodbye before they connect.
    if (this.close?.direction === direction) this.close = undefined;
    const { type, uuid, id } = message;
    const name = type?.name ?? `unknown ${uuid ?? id ?? ''}`.trimEnd();
    const counts = this.messages[direction];
    counts.set(name, (counts.get(name) ?? 0) + 1);
    const value = (field: string) => message.values.find((one) => one.name === field)?.value;
    if (name === 'cl_startinfo' || name === 'cl_changeinfo') this.#said = (value('name') as string) || this.#said;
    if (name === 'sv_clientinfo' && value('local') === 1) this.#told = (value('name') as string) || this.#told;
  }
}

/** The client number of the player whom the snapshot was made for, in 0.6. */
function localIn(snapshot: Snapshot, protocol: Protocol): number | undefined {
  const item = protocol.byName('obj_player_info');
  const at = item?.fields.find(({ name }) => name === 'local')?.at;
  if (item?.type === undefined || at === undefined) return undefined;
  for (let i = 0; i < snapshot.count; i++) {
    if (snapshot.type(i) === item.type && snapshot.item(i)[at] === 1) return snapshot.id(i);
  }
  return undefined;
}
