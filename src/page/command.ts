import { ticksPerSecond } from '../protocol/ticks.ts';
import { clientOf } from '../recording/track.ts';
import type { ReportData } from '../report/report-data.ts';
import { shellWord } from '../text/escape.ts';
import type { State } from './data/store.ts';

/** The command line that shows the chosen snapshot of the file: `tw-snap decode match.demo@9326`. */
export function commandOn(
  command: 'decode' | 'trace',
  { name, tracks }: ReportData,
  { recording, position }: Pick<State, 'recording' | 'position'>,
  ...others: readonly string[]
): string {
  const { tick } = recording.snapshot(position);
  const client = tracks.length > 1 ? ['--client', clientOf(recording.track)] : [];
  const file = tick < 0 ? name : `${name}@${tick}`;
  return ['tw-snap', command, ...[file, ...others, ...client].map(shellWord)].join(' ');
}

/**
 * A clip without a chosen range begins so many ticks before the moment and ends so many after it, as `slice` does
 * around an event.
 */
const [before, after] = [5 * ticksPerSecond, 3 * ticksPerSecond];

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
