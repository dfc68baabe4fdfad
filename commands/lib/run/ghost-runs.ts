import { type FinishedRun, GhostRuns, type RunMap } from '../../../src/editing/ghost-run.ts';
import { escapeText, pathText } from '../../../src/output/text/escape.ts';
import type { Ghost } from '../../../src/recording/container/ghost/ghost.ts';
import type { Input } from '../input/inputs.ts';
import type { OpenedRecording } from '../input/opened.ts';
import { noPlayer } from '../input/records.ts';
import { inputError } from '../options/errors.ts';
import { playerChoice } from '../options/selection.ts';

/** The fastest finished run of a player in a demo, and all of them. */
export async function bestRun(opened: OpenedRecording, who: string | undefined, input: Input) {
  const { name, format } = opened;
  if (!format.hasTicks) throw inputError(`${name}: this is not a demo`);
  const player = playerChoice(who);
  const runs = new GhostRuns(player);
  const { failure } = await (await opened.records(input)).each((entry) => runs.add(entry));
  const [best] = [...runs.runs].sort((a, b) => a.time - b.time);
  if (best) return { best, runs, failure };
  if (player && !player.isFound) throw noPlayer(name, player);
  throw inputError(`${pathText(name)}: ${escapeText(who ?? 'the recorded player')} does not finish a race`);
}

/** The run in a ghost, or the fastest one of a player in a demo. */
export async function runOf(
  opened: OpenedRecording,
  player: string | undefined,
  input: Input,
): Promise<FinishedRun & { readonly map: RunMap }> {
  if (!opened.format.isRun) {
    const { best, runs } = await bestRun(opened, player, input);
    return { ...best, map: runs.map };
  }
  const characters: Int32Array[] = [];
  let ghost: Ghost | undefined;
  const records = await opened.records(input);
  await records.each((entry) => {
    if (entry.record === 'ghost') ghost = entry.ghost;
    // The first item is the character.
    if (entry.record === 'snapshot' && entry.snapshot) characters.push(entry.snapshot.item(0).slice());
  });
  if (!ghost || characters.length === 0) throw inputError(`${pathText(opened.name)}: it has no characters`);
  const { owner, time, startTick = 0, lastTick, mapName: name, mapCrc: crc, mapSha256: sha256 } = ghost;
  const map = { name, crc, sha256 };
  return { player: owner, time, startTick, finishTick: lastTick, skin: new Int32Array(0), characters, map };
}
