import { describe, expect, it } from 'vitest';
import { corpusFile, hasCorpus } from '../../support/corpus.ts';
import { report, reportDataOf } from '../../support/report.ts';

describe('the page of a long demo', () => {
  it.skipIf(!hasCorpus)(
    'of a longer recording the ticks that fit are kept, with a note (needs ../shared)',
    async () => {
      const long = corpusFile('06-ddnet-dm1-34players-client-BENCH.demo');
      const { status, stderr, page } = await report(long, '--limit 2');
      expect(status).toBe(0);
      expect(page.length).toBeLessThan(2e6);
      const [, from, to] = /^tw-snap: file: only ticks (\d+) to (\d+) fit into a page of 2\.0 MB; --ticks/.exec(
        stderr,
      )!;
      const { tracks, facts } = reportDataOf(page);
      const ticks = tracks[0]!.snapshots.map(({ tick }) => tick);
      expect([ticks[0], ticks.at(-1)]).toEqual([Number(from), Number(to)]);
      expect(facts).toContainEqual({ label: 'shown', text: `only the ticks from ${from} to ${to}` });
      const rest = await report(long, `--limit 2 --ticks ${Number(to) + 1}..${Number(to) + 500}`);
      expect([rest.status, reportDataOf(rest.page).tracks[0]!.snapshots[0]!.tick > Number(to)]).toEqual([0, true]);
    },
  );

  it.skipIf(!hasCorpus)('the longest demo of the tests fits into 8 MB (needs ../shared)', async () => {
    const { page } = await report(corpusFile('06-ddnet-dm1-34players-client-BENCH.demo'));
    expect(page.length).toBeLessThan(8_000_000);
  });
});
