import { type Command, InvalidArgumentError, Option } from 'commander';
import type { RecordingSummary } from '../../src/recording/recording-summary.ts';

/** Options that choose files by their content. */
export interface ChoiceOptions {
  map?: string;
  player?: string;
  health?: HealthChoice;
  finish?: boolean;
}

const healthChoices = ['healthy', 'damaged', 'mismatched'] as const;
type HealthChoice = (typeof healthChoices)[number];

export function withChoice(command: Command): Command {
  return command
    .option('--map <name>', 'only recordings of this map')
    .option('--player <name>', 'only recordings with a player whose name is this or matches /RE/', checkedPlayer)
    .addOption(
      new Option('--health <state>', 'only recordings in this state; mismatched: with wrong checksums').choices(
        healthChoices,
      ),
    )
    .option('--finish', 'only recordings in which a player finishes a race');
}

export const hasChoice = ({ map, player, health, finish }: ChoiceOptions): boolean =>
  map !== undefined || player !== undefined || health !== undefined || finish === true;

/** @param summary undefined for an unreadable file */
export function isChosen(
  summary: RecordingSummary | undefined,
  { map, player, health, finish }: ChoiceOptions,
): boolean {
  const streams = summary?.streams ?? [];
  if (map !== undefined && summary?.header?.mapName !== map && !streams.some(({ maps }) => maps.has(map))) return false;
  if (player !== undefined) {
    const isPlayer = playerTest(player);
    if (!streams.some((one) => [one.player ?? '', ...one.names.seen].some(isPlayer))) return false;
  }
  if (health !== undefined && health !== healthOf(summary)) return false;
  return finish !== true || streams.some(({ hasFinish }) => hasFinish);
}

function healthOf(summary: RecordingSummary | undefined): HealthChoice {
  const state = summary?.health.state ?? 'unreadable';
  return state === 'healthy' || state === 'mismatched' ? state : 'damaged';
}

/** Tests for a name, or for a pattern between slashes. */
function playerTest(text: string): (name: string) => boolean {
  const [, source, flags] = /^\/(.*)\/([imsuv]*)$/s.exec(text) ?? [];
  if (source === undefined) return (name) => name === text;
  const pattern = new RegExp(source, flags);
  return (name) => pattern.test(name);
}

function checkedPlayer(text: string): string {
  try {
    playerTest(text);
  } catch {
    throw new InvalidArgumentError('Expected a name or a regular expression as /RE/.');
  }
  return text;
}
