import { FrameChoice, type FramesWanted } from '../../src/editing/frame-choice.ts';
import { SelfContainedCut } from '../../src/editing/packets/self-contained.ts';
import { renderCuts, renderLostBases, renderWhole } from '../../src/output/reports/slice.ts';
import type { RecordingEntry } from '../../src/recording/replay/record.ts';
import { matchesClient } from '../../src/recording/replay/stream.ts';
import { refuseEmpty } from '../lib/input/inputs.ts';
import type { Opened, OpenedRecording } from '../lib/input/opened.ts';
import { noSnapshot } from '../lib/input/records.ts';
import { inputError, usageError } from '../lib/options/errors.ts';
import { CaptureOutput, captureFormatOf, formatOf, readCapture } from '../lib/run/capture-output.ts';
import { type DemoWork, printReport } from '../lib/run/demo-output.ts';
import { cutOf, findCuts } from './cuts.ts';
import type { Options, Wanted } from './definition.ts';

/** Cuts a capture: packets are copied as they are. */
export async function sliceCapture(
  named: Opened,
  { range, query }: Wanted,
  given: Options,
  { schema, io, theme, output }: DemoWork,
): Promise<number> {
  refuseEmpty(named);
  const { client, around, where, frames, join = false } = given;
  if (!named.isFile) throw usageError(`${named.name}: slice reads a capture twice; it has to be a file`);
  if (given.carry === false) throw usageError('--no-carry is for demos: a capture is cut as it is');
  const opened = await named.recording({ client, ticks: given.ticks, schema, version: undefined, follow: false, io });
  const name = opened.name;
  const searched = {
    name,
    read: async (add: (entry: RecordingEntry) => void) => {
      await readCapture(await opened.again(), { schema, io }, oneConnection(opened, add));
    },
  };
  const cuts = around || where ? await findCuts(searched, given, query) : undefined;
  const wanted: FramesWanted[] = cuts?.map(({ ranges }) => ({ ticks: ranges })) ?? [
    { frames, ticks: range && cutOf(opened.ticks!, range).ranges },
  ];

  const choice = new FrameChoice(wanted, opened.client);
  await readCapture(await opened.again(), { schema, io }, (entry) => choice.add(entry));
  choice.finish();

  const path = (i: number) => (cuts && !join ? output.replaceAll('%d', String(i + 1)) : output);
  const outputs = wanted.map(
    (_, i) => new CaptureOutput(path(i), io, { format: captureFormatOf(path(i), formatOf(opened)), schema }),
  );
  const contained = given.selfContained
    ? outputs.map(
        (output, i) =>
          new SelfContainedCut(
            (frame) => choice.has(i, frame) && !choice.early.has(frame),
            (...packet) => output.write(...packet),
          ),
      )
    : [];
  const lostBefore = wanted.map(() => 0);
  const drain = async () => {
    for (const output of outputs) await output.drain();
  };
  const status = await readCapture(opened, { schema, io, tells: true, afterPiece: drain }, (entry) => {
    for (const cut of contained) cut.add(entry);
    if (entry.record !== 'block') return;
    const { frame, block } = entry;
    for (const [i, output] of outputs.entries()) {
      if (frame !== undefined && !choice.has(i, frame)) continue;
      if (!given.selfContained) output.write(block);
      if (frame !== undefined && choice.lost.has(frame)) lostBefore[i]!++;
    }
  });
  for (const cut of contained) cut.finish();
  if (outputs.every(({ packets }) => packets === 0)) {
    const { first, last } = choice.ticks;
    if (!frames && last >= 0 && range) throw noSnapshot(name, first, last);
    throw inputError(`${name}: there is no packet of that`);
  }
  for (const output of outputs) await output.finish();
  const about = cuts?.map((cut) => cut.about) ?? [];
  await printReport(
    [
      ...renderCuts(
        outputs.map((output, i) => ({ ...output, about: about[i] ?? [] })),
        choice.packets,
        theme,
      ),
      ...renderWhole(contained, outputs),
      ...renderLostBases(
        outputs.map(({ snapshots }, i) => snapshots.lost - lostBefore[i]!),
        outputs,
      ),
    ],
    { output, io },
  );
  return status;
}

/**
 * The records of one connection. What all of several see would be found in each of them.
 */
function oneConnection(opened: OpenedRecording, add: (entry: RecordingEntry) => void) {
  let only: string | undefined = opened.client;
  return (entry: RecordingEntry) => {
    const { stream, record } = entry;
    if (!stream) {
      // A flood is told so.
      if (record === 'diagnostic') add(entry);
      return;
    }
    if (record === 'snapshot') {
      only ??= stream.client;
      if (!matchesClient(stream, only) && opened.client === undefined)
        throw usageError(`${opened.name}: there are several connections: choose one with --client`);
    }
    if (matchesClient(stream, only)) add(entry);
  };
}
