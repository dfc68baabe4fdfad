import { expect, it } from 'vitest';
import { annotate } from '../../src/annotate/annotate.ts';
import { unwrap } from '../../src/model/layers.ts';
import { readPayload } from '../../src/model/payload.ts';
import { protocolOf } from '../../src/protocol/registry.ts';
import { renderHexdump } from '../../src/view/hexdump.ts';
import { plainTheme } from '../../src/view/theme.ts';
import { payloadOfUpdates } from '../support/large.ts';

it('shows a payload with more rows than a call has room for', () => {
  // Of game data, five bytes each: no row of it is the same as the others.
  const updates = 130_000;
  const payload = readPayload(unwrap(payloadOfUpdates(updates), 'packed'), 'delta', protocolOf('0.7'));
  const text = renderHexdump(payload, annotate(payload), {
    name: 'FILE',
    theme: plainTheme,
    width: 100,
    verbose: false,
  });
  expect(text.match(/^ +[0-9a-f]{4,} {2}[0-9a-f]{2}/gm)?.length).toBe(Math.ceil((5 + 5 * updates) / 4));
});
