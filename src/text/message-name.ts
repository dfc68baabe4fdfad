import type { Message } from '../packet/message.ts';

/** The name of a message; of one that is in no table, its UUID or number. */
export const messageName = ({ type, uuid, id }: Message) =>
  type?.name ?? `unknown message ${uuid ?? id ?? ''}`.trimEnd();
