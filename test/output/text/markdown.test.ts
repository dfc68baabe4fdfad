import { describe, expect, it } from 'vitest';
import { main } from '../../../commands/index.ts';
import { markdownRows, markdownTable, markdownText } from '../../../src/output/text/markdown.ts';
import { listed } from '../../../src/output/text/rows.ts';
import { fakeIo } from '../../support/fake-io.ts';
import { read } from '../../support/samples.ts';

// Expected values follow CommonMark 0.31 (code spans, 6.1) and GitHub Flavored Markdown (tables, 4.10).

describe('text in markdown', () => {
  it.each([
    ['client demo, version 6, 204 KB', 'client demo, version 6, 204 KB'],
    ['sv_chat 0:57.68 -12 +4.74 25/s 100%', 'sv_chat 0:57.68 -12 +4.74 25/s 100%'],
    ['[TW] nameless tee', '`[TW]` nameless tee'],
    ['*a b*', '`*a` `b*`'],
    ['_a_ __init__', '`_a_` `__init__`'],
    ['map_change, [::1]:8304, done', 'map_change, `[::1]:8304`, done'],
    ['a`b', '`` a`b ``'],
    ['``', '``` `` ```'],
    ['\\u{1b}', '`\\u{1b}`'],
    ['#12 GH @robin :tada: https://a.b www.a.b', '`#12` GH `@robin` `:tada:` `https://a.b` `www.a.b`'],
    ['GH-12 (GH-3) GH- high-5', '`GH-12` `(GH-3)` GH- high-5'],
    ['<b> &amp; ~x~ $x$', '`<b>` `&amp;` `~x~` `$x$`'],
    ['- 1. > +', '`-` `1`. `>` `+`'],
  ])('%s', (text, expected) => {
    expect(markdownText(text)).toBe(expected);
  });
});

describe('a table in markdown', () => {
  const columns = [
    { head: 'name', align: 'left', cell: ([name]: readonly [string, number]) => name },
    { head: 'n', cell: ([, number]: readonly [string, number]) => String(number) },
  ] as const;

  it('is aligned, and a bar ends no cell', () => {
    expect(
      markdownTable(columns, [
        ['a', 1],
        ['x|y', 100],
      ]),
    ).toEqual(['| name   |   n |', '| ------ | --: |', '| a      |   1 |', '| `x\\|y` | 100 |']);
  });

  it('keeps the lines and the depth of a cell, without colours', () => {
    const cells = [{ head: 'a', align: 'left', cell: () => '\u001b[1m  deep\u001b[0m\nnext' }] as const;
    expect(markdownTable(cells, [1]).at(-1)).toBe('| &emsp;deep<br>next |');
  });

  it('of rows has a colon after a total', () => {
    const rows = [
      ['snapshots', ...listed('1,369', ['12 full', '1,357 deltas'])],
      ['nothing', ''],
    ] as const;
    expect(markdownRows(rows).slice(2)).toEqual(['| snapshots | 1,369: 12 full, 1,357 deltas |']);
  });
});

const names = ['vanilla-dm1.demo', 'ddnet-ipv6.pcap', 'duplicate-key.pcap', 'duplicate-key.log', 'first.packed'];

describe('-t markdown', () => {
  const run = async (args: string, more: object = {}) => {
    const files = Object.fromEntries(names.map((name) => [name, read(name)]));
    const io = fakeIo({ files, ...more });
    const status = await main(args.split(' '), io);
    return { status, text: io.stdout.text };
  };

  /** The cells of each table: in every row as many as in its head, and a rule below that. */
  function tablesOf(text: string): string[][][] {
    const blocks = text.split('\n\n').map((block) => block.trim().split('\n'));
    const tables = blocks.filter(([line = '']) => line.startsWith('|'));
    return tables.map((lines) => lines.map((line) => line.split(/(?<!\\)\|/).slice(1, -1)));
  }

  it.each([
    'info vanilla-dm1.demo',
    'info ddnet-ipv6.pcap',
    'info ddnet-ipv6.pcap vanilla-dm1.demo missing.demo',
    'stats vanilla-dm1.demo',
    'stats vanilla-dm1.demo --by second',
    'stats vanilla-dm1.demo ddnet-ipv6.pcap',
    'checksum vanilla-dm1.demo',
    'checksum duplicate-key.pcap',
    'checksum duplicate-key.pcap vanilla-dm1.demo',
    'checksum first.packed --base empty',
    'explain duplicate-key.pcap',
    'explain duplicate-key.log duplicate-key.pcap',
    'schema',
    'schema -v',
    'schema character',
  ])('%s has a table with as many cells in each row', async (args) => {
    const { text } = await run(`${args} -t markdown`);
    const tables = tablesOf(text);
    expect(tables.length).toBeGreaterThan(0);
    for (const [head, rule, ...rows] of tables) {
      expect(
        rule!.every((cell) => /^ -{2,}[-:] $/.test(cell)),
        rule!.join('|'),
      ).toBe(true);
      expect(rows.length).toBeGreaterThan(0);
      for (const row of [rule!, ...rows]) expect(row.length, row.join('|')).toBe(head!.length);
    }
  });

  it('says what the text says', async () => {
    const { text } = await run('info vanilla-dm1.demo -t markdown');
    expect(text).toContain(
      '### vanilla-dm1.demo\n\nclient demo, version 4, 63.1 KB, healthy, no checksum confirms it\n',
    );
    expect(text).toMatch(/\| map {7}\| dm1, 6,793 bytes, crc 64548818 ✓ +\|/);
  });

  it('of two snapshots is a list, each item with its fields below it', async () => {
    const { status, text } = await run('diff vanilla-dm1.demo@9938 vanilla-dm1.demo@10000 -t markdown');
    expect(status).toBe(1);
    expect(text).toContain('### `vanilla-dm1.demo@9938` → `vanilla-dm1.demo@10000`\n');
    expect(text).toMatch(/\n- `~` obj_character 1 "stress2"\n {2}- x +484 → 192 +-292 +-9\.13 tiles\n/);
  });

  it('has no colours, and is the same on every terminal', async () => {
    const piped = await run('stats vanilla-dm1.demo -t markdown');
    const narrow = await run('stats vanilla-dm1.demo -t markdown --color always', { terminal: true, columns: 40 });
    expect(narrow.text).toBe(piped.text);
  });
});
