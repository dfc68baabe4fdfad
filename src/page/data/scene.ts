import { ticksPerSecond } from '../../wire/protocol/ticks.ts';
import type { Actor, EventLine } from '../report/event-lines.ts';
import { type Box, type Camera, gameView } from './camera.ts';
import { unitsPerTile } from './character-core.ts';
import type { Recording } from './shown-recording.ts';

/** Somebody in a scene, and where they were seen last before it, in units. */
interface PlacedActor extends Actor {
  readonly x: number;
  readonly y: number;
}

/** An event that is watched: a frag, a finish, a flag. */
export interface Scene {
  readonly event: EventLine;
  /** Who is followed comes first. */
  readonly actors: readonly PlacedActor[];
}

/** Watching begins this many ticks before the event. */
const lead = 2 * ticksPerSecond;
/** Others are in the picture until so long after the event, and then glide out of it. */
const stays = ticksPerSecond;
const leaves = 2 * ticksPerSecond;

export const beginOf = ({ event }: Scene) => event.tick - lead;

/** Whether a tick belongs to a scene. */
export const isDuring = ({ event: { tick } }: Scene, now: number) => now >= tick - lead && now <= tick + leaves;

/**
 * The scene of an event. Who is in no snapshot of the two seconds before it has no place in it: servers send the
 * players who are near the one who records.
 */
export function sceneOf(recording: Recording, event: EventLine): Scene {
  const { tick, actors = [] } = event;
  const placed = actors.flatMap((actor): PlacedActor[] => {
    for (let position = recording.positionOf(tick); position >= 0; position--) {
      if (recording.snapshot(position).tick < tick - lead) break;
      const place = recording.placeOf(position, actor.client);
      if (place) return [{ ...actor, ...place }];
    }
    return [];
  });
  return { event, actors: placed };
}

/** The margin around who is in a scene, in units. */
const margin = 4 * unitsPerTile;

/** Shows who is in a scene, and no less than the games do. */
export function showScene(camera: Camera, scene: Scene, now: number, placeOf: PlaceOf): void {
  const box = boxOfScene(scene, now, placeOf);
  if (box) camera.showBox(box, gameView(camera.width / camera.height), margin);
}

/** Where a player is in the drawn picture, in units; undefined if it is not there. */
type PlaceOf = (client: number) => { readonly x: number; readonly y: number } | undefined;

/**
 * The box around who is in a scene. Who has died stays at the last place, and does not take the picture to where they
 * are born again.
 */
function boxOfScene({ event: { tick }, actors }: Scene, now: number, placeOf: PlaceOf): Box | undefined {
  const [first, ...others] = actors.map((actor) => {
    return (actor.dies && now >= tick ? undefined : placeOf(actor.client)) ?? actor;
  });
  if (!first) return undefined;
  const share = 1 - Math.max(0, Math.min(1, (now - tick - stays) / (leaves - stays)));
  const xs = [first.x, ...others.map(({ x }) => first.x + (x - first.x) * share)];
  const ys = [first.y, ...others.map(({ y }) => first.y + (y - first.y) * share)];
  const x = Math.min(...xs);
  const y = Math.min(...ys);
  return { x, y, width: Math.max(...xs) - x, height: Math.max(...ys) - y };
}
