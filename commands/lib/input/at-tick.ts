import type { Diagnostic } from '../../../src/bytes/diagnostic.ts';
import { DemoReader } from '../../../src/container/demo/reader.ts';
import type { Kind } from '../../../src/decode/payload.ts';
import type { ItemType } from '../../../src/protocol/item.ts';
import type { Protocol } from '../../../src/protocol/registry.ts';
import { DemoReplay } from '../../../src/recording/demo.ts';
import { recordsOf } from '../../../src/recording/formats.ts';
import { KeyframeIndex } from '../../../src/recording/keyframes.ts';
import type { SnapshotEntry } from '../../../src/recording/record.ts';
import { copyOf } from '../../../src/snapshot/select.ts';
import type { Snapshot } from '../../../src/snapshot/snapshot.ts';
import { diagnosticLine } from '../../../src/view/text/diagnostic-messages.ts';
import { exit, inputError, usageError } from '../errors.ts';
import type { Io } from '../io.ts';
import type { Opened } from './open.ts';

/** `8170`, `first` or `last`. */
export type Tick = number | 'first' | 'last';

/** `PATH@TICK` taken apart; a file that really has such a name is meant first. */
export function splitTick(path: string | undefined, io: Io): { path: string | undefined; tick: Tick | undefined } {
  const match = /^(.*)@(\d+|first|last)$/s.exec(path ?? '');
  if (!match || io.exists(path!)) return { path, tick: undefined };
  const [, file, tick] = match as unknown as [string, string, string];
  return { path: file === '' ? '-' : file, tick: tick === 'first' || tick === 'last' ? tick : Number(tick) };
}

/** Why something may not be what was recorded, and the exit status that this makes. */
export interface Uncertainty {
  readonly status: number;
  readonly text: string;
}

/** The snapshot that holds at a tick of a recording, and what it was recorded as. */
export interface AtTick {
  readonly tick: number;
  readonly kind: Kind;
  /** Of demos Huffman-compressed, in captures as it stood in the messages. */
  readonly encoding: 'huffman' | 'packed';
  readonly payload: Uint8Array;
  /** Undefined where it can't be rebuilt: then the payload tells why. */
  readonly snapshot: Snapshot | undefined;
  readonly before: Snapshot | undefined;
  readonly protocol: Protocol;
  readonly uncertainty: Uncertainty | undefined;
}

/** Finds a tick: a tick without a snapshot of its own repeats the one before it. */
export async function atTick(demo: Opened, tick: Tick, added: readonly ItemType[], io: Io): Promise<AtTick> {
  if (!demo.canSeek || tick === 'first')
    return searchFrom(demo.pieces, new DemoReplay({ extraItems: added, messages: false }), demo, tick);
  const index = new KeyframeIndex();
  for await (const piece of demo.pieces) {
    index.feed(piece);
    if (tick !== 'last' && index.lastTick > tick) break;
  }
  if (tick === 'last' || index.lastTick <= tick) index.finish();
  const keyframe = index.before(tick === 'last' ? index.lastTick : tick);
  if (!index.header || !index.sound || !keyframe) {
    return searchFrom(io.open(demo.path), new DemoReplay({ extraItems: added, messages: false }), demo, tick);
  }
  const reader = DemoReader.startingAt(index.header, keyframe.tick, keyframe.offset);
  return searchFrom(
    io.open(demo.path, keyframe.offset),
    new DemoReplay({ extraItems: added, messages: false }, reader),
    demo,
    tick,
  );
}

async function searchFrom(
  pieces: AsyncIterable<Uint8Array>,
  replay: DemoReplay,
  { name }: Opened,
  tick: Tick,
): Promise<AtTick> {
  let found: AtTick | undefined;
  /** What could not be read since the last snapshot that is sure. */
  let error: Diagnostic | undefined;
  let last = -1;
  for await (const record of recordsOf(pieces, replay)) {
    if (record.record === 'tick') last = record.tick;
    if (record.record === 'diagnostic' && record.diagnostic.severity === 'error' && !(record.tick! > Number(tick))) {
      error ??= record.diagnostic;
    }
    if (record.record !== 'snapshot') continue;
    // From a keyframe on its own marker is not read.
    last = Math.max(last, record.tick);
    if (typeof tick === 'number' && record.tick > tick) {
      if (found) break;
      throw usageError(`${name}: there is no tick ${tick}: it begins at ${record.tick}`);
    }
    if (!record.uncertain) error = undefined;
    found = kept(record, error);
    if (tick === 'first') return found;
  }
  if (!found) throw inputError(`${name}: it has no snapshot that can be read`);
  if (typeof tick === 'number' && tick > last)
    throw usageError(`${name}: there is no tick ${tick}: it ends at ${last}`);
  if (!error || found.uncertainty || found.tick === tick) return found;
  const word = typeof tick === 'number' ? `may not hold at ${tick} any more` : 'the last that can be read';
  return { ...found, uncertainty: uncertaintyOf(error, word) };
}

function uncertaintyOf(error: Diagnostic | undefined, word = 'may be wrong'): Uncertainty | undefined {
  return error && { status: exit.unreadable, text: `${word}: ${diagnosticLine(error)}` };
}

function kept(
  { tick, payloadKind, payload, encoding, snapshot, before, stream }: SnapshotEntry,
  error: Diagnostic | undefined,
): AtTick {
  return {
    tick,
    kind: payloadKind,
    encoding,
    payload: payload!.slice(),
    snapshot: snapshot && copyOf(snapshot),
    before: before && copyOf(before),
    protocol: stream.protocol,
    uncertainty: uncertaintyOf(error),
  };
}
