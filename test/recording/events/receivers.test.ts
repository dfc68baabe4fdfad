import { describe, expect, it } from 'vitest';
import { plainTheme } from '../../../src/output/text/theme.ts';
import { PlacedLines } from '../../../src/output/timeline/lines.ts';
import { RecentLines } from '../../../src/output/timeline/recent-lines.ts';
import { readMixedMessage } from '../../../src/wire/packet/mixed-message.ts';
import { protocolOf } from '../../../src/wire/protocol/registry.ts';
import { type MadeItem, messageBytes, Recording } from '../../support/recording.ts';

const players06 = (...names: readonly string[]): MadeItem[] =>
  names.flatMap((name, id): MadeItem[] => [
    ['obj_player_info', id, { client_id: id }],
    ['obj_client_info', id, { name }],
  ]);

const ann = { client: 0, name: 'ann' };
const bob = { client: 1, name: 'bob' };
const begun = () =>
  new Recording('0.6')
    .tick(100)
    .snapshot(...players06('ann', 'bob'))
    .tick(102);

/** Adds a message to a client of 0.7 to the demo of a 0.6 server. */
function toClient07(recording: Recording, name: string, ...values: readonly (number | string)[]): void {
  const bytes = messageBytes('0.7', name, values);
  recording.records.push({
    record: 'message',
    bytes,
    message: readMixedMessage(bytes, protocolOf('0.6'), { padded: true }),
  });
}

describe('a message to several receivers in the demo of a server', () => {
  it('is one event with the number of its receivers', () => {
    const recording = begun();
    for (let i = 0; i < 33; i++) recording.message('sv_killmsg', 1, 0, 3, 0);
    recording.message('sv_chat', 0, 1, 'gg');
    expect(recording.last()).toEqual([
      { what: 'kill', victim: ann, killer: bob, weapon: 3, hadFlag: false, receivers: 33 },
      { what: 'chat', player: bob, to: 'all', text: 'gg' },
    ]);
  });

  it('counts receivers of the other version, whose player numbers differ, and names no other player', () => {
    const recording = begun();
    toClient07(recording, 'sv_killmsg', 1, 1, -2, 0);
    recording.message('sv_killmsg', 0, 0, -2, 0);
    toClient07(recording, 'sv_killmsg', 1, 1, -2, 0);
    expect(recording.last()).toEqual([
      { what: 'kill', victim: ann, killer: undefined, bySelf: true, weapon: -2, hadFlag: false, receivers: 3 },
    ]);
  });

  it('names nobody if only the other version has it', () => {
    const recording = begun();
    toClient07(recording, 'sv_killmsg', 1, 0, 3, 0);
    const unknown = { client: -1, name: undefined };
    expect(recording.last()).toEqual([{ what: 'kill', victim: unknown, killer: unknown, weapon: 3, hadFlag: false }]);
  });

  it('of the other version about joins and leaves is no event: the numbers are those of the receiver', () => {
    const recording = begun();
    toClient07(recording, 'sv_team', 0, -1, 0, 500);
    expect(recording.last()).toEqual([]);
  });
});

describe('a death by the game', () => {
  it('is left out if the player is in the spectators in the next snapshot', () => {
    const recording = begun().message('sv_killmsg', 1, 1, -3, 0).message('sv_killmsg', 0, 0, -3, 0);
    recording
      .tick(104)
      .snapshot(
        ...players06('ann'),
        ['obj_player_info', 1, { client_id: 1, team: -1 }],
        ['obj_client_info', 1, { name: 'bob' }],
      );
    const events = recording.events().flatMap((tick) => tick.events.map(({ what }) => [tick.tick, what]));
    expect(events.slice(2)).toEqual([
      [102, 'kill'],
      [104, 'change_team'],
    ]);
  });
});

describe('the lines of a capture', () => {
  const death = { what: 'kill', victim: bob, killer: undefined, bySelf: true, weapon: -3, hadFlag: false } as const;
  const left = { what: 'leave', player: bob, reason: '' } as const;
  const phrase = (text: string) => [{ text, style: (plain: string) => plain }];

  const linesOf = (fill: (recent: RecentLines) => void) => {
    const lines = new PlacedLines({ theme: plainTheme, width: 80, limit: 80, verbose: false }, false);
    const recent = new RecentLines(lines, false);
    fill(recent);
    recent.flush(Number.POSITIVE_INFINITY);
    return lines.flushLines().split('\n').slice(1, -1);
  };
  const place = (seconds: number, frame: number, client: string) => ({
    seconds,
    frames: [frame, frame] as const,
    client,
  });

  it('an event of a server is one line for all clients, in its place; again for the same client, it is another', () => {
    const lines = linesOf((recent) => {
      recent.addEvents(place(1, 5, 'a'), 1, 's', [left], phrase('bob leaves'));
      recent.add(place(1, 6, 'a'), 1, phrase('other'));
      recent.addEvents(place(1.01, 7, 'b'), 1.01, 's', [left], phrase('bob leaves'));
      recent.addEvents(place(1.01, 8, 'c'), 1.01, 'another server', [left], phrase('bob leaves'));
      recent.addEvents(place(1.02, 9, 'a'), 1.02, 's', [left], phrase('bob leaves'));
    });
    expect(lines.map((line) => line.replace(/ +/g, ' ').trim())).toEqual([
      '5-7 0:01.00 2 clients bob leaves',
      '6 0:01.00 a other',
      '8 0:01.01 c bob leaves',
      '9 0:01.02 a bob leaves',
    ]);
  });

  it.each([
    ['before', [death, left]],
    ['after', [left, death]],
  ])('a death by the game %s a leave is left out, as in demos', (_, notices) => {
    const lines = linesOf((recent) => {
      for (const client of ['a', 'b']) {
        for (const notice of notices) {
          recent.addEvents(place(1, 5, client), 1, 's', [notice], phrase(notice.what));
        }
      }
    });
    expect(lines.map((line) => line.replace(/ +/g, ' ').trim())).toEqual(['5 0:01.00 2 clients leave']);
  });
});
