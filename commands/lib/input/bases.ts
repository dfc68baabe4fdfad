import { snapshotOf } from '../../../src/input/source/base.ts';
import { isSent } from '../../../src/input/source/read-payload.ts';
import { bestReading, known, recognise } from '../../../src/input/source/recognise-payload.ts';
import { emptyBaseText, unknownBaseText } from '../../../src/output/phrases/base-phrases.ts';
import { diagnosticLine } from '../../../src/output/phrases/diagnostic-messages.ts';
import { foundText } from '../../../src/output/phrases/found-text.ts';
import { escapeText } from '../../../src/output/text/escape.ts';
import { snapshotMessage } from '../../../src/wire/packet/message.ts';
import type { PacketContents } from '../../../src/wire/packet/packet-contents.ts';
import { layersOfInts } from '../../../src/wire/payload/encoding-layers.ts';
import { payloadOfSnapshot } from '../../../src/wire/payload/payload.ts';
import { protocolOf } from '../../../src/wire/protocol/registry.ts';
import { Snapshot } from '../../../src/wire/snapshot/snapshot.ts';
import { exit, inputError } from '../options/errors.ts';
import { printNote, printProblem } from '../platform/note.ts';
import { type Input, type Opened, openAt } from './inputs.ts';
import { loadAny, refuseUnrecognised } from './load.ts';
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
 * The snapshot that an input is or becomes.
 * @throws CommandError if it is incomplete, or a delta whose base is not known
 */
export function snapshotIn({ name, payload }: Pick<Loaded, 'name' | 'payload'>): Snapshot {
  const { error } = payload.diagnostics;
  if (error) throw inputError(`${name}: ${diagnosticLine(error)}`);
  const snapshot = snapshotOf(payload);
  if (!snapshot) throw inputError(`${name}: ${unknownBaseText}`);
  return snapshot;
}

/** Says that the base of a delta was taken as empty. */
export async function noteBase({ name, payload }: Pick<Loaded, 'name' | 'payload'>, { io }: Input): Promise<void> {
  if (payload.assumesEmptyBase) await printNote(`${escapeText(name)}: ${emptyBaseText}`, io);
}

/**
 * Reads a whole snapshot: a file in any encoding, or `empty`. A delta becomes one if its base is known.
 * @throws CommandError if it does not
 */
export async function readSnapshot(path: string, input: Input): Promise<LoadedSnapshot> {
  if (path === 'empty') {
    const snapshot = new Snapshot();
    const stated = { kind: 'snapshot', protocol: input.version } as const;
    const read = bestReading([layersOfInts(snapshot.toInts())], stated, (version) => protocolOf(version, input.schema));
    return { name: path, ...read, snapshot };
  }

  const loaded = await load(path, await withBase(input));
  if (loaded.rebuilt) return { ...loaded, ...known(loaded.rebuilt), snapshot: loaded.rebuilt.body as Snapshot };

  const { name, payload } = snapshotOf(loaded.payload) ? loaded : (asSnapshot(loaded, input) ?? loaded);
  const snapshot = snapshotIn({ name, payload });
  if (payload.kind === 'snapshot') return { ...loaded, payload, snapshot };
  await noteBase(loaded, input);
  return { ...loaded, ...known(payloadOfSnapshot(snapshot, payload.types.protocol)), snapshot };
}

/** An input that looks more like a delta, whose base is not known, as the snapshot that is expected. */
function asSnapshot(loaded: Loaded, { kind, version, schema }: Input): Loaded | undefined {
  if (!loaded.input || kind !== undefined || loaded.payload.layers.encoding === 'json') return undefined;
  const stated = { kind: 'snapshot', protocol: version } as const;
  const read = recognise(loaded.input.bytes, stated, (version) => protocolOf(version, schema));
  return read.isFlawless ? { ...loaded, ...read } : undefined;
}

/** Reads the base of a delta: it is recognised by itself, whatever is stated about the delta. */
export async function readBase(path: string, input: Input): Promise<LoadedSnapshot> {
  const nothing = { format: undefined, encoding: undefined, kind: undefined, nth: undefined, baseFile: undefined };
  const opened: Opened[] = [];
  const base = await readSnapshot(path, { ...input, ...nothing, opened });
  input.opened.push(...opened.map((one) => ({ ...one, isBase: true })));
  return base;
}

/** How inputs are read, with the base that `--base` names. */
export const withBase = async (input: Input): Promise<Loading> =>
  input.baseFile === undefined ? input : { ...input, base: await readBase(input.baseFile, input) };

/**
 * Reads a delta of this base.
 * @throws CommandError if it is a snapshot
 */
export async function readDelta(path: string, input: Input, base: LoadedSnapshot): Promise<Loaded> {
  const delta = await load(path, { ...input, kind: isSent(input.kind) ? input.kind : 'delta', isInside: true, base });
  if (delta.payload.kind === 'snapshot') throw inputError(`${delta.name}: this is a snapshot; expected a delta`);
  return delta;
}
