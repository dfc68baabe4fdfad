import { isSilentAtEnd, sideOf, silencesOf, timeoutOf } from '../../recording/events/connection-notices.ts';
import type { InfoStep } from '../../recording/replay/info-exchange.ts';
import type { RecordingEntry } from '../../recording/replay/record.ts';
import type { ServerInfo } from '../../recording/replay/server-info.ts';
import type { ChunkWait, ConnectionStream, Direction, HandshakeFacts } from '../../recording/replay/stream.ts';
import type { Lag } from '../../recording/summary/input-timing.ts';
import { timeoutSeconds } from '../../wire/packet/sequence.ts';
import { maxInLine, textInLine } from '../text/escape.ts';
import { clock, count, nonZero, thousands } from '../text/number.ts';

/** The story of a connection in words: in the rows of `info`, the lines of `dump` and the block of the page. */

interface StoryText {
  readonly text: string;
  /** Whether it ends connections or loses messages. */
  readonly isWrong?: boolean;
  /** Whether something of it cannot be read. */
  readonly isUnread?: boolean;
}

/** A label, and what is said about it. */
export interface StoryPart {
  readonly label: 'handshake' | 'loss' | 'chunks' | 'silence' | 'lag' | 'end';
  readonly texts: readonly StoryText[];
}

/** A point in time of a connection; `?` for a network log, which has no times. */
export const timeText = (seconds: number): string => (Number.isFinite(seconds) ? clock(seconds) : '?');

const oppositeOf = (direction: Direction): Direction => (direction === 'to_server' ? 'to_client' : 'to_server');
const directions = ['to_server', 'to_client'] as const;

/** What became of a connection. @param start the seconds from which times are counted */
export function storyOf(connection: ConnectionStream, lag: Lag, start: number): StoryPart[] {
  const { handshake } = connection;
  const parts: StoryPart[] = [
    { label: 'handshake', texts: handshake ? handshakeTexts(handshake) : [{ text: 'not captured' }] },
    { label: 'loss', texts: lossTexts(connection) },
    { label: 'chunks', texts: [...takenTexts(connection), ...slowTexts(connection), ...stuckTexts(connection)] },
    { label: 'silence', texts: silenceTexts(connection, start) },
    { label: 'lag', texts: lagTexts(lag, start) },
    { label: 'end', texts: endTexts(connection, start) },
  ];
  return parts.filter(({ texts }) => texts.length > 0);
}

/** `5 packets in 0.02 s, token bf09bc36 of the server, 11223344 of the client` */
function handshakeTexts({ packets, seconds, tokens }: HandshakeFacts): StoryPart['texts'] {
  const time = Number.isFinite(seconds) ? ` in ${thousands(Math.round(1000 * seconds))} ms` : '';
  const parts = [{ text: `${count(packets, 'packet')}${time}` }];
  // The answer that would tell was not captured.
  if (!tokens) return parts;
  const { to_server: ofServer, to_client: ofClient } = tokens;
  const hex = (token: number) => token.toString(16).padStart(8, '0');
  const token =
    ofServer === undefined
      ? 'no tokens'
      : ofClient === ofServer || ofClient === undefined
        ? `token ${hex(ofServer)}`
        : `tokens ${hex(ofServer)} to the server, ${hex(ofClient)} to the client`;
  return [...parts, { text: token }];
}

/** `4 packets in 200 ms, tokens bf09bc36 to the server, 11223344 to the client` */
export const handshakeText = (handshake: HandshakeFacts): string =>
  `handshake of ${handshakeTexts(handshake)
    .map(({ text }) => text)
    .join(', ')}`;

/** `12 chunks sent again`, `3 not captured` */
export function lossTexts(connection: ConnectionStream): StoryPart['texts'] {
  const up = connection.counts('to_server');
  const down = connection.counts('to_client');
  const { rejectedPackets, undecodable } = connection;
  const resent = up.resent + down.resent;
  const lost = up.lost + down.lost;
  return [
    ...nonZero([resent, `${count(resent, 'chunk')} sent again`]).map((text) => ({ text })),
    ...nonZero(
      [lost, `${count(lost, 'chunk')} not captured`],
      [rejectedPackets, `${count(rejectedPackets, 'packet')} rejected (forged, stray or refused)`],
    ).map((text) => ({ text, isWrong: true })),
    ...nonZero([undecodable, `${count(undecodable, 'packet')} can't be read`]).map((text) => ({
      text,
      isWrong: true,
      isUnread: true,
    })),
  ];
}

/** `the client sent 24, the server took 23`: of the copies of vital chunks, if some were not taken. */
const takenTexts = (connection: ConnectionStream): StoryPart['texts'] =>
  directions.flatMap((direction) => {
    const { sent, taken, open } = connection.counts(direction);
    if (sent === taken + open) return [];
    const receiver = sideOf(oppositeOf(direction));
    const rest = open > 0 ? ` (of ${thousands(open)} nothing shows it)` : '';
    return [
      { text: `the ${sideOf(direction)} sent ${thousands(sent)}, the ${receiver} took ${thousands(taken)}${rest}` },
    ];
  });

/** A chunk is slow if it had to be sent again, or nearly. */
const slowSeconds = 0.5;

const waitText = ({ sequence, message, times }: ChunkWait) =>
  `chunk ${sequence} (${message}), sent ${times === 1 ? 'once' : count(times, 'time')},`;

const slowTexts = (connection: ConnectionStream): StoryPart['texts'] =>
  directions.flatMap((direction) => {
    const chunk = connection.slowest(direction);
    if (!chunk || !(chunk.seconds >= slowSeconds)) return [];
    return [{ text: `${waitText(chunk)} acknowledged after ${chunk.seconds.toFixed(2)} s` }];
  });

const stuckTexts = (connection: ConnectionStream): StoryPart['texts'] =>
  directions.flatMap((direction) => {
    const chunk = connection.stuck(direction);
    if (!chunk) return [];
    const receiver = sideOf(oppositeOf(direction));
    const text = `${waitText(chunk)} never acknowledged by the ${receiver} in ${chunk.seconds.toFixed(1)} s`;
    return [{ text, isWrong: true }];
  });

/** `the client says nothing for 2.31 s from 0:12.04 on` */
const silenceTexts = (connection: ConnectionStream, start: number): StoryPart['texts'] =>
  directions.flatMap((direction) =>
    silencesOf(connection, direction).map(({ seconds, from }) => ({
      text: `the ${sideOf(direction)} says nothing for ${seconds.toFixed(2)} s from ${timeText(from - start)} on`,
      isWrong: seconds >= timeoutSeconds,
    })),
  );

/** The games acknowledge 25 snapshots a second. */
const stallSeconds = 1;

/** `12 of 300 inputs late, at worst by 40 ms`, `no new snapshot taken for 1.20 s from 0:08.00 on` */
function lagTexts({ timed, late, worst, stall }: Lag, start: number): StoryPart['texts'] {
  const inputs =
    late === 0 ? `none of ${count(timed, 'input')} late` : `${thousands(late)} of ${count(timed, 'input')} late`;
  return [
    ...(timed === 0 ? [] : [{ text: late === 0 ? inputs : `${inputs}, at worst by ${thousands(worst)} ms` }]),
    ...(stall.seconds >= stallSeconds
      ? [
          {
            text: `no new snapshot acknowledged for ${stall.seconds.toFixed(2)} s from ${timeText(stall.from - start)} on`,
          },
        ]
      : []),
  ];
}

const notSeen = 'not seen to end';

function endTexts(connection: ConnectionStream, start: number): StoryPart['texts'] {
  const text = endText(connection, start);
  return text === notSeen ? [] : [{ text, isWrong: isTimeout(connection) }];
}

/** `closed by the client`, `closed by the server (Timeout), which did not hear the client's close at 0:12.00` */
export function endText(connection: ConnectionStream, start: number): string {
  const { end: close } = connection;
  if (!close) return silentEnd(connection);
  const reason = close.reason === '' ? '' : ` (${textInLine(close.reason, maxInLine)})`;
  const by = sideOf(close.direction);
  const unheard = connection.closes.find(({ isHeard }) => !isHeard);
  if (!unheard) {
    const other = oppositeOf(close.direction);
    const seconds = close.time - connection.heartbeat(other).last;
    const silence =
      seconds > timeoutSeconds ? `; the ${sideOf(other)} was silent for the last ${seconds.toFixed(1)} s` : '';
    return `closed by the ${by}${reason}${weakText(connection) ?? silence}`;
  }
  const at = timeText(unheard.time - start);
  if (unheard.direction !== close.direction)
    return `closed by the ${by}${reason}; the ${sideOf(unheard.direction)}'s close at ${at} did not arrive`;
  const { last } = connection.heartbeat(oppositeOf(unheard.direction));
  return `closed by the ${by}${reason} at ${at}; the other end goes on to ${timeText(last - start)}, so it did not arrive`;
}

/**
 * `; the server was silent from 10.0 s after it sent chunk 21 (sv_chat), not acknowledged by then: too weak
 * connection`: an end gives up the other one if a vital chunk is not acknowledged in time. What it says of that may be
 * lost.
 */
function weakText(connection: ConnectionStream): string | undefined {
  for (const direction of directions) {
    const chunk = connection.stuck(direction) ?? connection.slowest(direction);
    const seconds = connection.heartbeat(direction).last - (chunk?.time ?? Number.NaN);
    if (!chunk || !(chunk.seconds >= timeoutSeconds && seconds >= timeoutSeconds - 1)) continue;
    if (!isSilentAtEnd(connection, direction)) continue;
    const what = `chunk ${chunk.sequence} (${chunk.message}), not acknowledged by then: too weak connection`;
    return `; the ${sideOf(direction)} was silent from ${seconds.toFixed(1)} s after it sent ${what}`;
  }
  return undefined;
}

/** Nobody closed it: an end that is silent for longer than the games wait has gone. */
function silentEnd(connection: ConnectionStream): string {
  const timeout = timeoutOf(connection);
  if (!timeout) return notSeen;
  const { side, seconds } = timeout;
  const other = side === 'client' ? 'server' : 'client';
  return `no close; the ${side} is silent for the last ${seconds.toFixed(1)} s in which the ${other} sends (timeout)`;
}

/** Whether an end gave up the other one. */
const isTimeout = ({ end }: ConnectionStream) =>
  end !== undefined && /^(timeout|too weak connection)/i.test(end.reason);

/** `server info: "name", map dm1, DM, 2/16 clients: a, b` */
export function serverInfoText({ fields, players, missing }: ServerInfo): string {
  const text = (field: string) => textInLine(String(fields[field] ?? '?'), maxInLine);
  const names = players.map(({ name }) => textInLine(String(name ?? '?'), maxInLine)).join(', ');
  const left = missing > 0 && Number.isFinite(missing) ? `, and ${missing} missing` : missing > 0 ? ', and others' : '';
  const cut = players.length > 0 ? left : '';
  const clients = `${text('num_clients')}/${text('max_clients')} clients${names && `: ${names}`}${cut}`;
  return `server info: ${text('server_name')}, map ${text('map')}, ${text('game_type')}, ${clients}`;
}

type Handshake = Extract<RecordingEntry, { record: 'handshake' }>;

/** A packet of a handshake that led to no connection: `asks 127.0.0.1:8303 to connect (0.6)`. */
export function handshakeStepText({ step, direction, server, version }: Handshake): string {
  switch (step) {
    case 'token_request':
      return `asks ${server} for a token (${version})`;
    case 'token':
      return `gets a token of ${server} (${version})`;
    case 'connect':
      return `asks ${server} to connect (${version})`;
    case 'accept':
      return `is accepted by ${server} (${version})`;
    case 'accepted':
      return `takes the accept of ${server} (${version})`;
    case 'close':
      return direction === 'to_server' ? `gives up to connect to ${server}` : `is refused by ${server}`;
  }
}

/**
 * A request, or what an answer is to it; undefined for what servers announce, of which the information itself is told.
 */
export function infoStepText({ step, server, kind, token, tokenOf }: InfoStep): string | undefined {
  const from = server === '' ? 'the server' : server;
  const what = `(${kind}, token ${token})`;
  switch (step) {
    case 'asked':
      return `asks ${from} for server information ${what}`;
    case 'answered':
      return `${from} answers ${what}`;
    case 'other_token':
      return `${from} answers with a token that it was not asked with ${what}`;
    case 'other_server':
      return `${from} answers with the token of a request to another server ${what}`;
    case 'unasked':
      return `${from} answers, and was not seen to be asked ${what}`;
    case 'too_large':
      return `${from} answers with more than 1,400 bytes, of which no more arrives ${what}`;
    case 'unanswered':
      return `${from} never answers the request ${what}${tokenOf === undefined ? '' : `, which has the token that ${tokenOf} gave`}`;
    case 'announced':
      return undefined;
  }
}

const wrong: ReadonlySet<InfoStep['step']> = new Set(['other_token', 'other_server', 'too_large', 'unanswered']);

export const isWrongStep = ({ step }: InfoStep): boolean => wrong.has(step);
