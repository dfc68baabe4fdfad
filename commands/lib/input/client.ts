import type { StreamSummary } from '../../../src/recording/stream-summary.ts';
import { escapeText } from '../../../src/view/text/escape.ts';
import { usageError } from '../errors.ts';
import { nameTest } from '../options.ts';
import { type Input, maxNamed, type Opened, openRecording } from './open.ts';

/** How a recording is read, and the connection that `--client` names. */
export type ClientReading = Pick<Input, 'client' | 'version' | 'schema' | 'io'> & Partial<Pick<Input, 'from'>>;

/** `127.0.0.1:8303`, `[::1]:8303`, `127.0.0.1:8303#2` */
const endpoint = /^(?:\[.*\]|[^:]+):\d+(?:#\d+)?$/;

/**
 * Finds the connection that `--client` names: by address and port, which needs no search; by address, port, name of the player, or number
 * in the list of `info`, for which the file is read before.
 * @returns the recording with the address of its `client`
 * @throws CommandError if several connections are meant, or none, or if the input can be read only once
 */
export async function withClient<Recording extends Opened>(
  opened: Recording,
  input: ClientReading,
): Promise<Recording> {
  const { client, io } = input;
  if (client === undefined || opened.client !== undefined || !opened.format?.hasPackets) return opened;
  if (endpoint.test(client)) return { ...opened, client };
  const { path } = opened;
  const name = escapeText(opened.name);
  if (path === '-' || io.size(path) === 0) {
    throw usageError(`${name}: --client ${escapeText(client)} reads the input twice; for a pipe name address and port`);
  }
  const reading = { from: undefined, ...input, client: undefined, limits: [], follow: false };
  const { summarise } = await import('../run/summarise.ts');
  const { streams } = (await summarise(await openRecording(path, reading), reading)).summary;
  const means = meaningOf(client);
  const found = streams.filter(means);
  const [first, second] = new Set(found.map((one) => one.stream.client));
  if (first !== undefined && second === undefined)
    return { ...opened, client: first.includes('#') ? first : `${first}#1` };
  const shown = (found.length > 0 ? found : streams).slice(0, maxNamed);
  const rows = shown.map((one) =>
    `${streams.indexOf(one) + 1} ${one.stream.client} ${escapeText(one.player ?? '')}`.trimEnd(),
  );
  const more = (found.length || streams.length) > maxNamed ? ', …' : '';
  const reason = first === undefined ? 'there is no client' : 'several connections are';
  const forms = '--client accepts an address with or without port, a port, a name, or a number of this list';
  throw usageError(`${name}: ${reason} ${escapeText(client)}: ${rows.join(', ')}${more}; ${forms}`);
}

function meaningOf(text: string) {
  const isName = nameTest(text);
  return ({ stream: { client }, player = '' }: StreamSummary, i: number): boolean => {
    const [, bracketed, plain, port] = /^(?:\[(.*)\]|(.*)):(\d+)(?:#\d+)?$/.exec(client) ?? [];
    return (
      String(i + 1) === text || [client, bracketed, plain, port, `[${bracketed}]`].includes(text) || isName(player)
    );
  };
}
