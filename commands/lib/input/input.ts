import type { Kind } from '../../../src/decode/payload.ts';
import { noSchema, type Schema, type Version } from '../../../src/protocol/registry.ts';
import type { RecordingFormat } from '../../../src/recording/formats.ts';
import { type ConnectionStream, isConnection, matchesClient, type Stream } from '../../../src/recording/record.ts';
import type { DatagramCounts, Replay } from '../../../src/recording/replay.ts';
import { escapeText } from '../../../src/view/text/escape.ts';
import { count } from '../../../src/view/text/number.ts';
import { usageError } from '../errors.ts';
import type { Io } from '../io.ts';
import type { InputKind, InputLimit } from '../options.ts';

/** An opened input: its name, and its format if it is a recording. */
export interface OpenedKind {
  readonly name: string;
  readonly format: RecordingFormat | undefined;
}

/** How the inputs of a command are read. */
export interface Input {
  /** The stated format of a recording or encoding of a payload; undefined if it is recognised, as are the kind and version. */
  readonly from: string | undefined;
  readonly kind: Kind | undefined;
  readonly version: Version | undefined;
  /** Whether it is pasted text; undefined if that is detected. */
  readonly isText: boolean | undefined;
  /** The number of the only packet that is read of a text with several, from 1. */
  readonly nth: number | undefined;
  /** The only client that is read of a capture. */
  readonly client: string | undefined;
  /** Whether it is read on while it grows. */
  readonly follow: boolean;
  /** Whether a warning is a finding. */
  readonly strict: boolean;
  /** The items and messages of a mod. */
  readonly schema: Schema;
  /** The kinds of input that are expected. */
  readonly limits: readonly InputLimit[];
  readonly io: Io;
  /** The inputs so far. */
  readonly opened: OpenedKind[];
}

/** How an input is read whose format and protocol are recognised. */
export const plainInput = (io: Io, schema = noSchema): Input => ({
  from: undefined,
  kind: undefined,
  version: undefined,
  isText: undefined,
  nth: undefined,
  client: undefined,
  follow: false,
  strict: false,
  schema,
  limits: [],
  io,
  opened: [],
});

const kindOf = ({ format }: OpenedKind): InputKind =>
  format === undefined ? 'payload' : format.hasPackets ? 'capture' : 'demo';

const kindTexts: Readonly<Record<InputKind, string>> = {
  demo: 'a demo',
  capture: 'a capture',
  payload: 'a single payload',
};

/**
 * Refuses options that have no effect on any of the inputs.
 * @throws CommandError
 */
export function refuseMeaningless(inputs: readonly OpenedKind[], { limits }: Pick<Input, 'limits'>): void {
  const [first] = inputs;
  if (!first) return;
  for (const { kinds, text } of limits) {
    if (!inputs.some((one) => kinds.includes(kindOf(one)))) {
      throw usageError(`${first.name}: ${text}; this is ${kindTexts[kindOf(first)]}`);
    }
  }
}

/**
 * Refuses options that had no effect on the streams of a recording, which is known only after it was read, and a
 * version with which no packet belongs to a connection.
 * @throws CommandError
 */
export function refuseIneffective(
  name: string,
  { client, version }: Pick<Input, 'client' | 'version'>,
  { streams, datagrams }: Pick<Replay, 'streams'> & Partial<Pick<Replay, 'datagrams'>>,
): void {
  if (client !== undefined && !streams.some((one) => matchesClient(one, client))) throw noClient(name, client, streams);
  if (version === undefined) return;
  if (streams.length === 0 && datagrams && isMostlyOther(datagrams)) {
    throw usageError(
      `${escapeText(name)}: with -p ${version} no packet belongs to a connection, and ${count(datagrams.other, 'datagram')} can't be read; without -p the version is recognised`,
    );
  }
  const selected = streams.filter((one) => matchesClient(one, client)).filter(isConnection);
  const stated = new Set<string | undefined>(selected.map((one) => one.version));
  // Without a handshake the version is only a guess.
  if (selected.length === 0 || stated.has(version) || selected.some(isGuessed)) return;
  throw usageError(`${escapeText(name)}: -p ${version} has no effect: the handshakes state ${[...stated].join(', ')}`);
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
export function requireOneFile({ follow }: { readonly follow?: boolean | undefined }, files: readonly string[]): void {
  if (follow && files.length > 1) throw usageError('--follow is for a single file');
}
