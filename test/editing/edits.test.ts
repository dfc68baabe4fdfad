import { describe, expect, it } from 'vitest';
import type { Edit } from '../../src/editing/editor.ts';
import { markersOf } from '../../src/editing/markers.ts';
import { Anonymise, Identities, Rename } from '../../src/editing/rename-players.ts';
import { DropSentSnapshots, messagesCalled, Strip } from '../../src/editing/strip.ts';
import { readMessage } from '../../src/wire/packet/message.ts';
import { textOfInts } from '../../src/wire/protocol/texts.ts';
import { compare } from '../../src/wire/snapshot/compare.ts';
import { hasCorpus } from '../support/corpus.ts';
import { recordedDemo } from '../support/demos.ts';
import { type Contents, contentsOf, edited, entriesOf } from '../support/edit.ts';

const sample = () => recordedDemo('vanilla-dm1.demo')!;

/** obj_de_client_info of 0.7: local, team, name[4], clan[3]. */
const [clientInfo07, nameAt07] = [13, 2];
/** obj_client_info of 0.6: name[4], clan[3]. */
const [clientInfo06, nameAt06] = [11, 0];

/** All names in the items of a demo. */
function namesIn({ header, snapshots }: Contents): Set<string> {
  const is07 = header.netVersion.startsWith('0.7');
  const names = new Set<string>();
  for (const { snapshot } of snapshots.values()) {
    for (const { type, data } of snapshot) {
      if (type === (is07 ? clientInfo07 : clientInfo06)) names.add(textOfInts(data, is07 ? nameAt07 : nameAt06, 4)!);
    }
  }
  return names;
}

const textsOf = ({ messages, header }: Contents) =>
  messages.map(({ bytes }) => {
    const version = header.netVersion.startsWith('0.7') ? '0.7' : '0.6';
    const { values } = readMessage(bytes, 0, bytes.length, version, { padded: true });
    return values.map(({ value }) => (typeof value === 'string' ? value : '')).join(' ');
  });

it('an edit that changes nothing gives the same bytes', () => {
  const nothing: Edit = { snapshot: () => false, message: () => undefined };
  expect(Buffer.compare(edited(sample(), [nothing]), sample())).toBe(0);
});

describe('rename', () => {
  it('changes a name in the items of every tick, and no other item', () => {
    const [whole, now] = [
      contentsOf(sample()),
      contentsOf(edited(sample(), [new Rename(new Map([['stress2', 'x']]))])),
    ];
    expect(now.diagnostics).toEqual([]);
    expect([...namesIn(whole)].sort()).toEqual(['corpus', 'stress2', 'stress3']);
    expect([...namesIn(now)].sort()).toEqual(['corpus', 'stress3', 'x']);
    expect([...now.snapshots.keys()]).toEqual([...whole.snapshots.keys()]);
    for (const [tick, { snapshot }] of now.snapshots) {
      const { removed, added, changed, reordered } = compare(whole.snapshots.get(tick)!.snapshot, snapshot);
      expect([removed, added, reordered]).toEqual([[], [], false]);
      expect(changed.map((entry) => snapshot.type(entry.new))).toEqual(changed.length > 0 ? [clientInfo07] : []);
    }
  });

  it('changes whole words in texts of messages', () => {
    const file = recordedDemo('ddnet-race-player.demo')!;
    const reported = textsOf(contentsOf(file)).filter((text) => /entered/.test(text))[0];
    expect(reported).toContain("'bot0'");
    const rename = new Rename(
      new Map([
        ['bot0', 'a longer name'],
        ['bot', 'never'],
      ]),
    );
    const texts = textsOf(contentsOf(edited(file, [rename])));
    expect(texts.join('\n')).toContain("'a longer name' entered");
    expect(texts.join('\n')).not.toMatch(/\bbot0\b|never/);
    expect(rename.texts).toBeGreaterThan(0);
    expect([...rename.found]).toEqual(['bot0']);
  });
});

describe('strip', () => {
  it('leaves out the messages of a group, and nothing else', () => {
    const strip = new Strip(messagesCalled('chat'));
    const [whole, now] = [contentsOf(sample()), contentsOf(edited(sample(), [strip]))];
    const others = ({ messages }: Contents) => messages.filter(({ name }) => name !== 'sv_chat');
    expect(now.messages.map(({ name, tick }) => [name, tick])).toEqual(
      others(whole).map(({ name, tick }) => [name, tick]),
    );
    expect(strip.counts.get('sv_chat')).toBe(whole.messages.length - now.messages.length);
    expect([...now.snapshots.keys()]).toEqual([...whole.snapshots.keys()]);
  });

  it('knows groups and names of messages', () => {
    expect(messagesCalled('votes')).toContain('sv_voteoptionlistadd');
    expect([...messagesCalled('sv_killmsg')]).toEqual(['sv_killmsg']);
    expect(messagesCalled('lunch').size).toBe(0);
    expect(messagesCalled('constructor').size).toBe(0);
  });
});

function anonymised(file: Uint8Array) {
  const identities = new Identities();
  for (const entry of entriesOf(file)) identities.add(entry);
  const anonymise = new Anonymise(identities);
  return { identities, anonymise, bytes: edited(file, [new DropSentSnapshots(), anonymise]) };
}

describe('anonymise', () => {
  const samples = ['vanilla-dm1.demo', 'ddnet-race-player.demo'];
  const corpus = [
    '07-vanilla-dm1-auto-markers-client.demo',
    '06-07-mixed-ddnet20-coverage-server.demo',
    '06-ddnet-race-client-auto.demo',
  ];

  function expectNoNameLeft(name: string): void {
    const file = recordedDemo(name)!;
    const { identities, bytes } = anonymised(file);
    const now = contentsOf(bytes);
    const names = [...identities.names.keys()].filter((name) => name.length >= 3);
    expect(names.length).toBeGreaterThan(0);
    for (const text of namesIn(now)) expect(text).toMatch(/^(player \d+)?$/);
    const all = now.messages.map((message) => new TextDecoder().decode(message.bytes).toLowerCase()).join('\n');
    for (const name of names) expect(all.includes(name.toLowerCase()), name).toBe(false);
  }

  it.each(samples)('%s: no name is left in an item or in a byte of a message', expectNoNameLeft);

  it.skipIf(!hasCorpus).each(corpus)(
    '%s: no name is left in an item or in a byte of a message (needs ../shared)',
    expectNoNameLeft,
  );

  it('gives each name one pseudonym, in items and texts', () => {
    const { identities, bytes } = anonymised(recordedDemo('ddnet-race-player.demo')!);
    const pseudonym = identities.names.get('bot0')!;
    const now = contentsOf(bytes);
    expect(namesIn(now)).toContain(pseudonym);
    expect(textsOf(now).join('\n')).toContain(`'${pseudonym}' entered`);
  });

  it('replaces names in any case, short ones only as whole words, and addresses', () => {
    const identities = new Identities();
    for (const name of ['Nameless Tee', 'ab', '.']) identities.addName(name, 'player');
    const anonymise = new Anonymise(identities);
    expect(anonymise.text('nameless tees, ab and cab. from 10.0.0.7:8303')).toBe(
      'player 1s, player 2 and cab. from 0.0.0.0',
    );
  });

  it('finds the longest of several names, beside letters beyond ASCII, and names whose case is another letter', () => {
    const identities = new Identities();
    for (const name of ['deen', 'deen2', 'ΣΑΣ', 'Straße', 'Kim', '𝒳y', '(1)']) identities.addName(name, 'player');
    const anonymise = new Anonymise(identities);
    const said = (what: string) => anonymise.text(what);
    expect(said('DEEN2 deen3 deen')).toBe('player 2 player 13 player 1');
    // The last sigma of a word is another letter; the Kelvin sign is a k.
    expect(said('σας strasse STRAßE \u212aim')).toBe('player 3 strasse player 4 player 5');
    // Of three letters, so only as whole words: 𝒴 is a letter in two units.
    expect(said('Kim𝒴 𝒴Kim 𝒳y. (1)')).toBe('Kim𝒴 𝒴Kim player 6. player 7');
  });

  it('has many names in little time, and says when there are more than it keeps', () => {
    const identities = new Identities();
    for (let i = 0; i < 100_000; i++) identities.addName(`tee ${i}`, 'player');
    identities.addName('tee 7', 'clan');
    expect(identities.isFull).toBe(false);
    const anonymise = new Anonymise(identities);
    expect(anonymise.text('hello tee 99999'.repeat(20))).toBe('hello player 100000'.repeat(20));
    identities.addName('one more', 'player');
    expect(identities.isFull).toBe(true);
    expect(identities.names.has('one more')).toBe(false);
  });
});

describe('markers', () => {
  it('rise, are a second apart, and at most 64', () => {
    expect(markersOf([300, 100, 149, 150, 100])).toEqual({ markers: [100, 150, 300], dropped: 1 });
    const many = Array.from({ length: 70 }, (_, i) => 50 * i);
    expect(markersOf(many)).toEqual({ markers: many.slice(0, 64), dropped: 6 });
  });
});
