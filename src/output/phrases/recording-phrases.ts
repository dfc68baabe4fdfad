import type { FailedChecksum } from '../../analysis/explain/checksum-results.ts';
import type { Change } from '../../input/decompress/on-the-way.ts';
import type { OddEnds } from '../../input/source/odd-ends.ts';
import { expectedCodes } from '../../recording/games/expectations.ts';
import type { DiagnosticEntry, NotRebuilt, SnapshotEntry } from '../../recording/replay/record.ts';
import { meaningText } from '../../wire/annotate/describe.ts';
import type { Args, Diagnostic } from '../../wire/bytes/diagnostic.ts';
import { type Message, type MessageValue, messageName, type VersionCertainty } from '../../wire/packet/message.ts';
import type { CopyFate } from '../../wire/packet/sequence.ts';
import { maxText, nameText, quotedText } from '../text/escape.ts';
import { shortened } from '../text/layout.ts';
import { address, count, thousands } from '../text/number.ts';
import type { Theme } from '../text/theme.ts';
import { diagnosticLine, diagnosticMessage, isDiagnosticCode } from './diagnostic-messages.ts';
import { spanText } from './payload-messages.ts';

/**
 * `packet 12 can't be read to its end: huffman_no_eof`, `packet 13 is rejected: wrong_token: a packet with …`,
 * `packet 14: unknown_message: …`
 */
export function packetFinding({
  frame,
  diagnostic,
  weight,
}: Pick<DiagnosticEntry, 'frame' | 'diagnostic' | 'weight'>): string {
  const { severity, code } = diagnostic;
  if (weight) {
    const span = spanText(diagnostic.args);
    if (span) return `${span}: ${code}: ${diagnosticMessage(diagnostic)}`;
    return frame === undefined
      ? diagnosticLine(diagnostic)
      : `packet ${frame}: ${code}: ${diagnosticMessage(diagnostic)}`;
  }
  if (severity === 'error') return `packet ${frame} can't be read to its end: ${code}`;
  return `packet ${frame} is rejected: ${code}: ${diagnosticMessage(diagnostic)}`;
}

/** `unknown_message, first in frame 5: game message -20 is in no table …, 2 times` */
export function oddityText({ code, args, frame }: Pick<Diagnostic, 'code' | 'args' | 'frame'>, times: number): string {
  const span = spanText(args);
  const where = span || (frame ? `frame ${frame}` : '');
  const place = where && `, ${times > 1 ? 'first in ' : ''}${where}`;
  return `${code}${place}: ${diagnosticMessage({ code, args })}${times > 1 ? `, ${count(times, 'time')}` : ''}`;
}

/** What breaks an expectation is told apart from what no game sends or takes. */
export const isOfStory = ({ code }: { readonly code: string }): boolean => expectedCodes.has(code);

export const storyText = (areBytesWhole: boolean): string =>
  areBytesWhole ? 'the bytes are whole, the story is not' : 'the story is not whole';

/** `23 things that no game sends or takes` */
export const oddCountText = (times: number): string => `${count(times, 'thing')} that no game sends or takes`;

/** A diagnostic of a recording as a line that names the packet. */
export const findingLine = (entry: DiagnosticEntry): string =>
  entry.direction === undefined ? diagnosticLine(entry.diagnostic) : packetFinding(entry);

/** `tick 31290 on base 31282` */
export const whereOf = ({ tick, base }: Pick<SnapshotEntry, 'tick' | 'base'>) =>
  `tick ${tick} on ${base === -1 ? 'the empty snapshot' : `base ${base}`}`;

/** `tick 31290 on base 31282: the checksum is 7; announced 5` */
export const mismatchText = (entry: SnapshotEntry) =>
  `${whereOf(entry)}: the checksum is ${entry.snapshot!.checksum()}; announced ${entry.announced}`;

export const reasons: Readonly<Record<NotRebuilt, string>> = {
  missing_base: 'the base is missing',
  missing_part: 'a part is missing',
  damaged: 'damaged',
};

/** What became of a copy of a message: `early: dropped, asked again in frame 10`. */
export function fateText({ fate, frame }: CopyFate): string {
  switch (fate) {
    case 'early':
      return `early: dropped, asked again in frame ${frame}`;
    case 'lost':
      return `lost: sent again in frame ${frame}`;
    case 'late':
      return `late: dropped, a newer one is acknowledged in frame ${frame}`;
    case 'again':
      return frame === undefined ? 'again' : `again: taken from frame ${frame}`;
    default:
      return frame === undefined ? fate : `${fate}: acknowledged in frame ${frame}`;
  }
}

/**
 * `sv_chat team=0 client_id=1 (stress3) message="hello"`,
 * `sv_killmsg (0.7, certain) killer=1 (stress3) victim=… weapon=3 (grenade)`
 * @param nameOf the name of a client's player
 */
export function messageLine(
  message: Message,
  certainty?: VersionCertainty,
  nameOf: (client: number) => string | undefined = () => undefined,
): string {
  const version = versionNote(message, certainty);
  const values = message.values.map((value) => {
    const note = noteOf(value, nameOf);
    return `${value.name}=${valueText(value.value)}${note === undefined ? '' : ` (${note})`}`;
  });
  const line = [messageName(message), ...(version ? [`(${version})`] : []), ...values].join(' ');
  return shortened(line, maxText);
}

/** The version of a message if it is not that of the stream, and how sure it is; empty for other messages. */
export function versionNote({ version }: Message, certainty: VersionCertainty | undefined): string {
  const isSure = version === undefined && (certainty === undefined || certainty === 'certain');
  if (isSure || certainty === undefined) return version ?? '';
  const text = certaintyTexts[certainty];
  return version === undefined ? text : `${version}, ${text}`;
}

const certaintyTexts: Readonly<Record<VersionCertainty, string>> = {
  certain: 'certain',
  likely: 'likely',
  ambiguous: 'ambiguous: it makes sense in both versions',
  neither: 'uncertain: it makes sense in no version',
};

/** The name of a player, or of a number that has one. */
function noteOf({ type, value }: MessageValue, nameOf: (client: number) => string | undefined): string | undefined {
  if (typeof value !== 'number') return undefined;
  const player = type.kind === 'client' ? nameOf(value) : undefined;
  if (player !== undefined) return nameText(player);
  return type.kind === 'enum' || type.kind === 'client' ? meaningText(type, value).symbol : undefined;
}

function valueText(value: MessageValue['value']): string {
  if (value === undefined) return '?';
  if (typeof value === 'string') return quotedText(value);
  return typeof value === 'number' ? String(value) : `(${count(value.length, 'byte')})`;
}

/** What its title says of a snapshot with a wrong checksum, or that cannot be read. */
type Failed = Pick<FailedChecksum, 'frame' | 'client' | 'tick' | 'base' | 'expected' | 'crc'> & {
  readonly cause?: { readonly code: string; readonly args: Args } | undefined;
};

/**
 * The failed snapshot and the reason:
 * `127.0.0.1:52190  tick 31290 on base 31282, frame 12: announced 5, rebuilt 7, 2 too many`
 */
export function failureTitle(failure: Failed, theme: Theme): string {
  const { frame, client, crc, expected, cause } = failure;
  const verdict =
    crc === undefined
      ? `damaged${cause && isDiagnosticCode(cause.code) ? `: ${diagnosticMessage({ ...cause, code: cause.code })}` : ''}`
      : `announced ${expected}, rebuilt ${crc}, ${excessText((crc - expected) | 0)}`;
  return `${theme.strong(client)}  ${whereOf(failure)}${frame > 0 ? `, frame ${frame}` : ''}: ${verdict}`;
}

export const excessText = (excess: number) =>
  excess > 0 ? `${thousands(excess)} too many` : `${thousands(Math.abs(excess))} too few`;

/** How a recording was changed on its way, and that it was undone. */
const changeTexts: Readonly<Record<Exclude<Change, 'replaced'>, string>> = {
  carriage_returns:
    'a carriage return stood before every line feed, as a transfer in text mode puts it; it is taken out',
  byte_order_mark: 'an editor had put a byte order mark in front; it is taken out',
  latin1: 'it was read as Latin-1 and saved as UTF-8; the bytes before are read',
  base64: 'this is base64 of a recording; the bytes in it are read',
};

export const undoneText = (change: Exclude<Change, 'replaced'>) =>
  `${changeTexts[change]} (offsets are those after that; tw-snap repair writes the demo)`;

export const replacedText =
  'this recording was opened as UTF-8 text and saved: its bytes were replaced by ef bf bd and are lost; get it again, unchanged';

export const unfinishedText = 'its name is that of a download which is not finished: its end may be missing';

/** What a file has besides one whole recording. */
export function oddEndTexts({ zerosFrom, secondAt, size }: OddEnds): string[] {
  const texts: string[] = [];
  if (zerosFrom !== undefined) {
    const zeros = `zeros from 0x${address(zerosFrom)} to the end, ${thousands(size - zerosFrom)} bytes`;
    texts.push(`${zeros}: it was not downloaded or written to its end`);
  }
  if (secondAt !== undefined)
    texts.push(`another demo begins at 0x${address(secondAt)}: tail -c +${secondAt + 1} FILE > second.demo`);
  return texts;
}
