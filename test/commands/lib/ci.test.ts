import { describe, expect, it } from 'vitest';
import { runWriting } from '../../support/run.ts';
import { read } from '../../support/samples.ts';

const files = {
  'fine.pcap': read('ddnet-ipv6.pcap'),
  'wrong.pcap': read('duplicate-key.pcap'),
  'half.demo': read('vanilla-dm1.demo').slice(0, 20_000),
};

async function run(command: string, more = '', env: Record<string, string> = {}) {
  const line = `${command} ${Object.keys(files).join(' ')} missing.demo ${more}`;
  const { stderr, ...rest } = await runWriting(line, files, { env });
  return { ...rest, annotations: stderr.match(/^::.*/gm) ?? [] };
}

/** All three commands have the same result for a file. */
describe.each(['checksum', 'info', 'explain'])('%s', (command) => {
  it('-t junit has a failure for a mismatch, errors for files that end early or are missing', async () => {
    const { status, stdout } = await run(command, '-t junit');
    expect(stdout).toMatch(/^<\?xml .*\n<testsuites name="tw-snap \w+" tests="4" failures="1" errors="2">\n/);
    const verdicts = [...stdout.matchAll(/ name="(\S+)">\s*<(\w[\w-]+)/g)]
      .slice(-4)
      .map(([, name, what]) => [name, what]);
    expect(verdicts).toEqual([
      ['fine.pcap', 'system-out'],
      ['wrong.pcap', 'failure'],
      ['half.demo', 'error'],
      ['missing.demo', 'error'],
    ]);
    expect(status).toBe(3);
  });

  it('annotates failed files where GITHUB_ACTIONS is set, and adds to the summary of the job', async () => {
    const { files: after, annotations } = await run(command, '', {
      GITHUB_ACTIONS: 'true',
      GITHUB_STEP_SUMMARY: 'summary.md',
    });
    expect(annotations.map((line) => /file=([^,]*),/.exec(line)![1])).toEqual([
      'wrong.pcap',
      'half.demo',
      'missing.demo',
    ]);
    const summary = Buffer.from(after.get('summary.md')!).toString();
    expect(summary).toContain(`### tw-snap ${command}: 3 of 4 files failed`);
  });

  it('-t junit names what can not be read, also of a file without a snapshot', async () => {
    for (const [name, bytes, at] of [
      ['cut.pcap', files['fine.pcap'].slice(0, 40_000), 'truncated_record at 0x'],
      ['head.pcap', files['fine.pcap'].slice(0, 20), 'truncated_header at 0x0014'],
      ['head.demo', files['half.demo'].slice(0, 20), 'truncated_header at 0x0014'],
    ] as const) {
      const { stdout } = await runWriting(`${command} ${name} -t junit`, { [name]: bytes });
      expect(stdout.match(/<error .*<\/error>/s)?.[0]).toContain(at);
      expect(stdout).not.toMatch(/nothing to explain in [\d,]+ snapshots?</);
    }
  });

  it('annotates nothing with --annotations none, or elsewhere', async () => {
    expect((await run(command, '--annotations none', { GITHUB_ACTIONS: 'true' })).annotations).toEqual([]);
    expect((await run(command)).annotations).toEqual([]);
  });

  it('annotates elsewhere with --annotations github', async () => {
    expect((await run(command, '--annotations github')).annotations).toHaveLength(3);
  });
});
