import type { Reporter, TestModule } from 'vitest/node';
import { isHere } from './host.ts';

/** What a skipped test needs and is absent, from its title or that of its suite: `(needs bash, jq and xxd)`. */
export function needsOf(title: string): string[] {
  const all = [...title.matchAll(/\(needs ([^)]+)\)/g)].flatMap(([, list]) => list!.split(/, | and /));
  const absent = all.filter((need) => isHere(need) !== true);
  return [...new Set(absent.length > 0 ? absent : all)];
}

/** `194 skipped: 51 need Chromium, 2 need bash and jq` */
export function skippedText(titles: readonly string[]): string {
  const counts = new Map<string, number>();
  for (const title of titles) {
    const needs = needsOf(title).join(' and ');
    counts.set(needs, (counts.get(needs) ?? 0) + 1);
  }
  const parts = [...counts]
    .sort(([a, m], [b, n]) => Number(a === '') - Number(b === '') || n - m || (a < b ? -1 : 1))
    .map(([needs, count]) => {
      if (needs === '') return `${count} without a reason`;
      return `${count} ${count === 1 ? 'needs' : 'need'} ${needs}`;
    });
  return [`${titles.length} skipped`, parts.join(', ')].filter(Boolean).join(': ');
}

/** Tests that failed, and files and suites that failed outside of them: their tests were not run, or not known. */
export function failedCount(modules: readonly TestModule[]): number {
  const failed = modules.flatMap((module) => [
    ...[...module.children.allTests('failed')].map(() => module.moduleId),
    ...[module, ...module.children.allSuites()].flatMap((suite) => suite.errors().map(() => module.moduleId)),
  ]);
  return failed.length;
}

/** After vitest's own summary: what was not tested for want of what, and all counts in the last line. */
export default class SkippedReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const tests = modules.flatMap((module) => [...module.children.allTests()]);
    const inState = (state: string) => tests.filter((test) => test.result().state === state);
    const skipped = inState('skipped');
    const titles = skipped.map((test) => {
      const result = test.result();
      return `${test.fullName} ${('note' in result && result.note) || ''}`;
    });
    if (skipped.length > 0) console.log(`${skippedText(titles)}\n`);
    console.log(`${inState('passed').length} passed, ${failedCount(modules)} failed, ${skipped.length} skipped`);
  }
}
