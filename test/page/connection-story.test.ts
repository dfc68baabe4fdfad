import { afterEach, describe, expect, it, vi } from 'vitest';
import type { Connection } from '../../src/page/report/report-data.ts';
import { connectionStories } from '../../src/page/views/connection-story.ts';
import { eventKindsOf } from '../../src/recording/events/event.ts';
import { corpusFile, hasCorpus } from '../support/corpus.ts';
import { pageDataOf } from '../support/report.ts';
import { linesOf, recordsOf, run } from '../support/run.ts';
import { read } from '../support/samples.ts';

/** As much of an element as the page's `h` needs: its tag, class and content. */
class Element {
  readonly tag: string;
  className = '';
  readonly children: (Element | string)[] = [];
  constructor(tag: string) {
    this.tag = tag;
  }
  setAttribute(): void {}
  append(...children: (Element | string)[]): void {
    this.children.push(...children);
  }
  get text(): string {
    return this.children.map((child) => (typeof child === 'string' ? child : child.text)).join('');
  }
  all(tag: string): Element[] {
    const below = this.children.flatMap((child) => (typeof child === 'string' ? [] : child.all(tag)));
    return this.tag === tag ? [this, ...below] : below;
  }
}

const shown = (connections: readonly Connection[]): Element | undefined => {
  vi.stubGlobal('document', { createElement: (tag: string) => new Element(tag) });
  return connectionStories(connections) as unknown as Element | undefined;
};

afterEach(() => vi.unstubAllGlobals());

const part = (text: string, isWrong = false) => ({ label: 'loss', text, isWrong });
const connection = (client: string, story: Connection['story'], player?: string): Connection => ({
  ...{ client, player, story },
  ...{ version: '0.6', rebuilt: 0, counts: {} },
});

describe('the stories of connections', () => {
  it('are nothing where there is nothing to tell', () => {
    expect(shown([])).toBeUndefined();
    expect(shown([connection('10.0.0.1:5000', [])])).toBeUndefined();
  });

  it('count what is wrong in their title, and mark it', () => {
    const all = shown([
      connection('10.0.0.1:5000', [part('1 chunk sent again'), part('2 chunks not captured', true)]),
    ])!;
    const [summary] = all.all('summary');
    expect([summary!.text, summary!.className]).toEqual([
      'what became of the connection: 1 thing to look at',
      'warning',
    ]);
    expect(all.all('dd').map(({ text, className }) => [text, className])).toEqual([
      ['1 chunk sent again', ''],
      ['! 2 chunks not captured', 'warning'],
    ]);
  });

  it('have names if there are several; those of players are escaped', () => {
    const all = shown([
      connection('10.0.0.1:5000', [part('a')], 'x\u001b[31m'),
      connection('10.0.0.1:5001', [part('b')]),
    ])!;
    expect(all.all('summary')[0]!.text).toBe('what became of 2 connections');
    expect(all.all('dt').map(({ text }) => text)).toEqual(['x\\u{1b}[31m', 'loss', '10.0.0.1:5001', 'loss']);
  });

  it('of more than eight connections are those with something wrong', () => {
    const quiet = Array.from({ length: 8 }, (_, i) => connection(`10.0.0.1:${i}`, [part('1 chunk sent again')]));
    const all = shown([...quiet, connection('10.0.0.2:1', [part('fine'), part('stuck', true)])])!;
    expect(all.all('dd').map(({ text }) => text)).toEqual(['! stuck']);
    expect(shown(quiet)!.all('dl')).toHaveLength(8);
  });

  it('have the words of info -v', async () => {
    const file = read('vanilla-ctf-timeout.pcap');
    const { connections } = await pageDataOf(file);
    const info = linesOf((await run('info file -v --width 400', { file })).stdout);
    expect(connections!.length).toBeGreaterThan(0);
    for (const { label, text, isWrong } of connections!.flatMap(({ story }) => story)) {
      // The end is in the row of the time.
      if (label === 'end') continue;
      const line = info.find((line) => line.trim().startsWith(label));
      for (const one of text.split(', ')) expect(line).toContain(one);
      expect(line!.includes('!')).toBe(isWrong);
    }
  });

  it('are lines of the list of events, as of dump --events', async () => {
    const file = read('vanilla-ctf-timeout.pcap');
    const connectionKinds: readonly string[] = eventKindsOf('connection');
    const { reads, tracks } = await pageDataOf(file);
    const lines = reads!.flatMap(({ events }) => events).filter(({ what }) => connectionKinds.includes(what));
    const { stdout } = await run('dump file --events --type connection -t ndjson', { file });
    const told = recordsOf(stdout).map(({ event, sentence }) => [event, sentence]);
    const texts = lines.map(({ what, parts }) => [what, parts.map(({ text }) => text).join('')]);
    expect(told.length).toBeGreaterThan(5);
    expect(texts.toSorted()).toEqual(told.toSorted());
    // What came before there was anything to show is at the beginning.
    expect(Math.min(...lines.map(({ tick }) => tick))).toBe(tracks[0]!.snapshots[0]!.tick);
  });

  it.skipIf(!hasCorpus)(
    'of several connections have what each was sent: the tuning of a DDNet server (needs ../shared)',
    async () => {
      const { connections, facts } = await pageDataOf(corpusFile('06-ddnet-loss.pcap'));
      const tunings = connections!.map(({ story }) => story.find(({ label }) => label === 'tuning')?.text);
      // `gun_speed` of DDNet's tuning.h, and that of Teeworlds, which tools take for granted.
      expect(tunings).toEqual(connections!.map(() => expect.stringContaining('gun_speed 1400 (default 2200)')));
      expect(facts.map(({ label }) => label)).not.toContain('tuning');
    },
  );
});
