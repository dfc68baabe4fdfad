import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DemoWriter } from '../../src/recording/container/demo/demo-writer.ts';
import { hasBrowser, type Opened, PageOpener } from '../support/browser.ts';
import { demoFile } from '../support/demo-builder.ts';
import { gameData } from '../support/host.ts';
import { type MadeItem, messageBytes, Recording } from '../support/recording.ts';
import { dumped, report } from '../support/report.ts';
import { runWriting } from '../support/run.ts';
import { read } from '../support/samples.ts';
import { violations } from './axe.ts';

const opener = new PageOpener();
afterAll(() => opener.close());

const demo = read('vanilla-dm1.demo');
const texts = ({ page }: Opened, selector: string) => page.locator(selector).allTextContents();

/** The marks of each lane below the picture, as ticks of a recording with these ends. */
const marksOf = ({ page }: Opened, from: number, to: number, lanes = '.lane:not(.of-player)') =>
  page.locator(lanes).evaluateAll(
    (lanes, range) => {
      const marks = (lane: Element) =>
        [...lane.querySelectorAll('i')].map(({ style }) =>
          Math.round(range.from + (Number.parseFloat(style.left) / 100) * (range.to - range.from)),
        );
      return Object.fromEntries(lanes.map((lane) => [lane.querySelector('span')!.textContent, marks(lane)]));
    },
    { from, to },
  );

const messages = await dumped(demo, '--type sv_killmsg,sv_chat');
const ticksOf = (name: string) => messages.filter((message) => message.name === name).map(({ tick }) => tick as number);

describe.skipIf(!hasBrowser)('the page of a real match (needs Chromium)', () => {
  let opened: Opened;

  beforeAll(async () => {
    opened = await opener.open((await report(demo)).page, '#tick=9326');
  });

  it('has lanes for the kills and the chat of the messages', async () => {
    // With weapon -3, a player leaves the match: no kill.
    const kills = messages.filter(({ name, fields }) => name === 'sv_killmsg' && fields.weapon !== -3);
    const marks = await marksOf(opened, 8898, 11782);
    expect(Object.keys(marks)).toEqual(['kills', 'chat']);
    expect(marks.kills).toEqual(kills.map(({ tick }) => tick));
    const chat = ticksOf('sv_chat');
    // Marks less than 0.2 % apart are one.
    for (const tick of chat) expect(marks.chat!.some((mark) => Math.abs(mark - tick) < 8)).toBe(true);
    for (const mark of marks.chat!) expect(chat).toContain(mark);
  });

  it('has a lane for each player who kills or dies, and a line at the chosen tick', async () => {
    const names = ['corpus', 'stress2', 'stress3'];
    const kills = messages.filter(({ name, fields }) => name === 'sv_killmsg' && fields.weapon !== -3);
    const deaths = new Map(kills.map(({ tick, fields }) => [names[fields.victim]!, [tick]]));
    // Nobody dies twice, and nobody is killed by another.
    expect(deaths.size).toBe(kills.length);
    expect(await marksOf(opened, 8898, 11782, '.lane.of-player')).toEqual(Object.fromEntries(deaths));
    const [line, strip] = await Promise.all(
      ['.lane-rows .now', '.lane .strip'].map((part) => opened.page.locator(part).first().boundingBox()),
    );
    expect((line!.x - strip!.x) / strip!.width).toBeCloseTo((9326 - 8898) / (11782 - 8898), 2);
  });

  it('has the clock, the last kill and chat, health and armour over the picture', async () => {
    const [{ items }] = await dumped(demo, '--ticks 9326 --type obj_game_data,obj_character').then((all) =>
      all.filter(({ record }) => record === 'snapshot'),
    );
    const fieldsOf = (name: string, id: number) =>
      items.find((item: { name: string; id: number }) => item.name === name && item.id === id).fields;
    const seconds = Math.floor((9326 - fieldsOf('obj_game_data', 0).game_start_tick) / 50);
    const time = `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
    // Nobody has a point; stress3 has lost one.
    expect(await texts(opened, '.hud .clock')).toEqual([`${time}1. 02. 0`]);
    // Player 2 killed himself with a grenade four ticks before.
    expect(await texts(opened, '.hud .kills p')).toEqual(['stress3']);
    expect(await opened.page.locator('.hud .kills canvas').getAttribute('data-weapon')).toBe('grenade');
    const said = messages.filter(({ name, tick }) => name === 'sv_chat' && tick <= 9326 && tick >= 9326 - 16 * 50);
    const shown = await texts(opened, '.hud .chat p');
    expect(shown).toHaveLength(6);
    for (const [i, { fields }] of said.slice(-6).entries()) expect(shown[i]).toContain(fields.message);
    const { health, armor, ammo_count: shots } = fieldsOf('obj_character', 0);
    expect(await barsOf(opened)).toEqual({ heart: health, shield: armor, shots });
  });

  it('a click on a lane goes to the nearest mark', async () => {
    const strip = opened.page.locator('.lane', { hasText: 'kills' }).locator('.strip');
    await strip.scrollIntoViewIfNeeded();
    const { width, height } = (await strip.boundingBox())!;
    await strip.click({ position: { x: width * 0.6, y: height / 2 } });
    const kills = ticksOf('sv_killmsg').slice(0, 2);
    const at = 8898 + 0.6 * (11782 - 8898);
    const nearest = kills.sort((a, b) => Math.abs(a - at) - Math.abs(b - at))[0];
    await expect.poll(() => opened.page.locator('.transport .tick input').inputValue()).toBe(String(nearest));
  });

  it('is without all of it in the other look', async () => {
    const other = await opener.open((await report(demo)).page, '#tick=9326&look=tiles');
    expect(await other.page.locator('.hud').isVisible()).toBe(false);
    expect(other.complaints).toEqual([]);
    await other.page.close();
  });
});

/** What the bars over the picture count. */
const barsOf = ({ page }: Opened) =>
  page
    .locator('.hud .bars canvas')
    .evaluateAll((bars) =>
      Object.fromEntries(
        bars.map((bar) => [bar.className.replace('icon ', ''), Number((bar as HTMLElement).dataset.value)]),
      ),
    );

/** A match of 0.7 with flags: 20 s, of which the first snapshot is at tick 1000, and the match began at tick 500. */
function flagMatch(): Uint8Array {
  const items = (scoreRed: number, flagRed: number, health: number): MadeItem[] => [
    ['obj_de_game_info', 0, { game_flags: 3 }],
    ['obj_game_data', 0, { game_start_tick: 500 }],
    ['obj_game_data_team', 0, { teamscore_red: scoreRed, teamscore_blue: 7 }],
    ['obj_game_data_flag', 0, { flag_carrier_red: flagRed, flag_carrier_blue: -2 }],
    ['obj_character', 3, { x: 500, y: 500, health, armor: 2 }],
    ['obj_player_info', 3, {}],
    ['obj_de_client_info', 3, { name: 'ann', local: 1, team: 1 }],
  ];
  // The red flag is taken by player 3, falls, is taken again and brought home.
  const ticks: [tick: number, items: MadeItem[], ...messages: [name: string, ...(number | string)[]][]][] = [
    [1000, items(0, -2, 10)],
    [1200, items(0, 3, 9)],
    [1400, items(0, -1, 4), ['sv_killmsg', 3, 5, 2, 0]],
    [1500, items(0, 3, 4), ['sv_chat', 1, 3, -1, 'mine']],
    [1700, items(0, 3, 4), ['sv_racefinish', 3, 12_340, 0, 0, 0]],
    [2000, items(120, 3, 4)],
  ];
  const writer = new DemoWriter(4);
  const names = { netVersion: '0.7 802f1be60a05665f', mapName: 'ctf', type: 'client', timestamp: '' };
  writer.header({ ...names, version: 4, mapSize: 0, mapCrc: 0, length: 20, markers: [] });
  const head = writer.flush().slice();
  const made = ticks.map(([tick, items, ...messages]) => {
    const record = new Recording('0.7')
      .tick(tick)
      .snapshot(...items)
      .records.at(-1)!;
    const ints = record.record === 'snapshot' ? record.snapshot!.toInts() : new Int32Array();
    const snapshot = new DemoWriter(4).encode(ints).slice();
    return { tick, snapshot, messages: messages.map(([name, ...values]) => messageBytes('0.7', name, values)) };
  });
  return demoFile(head, made);
}

describe.skipIf(!hasBrowser)('the page of a match with flags (needs Chromium)', () => {
  it('has lanes for kills, chat, finishes and flags, and the score of the teams', async () => {
    const opened = await opener.open((await report(flagMatch())).page, '#tick=2000');
    const marks = await marksOf(opened, 1000, 2000);
    // Nobody in the snapshots is the player 5 who is killed.
    const findings = [1400];
    expect(marks).toEqual({ findings, kills: [1400], chat: [1500], finishes: [1700], flags: [1200, 1400, 1500] });
    // (2000 − 500) / 50 s.
    expect(await opened.page.locator('.hud .clock').evaluate(({ firstChild }) => firstChild!.textContent)).toBe('0:30');
    expect(await texts(opened, '.hud .clock span')).toEqual(['120', '7']);
    expect(await barsOf(opened)).toEqual({ heart: 4, shield: 2 });
    expect(opened.complaints).toEqual([]);
  });

  it('has a lane for what is wrong', async () => {
    const { page: html } = await report(read('duplicate-key.pcap'));
    const opened = await opener.open(html);
    const findings = opened.page.locator('.lane', { hasText: 'findings' }).locator('i');
    expect(await findings.count()).toBeGreaterThan(0);
  });
});

const picturesOfDm1 = [
  'game.png',
  ...['bg_cloud1', 'bg_cloud2', 'bg_cloud3', 'grass_doodads', 'grass_main', 'mountains', 'sun'].map(
    (name) => `mapres/${name}.png`,
  ),
  ...['body', 'feet', 'eyes', 'hands'].map((part) => `skins/${part}/standard.png`),
];

/** The page with the pictures of the installed game. */
async function pageWithData(): Promise<string> {
  const files: Record<string, Uint8Array> = { file: demo };
  for (const name of picturesOfDm1) files[`data/${name}`] = new Uint8Array(await readFile(`${gameData}/${name}`));
  return (await runWriting('report file --data data', files)).stdout;
}

describe.skipIf(!gameData)('the page with the pictures of a game (needs teeworlds-data)', () => {
  it('has at most 400 kB for dm1', async () => {
    const html = await pageWithData();
    // The pictures are in it.
    expect(html.length).toBeGreaterThan(300_000);
    expect(html.length).toBeLessThanOrEqual(400_000);
  });

  it.skipIf(!hasBrowser).each(['game', 'tiles'])(
    'axe finds nothing in the look %s, wide and on a phone, with each sheet open (needs Chromium)',
    async (look) => {
      const opened = await opener.open(await pageWithData(), `#tick=9326&look=${look}`);
      expect(await opened.page.getByLabel('how the picture looks').inputValue()).toBe(look);
      await opened.page.getByRole('button', { name: 'legend' }).click();
      expect(await violations(opened)).toEqual([]);
      await opened.page.setViewportSize({ width: 360, height: 740 });
      expect(await violations(opened)).toEqual([]);
      const sheets = opened.page.locator('.sheets');
      for (const name of await sheets.locator('button:visible').allTextContents()) {
        await sheets.getByRole('button', { name }).click();
        expect(await opened.page.locator('.sheet.is-open').count()).toBe(1);
        expect(await violations(opened)).toEqual([]);
      }
      expect(opened.complaints).toEqual([]);
      await opened.page.close();
    },
  );

  it.skipIf(!hasBrowser)(
    'on a phone, nothing over the picture touches: bars, clock, legend (needs Chromium)',
    async () => {
      const opened = await opener.open(await pageWithData(), '#tick=9326', { viewport: { width: 360, height: 740 } });
      const box = async (selector: string) => (await opened.page.locator(selector).boundingBox())!;
      const [bars, clock, legend] = [await box('.hud .bars'), await box('.hud .clock'), await box('.legend')];
      expect(bars.x + bars.width).toBeLessThan(clock.x);
      expect(clock.x + clock.width).toBeLessThan(legend.x);
      const [chat, bar] = [await box('.hud .chat'), await box('.transport')];
      expect(chat.y + chat.height).toBeLessThan(bar.y);
    },
  );
});
