import { describe, expect, it } from 'vitest';
import { writeReportData } from '../../src/page/report/report-data.ts';
import { reportDataOf } from '../support/report.ts';
import { run, runWriting } from '../support/run.ts';
import {
  secretCapture,
  secretDemo,
  secretIn,
  secretNetlog,
  secretPackets,
  secrets,
} from '../support/secret-captures.ts';

const recordings: Record<string, Uint8Array> = {
  'six.pcap': secretCapture('0.6'),
  'seven.pcap': secretCapture('0.7'),
  'admin.demo': secretDemo(),
  'six.netlog': secretNetlog('0.6'),
  'seven.netlog': secretNetlog('0.7'),
};
const numbered = (prefix: string, all: readonly Uint8Array[]) =>
  all.map((bytes, i) => [`${prefix}-${i}`, bytes] as const);
const payloads = Object.fromEntries([
  ...numbered('six.packet', secretPackets('0.6')),
  ...numbered('seven.packet', secretPackets('0.7')),
]);
const files = { ...recordings, ...payloads };
/** The protocol of a payload, which a few bytes cannot show. */
const statedFor = (name: string) => `-p ${name.startsWith('six') ? '0.6' : '0.7'}`;

/** All that a command prints and writes. */
async function shown(line: string): Promise<{ status: number; text: string }> {
  const { status, bytes, stderr, files: after } = await runWriting(line, files);
  const written = [...after]
    .filter(([name]) => !(name in files))
    .map(([, bytes]) => Buffer.from(bytes).toString('latin1'));
  return { status, text: [Buffer.from(bytes).toString('latin1'), stderr, ...written].join('\n') };
}

const recordingLines = [
  ...['text', 'text -v', 'ndjson', 'csv', 'hexdump', 'hexdump -v'].map((to) => `dump FILE -t ${to}`),
  'dump FILE --type rcon_cmd',
  ...['table', 'markdown', 'json', 'ndjson', 'csv'].map((to) => `info FILE -t ${to}`),
  ...['table', 'json', 'csv'].flatMap((to) => [`stats FILE -t ${to}`, `stats FILE --by second -t ${to}`]),
  ...['csv', 'ndjson'].map((to) => `export FILE -t ${to} --tables messages`),
  'explain FILE',
  'explain FILE -t json',
  'checksum FILE -v',
  'export FILE -o out -t csv',
  'decode FILE#3 -t json',
  'decode FILE#3 -v',
];
const recordingCases = Object.keys(recordings).flatMap((name) =>
  recordingLines
    .filter((line) => !name.endsWith('.demo') || !line.includes('#'))
    .map((line) => line.replace('FILE', name)),
);

describe('of recordings', () => {
  it.each(recordingCases)('%s', async (line) => {
    const { status, text } = await shown(line);
    expect(status).toBeLessThan(2);
    expect(secretIn(text)).toBeUndefined();
  });
});

it.each(['six.pcap', 'seven.pcap'])('comments on %s', async (name) => {
  const commented = await runWriting(`annotate ${name} -o x.pcapng`, files);
  expect(commented.status).toBe(0);
  // Its packets are kept as they are, and have the secrets; its comments do not.
  const written = commented.files.get('x.pcapng')!;
  const text = Buffer.from(written as Uint8Array).toString('latin1');
  expect(text).toContain('(hidden)');
  for (const secret of secrets) expect(text.split(secret).length).toBeLessThanOrEqual(2);
});

it.each(['text', 'ndjson', 'hexdump'])('dump -t %s on two threads', async (to) => {
  const { text } = await shown(`dump six.pcap seven.pcap --jobs 2 -t ${to} -v`);
  expect(text).toContain(to === 'hexdump' ? '*' : '(hidden)');
  expect(secretIn(text)).toBeUndefined();
});

it.each(['dump FILE -v', 'dump FILE -t ndjson', 'dump FILE -t hexdump', 'export FILE -t csv --tables messages'])(
  '%s --show-secrets shows all of them',
  async (line) => {
    for (const name of ['six.pcap', 'seven.pcap']) {
      const { text } = await shown(`${line.replace('FILE', name)} --show-secrets`);
      const flat = text.replaceAll(/\s+/g, '');
      for (const secret of secrets)
        expect(text.includes(secret) || flat.includes(Buffer.from(secret).toString('hex'))).toBe(true);
    }
  },
);

it('the page of a recording has no secret', async () => {
  const { stdout } = await run('report six.pcap', files, { hasNoProgram: true });
  const reportData = reportDataOf(stdout);
  expect(secretIn(Buffer.from(writeReportData(reportData)).toString('latin1'))).toBeUndefined();
  expect(reportData.facts.map(({ label }) => label)).not.toContain('passwords');
});

it('the page of a packet with a secret says so, once, and no other does', async () => {
  const said = async (name: string) => {
    const { stdout } = await run(`report ${name} ${statedFor(name)}`, files, { hasNoProgram: true });
    return reportDataOf(stdout).facts.filter(({ label }) => label === 'passwords').length;
  };
  expect(await said('six.packet-2')).toBe(1);
  expect(await said('seven.packet-6')).toBe(1);
  expect(await said('six.packet-4')).toBe(0);
});

it('of packets that end at any byte', async () => {
  for (const version of ['0.6', '0.7'] as const) {
    for (const packet of secretPackets(version).filter(({ length }) => length > 30)) {
      for (let length = 8; length < packet.length; length += 7) {
        for (const to of ['table', 'hexdump', 'json']) {
          const cut = { 'cut.packet': packet.subarray(0, length) };
          const { stdout, stderr } = await run(`decode cut.packet -p ${version} -t ${to} -v`, cut);
          expect(secretIn(stdout + stderr), `${version} ${length} ${to}`).toBeUndefined();
        }
      }
    }
  }
});

describe('of packets', () => {
  const cases = Object.keys(payloads).flatMap((name) =>
    ['table', 'table -v', 'hexdump', 'hexdump -v', 'json'].map((to) => `decode ${name} ${statedFor(name)} -t ${to}`),
  );
  it.each(cases)('%s', async (line) => {
    const { status, text } = await shown(line);
    expect(status).toBe(0);
    expect(secretIn(text)).toBeUndefined();
  });
});

it('a link to bytes with a secret is printed only with --show-secrets', async () => {
  const refused = await run('decode six.packet-2 -p 0.6 --link', files);
  expect([refused.status, refused.stdout]).toEqual([2, '']);
  expect(refused.stderr).toContain('--show-secrets prints it');
  expect((await run('decode six.packet-2 -p 0.6 --link --show-secrets', files)).stdout).toMatch(/^#hex=/);
  expect((await run('decode six.packet-4 -p 0.6 --link', files)).stdout).toMatch(/^#hex=/);
});

it('--show-secrets is refused for a snapshot', async () => {
  const { status, stderr } = await run('decode six.pcap@last --show-secrets', files);
  expect(status).toBe(2);
  expect(stderr).toContain('--show-secrets is for packets and messages');
});

it.each(['six.pcap', 'seven.pcap'])('edit --anonymise leaves no secret in %s', async (name) => {
  const { status, files: after } = await runWriting(`edit ${name} --anonymise -o shared.pcapng`, files);
  expect(status).toBe(0);
  const shared = after.get('shared.pcapng')!;
  // Packets are compressed: what they say is read with all that is hidden otherwise.
  const { stdout } = await run('dump shared.pcapng -t ndjson --show-secrets', { 'shared.pcapng': shared });
  expect(secretIn(stdout)).toBeUndefined();
  expect(secretIn(Buffer.from(shared).toString('latin1'))).toBeUndefined();
});
