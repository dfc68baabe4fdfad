import { main } from '../../../commands/index.ts';
import { fakeIo } from '../../../test/support/fake-io.ts';
import { check } from '../checks.ts';
import { makeCapture } from '../make/capture.ts';
import { makeDemo } from '../make/demo.ts';
import type { Target } from '../target.ts';

/** What the games refuse, or read as something else. */
const notPlayed = /^(?:damaged|mismatched|unplayable)$/;

/** All commands say the same about a damaged recording, and what `repair` calls whole is played. */
export const verdicts: Target = {
  name: 'verdicts',
  share: 5,
  async run(random, material, note) {
    const isDemo = random.oneIn(2);
    const name = isDemo ? 'a.demo' : 'a.pcap';
    const bytes = isDemo
      ? makeDemo(random, material.demos, material)
      : makeCapture(random, material.conversations, material);
    note(name, bytes);
    const info = await ran(['info', name, '-t', 'json'], name, bytes);
    const checksum = await ran(['checksum', name, '--messages', '-t', 'json'], name, bytes);
    const explain = await ran(['explain', name, '-t', 'json'], name, bytes);
    const report = await ran(['report', name, '-o', 'a.html'], name, bytes);
    const { format, health } = info.row;
    // What is no recording any more may still be a snapshot, which `report` shows.
    if (format === undefined) return undefined;
    const all = `info ${info.status} ${health}, checksum ${checksum.status} ${checksum.row.health}, explain ${explain.status}, report ${report.status}`;
    check(checksum.row.health === health, all);
    check(checksum.status === info.status, all);
    check((explain.status === 3) === (info.status === 3), all);
    check(explain.status !== 0 || info.status === 0, all);
    check(report.status === info.status || report.status === 3, all);
    if (!isDemo) return undefined;
    const repair = await ran(['repair', name, '-o', 'b.demo'], name, bytes);
    const repaired = repair.files.get('b.demo');
    if (repair.status !== 0 || !repaired) return undefined;
    const again = await ran(['info', 'b.demo', '-t', 'json'], 'b.demo', repaired);
    check(!notPlayed.test(String(again.row.health)), `${all}, repair 0, and then ${again.row.health}`);
    return undefined;
  },
};

/** The status of a command, the first row of its JSON, and the files there are then. */
async function ran(argv: readonly string[], name: string, bytes: Uint8Array) {
  const world = fakeIo({ files: { [name]: bytes } });
  // The script of a report's page takes long to bundle, and is always the same.
  const pageProgram = async () => ({ script: '', licences: '' });
  const status = await main(argv, { ...world, pageProgram });
  const text = world.stdout.text;
  const row = text.startsWith('[') ? (JSON.parse(text)[0] ?? {}) : {};
  return { status, row: row as Readonly<Record<string, unknown>>, files: world.files };
}
