import type { Message } from '../packet/message.ts';

/** What a message is counted under: its name, or the UUID or number of one that no table knows. */
export function nameOf({ type, uuid, id, system }: Message): string {
  return type?.name ?? `unknown ${uuid ?? (id === undefined ? '' : `${system ? 'system ' : ''}${id}`)}`.trimEnd();
}
