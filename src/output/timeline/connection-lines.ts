import type { ConnectionEntry, MessageEntry } from '../../recording/replay/record.ts';
import { type ConnectionStream, isConnection } from '../../recording/replay/stream.ts';
import { InputTiming } from '../../recording/summary/input-timing.ts';
import { getOr } from '../../wire/bytes/get-or.ts';
import { handshakeText, type StoryPart, storyOf } from '../phrases/connection-phrases.ts';
import type { Phrase, Phrases } from '../phrases/event-phrases.ts';
import { count, nonZero, thousands } from '../text/number.ts';

/** Of more connections only what is wrong is told. */
const maxTold = 8;

interface Counted {
  readonly lag: InputTiming;
  /** The counts when the last line of a second was written. */
  before: { resent: number; lost: number; late: number };
}

/**
 * The connections of a timeline: how they begin, what goes wrong in a second, and at the end of the capture what became
 * of them.
 */
export class ConnectionLines {
  readonly #phrases: Phrases;
  readonly #byStream = new Map<ConnectionStream, Counted>();

  constructor(phrases: Phrases) {
    this.#phrases = phrases;
  }

  begins({ stream }: ConnectionEntry): Phrase {
    const phrases = this.#phrases;
    const { server, version, handshake } = stream;
    this.#of(stream);
    // The version is known only if the beginning of the connection was captured.
    if (version === undefined) return phrases.compose`is connected to ${server}`;
    const handshakePart = handshake ? [phrases.dim(`, ${handshakeText(handshake)}`)] : [];
    return phrases.compose`connects to ${server}, ${version}${handshakePart}`;
  }

  message(entry: MessageEntry): void {
    if (isConnection(entry.stream)) this.#of(entry.stream).lag.add(entry);
  }

  drop(stream: ConnectionStream): void {
    this.#byStream.delete(stream);
  }

  /** `3 chunks sent again`, `2 inputs late`: since the last call. */
  since(stream: ConnectionStream): string[] {
    const known = this.#of(stream);
    const up = stream.counts('to_server');
    const down = stream.counts('to_client');
    const now = { resent: up.resent + down.resent, lost: up.lost + down.lost, late: known.lag.late };
    const { before } = known;
    known.before = now;
    const lost = Math.max(0, now.lost - before.lost);
    return nonZero(
      [now.resent - before.resent, `${count(now.resent - before.resent, 'chunk')} sent again`],
      [lost, `${count(lost, 'chunk')} not captured`],
      [now.late - before.late, `${thousands(now.late - before.late)} of these inputs late`],
    );
  }

  /**
   * What became of each connection, in the order in which they began. @param start seconds since 1970 at the beginning
   * of the capture
   */
  *stories(start: number): Generator<{ readonly client: string; readonly phrase: Phrase }, void> {
    const isShort = this.#byStream.size > maxTold;
    for (const [connection, { lag }] of this.#byStream) {
      for (const { label, texts } of storyOf(connection, lag, start)) {
        const told = isShort ? texts.filter(({ isWrong }) => isWrong) : texts;
        // The line of its beginning has it.
        if (label === 'handshake' || told.length === 0) continue;
        yield { client: connection.client, phrase: this.#part(label, told) };
      }
    }
  }

  #part(label: StoryPart['label'], texts: StoryPart['texts']): Phrase {
    const phrases = this.#phrases;
    const parts = texts.map(({ text, isWrong, isUnread }) =>
      isWrong ? phrases.compose`${phrases.mark(isUnread ? 'error' : 'warning')} ${text}` : phrases.compose`${text}`,
    );
    return [phrases.dim(`${label}: `), ...parts.flatMap((part, i) => (i > 0 ? phrases.compose`, ${part}` : part))];
  }

  #of(stream: ConnectionStream): Counted {
    return getOr(this.#byStream, stream, () => ({ lag: new InputTiming(), before: { resent: 0, lost: 0, late: 0 } }));
  }
}
