import type { TickEvents } from '../recording/events/event.ts';
import { EventFinder } from '../recording/events/recording-events.ts';
import type { RecordingEntry } from '../recording/replay/record.ts';

/** The events of records, without the ticks that have none. */
export function* eventsIn(records: Iterable<RecordingEntry>): Generator<TickEvents, void> {
  const events = new EventFinder({ withTold: true });
  for (const entry of records) yield* events.add(entry).filter(hasEvents);
  yield* events.finish().filter(hasEvents);
}

/** The same of records that arrive later. */
export async function* eventsInLater(records: AsyncIterable<RecordingEntry>): AsyncGenerator<TickEvents, void> {
  const events = new EventFinder({ withTold: true });
  for await (const entry of records) yield* events.add(entry).filter(hasEvents);
  yield* events.finish().filter(hasEvents);
}

const hasEvents = ({ events }: TickEvents) => events.length > 0;
