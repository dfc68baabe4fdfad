import type { ItemType } from '../../../src/protocol/item.ts';
import { isLoss, type RecordingEntry, type SnapshotEntry, type Stream } from '../../../src/recording/record.ts';
import { copyOf } from '../../../src/snapshot/select.ts';
import { reasons } from '../../../src/view/text/capture-words.ts';
import { escapeText } from '../../../src/view/text/escape.ts';
import { exit, inputError, usageError } from '../errors.ts';
import type { Io } from '../io.ts';
import type { AtTick, Tick, Uncertainty } from './at-tick.ts';
import { noClient } from './capture-client.ts';
import type { Opened } from './open.ts';

/** The nearest that a connection has to a tick. */
interface Candidate {
  readonly stream: Stream;
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
  { name, format, pieces }: Opened,
  tick: Tick,
  client: string | undefined,
  added: readonly ItemType[],
  io: Io,
): Promise<AtTick> {
  const replay = format!.open({ extraItems: added, messages: false });
  const candidates = new Map<Stream, Candidate>();
  const take = (records: Iterable<RecordingEntry>) => {
    for (const record of records) {
      if (record.record !== 'snapshot' || (client ?? record.stream.client) !== record.stream.client) continue;
      consider(candidates, record, tick);
    }
  };
  for await (const piece of pieces) take(replay.feed(piece));
  take(replay.finish());
  if (client !== undefined && !replay.streams.some((one) => one.client === client)) {
    throw noClient(name, client, replay.streams);
  }
  return chosen([...candidates.values()], name, tick, io);
}

function consider(candidates: Map<Stream, Candidate>, entry: SnapshotEntry, wanted: Tick): void {
  const { stream, tick, verdict, payload, snapshot } = entry;
  let one = candidates.get(stream);
  if (!one) {
    one = { stream, first: tick, last: tick, found: undefined, sent: undefined, lacks: undefined, isPassed: false };
    candidates.set(stream, one);
  }
  one.last = Math.max(one.last, tick);
  const isNear = typeof wanted !== 'number' || tick <= wanted;
  one.isPassed ||= one.found !== undefined && (wanted === 'first' || !isNear);
  if (one.isPassed || !isNear) return;
  const isExact = tick === wanted;
  // The first or last that was sent, for want of one that can be rebuilt.
  const isEnd = typeof wanted !== 'number' && !snapshot && !(wanted === 'first' && one.sent);
  if (isLoss(verdict) && (isExact || (isEnd && (payload || !one.sent)))) one.lacks = reasons[verdict];
  if (snapshot || (isExact && payload)) one.found = kept(entry);
  else if (isEnd && payload) one.sent = kept(entry);
}

/** A snapshot that came without a delta is its base unchanged. */
const nothingChanged = Uint8Array.of(0, 0, 0);

function kept(entry: SnapshotEntry): AtTick {
  const { tick, payload = nothingChanged, payloadKind, encoding, snapshot, before, stream } = entry;
  return {
    tick,
    kind: payloadKind,
    encoding,
    payload: payload.slice(),
    snapshot: snapshot && copyOf(snapshot),
    before: before && copyOf(before),
    protocol: stream.protocol,
    uncertainty: uncertaintyOf(entry),
  };
}

function uncertaintyOf({ verdict, snapshot, announced }: SnapshotEntry): Uncertainty | undefined {
  return verdict === 'mismatch'
    ? { status: exit.finding, text: `its checksum is ${snapshot!.checksum()}, but ${announced} was announced` }
    : undefined;
}

async function chosen(candidates: readonly Candidate[], name: string, tick: Tick, io: Io): Promise<AtTick> {
  const file = escapeText(name);
  const able = candidates.filter(({ found, last }) => found && (typeof tick !== 'number' || last >= tick));
  const exact = able.filter(({ found }) => found!.tick === tick);
  const among = [exact, able, candidates.filter(({ sent }) => sent)].find(({ length }) => length > 0);
  const one = tick === 'last' ? among?.at(-1) : among?.[0];
  if (!among || !one) throw notThere(candidates, file, tick);
  const { client } = one.stream;
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
    const { stream, lacks } = lacking;
    return inputError(`${file}: tick ${tick} of ${stream.client} can't be rebuilt: ${lacks}`);
  }
  const ranges = candidates.slice(0, 3).map(({ stream, first, last }) => `${stream.client} has ${first} to ${last}`);
  return usageError(`${file}: there is no tick ${tick}: ${ranges.join(', ')}`);
}
