import { createHash } from 'node:crypto';
import { gunzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { DemoWriter } from '../../../src/recording/container/demo/demo-writer.ts';
import { join } from '../../../src/wire/bytes/copy.ts';
import { dumped, report, reportDataOf } from '../../support/report.ts';
import { run, runWriting } from '../../support/run.ts';
import { read } from '../../support/samples.ts';

const demo = read('vanilla-dm1.demo');

describe('the page of a demo', () => {
  it('allows nothing but its own program', async () => {
    const { status, page } = await report(demo);
    expect(status).toBe(0);
    const [, policy] = /http-equiv="Content-Security-Policy" content="([^"]+)"/.exec(page)!;
    const hash = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
    const [, loader] = /<script>([\s\S]*?)<\/script>/.exec(page)!;
    const [, program] = /id="program">([^<]*)<\/script>/.exec(page)!;
    const script = gunzipSync(Buffer.from(program!, 'base64')).toString();
    expect(policy).toBe(
      `default-src 'none'; script-src ${hash(loader!)} ${hash(script)}; img-src data:; base-uri 'none'; form-action 'none'`,
    );
    expect(script).not.toContain('innerHTML=');
  });

  it('is one file without an address', async () => {
    const { page } = await report(demo);
    expect(page.match(/<\/script/gi)).toHaveLength(3);
    expect(page.match(/<(?:link|img|iframe|object|embed)\b[^>]*>/g)).toEqual(['<link rel="icon" href="data:,">']);
    expect(page.match(/@import|url\(/g)).toBeNull();
  });

  it('contains the payloads of the file unchanged', async () => {
    const { page } = await report(demo);
    const { tracks, health } = reportDataOf(page);
    expect(health).toBe('healthy, no checksum confirms it');
    const [{ snapshots, messages }] = tracks as [(typeof tracks)[0]];
    // As `info` counts them.
    expect(snapshots).toHaveLength(1369);
    expect(messages).toHaveLength(40);
    expect(snapshots.filter(({ kind }) => kind === 'snapshot')).toHaveLength(12);
    for (const { payload, offset } of snapshots) {
      expect(Buffer.from(payload).equals(demo.subarray(offset, offset + payload.length))).toBe(true);
    }
  });

  it('has a title that is text', async () => {
    const { status, stdout } = await run('report a/<b>&.demo', { 'a/<b>&.demo': demo });
    expect(status).toBe(0);
    expect(stdout).toContain('<title>&#60;b&#62;&#38;.demo · tw-snap</title>');
  });
});

describe('options', () => {
  it('--ticks keeps these ticks, and the data on which the first one depends', async () => {
    const { page } = await report(demo, '--ticks 9000..9100');
    const [{ snapshots, messages }] = reportDataOf(page).tracks as [ReturnType<typeof reportDataOf>['tracks'][0]];
    const shown = snapshots.filter((snapshot) => snapshot.shown);
    const all = await dumped(demo, '--ticks 9000..9100 --no-messages');
    expect(shown.map(({ tick }) => tick)).toEqual(
      all.filter(({ record }) => record === 'snapshot').map(({ tick }) => tick),
    );
    expect(shown[0]!.tick).toBe(9000);
    expect(snapshots[0]).toMatchObject({ shown: false, kind: 'snapshot', offset: -1 });
    expect(messages.every(({ tick }) => tick >= 9000 && tick <= 9100)).toBe(true);
  });

  it('--ticks without a tick of the recording is an error that names the ticks of the recording', async () => {
    const { status, stderr } = await report(demo, '--ticks 5..6');
    expect(status).toBe(2);
    expect(stderr).toBe('tw-snap: file: no snapshot in these ticks: it has 8898 to 11782\n');
  });

  it('without --ticks, a demo without a snapshot is input that can not be read', async () => {
    const writer = new DemoWriter(demo[7]!);
    for (let tick = 20_000; tick < 20_100; tick++) writer.tick(tick, false);
    const { status, stderr } = await report(join([demo.slice(0, 436 + 6793), writer.flush()]));
    expect([status, stderr]).toEqual([3, 'tw-snap: file: it has no snapshot that can be read\n']);
  });

  it('--limit names the size that exceeds the limit, and the ticks that fit', async () => {
    const { status, stderr, page } = await report(demo, '--limit 0.1');
    expect(status).toBe(2);
    expect(page).toBe('');
    expect(stderr).toMatch(
      /^tw-snap: file: too long for a page of 100 KB: it would have \d+ KB; choose ticks \(--ticks A\.\.B\), or allow more \(--limit\)\n$/,
    );
  });

  it('of tiny snapshots a page has one for each 200 bytes of its limit, since each takes memory', async () => {
    const tiny = new DemoWriter(demo[7]!);
    for (let tick = 20_000; tick < 30_000; tick++) {
      tiny.tick(tick, false);
      tiny.chunk('delta', tiny.encode(Int32Array.of(0, 0, 0)));
    }
    const { stderr, page } = await report(join([demo, tiny.flush()]), '--limit 1');
    expect(stderr).toMatch(/only ticks 8898 to \d+ fit into a page of 1\.0 MB/);
    expect(reportDataOf(page).tracks[0]!.snapshots).toHaveLength(1e6 / 200 + 1);
  });

  it('-o writes the file', async () => {
    const { status, page, files } = await report(demo, '-o page.html');
    expect(status).toBe(0);
    expect(page).toBe('');
    expect(new TextDecoder().decode(files.get('page.html')!)).toMatch(/^<!doctype html>/);
  });

  it('a page is not written to a terminal', async () => {
    const { status, stderr } = await run('report file', { file: demo }, { terminal: true });
    expect([status, stderr]).toEqual([
      2,
      'tw-snap: a page is for a browser, not for a terminal: name a file with -o\n',
    ]);
  });
});

describe('the map', () => {
  it('of the demo is in the page, with its game layer alone', async () => {
    const { map } = reportDataOf((await report(demo)).page);
    expect(map).toMatchObject({ width: 60, height: 50 });
    expect(map!.layers.map(({ name }) => name)).toEqual(['game']);
  });

  const withMap = (name: string, map: Uint8Array) => run('report recording --map map', { recording: read(name), map });
  const dm1 = async () => (await runWriting('extract demo --map -o map', { demo })).files.get('map')!;

  it('of --map is drawn, also for a capture', async () => {
    const { stdout: page, status } = await withMap('ddnet-ipv6.pcap', await dm1());
    expect(status).toBe(0);
    expect(reportDataOf(page).map).toEqual(reportDataOf((await report(demo)).page).map);
  });

  it('of --map that was not played is reported', async () => {
    const { stderr } = await withMap('ddnet-race-player.demo', await dm1());
    expect(stderr).toContain('the given map is not the one that was played');
  });

  it('that is not a map ends the command', async () => {
    const { status, stderr } = await withMap('ddnet-ipv6.pcap', read('first.huff'));
    expect([status, stderr]).toEqual([3, 'tw-snap: map: this is not a map: it does not begin with DATA\n']);
  });

  it('needs a recording', async () => {
    const files = { payload: read('first.huff'), map: await dm1() };
    expect((await run('report payload --map map', files)).status).toBe(2);
  });
});

describe('other inputs', () => {
  it('a capture has a track for each connection', async () => {
    const { status, page } = await report(read('ddnet-ipv6.pcap'));
    expect(status).toBe(0);
    const { tracks, kind } = reportDataOf(page);
    expect(kind).toBe('pcap, 94.6 KB');
    expect(tracks.map(({ name, version }) => [name, version])).toEqual([['[::1]:29911', '0.6']]);
    // As `info` counts them.
    expect(tracks[0]!.snapshots).toHaveLength(446);
  });

  it('a page of a delta contains its base', async () => {
    const files = {
      delta: read('vanilla-dm1-tick9326.delta.huff'),
      base: read('vanilla-dm1-tick9324.snapshot.packed'),
    };
    const [track] = reportDataOf((await run('report delta --base base', files)).stdout).tracks;
    expect(track!.snapshots.map(({ kind, base, shown }) => [kind, base, shown])).toEqual([
      ['snapshot', -2, false],
      ['delta', 0, true],
    ]);
  });

  it('a tick of a demo is a single delta with its base', async () => {
    const { tracks, name } = reportDataOf((await run('report demo@9938', { demo })).stdout);
    expect(name).toBe('demo@9938');
    expect(tracks[0]!.snapshots.map(({ shown }) => shown)).toEqual([false, true]);
  });

  it('a packet is contained unchanged', async () => {
    const packet = read('vanilla-dm1-tick9892.packet');
    const { status, page } = await report(packet);
    expect(status).toBe(0);
    const { tracks, contents } = reportDataOf(page);
    expect(tracks).toEqual([]);
    expect(contents).toMatchObject({ kind: 'packet', version: '0.7' });
    expect(Buffer.from(contents!.bytes).equals(packet)).toBe(true);
  });

  it('a damaged demo is reported, and shown', async () => {
    const cut = demo.subarray(0, 30_000);
    const { status, page, stderr } = await report(cut);
    expect(status).toBe(3);
    expect(stderr).toMatch(/^tw-snap: file: truncated_chunk at 0x[0-9a-f]+: .*\n$/);
    expect(reportDataOf(page)).toMatchObject({
      tone: 'warning',
      findings: [{ text: expect.stringContaining('truncated_chunk') }],
    });
  });
});

describe('--player', () => {
  it('is followed from the first snapshot with the player', async () => {
    const { page } = await report(demo, '--player stress3');
    expect(reportDataOf(page).opening).toEqual({ tick: 8898, followed: 2 });
    const later = await report(demo, '--player 1 --ticks 9000..9100');
    expect(reportDataOf(later.page).opening).toEqual({ tick: 9000, followed: 1 });
  });

  it('has to be in the recording', async () => {
    const { status, stderr } = await run('report a.demo --player nobody', { 'a.demo': demo });
    expect(status).toBe(1);
    expect(stderr).toContain('--player selects nobody; there is 0 corpus');
  });
});
