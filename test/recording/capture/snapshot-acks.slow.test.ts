import { describe, expect, it } from 'vitest';
import { readCapture } from '../../../src/api/index.ts';
import { corpusFile, hasCorpus } from '../../support/corpus.ts';

// A client acknowledges in each input what it took last, or -1. Whatever it took was rebuilt here.
describe.skipIf(!hasCorpus)('the inputs of a capture acknowledge what was rebuilt (needs ../shared)', () => {
  it.each([
    ['06-ddnet-loss.pcap', 3477],
    ['06-ddnet-race.pcap', 2341],
    ['07-vanilla-dm1.pcap', 4616],
    ['07-vanilla-mapchange.pcap', 683],
    ['07-on-ddnet-sixup-manyplayers.pcap', 1231],
    ['ddnet20/06-ddnet20-mapchange-6clients.pcap', 3960],
  ])('%s', (name, count) => {
    const rebuilt = new Map<object, Set<number>>();
    let inputs = 0;
    const unknown: string[] = [];
    for (const entry of readCapture(corpusFile(name))) {
      if (!entry.stream) continue;
      const ticks = rebuilt.get(entry.stream) ?? new Set([-1]);
      rebuilt.set(entry.stream, ticks);
      if (entry.record === 'snapshot' && entry.verdict === 'ok') ticks.add(entry.tick);
      if (entry.record !== 'message' || entry.message.type?.name !== 'input') continue;
      inputs++;
      const [ack] = entry.message.values;
      if (!ticks.has(Number(ack!.value))) unknown.push(`frame ${entry.frame}: ${ack!.value}`);
    }
    expect([inputs, unknown]).toEqual([count, []]);
  });
});
