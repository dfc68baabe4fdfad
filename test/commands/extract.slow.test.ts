import { it } from 'vitest';
import { hasCorpus } from '../support/corpus.ts';
import { expectSameItems, type RecordedBeside } from '../support/recorded-beside.ts';

const recordings: readonly RecordedBeside[] = [
  ['06-ddnet-dm1-34players-oneclient.pcap', '127.0.0.1:17075', '06-ddnet-dm1-34players-client-BENCH.demo', 5633],
  ['07-on-ddnet-sixup-manyplayers.pcap', '127.0.0.1:61426', '07-on-ddnet-sixup-manyplayers-client.demo', 1288],
];

it.skipIf(!hasCorpus).each(recordings)(
  'the demo of %s has the items that the client %s recorded itself in %s (needs ../shared)',
  expectSameItems,
);
