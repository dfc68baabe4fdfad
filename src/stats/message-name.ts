import type { MessageHead } from '../packet/message.ts';

/** The name under which a message is counted: its own, or the UUID or number of one that no table has. */
export function nameOf({ type, uuid, id, system }: MessageHead): string {
  return type?.name ?? `unknown ${uuid ?? (id === undefined ? '' : `${system ? 'system ' : ''}${id}`)}`.trimEnd();
}
