import { describe, expect, it } from 'vitest';
import { commands } from '../../commands/index.ts';
import { topics } from '../../commands/topics.ts';
import { needsMore, runExample } from '../support/examples.ts';
import { run } from '../support/run.ts';

const examplesIn = (text: string) =>
  text
    .slice(text.indexOf('Examples:'))
    .split('\n')
    .slice(1)
    .map((line) => line.trim())
    .filter((line) => line !== '');

describe.each(Object.keys(topics))('tw-snap help %s', (topic) => {
  it('has examples that work', async () => {
    const { stdout } = await run(`help ${topic}`);
    for (const example of examplesIn(stdout)) {
      const { status, stderr } = await runExample(example);
      expect([0, 1], `${example}\n${stderr}`).toContain(status);
    }
  });
});

describe.each(commands.map(({ name }) => name))('tw-snap %s --help', (command) => {
  it('has at least two examples, which do what their descriptions say', async () => {
    const examples = examplesIn((await run([command, '--help'])).stdout);
    expect(examples.length).toBeGreaterThanOrEqual(2);
    for (const example of examples) {
      if (needsMore(example)) continue;
      const { status, stdout, stderr } = await runExample(example);
      // No player of the sample kills another one.
      if (example.includes('--around kill:by-player')) {
        expect(stderr).toContain('there is no kill:by-player');
        continue;
      }
      // Exit status 1: wrong checksums and their causes, and what differs.
      const isFinding = ['diff', 'explain'].includes(command) || example.includes(' --diff ');
      expect([0, ...(isFinding ? [1] : [])], `${example}\n${stderr}`).toContain(status);
      expect(stdout.length, example).toBeGreaterThan(0);
    }
  });
});
