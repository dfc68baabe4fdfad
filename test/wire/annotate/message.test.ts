import { expect, it } from 'vitest';
import { annotateContents } from '../../../src/wire/annotate/packet-spans.ts';
import { readMessageContents } from '../../../src/wire/packet/packet-contents.ts';
import { protocolOf } from '../../../src/wire/protocol/registry.ts';
import { ints, payloadOfUpdates } from '../../support/packet-builder.ts';

it('a delta with more values than a call has room for is covered', () => {
  const data = payloadOfUpdates(50_000);
  const head = ints((8 << 1) | 1, 1000, 1001, 0, data.length);
  const bytes = new Uint8Array(head.length + data.length);
  bytes.set(head);
  bytes.set(data, head.length);
  const spans = annotateContents(readMessageContents(bytes, protocolOf('0.7')));
  // The message number, four values before the data, three ints of the delta's header, and five ints of each update.
  expect(spans.length).toBe(1 + 4 + 3 + 250_000);
  expect(spans.at(-1)!.end).toBe(bytes.length);
});
