import type { RecordingFormat } from '../../src/recording/formats.ts';
import { type ConnectionStream, isConnection, isOfClient, type Stream } from '../../src/recording/record.ts';
import type { DatagramCounts, Replay } from '../../src/recording/replay.ts';
import { escapeText } from '../../src/view/text/escape.ts';
import { count } from '../../src/view/text/number.ts';
import { usageError } from './errors.ts';
import type { FollowOptions, InputOptions } from './options.ts';

/** An opened input: its name, and its format if it is a recording. */
export interface OpenedKind {
  readonly name: string;
  readonly format: RecordingFormat | undefined;
}

type KindOptions = Partial<Pick<InputOptions, 'client' | 'protocol' | 'kind' | 'hex' | 'nth'>>;

const isDemo = ({ format }: OpenedKind) => format?.hasTicks === true;
const isCapture = ({ format }: OpenedKind) => format?.hasPackets === true;
const isPayload = ({ format }: OpenedKind) => format === undefined;

/** The options that have an effect only for some kinds of input. */
const rules: readonly {
  isGiven(options: KindOptions): boolean;
  isMeaningful(opened: OpenedKind): boolean;
  readonly text: string;
}[] = [
  {
    isGiven: ({ client }) => client !== undefined,
    isMeaningful: isCapture,
    text: '--client is for captures',
  },
  {
    isGiven: ({ protocol }) => protocol === '0.5',
    isMeaningful: (opened) => !isCapture(opened),
    text: '-p 0.5 is for payloads and demos; captures of 0.5 are not read',
  },
  {
    isGiven: ({ kind = 'auto' }) => kind !== 'auto',
    isMeaningful: isPayload,
    text: '-k is for single payloads',
  },
  {
    isGiven: ({ hex }) => hex !== undefined,
    isMeaningful: isPayload,
    text: '--hex and --no-hex are for single payloads',
  },
  {
    isGiven: ({ nth }) => nth !== undefined,
    isMeaningful: isPayload,
    text: '--nth is for text with several packets',
  },
];

/**
 * Refuses options that have no effect on any of the inputs.
 * @throws CommandError
 */
export function refuseMeaningless(inputs: readonly OpenedKind[], options: KindOptions): void {
  const [first] = inputs;
  if (!first) return;
  for (const { isGiven, isMeaningful, text } of rules) {
    if (isGiven(options) && !inputs.some(isMeaningful))
      throw usageError(`${first.name}: ${text}; this is ${kindOf(first)}`);
  }
}

const kindOf = (opened: OpenedKind) =>
  isDemo(opened) ? 'a demo' : isCapture(opened) ? 'a capture' : 'a single payload';

/**
 * Refuses options that had no effect on the streams of a recording, which is known only after it was read, and a
 * version with which no packet belongs to a connection.
 * @throws CommandError
 */
export function refuseIneffective(
  name: string,
  { client, protocol = 'auto' }: KindOptions,
  { streams, datagrams }: Pick<Replay, 'streams'> & Partial<Pick<Replay, 'datagrams'>>,
): void {
  if (client !== undefined && !streams.some((one) => isOfClient(one, client))) throw noClient(name, client, streams);
  const selected = streams.filter((one) => isOfClient(one, client)).filter(isConnection);
  const stated = new Set<string | undefined>(selected.map(({ version }) => version));
  if (protocol !== 'auto' && streams.length === 0 && datagrams && isMostlyOther(datagrams)) {
    throw usageError(
      `${escapeText(name)}: with -p ${protocol} no packet belongs to a connection, and ${count(datagrams.other, 'datagram')} can't be read; without -p the version is recognised`,
    );
  }
  // Without a handshake the version is only a guess.
  if (protocol === 'auto' || selected.length === 0 || stated.has(protocol) || selected.some(isGuessed)) return;
  throw usageError(`${escapeText(name)}: -p ${protocol} has no effect: the handshakes state ${[...stated].join(', ')}`);
}

const isMostlyOther = ({ other, connless, dropped }: DatagramCounts) => other > connless && dropped.connections === 0;
const isGuessed = ({ hasHandshake }: ConnectionStream) => !hasHandshake;

const maxNamed = 5;

/** The error for a client that is not in the capture. */
function noClient(name: string, client: string, streams: readonly Stream[]) {
  const clients = [...new Set(streams.map((one) => one.client))];
  const named = clients.slice(0, maxNamed).join(', ') + (clients.length > maxNamed ? ', …' : '');
  return usageError(`${escapeText(name)}: there is no client ${escapeText(client)}${named && `; there is ${named}`}`);
}

/** A growing file has no end after which another one could be read. */
export function requireOneFile({ follow }: FollowOptions, files: readonly string[]): void {
  if (follow && files.length > 1) throw usageError('--follow is for a single file');
}
