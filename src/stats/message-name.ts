import type { MessageHead } from '../packet/message.ts';

/** The name under which a message is counted. A message that no table contains is counted by its UUID or number. */
export function nameOf({ type, uuid, id, system }: MessageHead): string {
  return type?.name ?? `unknown ${uuid ?? (id === undefined ? '' : `${system ? 'system ' : ''}${id}`)}`.trimEnd();
}
