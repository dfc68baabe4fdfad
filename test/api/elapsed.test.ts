import { expect, it } from 'vitest';
import { readDemo } from '../../src/api/index.ts';
import { eventsOf } from '../../src/api/match.ts';
import { EventFinder } from '../../src/recording/events/recording-events.ts';
import { recordsOf, run } from '../support/run.ts';
import { read } from '../support/samples.ts';

it.each(['vanilla-dm1.demo', 'ddnet-ipv6.pcap'])('events of %s have the seconds of dump', async (name) => {
  const bytes = read(name);
  const dumped = recordsOf((await run(`dump ${name} --events -t ndjson`, { [name]: bytes })).stdout);
  const kinds = new Set(dumped.map(({ event }) => event));
  // Without the actions of players, which dump leaves out.
  const found = [...eventsOf(bytes)].flatMap(({ events }) => events).filter(({ what }) => kinds.has(what));
  const placed = found.map(({ what, elapsed }) => `${what} ${elapsed}`);
  expect(placed.sort()).toEqual(dumped.map(({ event, seconds }) => `${event} ${seconds}`).sort());
  // How long a handshake took stays its own.
  for (const event of found) if (event.what === 'accept') expect(event.seconds).toBeLessThan(0.01);
  expect(new Set(found.map(({ elapsed }) => elapsed)).size).toBeGreaterThan(5);
});

it('of records of a demo, too, by the ticks since its first', () => {
  const bytes = read('vanilla-dm1.demo');
  const [first = Number.NaN] = [...readDemo(bytes)].flatMap((entry) => (entry.record === 'tick' ? [entry.tick] : []));
  for (const { tick, events } of eventsOf(readDemo(bytes)))
    for (const { elapsed } of events) expect(elapsed).toBe((tick - first) / 50);
});

it('not of an EventFinder, which has no clock', () => {
  const finder = new EventFinder();
  for (const entry of readDemo(read('vanilla-dm1.demo')))
    for (const { events } of finder.add(entry)) for (const event of events) expect(event.elapsed).toBeUndefined();
});
