import { clientOf } from '../recording/track.ts';
import type { ReportData } from '../report/report-data.ts';
import { shellWord } from '../text/escape.ts';
import type { State } from './store.ts';

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
