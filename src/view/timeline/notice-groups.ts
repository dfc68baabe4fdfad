import type { Notice } from '../../events/event.ts';

/** Notices that are combined if they concern several players in a tick. */
export type GroupedNotice = Notice & { what: 'joined' | 'left' | 'changed_team' | 'died' | 'killed' };

/** Returns the same key for notices that can share a phrase, and undefined for other events. */
export function groupKey(event: Notice): string | undefined {
  if (event.uncertain) return undefined;
  switch (event.what) {
    case 'joined':
    case 'changed_team':
      return `${event.what} ${event.team}`;
    case 'left':
      return `left ${event.reason}`;
    case 'died':
      return 'died';
    case 'killed':
      return event.weapon === -3 ? `killed ${event.receivers}` : undefined;
    default:
      return undefined;
  }
}

/** Groups consecutive notices that can share a phrase. */
export function grouped(notices: readonly Notice[]): readonly (readonly Notice[])[] {
  const groups: Notice[][] = [];
  let last: string | undefined;
  for (const one of notices) {
    const key = groupKey(one);
    if (key !== undefined && key === last) groups.at(-1)!.push(one);
    else groups.push([one]);
    last = key;
  }
  return groups;
}
