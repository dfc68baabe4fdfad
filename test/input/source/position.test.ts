import { describe, expect, it } from 'vitest';
import { parseMoment, parseMomentRange, secondsOf, splitPosition } from '../../../src/input/source/position.ts';
import { SourceError } from '../../../src/input/stated.ts';
import { isInRange } from '../../../src/wire/protocol/ticks.ts';

const zero = (ticks: number) => ({ from: 'zero', ticks });
const first = (ticks: number) => ({ from: 'first', ticks });
const last = (ticks: number) => ({ from: 'last', ticks });

// There are 50 ticks in a second.
it.each([
  ['9938', zero(9938)],
  ['9938+50', zero(9988)],
  ['9938-2s', zero(9838)],
  ['0:30', first(1500)],
  ['1:02.5', first(3125)],
  ['1:02:03', first(186_150)],
  ['90s', first(4500)],
  ['0:30+5', first(1505)],
  ['first', first(0)],
  ['first+0:10', first(500)],
  ['last', last(0)],
  ['last-10s', last(-500)],
  ['last-25', last(-25)],
])('the moment %s', (text, moment) => {
  expect(parseMoment(text)).toEqual(moment);
});

it.each([
  ...['', 'a', '-5', '5-', '1.5', 'last10', '10+', '+5', '1:2', ':30', '9938 ', '1:2:3', '5ss', '1:30s', '9..8'],
  ...['first-', 'lastlast', '0:30:', '1:2:3:4', '10:00:00:00', '5.s', '0x10', '1e3', '٣'],
])("'%s' is no moment", (text) => {
  expect(() => parseMoment(text)).toThrow(/is no moment|go up to 59/);
});

it.each(['0:99', '0:99:99', '1:60:00', '0:00:60', '0:60', '0:75.5', 'last-0:99', '5+0:99'])(
  "minutes and seconds of '%s' go up to 59",
  (text) => {
    expect(() => parseMoment(text)).toThrow(`'${text}': minutes and seconds go up to 59`);
    expect(() => parseMomentRange(`first..${text}`)).toThrow(`'${text}': minutes and seconds go up to 59`);
  },
);

// The first part of a time has no limit: 90 minutes are 1:30:00.
it('90:00 is an hour and a half', () => {
  expect(parseMoment('90:00')).toEqual(first(270_000));
  expect(parseMoment('1:30:00')).toEqual(first(270_000));
});

it.each([
  ['0:10-0:20', '0:10..0:20'],
  ['9072-9472', '9072..9472'],
  ['10s-20s', '10s..20s'],
])('%s asks whether %s is meant', (text, meant) => {
  expect(() => parseMomentRange(text)).toThrow(`did you mean ${meant}?`);
  expect(() => parseMoment(text)).toThrow(`did you mean ${meant}?`);
});

describe('a range', () => {
  it.each([
    ['9072..9472', zero(9072), zero(9472)],
    ['9072..', zero(9072), undefined],
    ['..9472', undefined, zero(9472)],
    ['9072', zero(9072), zero(9072)],
    ['1:02.5..2:00', first(3125), first(6000)],
    ['0:30..last-10s', first(1500), last(-500)],
    ['9000..0:30', zero(9000), first(1500)],
  ])('is read from %s', (text, from, to) => {
    expect(parseMomentRange(text)).toEqual({ from, to });
  });

  it.each(['', '..', 'a', '1...2', '-1..2', '1.5..2', '1..2..3', 'last..last-1s'])("is not read from '%s'", (text) => {
    expect(() => parseMomentRange(text)).toThrow(/is no moment|is no range|ends before it begins/);
  });

  it.each([
    ['9472..9072', '9072..9472'],
    ['0:20..0:10', '0:10..0:20'],
  ])('%s that ends before it begins', (text, meant) => {
    expect(() => parseMomentRange(text)).toThrow(`ends before it begins; did you mean ${meant}?`);
  });

  it('includes both of its ends', () => {
    expect([4, 5, 6, 7, 8].filter((tick) => isInRange(tick, { from: 5, to: 7 }))).toEqual([5, 6, 7]);
  });
});

it.each([
  ['83', 83],
  ['83.5s', 83.5],
  ['1:23.5', 83.5],
  ['1:02:03', 3723],
  ['0:99', undefined],
  ['1:2', undefined],
  ['', undefined],
])('the seconds of %s', (text, seconds) => {
  expect(secondsOf(text)).toBe(seconds);
});

describe('a position', () => {
  const files = ['a.demo', 'b@9.demo', 'me@5', 'c.pcap'];
  const split = (name: string) => splitPosition(name, (path) => files.includes(path));

  it.each([
    ['a.demo@9938', 'a.demo', { moment: zero(9938) }],
    ['a.demo@0:10..0:12', 'a.demo', { range: { from: first(500), to: first(600) } }],
    ['a.demo@last-1s..', 'a.demo', { range: { from: last(-50), to: undefined } }],
    ['c.pcap#101', 'c.pcap', { packet: 101 }],
    ['b@9.demo@7', 'b@9.demo', { moment: zero(7) }],
    ['@0:10', '', { moment: first(500) }],
    ['#12', '', { packet: 12 }],
    // It is reported as a missing file, without the moment.
    ['missing.demo@first', 'missing.demo', { moment: first(0) }],
  ])('%s', (name, path, position) => {
    expect(split(name)).toEqual({ path, position: { ...position, text: name.slice(path.length + 1) } });
  });

  it.each(['a.demo', 'me@5', 'me@home.demo', 'no@where', 'x/y@2/z', '-', ''])('%s is only a name', (name) => {
    expect(split(name)).toEqual({ path: name });
  });

  it.each(['a.demo@', 'a.demo@0:99', 'a.demo@9..8', 'a.demo@..', 'c.pcap#', 'c.pcap#x', 'c.pcap#1.5', '@', '@x'])(
    '%s is refused',
    (name) => {
      expect(() => split(name)).toThrow(SourceError);
    },
  );
});
