import type { Message, MessageValue } from '../../packet/message.ts';
import type { CaptureRecord } from '../../recording/capture.ts';
import type { ReceivedSnapshot } from '../../recording/received-snapshot.ts';
import { count } from './number.ts';
import { quotedText } from './untrusted-text.ts';

/** `packet 12 can't be read to its end: huffman_no_eof` */
export function undecodable({ number, code }: CaptureRecord & { event: 'undecodable' }): string {
  return `packet ${number} can't be read to its end: ${code}`;
}

/** `tick 31290 on base 31282` */
export const whereOf = ({ tick, base }: Pick<ReceivedSnapshot, 'tick' | 'base'>) =>
  `tick ${tick} on ${base === -1 ? 'the empty snapshot' : `base ${base}`}`;

/** Why a snapshot can't be rebuilt. */
export const reasons: Readonly<Record<NonNullable<ReceivedSnapshot['reason']>, string>> = {
  missing_base: 'the base is missing',
  missing_part: 'a part is missing',
  damaged: 'damaged',
};

export const messageName = ({ type, uuid, id }: Message) =>
  type?.name ?? `unknown message ${uuid ?? id ?? ''}`.trimEnd();

/** `sv_chat team=0 client_id=1 message="hello"` */
export function messageLine(message: Message): string {
  return [messageName(message), ...message.values.map(({ name, value }) => `${name}=${valueText(value)}`)].join(' ');
}

function valueText(value: MessageValue['value']): string {
  if (value === undefined) return '?';
  if (typeof value === 'string') return quotedText(value);
  return typeof value === 'number' ? String(value) : `(${count(value.length, 'byte')})`;
}
