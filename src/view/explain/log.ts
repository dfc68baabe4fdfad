import { type Course, differenceOf, type LogExplanation, type LogRun, unpackCauses } from '../../explain/log.ts';
import { escapeText } from '../text/escape.ts';
import { count, nonZero, thousands } from '../text/number.ts';
import type { Theme, ViewStyle } from '../text/theme.ts';
import { causeName } from './causes.ts';
import { basesText, labelled, signed } from './explanations.ts';

const courses: Readonly<Record<Course, string>> = {
  single: 'one error alone',
  constant: 'the same in all',
  follows_base: 'it follows the base',
  follows_tick: 'it follows the tick',
  drifts: 'it drifts, as the sum of something that moves',
  varies: 'it has no order',
};

export function renderLog(file: string, log: LogExplanation, { theme }: Pick<ViewStyle, 'theme'>): string {
  const { runs, unpackErrors, invalid, missingBases } = log;
  const errors = runs.reduce((sum, run) => sum + run.errors.length, 0);
  const unpack = [...unpackErrors.values()].reduce((sum, one) => sum + one, 0);
  const parts = nonZero(
    [errors, count(errors, 'wrong checksum')],
    [unpack, `${count(unpack, 'delta')} that could not be unpacked`],
    [invalid, count(invalid, 'invalid snapshot')],
    [missingBases, `${count(missingBases, 'base')} the client no longer had`],
  );
  const lines = [`${theme.strong(escapeText(file))}   ${parts.join(', ') || 'nothing to explain'}`];
  for (const run of runs) lines.push('', ...runLines(run, theme));
  for (const [code, times] of unpackErrors) {
    const named = code === 0 ? '' : ` (error ${code})`;
    lines.push('', `${theme.error('✗')} a delta could not be unpacked, ${count(times, 'time')}${named}`);
    lines.push(...causeLines(unpackCauses(code), theme));
  }
  if (missingBases > 0) {
    lines.push(
      '',
      `${theme.warning('!')} the server used a base that the client did not have, ${count(missingBases, 'time')}`,
    );
    lines.push(labelled('meaning', 'loss, or a snapshot that the client had dropped; it asks for a full one', theme));
  }
  return `${lines.join('\n')}\n`;
}

function runLines({ errors, course, perTick, causes, isLarge }: LogRun, theme: Theme): string[] {
  const [first, last] = [errors[0]!, errors.at(-1)!];
  const lines = first.line === last.line ? `line ${first.line}` : `lines ${first.line} to ${last.line}`;
  const title = causes.slice(0, 2).map(causeName).join(', or ');
  const onBases = basesText(errors.map(({ base }) => base));
  const differences = [...new Set(errors.map(differenceOf))];
  const values = differences.slice(0, 4).map(signed).join(', ');
  const follows = perTick === 0 ? '' : `, ${signed(perTick)} for each tick`;
  const row = (label: string, text: string) => labelled(label, text, theme);
  const most = Math.max(...errors.map(({ bytes }) => bytes));
  return [
    `${theme.error('✗')} ${title}${causes.length > 1 ? '?' : ''}`,
    row('where', `${lines}, ${count(errors.length, 'error')}, ticks ${first.tick} to ${last.tick}, ${onBases}`),
    row('difference', `wanted − got = ${values}${differences.length > 4 ? ', …' : ''}: ${courses[course]}${follows}`),
    ...(isLarge ? [row('size', `${thousands(most)} bytes over few ticks: much is sent in full`)] : []),
    ...causeLines(causes, theme),
    row('would help', 'a capture (tcpdump -w server.pcap udp port 8303): it names the item'),
  ];
}

const causeLines = (causes: LogRun['causes'], theme: Theme) =>
  causes.map((cause, i) => labelled(i === 0 ? 'allows' : '', causeName(cause), theme));
