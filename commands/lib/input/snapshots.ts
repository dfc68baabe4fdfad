import { readAll } from '../../../src/input/decompress/pieces.ts';
import { textOf, textWindow } from '../../../src/input/pasted/text-encoding.ts';
import type { Source } from '../../../src/input/source/open.ts';
import { PayloadReplay } from '../../../src/input/source/payload-replay.ts';
import { bestReading, known, recognise } from '../../../src/input/source/recognise-payload.ts';
import { differencesText, emptyBaseText, unknownBaseText } from '../../../src/output/phrases/base-phrases.ts';
import { diagnosticLine } from '../../../src/output/phrases/diagnostic-messages.ts';
import { foundText } from '../../../src/output/phrases/found-text.ts';
import { pathText } from '../../../src/output/text/escape.ts';
import type { RecordingFormat } from '../../../src/recording/formats.ts';
import { sentBy } from '../../../src/recording/replay/impossible-message.ts';
import type { ReadOptions } from '../../../src/recording/replay/replay.ts';
import { isSnapshotMessage, snapshotMessage } from '../../../src/wire/packet/message.ts';
import type { MessageContents, PacketContents } from '../../../src/wire/packet/packet-contents.ts';
import { layersOfInts } from '../../../src/wire/payload/encoding-layers.ts';
import { baseFound, type Payload, payloadOfSnapshot, snapshotOf } from '../../../src/wire/payload/payload.ts';
import { protocolOf } from '../../../src/wire/protocol/registry.ts';
import { Snapshot } from '../../../src/wire/snapshot/snapshot.ts';
import { type CommandError, exit, inputError, isCommandError } from '../options/errors.ts';
import { printError, printNote, printProblem } from '../platform/note.ts';
import type { Input, Loaded, LoadedInput, LoadedPacket, LoadedSnapshot, OpenInput } from './inputs.ts';
import { refuseUnrecognised, withDoubt } from './loaded.ts';

/** One snapshot or delta: that in a packet or message, for commands that need one. */
export const deltaOf = async (loaded: LoadedInput, input: Input): Promise<Loaded> =>
  loaded.kind === 'payload' ? loaded : deltaIn(loaded, input);

/** The delta in a packet or message, with what is announced of its result. */
async function deltaIn({ name, contents, rebuilt, doubt }: LoadedPacket, { io }: Input): Promise<Loaded> {
  const isWhole = ({ delta, isContinued }: MessageContents) => delta?.parts === 1 && !isContinued;
  const whole = contents.messages.filter(isWhole);
  const hasPart = contents.messages.some((message) => isPart(message) && !isWhole(message));
  const [only] = whole;
  if (whole.length === 1) {
    if (hasPart)
      await printNote(`${pathText(name)}: a part of another delta is left out (tw-snap decode shows it)`, io);
    const { message, delta } = only!;
    const { payload } = delta!;
    const announced = snapshotMessage(message)?.crc;
    const found = payload.result?.checksum();
    if (doubt || announced === undefined || found === undefined || found === announced)
      return { ...known(payload), name, rebuilt, doubt, announced };

    await printProblem(`${pathText(name)}: ${foundText({ code: 'mismatch', found, announced })}`, io);
    return { ...known(payload), name, rebuilt, doubt: exit.finding, announced };
  }

  const { error } = contents.diagnostics;
  if (error && whole.length === 0 && !hasPart) throw inputError(`${name}: ${diagnosticLine(error)}`);
  const fewer = hasPart ? 'a part of a delta' : 'no delta';
  const found = whole.length > 1 ? `${whole.length} deltas` : fewer;
  throw inputError(
    `${name}: this ${contents.kind} contains ${found}; expected one whole delta (tw-snap decode shows it)`,
  );
}

const isPart = ({ message }: MessageContents) => message.type?.name === 'snap';

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

/** Says that the base of a delta was taken as empty, or is not known. */
async function noteBase({ name, payload }: Pick<Loaded, 'name' | 'payload'>, { io }: Input): Promise<void> {
  const found = baseFound(payload);
  const text = found === 'empty' ? emptyBaseText : found === 'unknown' ? differencesText : undefined;
  if (text) await printNote(`${pathText(name)}: ${text}`, io);
}

/** The empty snapshot, as a file would be read that has it. */
export function emptySnapshot({ version, schema }: Input): LoadedSnapshot {
  const snapshot = new Snapshot();
  const stated = { kind: 'snapshot', protocol: version } as const;
  const read = bestReading([layersOfInts(snapshot.toInts())], stated, (version) => protocolOf(version, schema));
  return { name: 'empty', ...read, snapshot, warnings: [] };
}

/** What was loaded as a whole snapshot. A delta becomes one if its base is known. */
export async function wholeSnapshot(loaded: Loaded, input: Input): Promise<LoadedSnapshot> {
  const { rebuilt } = loaded;
  if (rebuilt) return { ...loaded, ...known(rebuilt), snapshot: rebuilt.body as Snapshot, warnings: [] };

  const { name, payload } = snapshotOf(loaded.payload) ? loaded : (asSnapshot(loaded, input) ?? loaded);
  const snapshot = snapshotIn({ name, payload });
  const { warnings } = payload.diagnostics;
  if (payload.kind === 'snapshot') return { ...loaded, payload, snapshot, warnings };
  await noteBase(loaded, input);
  return { ...loaded, ...known(payloadOfSnapshot(snapshot, payload.types.protocol)), snapshot, warnings };
}

/** Says what is odd in an input of which only the snapshot is used, and returns how much that is. */
export async function tellWarnings({ name, warnings }: Pick<LoadedSnapshot, 'name' | 'warnings'>, { io }: Input) {
  for (const warning of warnings) await printProblem(`${pathText(name)}: ${diagnosticLine(warning)}`, io);
  return warnings.length;
}

/** An input that looks more like a delta, whose base is not known, as the snapshot that is expected. */
function asSnapshot(loaded: Loaded, { kind, version, schema }: Input): Loaded | undefined {
  if (!loaded.input || kind !== undefined || loaded.payload.layers.encoding === 'json') return undefined;
  const stated = { kind: 'snapshot', protocol: version } as const;
  const read = recognise(loaded.input.bytes, stated, (version) => protocolOf(version, schema));
  return read.isFlawless ? { ...loaded, ...read } : undefined;
}

/**
 * What was loaded as a recording of one snapshot, or of the messages of one packet and the snapshot among them. Where
 * this can't be made, it is said why, and the other messages are left.
 */
export async function recordingOfOne(source: Source, loaded: LoadedInput, input: Input, mayLackSnapshot: boolean) {
  refuseUnrecognised(loaded, input);
  const contents = loaded.kind === 'contents' ? loaded.contents : undefined;
  const sender = contents && senderOf(contents);
  const hasNone = mayLackSnapshot && contents && !contents.diagnostics.error && !hasSnapshot(contents);
  let one: (Loaded & { readonly snapshot: Snapshot | undefined }) | undefined;
  let doubt: number = exit.fine;
  try {
    const found = sender || hasNone ? undefined : await deltaOf(loaded, input);
    one = found && { ...found, snapshot: isUnapplied(found) && mayLackSnapshot ? undefined : snapshotIn(found) };
    doubt = withDoubt(doubt, found);
  } catch (error) {
    if (!isCommandError(error) || !contents || !hasOthers(contents)) throw error;
    // An error of the packet is a record.
    if (!contents.diagnostics.error) await printError(error.message, input.io);
    doubt = error.status;
  }
  if (one) await noteBase(one, input);
  const packet = contents && ({ contents, direction: sender === 'client' ? 'to_server' : 'to_client' } as const);
  const open = (options?: ReadOptions) => new PayloadReplay(one, packet, options);
  return {
    source: source.with({ format: { ...payloadFormat, open }, pieces: bytesOf(contents ?? one!.payload) }),
    only: contents ?? one!.payload,
    doubt: withDoubt(doubt, loaded),
  };
}

/** Whether it is a delta that is read to its end, and whose base is not known. */
const isUnapplied = ({ payload }: Loaded) => !payload.diagnostics.error && baseFound(payload) === 'unknown';

const hasSnapshot = ({ messages }: PacketContents) => messages.some(({ message }) => isSnapshotMessage(message));

/** Whether a packet has messages beside a snapshot. */
const hasOthers = ({ messages }: PacketContents) =>
  new Set(messages.map(({ message }) => isSnapshotMessage(message))).size === 2;

/** The end that sent the messages of a packet; undefined if a snapshot is among them, or if none of them tells. */
function senderOf(contents: PacketContents) {
  if (hasSnapshot(contents)) return undefined;
  return contents.messages.map(({ message }) => message.type && sentBy(message.type)).find((end) => end !== undefined);
}

const payloadFormat: Omit<RecordingFormat, 'open'> = {
  name: 'payload',
  hasPackets: false,
  hasTicks: false,
  hasKeyframes: false,
  hasBlocks: false,
  detect: () => false,
  accepts: () => false,
};

async function* bytesOf({ layers }: Payload | PacketContents) {
  yield layers.file;
}

/** Why an input that is no recording is refused, and which commands read such an input. */
export async function noRecording({ name, source }: Pick<OpenInput, 'name' | 'source'>): Promise<CommandError> {
  // With more than the window, the last character in it may go on after it; UTF-16 has an even length.
  const isText = textOf(await readAll(source.pieces, textWindow + 2)) !== undefined;
  const commands = isText
    ? "tw-snap decode reads snapshots and bytes in text, tw-snap explain a client's log"
    : 'tw-snap decode reads single snapshots, deltas and packets';
  return inputError(`${name}: this is ${isText ? 'text, ' : ''}not a demo or capture; ${commands}`);
}
