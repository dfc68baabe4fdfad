import { shellWord } from '../../output/text/escape.ts';
import { ticksPerSecond } from '../../wire/protocol/ticks.ts';
import { nameOfRecord } from '../data/records.ts';
import type { State } from '../data/store.ts';
import type { ReportData } from '../report/report-data.ts';
import { clientOf, type Track } from '../report/track.ts';

type Chosen = Pick<State, 'recording' | 'position' | 'record'>;

/**
 * The command line that shows the chosen record of the file: `tw-snap decode match.demo@9326`, `server.pcap#101`.
 * @returns undefined if no command names it
 */
export function decodeCommand(reportData: ReportData, { recording, position, record }: Chosen): string | undefined {
  const { name } = reportData;
  const { track } = recording;
  if (record?.kind === 'packet') return commandOf(['decode', `${name}#${track.packets[record.number]!.frame}`]);
  if (record) {
    const { tick } = track.messages[record.number]!;
    const type = nameOfRecord(recording, { kind: 'message', number: record.number });
    const words = [`${name}@${tick}..${tick}`, '--type', type, '-t', 'hexdump'];
    return tick < 0 || !isName.test(type)
      ? undefined
      : commandOf(['dump', ...words, ...clientOption(reportData, track)]);
  }
  const { tick } = recording.snapshot(position);
  if (!isOfLaterMap(reportData, track, tick))
    return commandOf(['decode', `${name}@${tick}`, ...clientOption(reportData, track)]);
  const frame = frameOf(reportData, track, recording.shown[position]!);
  return frame === undefined ? undefined : commandOf(['decode', `${name}#${frame}`]);
}

/**
 * The command line that says why a value is what it is at the chosen snapshot.
 * @param value `obj_character/0.x`
 * @returns undefined if no command names the snapshot
 */
export function traceCommand(
  reportData: ReportData,
  { recording, position }: Omit<Chosen, 'record'>,
  value: string,
): string | undefined {
  const { tick } = recording.snapshot(position);
  if (isOfLaterMap(reportData, recording.track, tick)) return undefined;
  return commandOf(['trace', `${reportData.name}@${tick}`, value, ...clientOption(reportData, recording.track)]);
}

const isName = /^\w+$/;
const commandOf = (words: readonly string[]) => ['tw-snap', ...words.map(shellWord)].join(' ');
const clientOption = ({ tracks }: ReportData, track: Track) => (tracks.length > 1 ? ['--client', clientOf(track)] : []);

/** The tracks of a client before this one: with each map, its ticks begin again. */
const tracksBefore = ({ tracks }: ReportData, track: Track) =>
  tracks.slice(0, tracks.indexOf(track)).filter((other) => clientOf(other) === clientOf(track));

/** Whether an earlier map has the tick, too: FILE@TICK is then there. */
const isOfLaterMap = (reportData: ReportData, track: Track, tick: number) =>
  tracksBefore(reportData, track).some(({ snapshots }) => snapshots.some((one) => one.shown && one.tick === tick));

/**
 * The number of the packet that completes a snapshot. The one after which ticks begin again is in the track before.
 * @param index the snapshot's among all of the track
 */
function frameOf(reportData: ReportData, track: Track, index: number): number | undefined {
  const [before] = tracksBefore(reportData, track).slice(-1);
  return (track.packets.findLast(({ after }) => after <= index) ?? before?.packets.at(-1))?.frame;
}

/**
 * A clip without a chosen range begins so many ticks before the moment and ends so many after it, as `slice` does
 * around an event.
 */
const before = 5 * ticksPerSecond;
const after = 3 * ticksPerSecond;

/**
 * The command line that cuts the repeated range out of a demo, or what is around the moment; undefined for other files.
 */
export function clipCommand(
  { name, kind }: ReportData,
  { recording, position, repeated }: Pick<State, 'recording' | 'position' | 'repeated'>,
): string | undefined {
  const { tick } = recording.snapshot(position);
  // The tracks of captures have the names of their clients.
  if (tick < 0 || recording.track.name !== '' || kind.startsWith('ghost')) return undefined;
  const { ticks } = recording;
  const { from, to } = repeated ?? { from: Math.max(ticks.from, tick - before), to: Math.min(ticks.to, tick + after) };
  return `tw-snap slice ${shellWord(name)} --ticks ${from}..${to} -o clip.demo`;
}
