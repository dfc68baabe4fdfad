import { expect, it } from 'vitest';
import { readSearch, type SearchResult, search } from '../../../src/page/data/search.ts';
import { Recording } from '../../../src/page/data/shown-recording.ts';
import { dumped, pageDataOf } from '../../support/report.ts';
import { read } from '../../support/samples.ts';

const demo = read('vanilla-dm1.demo');
const { tracks, schema } = await pageDataOf(demo);
const recording = new Recording({ tracks, schema });
for (const _ of recording.readPaths());
const records = await dumped(demo);
const snapshots = records.filter(({ record }) => record === 'snapshot');

interface Dumped {
  readonly name: string;
  readonly id: number;
  readonly fields: Readonly<Record<string, number>>;
}

function found(text: string): SearchResult[] {
  const searching = search(recording, readSearch(text, schema));
  for (;;) {
    const step = searching.next();
    if (step.done) return step.value;
  }
}

/** The ticks at which an item begins to fulfil a condition, from the output of dump. */
function begins(test: (item: Dumped) => boolean): [number, string][] {
  let before = new Set<string>();
  return snapshots.flatMap(({ tick, items }) => {
    const now = (items as Dumped[]).filter(test).map(({ name, id }) => `${name}/${id}`);
    const fresh = now.filter((link) => !before.has(link)).map((link): [number, string] => [tick, link]);
    before = new Set(now);
    return fresh;
  });
}

const places = (results: readonly SearchResult[]) => results.map(({ tick, item }) => [tick, item]);

it("values: the ticks in which an item's field changes to the value, as dump prints it", () => {
  const expected = begins(({ name, fields }) => name === 'obj_character' && fields.x! > 800 && fields.y! < 700);
  expect(expected.length).toBeGreaterThan(5);
  expect(places(found('obj_character x>800 y<700'))).toEqual(expected);
});

it('names of values, for all items that have the field', () => {
  const expected = begins(({ name, fields }) => name === 'obj_character' && fields.weapon === 3);
  const items = found('weapon=grenade').filter(({ item }) => item !== undefined);
  expect(places(items)).toEqual(expected);
});

it('items: the ticks in which the items appear', () => {
  const expected = begins(({ name }) => name === 'event_explosion');
  expect(expected.length).toBeGreaterThan(2);
  expect(places(found('event_explosion'))).toEqual(expected);
});

it('fields: the ticks in which the fields change', () => {
  const values = snapshots.map(({ tick, items }) => {
    const item = (items as Dumped[]).find(({ name, id }) => name === 'obj_character' && id === 1);
    return [tick, item?.fields.direction] as const;
  });
  const expected = values.filter(([, value], i) => {
    const before = values[i - 1]?.[1];
    return value !== undefined && before !== undefined && value !== before;
  });
  expect(expected.length).toBeGreaterThan(2);
  expect(found('obj_character/1 changed direction').map(({ tick }) => tick)).toEqual(expected.map(([tick]) => tick));
});

it('chat, kills and messages by their words', () => {
  expect(found('hello client').map(({ tick, text }) => [tick, text])).toEqual([
    [9142, 'corpus: hello from a real client'],
  ]);
  expect(found('kill').map(({ tick }) => tick)).toContain(9322);
  const chat = records.filter(({ record, name }) => record === 'message' && name === 'sv_chat');
  expect(found('sv_chat').filter(({ text }) => text === 'sv_chat')).toHaveLength(chat.length);
});

it('players by their names: where their characters appear, and what they say', () => {
  const results = found('stress2');
  expect(results.some(({ item }) => item === 'obj_character/1')).toBe(true);
  expect(results.some(({ text }) => text.startsWith('stress2: '))).toBe(true);
});

it('a field that does not exist and what is no query are refused; text that nothing has is not found', () => {
  expect(() => found('no_such_field>1')).toThrow("no field 'no_such_field'");
  expect(() => found('<img src=x>')).toThrow('unexpected <');
  expect(found('"<img src=x>"')).toEqual([]);
});

it('events, with the players in them, as the command line has them', () => {
  const kills = records.filter(({ record, name }) => record === 'message' && name === 'sv_killmsg');
  const own = kills.filter(({ fields }) => fields.killer === 0);
  expect(own.length).toBeGreaterThan(0);
  // A death by the game that a change of the team explains is no event.
  expect(found('kill victim=corpus').map(({ tick }) => tick)).toEqual([10_260]);
  expect(own.map(({ tick }) => tick)).toContain(10_260);
});

it('a query that makes no sense is refused with the reason', () => {
  expect(() => found('obj_character wepon=gun')).toThrow("obj_character has no field 'wepon'; did you mean weapon?");
  expect(() => found('(x>1')).toThrow('the bracket has no end');
});
