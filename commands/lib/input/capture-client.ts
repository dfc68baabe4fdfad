import { isOfClient, type Stream } from '../../../src/recording/record.ts';
import { escapeText } from '../../../src/view/text/escape.ts';
import { usageError } from '../errors.ts';

const maxNamed = 5;

/** @throws CommandError if the selected client is not in the recording */
export function requireClient(name: string, client: string | undefined, streams: readonly Stream[]): void {
  if (client !== undefined && !streams.some((one) => isOfClient(one, client))) throw noClient(name, client, streams);
}

/** The error for a client that is not in the capture. */
function noClient(name: string, client: string, streams: readonly Stream[]) {
  const clients = [...new Set(streams.map((one) => one.client))];
  const named = clients.slice(0, maxNamed).join(', ') + (clients.length > maxNamed ? ', …' : '');
  return usageError(`${escapeText(name)}: there is no client ${escapeText(client)}${named && `; there is ${named}`}`);
}
