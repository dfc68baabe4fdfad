import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { gunzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { RecordingExplainer } from '../../../src/analysis/explain/recording-explainer.ts';
import { saidOf } from '../../../src/output/reports/explain/explanation-text.ts';
import { CaptureReplay } from '../../../src/recording/capture/capture-replay.ts';

/**
 * Captures with one seeded fault each, made from real recordings. They are as the review of 2.0.0 handed them out with
 * the right answers.
 */
const own = new URL('cases/', import.meta.url);
/** Too large for the project. */
const larger = fileURLToPath(new URL('../../../../shared/cases/explain/p14_count_twice-11.pcap.gz', import.meta.url));

/** What is said first: `✗` a cause that is shown, `?` a fit. */
function saidFirst(file: string): string {
  const replay = new CaptureReplay({ messages: false, parts: true });
  const explainer = new RecordingExplainer();
  const bytes = Uint8Array.from(gunzipSync(readFileSync(file)));
  for (const entries of [replay.feed(bytes), replay.finish()]) for (const entry of entries) explainer.add(entry);
  const [said] = explainer.explain().flatMap((one) => saidOf(one));
  return said ? `${said.isShown ? '✗' : '?'} ${said.title}` : '';
}

const cases: readonly (readonly [name: string, fault: string, right: RegExp])[] = [
  [
    'p13_merged_deltas-3.pcap.gz',
    'a proxy merged two deltas: the server has each item once, so none is counted twice',
    /^\? (?!.*(twice|once more))/,
  ],
  [
    'p12_removed_key16-13.pcap.gz',
    'removed keys are cut to 16 bits, so items stay at the client: that, or nothing',
    /^\? (.*(may be gone on the server|not explained))/,
  ],
  [
    'p16_crc_with_removed-1.pcap.gz',
    'the checksum counts removed items: the server may have them as well, so both are named',
    /^\? .*the server still has them, or its checksum counts what was removed/,
  ],
];

describe('captures with a right answer', () => {
  for (const [name, fault, right] of cases) {
    it(`${name}: ${fault}`, () => {
      expect(saidFirst(fileURLToPath(new URL(name, own)))).toMatch(right);
    });
  }

  it.skipIf(!existsSync(larger))('the checksum counts an item twice: both are named (needs ../shared/cases)', () => {
    expect(saidFirst(larger)).toMatch(/^\? obj_player_info 1 .*it occurs twice, or the checksum counts it twice/);
  });
});
