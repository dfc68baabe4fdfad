import { unreadableState } from '../../../src/recording/health/health.ts';
import type { RecordingSummary } from '../../../src/recording/summary/recording-summary.ts';
import { type fileSelection, type Given, nameTest } from './options.ts';

/** Whether a recording is selected by its content; without a summary the file is unreadable. */
export type FileFilter = (summary: RecordingSummary | undefined) => boolean;

/** Undefined if all files are selected. */
export function fileFilterOf({
  map,
  player,
  health,
  finish,
}: Partial<Given<typeof fileSelection>>): FileFilter | undefined {
  const tests: FileFilter[] = [];
  if (map !== undefined)
    tests.push(
      (summary) =>
        (summary?.header ?? summary?.ghost)?.mapName === map || streamsOf(summary).some(({ maps }) => maps.has(map)),
    );
  if (player !== undefined) {
    const isPlayer = nameTest(player);
    tests.push((summary) =>
      streamsOf(summary).some(({ player, names }) => [player ?? '', ...names.seen].some(isPlayer)),
    );
  }
  if (health !== undefined) tests.push((summary) => (summary?.health.state ?? unreadableState) === health);
  if (finish) tests.push((summary) => streamsOf(summary).some(({ hasFinish }) => hasFinish));
  return tests.length === 0 ? undefined : (summary) => tests.every((test) => test(summary));
}

const streamsOf = (summary: RecordingSummary | undefined) => summary?.streams ?? [];
