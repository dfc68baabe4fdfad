import { afterAll, describe, expect, it } from 'vitest';
import { hasBrowser, PageOpener } from '../support/browser.ts';
import { demoFile } from '../support/demo-builder.ts';
import { demoChunks } from '../support/demo-chunks.ts';
import { messageBytes } from '../support/recording.ts';
import { report, reportDataOf } from '../support/report.ts';
import { read } from '../support/samples.ts';

const opener = new PageOpener();
afterAll(() => opener.close());

const name = '<img src=x onerror=alert(1)>';
const chats = [
  '<img src=x onerror="window.hacked=1">',
  '</script><script>window.hacked=1</script>',
  '<!--<script>',
  '" onmouseover="window.hacked=1',
  'javascript:window.hacked=1',
  '😀'.repeat(200),
];

/** A demo of 0.7 in which a player with a hostile name joins and chats. */
function hostileDemo(): Uint8Array {
  const sample = read('vanilla-dm1.demo');
  const [first] = demoChunks(sample).chunks;
  const head = sample.subarray(0, first!.payload.byteOffset - sample.byteOffset);
  // Without the tick marker and the head of the first chunk: an absolute tick, and a size of two bytes.
  const start = head.subarray(0, head.length - 5 - 3);
  const noPlayer = ['', '', '', '', '', ''];
  const joins = messageBytes('0.7', 'sv_clientinfo', [
    9,
    0,
    0,
    name,
    '<b>clan',
    -1,
    ...noPlayer,
    0,
    0,
    0,
    0,
    0,
    0,
    0,
    0,
    0,
    0,
    0,
    0,
    0,
  ]);
  const says = chats.map((text) => messageBytes('0.7', 'sv_chat', [1, 9, -1, text]));
  return demoFile(start, [
    { tick: 100, snapshot: first!.payload, messages: [] },
    { tick: 102, snapshot: first!.payload, messages: [joins, ...says] },
    { tick: 104, snapshot: first!.payload, messages: [] },
  ]);
}

describe('untrusted text in a page', () => {
  it('is nowhere in the page except in its report data', async () => {
    const { page, status } = await report(hostileDemo());
    expect(status).toBe(0);
    expect(reportDataOf(page).tracks[0]!.messages).toHaveLength(7);
    for (const text of [name, ...chats]) expect(page).not.toContain(text);
    expect(page.match(/<\/script/gi)).toHaveLength(3);
  });

  it.skipIf(!hasBrowser)('is shown as text and has no effect (needs Chromium)', async () => {
    const { page } = await report(hostileDemo());
    const opened = await opener.open(page, '#tick=102&item=<img src=x onerror=alert(1)>/0');
    const lines = await opened.page.locator('.event-lines .what').allTextContents();
    expect(lines).toContain('<img src=x onerror=aler… joins');
    for (const text of chats) expect(lines).toContain(`<img src=x onerror=aler…: ${text.replaceAll('\\', '\\\\')}`);
    expect(await opened.page.locator('img, b, iframe').count()).toBe(0);
    expect(await opened.page.evaluate(() => 'hacked' in window)).toBe(false);
    expect(opened.complaints).toEqual([]);
  });
});
