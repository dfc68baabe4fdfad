import type { Stream } from '../../../src/recording/record.ts';
import { escapeText } from '../../../src/view/text/escape.ts';
import { usageError } from '../errors.ts';

const maxNamed = 5;

/** For one who asks for a client that is not in the capture. */
export function noClient(name: string, client: string, streams: readonly Stream[]) {
  const clients = [...new Set(streams.map((one) => one.client))];
  const named = clients.slice(0, maxNamed).join(', ') + (clients.length > maxNamed ? ', …' : '');
  return usageError(`${escapeText(name)}: there is no client ${escapeText(client)}${named && `; there is ${named}`}`);
}
