import { expect, it } from 'vitest';
import { Anonymise, Identities } from '../../src/editing/rename-players.ts';
import { messagesCalled, Strip } from '../../src/editing/strip.ts';
import { DemoWriter } from '../../src/recording/container/demo/demo-writer.ts';
import { readMessage } from '../../src/wire/packet/message.ts';
import { Snapshot } from '../../src/wire/snapshot/snapshot.ts';
import { demoFile } from '../support/demo-builder.ts';
import { contentsOf, edited, entriesOf, slices } from '../support/edit.ts';
import { messageBytes } from '../support/recording.ts';

type Made = readonly [name: string, ...values: readonly (number | string)[]];

/** A demo with an empty snapshot at each tick from 1 on, and these messages. */
function demoOf(version: '0.6' | '0.7', ...ticks: readonly (readonly Made[])[]): Uint8Array {
  const writer = new DemoWriter(4);
  const netVersion = { '0.6': '0.6 626fce9a778df4d4', '0.7': '0.7 802f1be60a05665f' }[version];
  const names = { netVersion, mapName: 'dm1', type: 'client', timestamp: '' };
  writer.header({ ...names, version: 4, mapSize: 0, mapCrc: 0, length: 0, markers: [] });
  const head = writer.flush().slice();
  const snapshot = writer.encode(new Snapshot().toInts()).slice();
  return demoFile(
    head,
    ticks.map((made, i) => ({
      tick: i + 1,
      snapshot,
      messages: made.map(([name, ...values]) => messageBytes(version, name, values)),
    })),
  );
}

const namesOf = (file: Uint8Array) => contentsOf(file).messages.map(({ name }) => name);

it('--strip votes leaves out what players voted, as well as the vote itself', () => {
  // The messages about votes, of datasrc/network.py of DDNet: the last says what the player of this demo voted.
  const demo = demoOf(
    '0.6',
    [['sv_voteset', 25, 'kick bob', 'afk']],
    [
      ['sv_votestatus', 1, 0, 1, 2],
      ['sv_yourvote', 1],
      ['sv_chat', 0, -1, 'no'],
    ],
  );
  expect(namesOf(demo)).toEqual(['sv_voteset', 'sv_votestatus', 'sv_yourvote', 'sv_chat']);
  expect(namesOf(edited(demo, [new Strip(messagesCalled('votes'))]))).toEqual(['sv_chat']);
});

it('--anonymise replaces the name of who saved a team, which no item and no other message has', () => {
  // State, error, who saved, server, both codes, members.
  const saved = ['sv_savecode', 1, '', 'Zacharias', 'GER1', 'generated', 'secret', 'Zacharias'] as const;
  const demo = demoOf('0.6', [saved]);
  const identities = new Identities();
  for (const entry of entriesOf(demo)) identities.add(entry);
  expect([...identities.names]).toEqual([['Zacharias', 'player 1']]);
  const [message] = contentsOf(edited(demo, [new Anonymise(identities)])).messages;
  const { values } = readMessage(message!.bytes, 0, message!.bytes.length, '0.6', { padded: true });
  const texts = Object.fromEntries(values.map(({ name, value }) => [name, value]));
  expect(texts).toMatchObject({ save_requester: 'player 1', team_members: 'player 1', server_name: 'GER1' });
  expect(texts).toMatchObject({ code: '***', generated_code: '***' });
});

it('a slice begins without the players who have left', () => {
  const parts = [...Array(6).fill('standard'), ...Array(6).fill(0), ...Array(6).fill(0)];
  // Client, whether it is the player of this demo, team, name, clan, country, skin, whether it comes without a line of
  // chat.
  const info = (client: number, name: string): Made => ['sv_clientinfo', client, 0, 0, name, '', -1, ...parts, 1];
  const demo = demoOf(
    '0.7',
    [info(1, 'ann'), info(2, 'bob'), ['sv_team', 1, 1, 1, 0], ['sv_skinchange', 1, ...parts]],
    [['sv_clientdrop', 1, '', 0]],
    [],
    [],
  );
  const told = (from: number) => {
    const { messages } = contentsOf(slices(demo, [[{ from, to: 4 }]])[0]!);
    return messages.map(({ name, bytes }) => {
      const { values } = readMessage(bytes, 0, bytes.length, '0.7', { padded: true });
      return [name, values.find((value) => value.name === 'client_id')!.value];
    });
  };
  expect(told(3)).toEqual([['sv_clientinfo', 2]]);
  // One who leaves in the slice is there before.
  expect(told(2)).toEqual([
    ['sv_clientinfo', 1],
    ['sv_clientinfo', 2],
    ['sv_team', 1],
    ['sv_skinchange', 1],
    ['sv_clientdrop', 1],
  ]);
});
