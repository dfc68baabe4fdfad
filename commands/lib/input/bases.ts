import { isSent } from '../../../src/input/source/read-payload.ts';
import { bestReading, known } from '../../../src/input/source/recognise-payload.ts';
import { diagnosticLine } from '../../../src/output/phrases/diagnostic-messages.ts';
import { foundText } from '../../../src/output/phrases/found-text.ts';
import { escapeText } from '../../../src/output/text/escape.ts';
import { ignore } from '../../../src/wire/bytes/diagnostic.ts';
import { snapshotMessage } from '../../../src/wire/packet/message.ts';
import type { PacketContents } from '../../../src/wire/packet/packet-contents.ts';
import { layersOfInts } from '../../../src/wire/payload/encoding-layers.ts';
import { type Payload, payloadOfSnapshot } from '../../../src/wire/payload/payload.ts';
import { protocolOf } from '../../../src/wire/protocol/registry.ts';
import { apply } from '../../../src/wire/snapshot/apply.ts';
import type { Delta } from '../../../src/wire/snapshot/delta.ts';
import { Snapshot } from '../../../src/wire/snapshot/snapshot.ts';
import { exit, inputError } from '../options/errors.ts';
import { printProblem } from '../platform/note.ts';
import { type Input, type Opened, openAt } from './inputs.ts';
import { betterReading, loadAny, refuseUnrecognised } from './load.ts';
import type { Loaded, LoadedPacket, LoadedSnapshot, Loading } from './loaded.ts';

/** Reads FILE, `FILE@MOMENT`, `FILE#N`, `-` or standard input as one snapshot or delta. */
async function load(path: string, loading: Loading): Promise<Loaded> {
  const opened = await openAt(path, loading);
  loading.opened.push(opened);
  return loadOpened(opened, loading);
}

/** Reads an open input. A packet or message is replaced by the delta in it. */
export async function loadOpened(opened: Opened, loading: Loading): Promise<Loaded> {
  const loaded = await loadAny(opened, loading);
  if (loaded.kind === 'payload') return loaded;
  refuseUnrecognised(loaded, loading);
  return deltaIn(loaded, loading);
}

/** The delta in a packet or message, for commands that need one, with what is announced of its result. */
async function deltaIn({ name, contents, rebuilt, uncertainty }: LoadedPacket, { io }: Loading): Promise<Loaded> {
  const whole = contents.messages.filter(({ delta, isContinued }) => delta && !isContinued);
  const [only] = whole;
  if (whole.length === 1) {
    const { message, delta } = only!;
    const { payload } = delta!;
    const announced = snapshotMessage(message)?.crc;
    const found = payload.result?.checksum();
    if (uncertainty || announced === undefined || found === undefined || found === announced)
      return { ...known(payload), name, rebuilt, uncertainty, announced };

    const text = foundText({ code: 'mismatch', found, announced });
    await printProblem(`${escapeText(name)}: ${text}`, io);
    return { ...known(payload), name, rebuilt, uncertainty: { status: exit.finding, text }, announced };
  }

  const fewer = contents.messages.some(isPart) ? 'a part of a delta' : 'no delta';
  const found = whole.length > 1 ? `${whole.length} deltas` : fewer;
  throw inputError(`${name}: this ${contents.kind} contains ${found}; expected one whole delta`);
}

const isPart = ({ message }: PacketContents['messages'][0]) => message.type?.name === 'snap';

/**
 * Reads a whole snapshot: a file in any encoding, or `empty`.
 * @throws CommandError if it is incomplete or a delta
 */
export async function readSnapshot(path: string, input: Input): Promise<LoadedSnapshot> {
  if (path === 'empty') {
    const snapshot = new Snapshot();
    const stated = { kind: 'snapshot', protocol: input.version } as const;
    const read = bestReading([layersOfInts(snapshot.toInts())], stated, (version) => protocolOf(version, input.schema));
    return { name: path, ...read, snapshot };
  }

  const loaded = await load(path, { ...input, kind: isSent(input.kind) ? input.kind : 'snapshot' });
  const { rebuilt, payload } = loaded;
  if (rebuilt) return { ...loaded, ...known(rebuilt), snapshot: rebuilt.body as Snapshot };

  // A snapshot was expected, but the bytes may look more like a delta: the first one of a connection is a snapshot as
  // well.
  const likeliest = (loaded.input && betterReading(loaded, loaded.input, input.schema)) ?? payload;
  const first = firstSnapshot(likeliest);
  if (first) return { ...loaded, ...known(payloadOfSnapshot(first, likeliest.types.protocol)), snapshot: first };
  if (likeliest.kind === 'delta') throw inputError(`${loaded.name}: this is a delta; expected a snapshot`);

  const { error } = payload.diagnostics;
  if (error) throw inputError(`${loaded.name}: expected a snapshot: ${diagnosticLine(error)}`);
  return { ...loaded, snapshot: payload.body as Snapshot };
}

/** The snapshot that a delta to the empty one is: the first of a connection is sent so. */
function firstSnapshot({ body, result, base, assumesEmptyBase }: Payload): Snapshot | undefined {
  if (assumesEmptyBase) return apply(new Snapshot(), body as Delta, ignore);
  return base?.count === 0 ? result : undefined;
}

/** Reads the base of a delta: it is recognised by itself, whatever is stated about the delta. */
export const readBase = (path: string, input: Input) =>
  readSnapshot(path, { ...input, format: undefined, encoding: undefined, kind: undefined, nth: undefined });

/** The base that an option names; undefined without the option, or if it says that the base is unknown. */
export const readStatedBase = async (path: string | undefined, input: Input) =>
  path === undefined || input.isBaseUnknown ? undefined : readBase(path, input);

/**
 * Reads a delta of this base.
 * @throws CommandError if it is a snapshot
 */
export async function readDelta(path: string, input: Input, base: LoadedSnapshot): Promise<Loaded> {
  const delta = await load(path, { ...input, kind: isSent(input.kind) ? input.kind : 'delta', isInside: true, base });
  if (delta.payload.kind === 'snapshot') throw inputError(`${delta.name}: this is a snapshot; expected a delta`);
  return delta;
}
