import type { Message } from '../packet/message.ts';
import type { MessageEntry } from '../recording/record.ts';
import type { Edit } from './editor.ts';

/** Whether a message contains a snapshot that the server sent to a client. */
export const isSnapshotMessage = ({ type }: Message): boolean =>
  type !== undefined && /^snap(_single)?$/.test(type.name);

/**
 * Leaves out the snapshots for its clients that a server's demo contains as messages beside its own snapshots. No
 * player shows them, and they would keep the old items after an edit.
 */
export class DropSentSnapshots implements Edit {
  count = 0;

  message({ message }: MessageEntry): 'drop' | undefined {
    if (!message.system || !message.type || !/^snap(_single|_empty|_small)?$/.test(message.type.name)) return undefined;
    this.count++;
    return 'drop';
  }
}
