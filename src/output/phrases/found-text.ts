import type { FoundNote, Missing } from '../../input/source/found.ts';
import { count } from '../text/number.ts';
import { diagnosticLine } from './diagnostic-messages.ts';
import { reasons } from './recording-phrases.ts';

/** What is said of a snapshot or packet of a recording, in words that follow its position. */
export function foundText(note: FoundNote): string {
  switch (note.code) {
    case 'omitted':
      return `${count(note.clients, 'more client')} not searched: there are too many`;
    case 'others': {
      const others = `${note.clients} more ${note.clients === 1 ? 'client has' : 'clients have'} this tick`;
      return `using the snapshot of client ${note.client}; ${others}`;
    }
    case 'tick':
      return note.last === note.tick
        ? `tick ${note.tick}`
        : `tick ${note.last}, the last snapshot up to tick ${note.tick}`;
    case 'as_sent':
      return `shown as sent; it can't be rebuilt: ${lossText(note)}`;
    case 'mismatch':
      return `its checksum is ${note.found}, but ${note.announced} was announced`;
    case 'damage': {
      const later =
        typeof note.tick === 'number' ? `may not hold at ${note.tick} any more` : 'the last that can be read';
      return `${note.isBefore ? 'may be wrong' : later}: ${diagnosticLine(note.error)}`;
    }
  }
}

/** `the base is missing (tick 33984)`: the tick leads to the packet that the capture lacks. */
function lossText({ loss, base }: FoundNote & { readonly code: 'as_sent' }): string {
  return loss === 'missing_base' && base >= 0 ? `${reasons[loss]} (tick ${base})` : reasons[loss];
}

/** Why there is nothing at a position, in words that follow the name of the recording. */
export function missingText(missing: Missing): string {
  switch (missing.code) {
    case 'no_snapshot':
      return 'it has no snapshot that can be read';
    case 'lost':
      return `tick ${missing.tick} of ${missing.client} can't be rebuilt: ${reasons[missing.loss]}`;
    case 'no_tick': {
      const { tick, ranges } = missing;
      const { client, first, last } = ranges[0]!;
      // A demo has one stream, without a client.
      const where =
        client === ''
          ? `it ${first > Number(tick) ? `begins at ${first}` : `ends at ${last}`}`
          : ranges.map((range) => `${range.client} has ${range.first} to ${range.last}`).join(', ');
      return `there is no tick ${tick}: ${where}`;
    }
    case 'no_packet': {
      const { number, before, after } = missing;
      const ends = before === 0 ? '' : `; the last datagram before it is ${before}`;
      return after === 0
        ? `there is no packet ${number}${ends}`
        : `packet ${number} is not a readable UDP datagram${ends}, the next one ${after}`;
    }
  }
}
