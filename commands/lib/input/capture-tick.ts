import type { ItemType } from '../../../src/protocol/item.ts';
import type { CaptureRecord } from '../../../src/recording/capture.ts';
import type { Connection } from '../../../src/recording/connection.ts';
import type { ReceivedSnapshot } from '../../../src/recording/received-snapshot.ts';
import { copyOf } from '../../../src/snapshot/select.ts';
import { reasons } from '../../../src/view/text/capture-words.ts';
import { escapeText } from '../../../src/view/text/escape.ts';
import { exit, inputError, usageError } from '../errors.ts';
import type { Io } from '../io.ts';
import type { AtTick, Tick, Uncertainty } from './at-tick.ts';
import { noClient } from './capture-client.ts';
import { packetReplay } from './capture-replay.ts';
import type { Opened } from './open.ts';

/** The nearest that a connection has to a tick. */
interface Candidate {
  readonly connection: Connection;
  readonly first: number;
  last: number;
  found: AtTick | undefined;
  /** Of the first or last tick what was sent, should there be no snapshot that can be rebuilt. */
  sent: AtTick | undefined;
  /** Why the snapshot of the tick that is wanted, or of what was sent, can't be had. */
  lacks: string | undefined;
  /** Ticks may start again: what was found first is meant. */
  isPassed: boolean;
}

/**
 * The snapshot that a client has at a tick: of that tick, or the last before it, rebuilt, with the delta it came as. Without a
 * client it is the first that has the tick.
 */
export async function atTickOfCapture(
  { name, container, pieces }: Opened,
  tick: Tick,
  client: string | undefined,
  added: readonly ItemType[],
  io: Io,
): Promise<AtTick> {
  const replay = packetReplay(container, { extraItems: added, messages: false });
  const candidates = new Map<Connection, Candidate>();
  const take = (records: Iterable<CaptureRecord>) => {
    for (const record of records) {
      if (record.event !== 'snapshot' || (client ?? record.connection.client) !== record.connection.client) continue;
      consider(candidates, record.connection, record.received, tick);
    }
  };
  for await (const piece of pieces) take(replay.feed(piece));
  take(replay.finish());
  if (client !== undefined && !replay.connections.some((one) => one.client === client)) {
    throw noClient(name, client, replay.connections);
  }
  return chosen([...candidates.values()], name, tick, io);
}

function consider(
  candidates: Map<Connection, Candidate>,
  connection: Connection,
  received: ReceivedSnapshot,
  wanted: Tick,
): void {
  const { tick, reason, payload, snapshot } = received;
  let one = candidates.get(connection);
  if (!one) {
    one = { connection, first: tick, last: tick, found: undefined, sent: undefined, lacks: undefined, isPassed: false };
    candidates.set(connection, one);
  }
  one.last = Math.max(one.last, tick);
  const isNear = typeof wanted !== 'number' || tick <= wanted;
  one.isPassed ||= one.found !== undefined && (wanted === 'first' || !isNear);
  if (one.isPassed || !isNear) return;
  const isExact = tick === wanted;
  // The first or last that was sent, for want of one that can be rebuilt.
  const isEnd = typeof wanted !== 'number' && !snapshot && !(wanted === 'first' && one.sent);
  if (reason && (isExact || (isEnd && (payload || !one.sent)))) one.lacks = reasons[reason];
  if (snapshot || (isExact && payload)) one.found = kept(received, connection);
  else if (isEnd && payload) one.sent = kept(received, connection);
}

/** A snapshot that came without a delta is its base unchanged. */
const nothingChanged = Uint8Array.of(0, 0, 0);

function kept(received: ReceivedSnapshot, { protocol }: Connection): AtTick {
  const { tick, payload = nothingChanged, snapshot, before } = received;
  return {
    tick,
    // On the empty snapshot, too, it is a delta that is sent.
    kind: 'delta',
    encoding: 'packed',
    payload: payload.slice(),
    snapshot: snapshot && copyOf(snapshot),
    before: before && copyOf(before),
    protocol,
    uncertainty: doubtOf(received),
  };
}

function doubtOf({ ok, crc, expected }: ReceivedSnapshot): Uncertainty | undefined {
  return ok === false
    ? { status: exit.finding, text: `its checksum is ${crc}, but ${expected} was announced` }
    : undefined;
}

async function chosen(candidates: readonly Candidate[], name: string, tick: Tick, io: Io): Promise<AtTick> {
  const file = escapeText(name);
  const able = candidates.filter(({ found, last }) => found && (typeof tick !== 'number' || last >= tick));
  const exact = able.filter(({ found }) => found!.tick === tick);
  const among = [exact, able, candidates.filter(({ sent }) => sent)].find(({ length }) => length > 0);
  const one = tick === 'last' ? among?.at(-1) : among?.[0];
  if (!among || !one) throw notThere(candidates, file, tick);
  const { client } = one.connection;
  if (among.length > 1) {
    const others = `${among.length - 1} more ${among.length === 2 ? 'client has' : 'clients have'} it`;
    await io.stderr.write(`tw-snap: ${file}@${tick}: of ${client}; ${others} (--client)\n`);
  }
  const at = one.found ?? one.sent!;
  if (one.lacks !== undefined && typeof tick === 'number' && at.tick !== tick) {
    throw inputError(`${file}: tick ${tick} of ${client} can't be rebuilt: ${one.lacks}`);
  }
  if (!at.snapshot && one.lacks !== undefined) {
    await io.stderr.write(`tw-snap: ${file}@${tick}: what was sent; it can't be rebuilt: ${one.lacks}\n`);
  }
  return at;
}

function notThere(candidates: readonly Candidate[], file: string, tick: Tick) {
  if (candidates.length === 0) return inputError(`${file}: it has no snapshots`);
  const lacking = candidates.find(({ lacks }) => lacks !== undefined);
  if (lacking) {
    const { connection, lacks } = lacking;
    return inputError(`${file}: tick ${tick} of ${connection.client} can't be rebuilt: ${lacks}`);
  }
  const ranges = candidates
    .slice(0, 3)
    .map(({ connection, first, last }) => `${connection.client} has ${first} to ${last}`);
  return usageError(`${file}: there is no tick ${tick}: ${ranges.join(', ')}`);
}
