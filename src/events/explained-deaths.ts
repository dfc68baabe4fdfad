import type { GameEvent, PlayerRef } from './event.ts';

const killedByGame = -3;

export type DeathByGame = GameEvent & { readonly what: 'killed' };

export const isDeathByGame = (event: GameEvent): event is DeathByGame =>
  event.what === 'killed' && event.weapon === killedByGame;

/** Whether the player of a death by the game leaves or changes the team in another event: the game kills them first. */
export function explains(event: GameEvent, { player: { client, name } }: { readonly player: PlayerRef }): boolean {
  if (event.what === 'left' || event.what === 'changed_team') return event.player.client === client;
  if (event.what !== 'chat' || event.player) return false;
  return event.text.startsWith(`'${name}' has left`) || event.text.startsWith(`'${name}' joined`);
}
