import { readAll } from '../../../src/input/decompress/pieces.ts';
import { textOf, textWindow } from '../../../src/input/pasted/text-encoding.ts';
import { PayloadReplay } from '../../../src/input/source/payload-replay.ts';
import type { RecordingFormat } from '../../../src/recording/formats.ts';
import type { Payload } from '../../../src/wire/payload/payload.ts';
import { type CommandError, exit, inputError } from '../options/errors.ts';
import { loadOpened, noteBase, snapshotIn, withBase } from './bases.ts';
import { type Reading, withTicks } from './chosen.ts';
import {
  type Input,
  isPart,
  type Opened,
  type OpenedRecording,
  openAt,
  openInput,
  refuseEmpty,
  refuseMeaningless,
} from './inputs.ts';
import { refuseUnrecognised, withUncertainty } from './load.ts';

/**
 * Opens FILE or `FILE@A..B`: a recording with the client and the ticks that are chosen.
 * @throws CommandError for any other input
 */
export async function openRecording(
  path: string | undefined,
  input: Reading & Pick<Input, 'limits' | 'ticks'>,
): Promise<OpenedRecording> {
  return recordingOf(await openAt(path, input), input);
}

/**
 * Opens FILE, for commands that read whole recordings.
 * @throws CommandError for any other input
 */
export async function openWhole(path: string | undefined, input: Reading & Pick<Input, 'limits'>) {
  return recordingOf(await openInput(path, input), { ...input, ticks: undefined });
}

/** What is opened as records: a recording, or the snapshot or delta that is the only one. */
export interface OpenedRecords extends OpenedRecording {
  readonly payload?: Payload;
  /** The exit status that follows from a doubt about it or its base. */
  readonly doubt?: number;
}

/**
 * Opens FILE or `FILE@A..B` for commands that read records. A snapshot, or a delta whose base is known, is a recording
 * of one.
 * @throws CommandError for any other input
 */
export async function openRecords(path: string | undefined, input: Input): Promise<OpenedRecords> {
  const opened = await openAt(path, input);
  if (opened.format || isPart(opened)) return recordingOf(opened, input);
  refuseEmpty(opened);
  refuseMeaningless([opened], input);
  const loading = await withBase(input);
  const loaded = await loadOpened(opened, loading);
  refuseUnrecognised(loaded, input);
  const { payload, announced } = loaded;
  const snapshot = snapshotIn(loaded);
  await noteBase(loaded, input);
  const format = { ...payloadFormat, open: () => new PayloadReplay(payload, snapshot, announced) };
  return {
    ...opened,
    format,
    payload,
    doubt: withUncertainty(exit.fine, loaded, loading.base),
    pieces: bytesOf(payload),
  };
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

async function* bytesOf({ layers }: Payload) {
  yield layers.file;
}

/** Why an input that is no recording is refused, and which commands read such an input. */
export async function noRecording({ name, pieces }: Pick<Opened, 'name' | 'pieces'>): Promise<CommandError> {
  // With more than the window, the last character in it may go on after it; UTF-16 has an even length.
  const isText = textOf(await readAll(pieces, textWindow + 2)) !== undefined;
  const commands = isText
    ? "tw-snap decode reads snapshots and bytes in text, tw-snap explain a client's log"
    : 'tw-snap decode reads single snapshots';
  return inputError(`${name}: this is ${isText ? 'text, ' : ''}not a demo or capture; ${commands}`);
}

async function recordingOf(opened: Opened, input: Reading & Pick<Input, 'limits' | 'ticks'>): Promise<OpenedRecording> {
  const { format } = opened;
  refuseEmpty(opened);
  if (!format) throw await noRecording(opened);
  refuseMeaningless([opened], input);
  return withTicks({ ...opened, format }, input.ticks, input);
}
