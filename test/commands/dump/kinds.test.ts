import { expect, it } from 'vitest';
import { linesOf, run } from '../../support/run.ts';
import { read } from '../../support/samples.ts';

/*
 * Each kind of record that a search can name, in each format that dump prints: rows, or a refusal with a reason. A
 * format that leaves a kind out without a word looks like a file without it.
 */
const files = { 'a.pcap': read('vanilla-ctf-timeout.pcap'), 'm.demo': read('vanilla-dm1.demo') };

/** What these recordings have. */
const kinds: readonly (readonly [file: keyof typeof files, search: string])[] = [
  ['m.demo', '--type obj_character'],
  ['m.demo', '--where obj_character'],
  ['m.demo', '--where "x>100"'],
  ['m.demo', '--type sv_killmsg'],
  ['m.demo', '--where sv_killmsg'],
  ['m.demo', '--where kill'],
  ['m.demo', '--where finish'],
  ['m.demo', '--where corpus'],
  ['m.demo', '--where "sv_killmsg or obj_character"'],
  ['m.demo', '--where "kill or obj_character"'],
  ['m.demo', '--events'],
  ['m.demo', '--events --type fire'],
  ['m.demo', '--player corpus'],
  ['a.pcap', '--type map_change'],
  ['a.pcap', '--where map_change'],
  ['a.pcap', '--where enter_game'],
  ['a.pcap', '--where close'],
  ['a.pcap', '--where timeout'],
  ['a.pcap', '--events --type connection'],
];

it.each(['text', 'ndjson', 'csv', 'hexdump'])('-t %s has rows of each kind, or says why not', async (format) => {
  for (const [file, search] of kinds) {
    const words = [...search.matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, word]) => quoted ?? word!);
    const { status, stdout, stderr } = await run(['dump', file, ...words, '-t', format], files);
    const what = `${file} ${search}: ${stderr}`;
    const isNone = search.endsWith('timeout');
    if (status === 2) expect(stderr, what).toMatch(/: .{20}/);
    else if (isNone) expect([status, stderr], what).toEqual([1, expect.stringContaining('nothing matches')]);
    else {
      expect(status, what).toBe(0);
      expect(linesOf(stdout).length, what).toBeGreaterThan(format === 'csv' ? 1 : 0);
    }
  }
});
