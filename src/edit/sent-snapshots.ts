import type { Message } from '../packet/message.ts';
import type { MessageEntry } from '../recording/record.ts';
import type { Edit } from './editor.ts';

/** Whether a message brings a snapshot, as the server sent it to a client. */
export const isSnapshotMessage = ({ type }: Message): boolean =>
  type !== undefined && /^snap(_single)?$/.test(type.name);

/**
 * Leaves out the snapshots that a server's demo contains beside its own, as messages to its clients: no player shows them, and
 * where items are changed they would still have the old ones.
 */
export class DropSentSnapshots implements Edit {
  count = 0;

  message({ message }: MessageEntry): 'drop' | undefined {
    if (!message.system || !message.type || !/^snap(_single|_empty|_small)?$/.test(message.type.name)) return undefined;
    this.count++;
    return 'drop';
  }
}
