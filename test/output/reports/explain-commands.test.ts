import { expect, it } from 'vitest';
import { blockOf } from '../../../src/output/reports/explain/explanation-text.ts';
import { plainTheme } from '../../../src/output/text/theme.ts';

const linesOf = (command: string, limit?: number) =>
  blockOf({ title: [], copied: [['see it', command]] }).lines({ theme: plainTheme, width: 40, limit, verbose: false });

it('commands that are wider than the terminal break with a backslash, between words, and not in quotes', () => {
  const command = "tw-snap decode 'a file with spaces.pcap'@252 --client 10.0.0.7:50000";
  expect(linesOf(command)).toEqual([`    see it      ${command}`]);
  expect(linesOf(command, 44)).toEqual([
    '    see it      tw-snap decode \\',
    "                'a file with spaces.pcap'@252 \\",
    '                --client 10.0.0.7:50000',
  ]);
});
