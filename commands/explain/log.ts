import { explainLog, type LoggedError, readLogLine } from '../../src/explain/log.ts';
import { renderLog } from '../../src/view/explain/log.ts';
import { logJson } from '../../src/view/json/explain-json.ts';
import { count } from '../../src/view/text/number.ts';
import { exit, inputError } from '../lib/errors.ts';
import type { Opened } from '../lib/input/open.ts';
import type { Run } from '../lib/run/files.ts';
import type { ExplainOptions, Outcome } from './index.ts';

/** The maximum number of errors. A client that plays for a whole day logs fewer. */
const maxErrors = 100_000;
/** The maximum number of characters read of a line, since chat lines can be long. */
const maxLine = 4096;
/** A file with control characters and without errors is not read further than this: it is no log, and may have no end. */
const maxBinary = 1 << 20;

/** Explains the errors about snapshots in a client's log. */
export async function explainLogFile({ name, pieces }: Opened, { printing }: Run<ExplainOptions>): Promise<Outcome> {
  const errors: LoggedError[] = [];
  let number = 0;
  let [read, isBinary] = [0, false];
  async function* ofLog() {
    for await (const piece of pieces) {
      yield piece;
      read += piece.length;
      isBinary ||= piece.includes(0) || (read <= maxBinary && piece.some(isControl));
      if (isBinary && errors.length === 0 && read > maxBinary) return;
    }
  }
  for await (const line of linesOf(ofLog())) {
    number++;
    const error = errors.length < maxErrors ? readLogLine(line.slice(0, maxLine), number) : undefined;
    if (error) errors.push(error);
  }
  if (errors.length === 0 && (isBinary || number === 0)) {
    throw inputError(
      `${name}: this is not a demo, capture or log; a delta needs its base: tw-snap explain BASE DELTA --expect CRC`,
    );
  }
  const log = explainLog(errors);
  const status = errors.length > 0 ? exit.finding : exit.fine;
  const summary = `${count(errors.length, 'error')} of snapshots in the log`;
  const check = { file: name, summary, findings: [] };
  return { status, text: printing.fit(renderLog(name, log, printing)), json: logJson(name, log), check };
}

/** Whether a byte does not occur in logs, unlike line ends, tabs and the escape character of colours. */
const isControl = (byte: number) => byte < 0x20 && byte !== 0x09 && byte !== 0x0a && byte !== 0x0d && byte !== 0x1b;

/** The lines of a text that arrives in pieces; a longer line is cut. */
async function* linesOf(pieces: AsyncIterable<Uint8Array>): AsyncIterable<string> {
  const decoder = new TextDecoder();
  let rest = '';
  for await (const piece of pieces) {
    const lines = (rest + decoder.decode(piece, { stream: true })).split('\n');
    rest = (lines.pop() ?? '').slice(0, maxLine);
    yield* lines;
  }
  rest += decoder.decode();
  if (rest !== '') yield rest;
}
