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
const shared = (name: string) => fileURLToPath(new URL(`../../../../shared/cases/${name}`, import.meta.url));

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
    /^\? (?!.*(twice|once more))|^✗ .* updated twice in one delta: either two deltas are joined, or/,
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

const twoReadings = /^✗ obj_character .* removed and updated at once: either .* sent in full, or .* of another item$/;

const largerCases: typeof cases = [
  [
    'explain/p14_count_twice-11.pcap.gz',
    'the checksum counts an item twice: both are named',
    /^\? obj_player_info 1 .*it occurs twice, or the checksum counts it twice/,
  ],
  ['verdicts/q15_id_plus_one-8.pcap.gz', 'updates come under the next id: both readings are named', twoReadings],
  ['verdicts/r08_id_minus_one-15.pcap.gz', 'updates come under the id before: so they are', twoReadings],
];

describe('captures with a right answer', () => {
  for (const [name, fault, right] of cases) {
    it(`${name}: ${fault}`, () => {
      expect(saidFirst(fileURLToPath(new URL(name, own)))).toMatch(right);
    });
  }

  for (const [name, fault, right] of largerCases) {
    it.skipIf(!existsSync(shared(name)))(`${name}: ${fault} (needs ../shared)`, () => {
      expect(saidFirst(shared(name))).toMatch(right);
    });
  }
});
