import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hasBrowser, type Opened, PageOpener } from '../support/browser.ts';
import { emptyPage } from '../support/report.ts';
import { read } from '../support/samples.ts';
import { drop } from './drop.ts';

const opener = new PageOpener();
afterAll(() => opener.close());

/** Random numbers below a limit, the same in each run. */
function randomNumbers(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

const samples = [
  'vanilla-dm1.demo',
  'ddnet-race-player.demo',
  'ddnet-ipv6.pcap',
  'duplicate-key.pcap',
  'vanilla-ctf-timeout.pcap',
  'vanilla-dm1-tick9892.packet',
  'vanilla-dm1-tick9326.delta.huff',
  'vanilla-dm1-tick9324.snapshot.packed',
  'mod-schema.json',
];

/** A sample with changed bytes, removed bytes or its end missing; or random bytes after the beginning of a sample. */
function damaged(number: number): Uint8Array {
  const random = randomNumbers(number + 1);
  const sample = read(samples[number % samples.length]!);
  if (number % 10 === 9) {
    const bytes = Uint8Array.from({ length: 1 + random(3000) }, () => random(256));
    bytes.set(sample.subarray(0, Math.min(random(12), bytes.length)));
    return bytes;
  }
  const bytes = sample.slice(0, number % 4 === 3 ? random(sample.length) : sample.length);
  for (let i = 0; i < 1 + random(40); i++) {
    const at = random(bytes.length);
    if (number % 3 === 0) bytes.copyWithin(at, at + random(64));
    else bytes[at] = number % 3 === 1 ? random(256) : 0xff;
  }
  return bytes;
}

describe.skipIf(!hasBrowser)('200 damaged files and random bytes that are dropped (needs Chromium)', () => {
  let html: string;
  let opened: Opened;

  beforeAll(async () => {
    html = await emptyPage();
  });

  it.each(Array.from({ length: 10 }, (_, i) => 20 * i))(
    'from number %i: each is shown or refused, without an error, a request or a dialog',
    async (first) => {
      opened = await opener.open(html);
      const { page } = opened;
      for (let number = first; number < first + 20; number++) {
        await drop(opened, [`file ${number}`, damaged(number)]);
        await page.waitForSelector('html[data-state=complete]');
        // Playing and stepping draw the readable part.
        for (const key of ['End', 'ArrowLeft', 'Space', 'ArrowRight', 'Space']) await page.keyboard.press(key);
        expect(opened.complaints, `file ${number}`).toEqual([]);
      }
      await page.close();
    },
  );
});
