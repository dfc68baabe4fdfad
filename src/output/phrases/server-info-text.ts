import type { InfoStep } from '../../recording/replay/info-exchange.ts';
import type { ServerInfo } from '../../recording/replay/server-info.ts';
import { maxInLine, textInLine } from '../text/escape.ts';

/** `server info: "name", map dm1, DM, 2/16 clients: a, b` */
export function serverInfoText({ fields, players, missing }: ServerInfo): string {
  const text = (field: string) => textInLine(String(fields[field] ?? '?'), maxInLine);
  const names = players.map(({ name }) => textInLine(String(name ?? '?'), maxInLine)).join(', ');
  const left = missing > 0 && Number.isFinite(missing) ? `, and ${missing} missing` : missing > 0 ? ', and others' : '';
  const cut = players.length > 0 ? left : '';
  const clients = `${text('num_clients')}/${text('max_clients')} clients${names && `: ${names}`}${cut}`;
  return `server info: ${text('server_name')}, map ${text('map')}, ${text('game_type')}, ${clients}`;
}

/**
 * A request, or what an answer is to it; undefined for what servers announce, of which the information itself is told.
 */
export function infoStepText({ step, server, kind, token }: InfoStep): string | undefined {
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
      return `${from} never answers the request ${what}`;
    case 'announced':
      return undefined;
  }
}

const wrong: ReadonlySet<InfoStep['step']> = new Set(['other_token', 'other_server', 'too_large', 'unanswered']);

export const isWrongStep = ({ step }: InfoStep): boolean => wrong.has(step);
