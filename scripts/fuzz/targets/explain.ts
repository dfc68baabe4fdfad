import { explainLog, readLogLine } from '../../../src/analysis/explain/log.ts';
import { DemoCheck, RecordingExplainer } from '../../../src/analysis/explain/recording-explainer.ts';
import { renderJson } from '../../../src/output/json/item-json.ts';
import { renderLog } from '../../../src/output/reports/explain/explanation-text.ts';
import { renderExplained } from '../../../src/output/reports/explain/explanations.ts';
import { explainValues, logValues } from '../../../src/output/results/explain.ts';
import { plainTheme } from '../../../src/output/text/theme.ts';
import { DemoReplay } from '../../../src/recording/demo/demo-replay.ts';
import { check, isJson, safe, same } from '../checks.ts';
import { makeDemo } from '../make/demo.ts';
import type { Random } from '../random.ts';
import type { Target } from '../target.ts';

/** Damaged demos, checked whole and in pieces. */
export const demoCheck: Target = {
  name: 'demo-check',
  share: 15,
  run(random, material, note) {
    const bytes = makeDemo(random, material.demos, material);
    note('a.demo', bytes);
    const whole = explained(random, [bytes]);
    same(explained(random, random.pieces(bytes)), whole, 'explain: a demo, whole and in pieces');
  },
};

function explained(random: Random, pieces: Iterable<Uint8Array>): string {
  const replay = new DemoReplay({ messages: true, parts: true });
  const faults = new DemoCheck();
  const explainer = new RecordingExplainer();
  const read = (entries: ReturnType<DemoReplay['feed']>) => {
    for (const entry of entries) {
      faults.add(entry);
      explainer.add(entry);
    }
  };
  for (const piece of pieces) read(replay.feed(piece));
  read(replay.finish());
  const { counts, findings } = explainer;
  const demo = faults.finish();
  const found = { file: 'x', again: 'x', ...counts, explanations: explainer.explain(), findings, demo };
  safe(renderExplained(found, styleOf(random)));
  const json = renderJson(explainValues(found));
  isJson(json);
  return json;
}

/** Lines that clients log about snapshots, and similar lines. */
const lines: readonly ((number: () => number) => string)[] = [
  (number) =>
    `snapshot crc error #${number()} - tick=${number()} wantedcrc=${number()} gotcrc=${number()} compressed_size=${number()} delta_tick=${number()}`,
  (number) => `delta unpack failed! (${number()})`,
  () => "error, couldn't find the delta snapshot",
  () => 'client: snapshot invalid',
  () => '[client]: snapshot error',
];
const heads = [
  '',
  '2026-11-20 11:26:30 E client: ',
  '[2026-11-20 11:26:30][client]: ',
  '[chat]: 3:-2:name: ',
  'I chat/client: name: ',
];

/** Logs of clients. */
export const log: Target = {
  name: 'log',
  share: 15,
  run(random, _, note) {
    let tick = random.below(1000);
    const number = () => {
      if (random.oneIn(4)) return random.pick([0, -1, 2 ** 31 - 1, -(2 ** 31), 1e30, Number.NaN]);
      tick += 2;
      return random.oneIn(2) ? tick : random.below(1e6) - 5e5;
    };
    const text = Array.from({ length: random.below(40) }, () => {
      const line = random.pick(heads) + random.pick(lines)(number);
      return random.oneIn(6) ? line.slice(random.below(line.length), random.below(line.length)) : line;
    }).join('\n');
    note('client.log', text);
    const errors = text.split('\n').flatMap((line, i) => readLogLine(line, i + 1) ?? []);
    const found = explainLog(errors);
    safe(renderLog('x', found, styleOf(random)));
    isJson(renderJson(logValues('x', found)));
    const inRuns = found.runs.reduce((sum, run) => sum + run.errors.length, 0);
    check(inRuns === errors.filter(({ kind }) => kind === 'crc').length, 'explain: a wrong checksum is in no run');
  },
};

const styleOf = (random: Random) => ({
  theme: plainTheme,
  width: random.pick([20, 80, 160]),
  verbose: random.oneIn(2),
});
